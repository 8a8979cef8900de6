#include "base/hostlist.h"

#include <sstream>

#include "support/catch.h"
#include "support/files.h"

using muster::Hostlist;
using muster::HostlistDialect;

namespace {

/// What Slurm answered: `EXPR => n=4 node001 ...` with the first six names, or an error text.
struct Answer {
  std::string expr;
  std::uint64_t count = 0;
  std::vector<std::string> first;
  std::string text;
};

std::vector<Answer> read_oracle(const std::string& version) {
  std::vector<Answer> answers;
  std::istringstream in(
      muster::test::read_file(muster::test::source_dir() + "/tests/oracles/hostlist-" + version + ".txt"));
  for (std::string line; std::getline(in, line);) {
    const std::size_t arrow = line.find(" => n=");
    if (arrow == std::string::npos) continue;
    Answer answer;
    answer.expr = line.substr(0, arrow);
    std::istringstream words(line.substr(arrow + 6));
    words >> answer.count;
    std::getline(words, answer.text);
    std::istringstream names(answer.text);
    for (std::string name; names >> name;) answer.first.push_back(name);
    answers.push_back(answer);
  }
  return answers;
}

void agree(const std::string& version, HostlistDialect dialect) {
  const std::vector<Answer> answers = read_oracle(version);
  REQUIRE(answers.size() > 40);
  for (const Answer& answer : answers) {
    INFO("Slurm " << version << ": " << answer.expr << " => " << answer.text);
    const muster::Result<Hostlist> list = Hostlist::parse(answer.expr, dialect);
    const bool function = answer.text.find("hostlist function") != std::string::npos;
    const bool refused = answer.text.find("Invalid hostlist") != std::string::npos;
    CHECK(static_cast<bool>(list) == !refused);
    if (!list) continue;
    CHECK(list->functions().empty() == !function);
    if (function) continue;
    CHECK(list->size() == (answer.first.empty() ? 0 : answer.count));  // Slurm prints an empty line for an empty list
    for (std::size_t i = 0; i < answer.first.size() && i < list->size(); ++i) {
      CHECK(list->name(i) == answer.first[i]);
      CHECK(list->contains(answer.first[i]));
    }
  }
}

}  // namespace

TEST_CASE("hostlists agree with Slurm's own answers", "[hostlist]") {
  agree("22.05", HostlistDialect::V22_05);
  agree("24.11", HostlistDialect::V23_11);
  agree("26.05", HostlistDialect::V25_05);
}

TEST_CASE("a list of 65,536 names costs nothing until asked", "[hostlist]") {
  const muster::Result<Hostlist> list = Hostlist::parse("n[1-65536],m[1-65536]x[1-65536]");
  REQUIRE(list);
  CHECK(list->size() == 65536u + 65536ull * 65536ull);
  CHECK(list->contains("n65536"));
  CHECK(list->contains("m65536x1"));
  CHECK_FALSE(list->contains("n65537"));
  CHECK_FALSE(list->expand(Hostlist::kMaxExpanded).has_value());
}

TEST_CASE("a list of very many items is walked once", "[hostlist]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "n" + std::to_string(i) + ",";
  const muster::Result<Hostlist> list = Hostlist::parse(text);
  REQUIRE(list);
  std::uint64_t seen = 0;
  list->each([&](const std::string& name) { seen += name == "n" + std::to_string(seen) ? 1 : 0; });
  CHECK(seen == 100'000);
}

TEST_CASE("padding belongs to the name", "[hostlist]") {
  const muster::Result<Hostlist> list = Hostlist::parse("gpu[008-012]");
  REQUIRE(list);
  CHECK(list->contains("gpu008"));
  CHECK_FALSE(list->contains("gpu8"));
  CHECK_FALSE(list->contains("gpu0008"));
  CHECK_FALSE(list->contains("GPU008"));
}

TEST_CASE("adjacent brackets are told apart by every split of the digits", "[hostlist]") {
  const muster::Result<Hostlist> list = Hostlist::parse("n[1-12][3-14]");
  REQUIRE(list);
  for (std::uint64_t i = 0; i < list->size(); ++i) CHECK(list->contains(list->name(i)));
  CHECK_FALSE(list->contains("n12"));
}

TEST_CASE("too many combinations are refused, not expanded", "[hostlist]") {
  CHECK_FALSE(Hostlist::parse("a[1-65536]b[1-65536]c[1-2]"));
  CHECK_FALSE(Hostlist::parse("a[1-70000]"));
}

TEST_CASE("compressed lists read back as the same names in the same order", "[hostlist]") {
  const std::vector<std::vector<std::string>> cases{
      {"node1", "node2", "node4"},     {"n9", "n10", "n11"}, {"n09", "n10"}, {"n099", "n100"},
      {"login", "n1", "n2", "login2"}, {"a-ib", "b-ib"},     {"x"},          {}};
  for (const auto& names : cases) {
    const std::string text = muster::compress_hostlist(names);
    INFO(text);
    const muster::Result<Hostlist> list = Hostlist::parse(text);
    REQUIRE(list);
    CHECK(list->expand(100) == names);
  }
  CHECK(muster::compress_hostlist(std::vector<std::string>{"node1", "node2", "node4"}) == "node[1-2,4]");
  CHECK(muster::compress_hostlist(std::vector<std::string>{"n09", "n10", "m1"}) == "n[09-10],m1");
  CHECK(muster::compress_hostlist(std::vector<std::string>{"n1"}) == "n1");
}
