#include "finding/matching.h"

#include <random>

#include "support/catch.h"

using namespace muster;

namespace {

KeyedFindings found(const std::string& file, const std::string& object, const std::string& rule,
                    Severity severity = Severity::Warning, std::size_t count = 1) {
  return {{file, object, rule, "", ""}, severity, count, !object.empty()};
}

/// `known` as marks, and what is left of the earlier ones.
std::string matched(const std::vector<KeyedFindings>& earlier, const std::vector<KeyedFindings>& later,
                    const std::set<std::string>& held = {}) {
  const Matching matching = match_findings(earlier, later, [&](const std::string& file, const std::string& object) {
    return held.contains(file + " " + object);
  });
  std::string out;
  for (const bool known : matching.known) out += known ? "k" : "n";
  for (const std::size_t left : matching.left) out += " " + std::to_string(left);
  return out;
}

}  // namespace

TEST_CASE("equal findings are matched one by one", "[finding]") {
  CHECK(matched({found("a", "o", "r")}, {found("a", "o", "r")}) == "k 0");
  CHECK(matched({found("a", "o", "r")}, {found("a", "o", "r"), found("a", "o", "r")}) == "kn 0");
  CHECK(matched({found("a", "o", "r", Severity::Warning, 3)}, {found("a", "o", "r")}) == "k 2");
  CHECK(matched({found("a", "o", "r")}, {found("a", "o", "s")}) == "n 1");
  CHECK(matched({}, {found("a", "o", "r")}) == "n");
}

TEST_CASE("an object stays what it is when its API goes on to another version", "[finding]") {
  const std::string old = "autoscaling/v2beta2/HorizontalPodAutoscaler/ml/a";
  CHECK(matched({found("a", old, "r")}, {found("a", "autoscaling/v2/HorizontalPodAutoscaler/ml/a", "r")}) == "k 0");
  CHECK(matched({found("a", old, "r")}, {found("a", "other/v2/HorizontalPodAutoscaler/ml/a", "r")}) == "n 1");
  CHECK(without_api_version(old) == "autoscaling/HorizontalPodAutoscaler/ml/a");
  CHECK(without_api_version("v1/Pod/a") == "Pod/a");
  CHECK(without_api_version("sbatch/v1/x") == "sbatch/x");
  CHECK(without_api_version("slurm.conf") == "slurm.conf");
}

TEST_CASE("an object that went to another file keeps its findings, one that stayed does not lend them", "[finding]") {
  CHECK(matched({found("a", "o", "r")}, {found("b", "o", "r")}) == "k 0");
  CHECK(matched({found("a", "o", "r")}, {found("b", "o", "r")}, {"a o"}) == "n 1");
  CHECK(matched({found("a", "o", "r")}, {found("b", "p", "r")}) == "n 1");
  // What has no name is about its file.
  CHECK(matched({found("a", "", "r")}, {found("b", "", "r")}) == "n 1");
  // Its own file comes first.
  CHECK(matched({found("a", "o", "r"), found("b", "o", "r")}, {found("b", "o", "r"), found("c", "o", "r")}) ==
        "kk 0 0");
}

TEST_CASE("what got worse is new", "[finding]") {
  CHECK(matched({found("a", "o", "r", Severity::Warning)}, {found("a", "o", "r", Severity::Error)}) == "n 1");
  CHECK(matched({found("a", "o", "r", Severity::Error)}, {found("a", "o", "r", Severity::Info)}) == "k 0");
  // An error stays for the error, whatever comes first.
  CHECK(matched({found("a", "o", "r", Severity::Info), found("a", "o", "r", Severity::Error)},
                {found("a", "o", "r", Severity::Info), found("a", "o", "r", Severity::Error)}) == "kk 0 0");
}

TEST_CASE("the order of findings does not matter", "[finding]") {
  std::mt19937 random(1);
  const auto pick = [&](std::size_t most) { return random() % most; };
  for (int round = 0; round < 300; ++round) {
    std::vector<KeyedFindings> earlier;
    std::vector<KeyedFindings> later;
    for (std::size_t i = pick(12); i > 0; --i)
      earlier.push_back(found(std::string(1, static_cast<char>('a' + pick(3))), pick(4) == 0 ? "" : "o", "r",
                              static_cast<Severity>(pick(3)), 1 + pick(3)));
    for (std::size_t i = pick(12); i > 0; --i)
      later.push_back(found(std::string(1, static_cast<char>('a' + pick(3))), pick(4) == 0 ? "" : "o", "r",
                            static_cast<Severity>(pick(3))));
    const auto known_of = [&] {
      const Matching matching = match_findings(earlier, later, [](const auto&, const auto&) { return false; });
      return std::ranges::count(matching.known, true);
    };
    const auto before = known_of();
    std::ranges::shuffle(earlier, random);
    std::ranges::shuffle(later, random);
    CHECK(known_of() == before);
  }
}

TEST_CASE("the words in backticks are the user's", "[finding]") {
  CHECK(words_of_user("`train` asks for 9 members but has 8 replicas") == "train");
  CHECK(words_of_user("`a` is not `b c`, and `open") == "a b c");
  CHECK(words_of_user("nothing").empty());
  CHECK(words_of_user("").empty());
}
