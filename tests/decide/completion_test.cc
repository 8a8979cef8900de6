// Decisions over open facts against all of their completions, one at a time.
#include <map>
#include <random>
#include <set>

#include "decide/decide.h"
#include "support/catch.h"
#include "support/workloads.h"

namespace {

using Values = std::map<std::string, std::string>;

const std::vector<std::pair<std::string, std::vector<muster::FactValue>>>& domains() {
  static const std::vector<muster::FactValue> kBool{false, true};
  static const std::vector<std::pair<std::string, std::vector<muster::FactValue>>> kAll{
      {"bare_metal", kBool},   {"edge_or_dev", kBool},
      {"long_lived_services", kBool}, {"nodes", {std::int64_t{1}, std::int64_t{2}, std::int64_t{9}}},
      {"python_native_pipeline", kBool}, {"tightly_coupled", kBool},
  };
  return kAll;
}

constexpr std::size_t kOpen = 99;

muster::Workload workload_of(const std::vector<std::size_t>& choice) {
  muster::Workload workload = muster::test::workload_without_facts("w");
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (choice[i] != kOpen) muster::test::set_fact(workload, domains()[i].first, domains()[i].second[choice[i]]);
  }
  return workload;
}

std::map<std::string, muster::Choice> choices_of(const muster::Decision& decision) {
  std::map<std::string, muster::Choice> out{{"primary", decision.primary}, {"host", decision.host}, {"hybrid", decision.hybrid}};
  for (const char* addon : {"gang-scheduler", "gpu-operator", "kuberay", "topology-conf"}) {
    out[addon].value = "none";
    for (const muster::AddonChoice& choice : decision.addons) {
      if (choice.id == addon) out[addon] = choice.level;
    }
  }
  return out;
}

/// Calls `visit` with every way to fill in the open facts.
template <class Visit>
void complete(std::vector<std::size_t> choice, std::size_t from, const Visit& visit) {
  for (std::size_t i = from; i < choice.size(); ++i) {
    if (choice[i] != kOpen) continue;
    for (std::size_t v = 0; v < domains()[i].second.size(); ++v) {
      choice[i] = v;
      complete(choice, i + 1, visit);
    }
    return;
  }
  visit(choice);
}

}  // namespace

TEST_CASE("open facts give the outcomes of all completions and name exactly the facts that decide", "[decide]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  std::map<std::vector<std::size_t>, std::map<std::string, muster::Choice>> known;
  complete(std::vector<std::size_t>(domains().size(), kOpen), 0,
           [&](const std::vector<std::size_t>& choice) { known[choice] = choices_of(muster::decide(workload_of(choice), *book)); });
  REQUIRE(known.size() == 96);
  std::mt19937 random(3);
  for (int n = 0; n < 150; ++n) {
    std::vector<std::size_t> choice;
    for (const auto& [name, values] : domains()) choice.push_back(random() % 2 == 0 ? kOpen : random() % values.size());
    std::map<std::string, std::set<std::string>> outcomes;
    std::map<std::string, std::set<std::string>> deciding;
    complete(choice, 0, [&](const std::vector<std::size_t>& one) {
      for (const auto& [what, value] : known[one]) {
        outcomes[what].insert(*value.value);
        for (std::size_t i = 0; i < choice.size(); ++i) {
          std::vector<std::size_t> other = one;
          for (other[i] = 0; choice[i] == kOpen && other[i] < domains()[i].second.size(); ++other[i]) {
            if (known[other][what].value != value.value) deciding[what].insert(domains()[i].first);
          }
        }
      }
    });
    for (const auto& [what, open] : choices_of(muster::decide(workload_of(choice), *book))) {
      std::set<std::string> given(open.possible.begin(), open.possible.end());
      if (open.value) given.insert(*open.value);
      INFO(what);
      CHECK(given == outcomes[what]);
      CHECK(std::set<std::string>(open.unknown.begin(), open.unknown.end()) == deciding[what]);
    }
  }
}
