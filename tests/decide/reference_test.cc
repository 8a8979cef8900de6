// The 256 reference cases, and a second implementation of the matrix that shares nothing with the tables.
#include <sstream>

#include "decide/decide.h"
#include "decide/decider.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/workloads.h"

namespace {

struct CaseFacts {
  int nodes;
  bool tightly_coupled, bare_metal, services, multi_tenant, pipeline, edge;
};

struct Outcome {
  std::string primary, host;
  bool gang, hybrid;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& o) {
  return out << o.primary << " on " << o.host << (o.gang ? ", gang" : "") << (o.hybrid ? ", hybrid" : "");
}

/// The matrix in plain words: the decision guide's flow chart, with its invariant obeyed for Ray on k3s, too.
Outcome by_hand(const CaseFacts& f) {
  const bool coupled_over_nodes = f.tightly_coupled && f.nodes > 1;
  if (coupled_over_nodes && f.bare_metal) return {"slurm", "slurm", false, f.services};
  const std::string kubernetes = f.edge ? "k3s" : "kubernetes";
  return {f.pipeline ? "ray" : kubernetes, kubernetes, coupled_over_nodes, false};
}

muster::Workload workload_of(const CaseFacts& f) {
  muster::Workload workload = muster::test::workload_without_facts("w");
  const auto set = [&](const char* name, muster::FactValue value) {
    muster::test::set_fact(workload, name, std::move(value));
  };
  set("nodes", std::int64_t{f.nodes});
  set("tightly_coupled", f.tightly_coupled);
  set("bare_metal", f.bare_metal);
  set("long_lived_services", f.services);
  set("multi_tenant", f.multi_tenant);
  set("python_native_pipeline", f.pipeline);
  set("edge_or_dev", f.edge);
  return workload;
}

Outcome by_tables(const CaseFacts& f, muster::Decider& decider) {
  const muster::Decision decision = decider.decide(workload_of(f));
  REQUIRE(decision.decided());
  bool gang = false;
  for (const muster::AddonChoice& addon : decision.addons)
    gang = gang || (addon.id == "gang-scheduler" && addon.level.value == "required");
  return {*decision.primary.value, *decision.host.value, gang, decision.hybrid.value != "none"};
}

}  // namespace

TEST_CASE("the tables agree with the reference matrix, and require the gang scheduler where it forgot to", "[decide]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const muster::Site site;
  muster::Decider decider(*book, site);
  std::istringstream in(muster::test::read_file(muster::test::source_dir() + "/tests/oracles/decision-reference.csv"));
  std::string line;
  std::getline(in, line);  // column names
  int sound = 0;
  int forgotten = 0;
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line + ",");
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() >= 11);
    const auto flag = [&](std::size_t i) { return cells[i] == "1"; };
    const CaseFacts facts{std::stoi(cells[0]), flag(1), flag(2), flag(3), flag(4), flag(5), flag(6)};
    const bool deviates = cells.size() > 11 && !cells[11].empty();
    const std::string primary = cells[7];
    Outcome expected{primary, primary == "ray" ? cells[8] : primary, flag(9) || deviates, flag(10)};
    INFO(line);
    CHECK(by_tables(facts, decider) == expected);
    CHECK(by_hand(facts) == expected);
    ++(deviates ? forgotten : sound);
  }
  CHECK(sound == 244);
  CHECK(forgotten == 12);
}

TEST_CASE("an unknown fact is named only where its value decides", "[decide]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  muster::Workload workload = workload_of({8, true, true, false, false, false, false});
  muster::test::clear_fact(workload, "multi_tenant");  // decides nothing
  CHECK(muster::decide(workload, *book).decided());

  muster::test::clear_fact(workload, "bare_metal");
  const muster::Decision open = muster::decide(workload, *book);
  CHECK_FALSE(open.decided());
  CHECK(open.primary.possible == std::vector<std::string>{"kubernetes", "slurm"});
  CHECK(open.primary.unknown == std::vector<std::string>{"bare_metal"});
  CHECK(open.hybrid.value == "none");  // there are no services, wherever it runs

  muster::test::clear_fact(workload, "nodes");
  muster::test::set_fact(workload, "tightly_coupled", false);
  const muster::Decision small = muster::decide(workload, *book);
  CHECK(small.decided());  // not coupled: neither nodes nor bare metal matter
  CHECK(small.primary.value == "kubernetes");
}

TEST_CASE("every unknown set of facts gives exactly the outcomes of its completions", "[decide]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const muster::Site site;
  muster::Decider decider(*book, site);
  const std::vector<std::string> names{"tightly_coupled", "bare_metal", "python_native_pipeline", "edge_or_dev"};
  for (unsigned unknown = 0; unknown < 16; ++unknown) {
    for (unsigned known = 0; known < 16; ++known) {
      if ((unknown & known) != 0) continue;
      std::set<std::string> expected;
      for (unsigned bits = 0; bits < 16; ++bits) {
        if ((bits & ~unknown) != known) continue;
        expected.insert(
            by_hand({4, (bits & 1) != 0, (bits & 2) != 0, false, false, (bits & 4) != 0, (bits & 8) != 0}).primary);
      }
      muster::Workload workload =
          workload_of({4, (known & 1) != 0, (known & 2) != 0, false, false, (known & 4) != 0, (known & 8) != 0});
      for (unsigned i = 0; i < 4; ++i) {
        if ((unknown >> i) & 1u) muster::test::clear_fact(workload, names[i]);
      }
      const muster::Decision decision = decider.decide(workload);
      INFO("unknown " << unknown << " known " << known);
      if (expected.size() == 1) {
        CHECK(decision.primary.value == *expected.begin());
      } else {
        CHECK(std::set<std::string>(decision.primary.possible.begin(), decision.primary.possible.end()) == expected);
      }
    }
  }
}
