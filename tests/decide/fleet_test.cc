// The decision over all workloads together.
#include "decide/decide.h"
#include "support/catch.h"
#include "support/workloads.h"

namespace {

struct Work {
  const char* name;
  bool slurm;
  bool services;
  std::optional<double> share;
};

muster::Workload workload_of(const Work& work) {
  muster::Workload out = muster::test::workload_without_facts(work.name);
  const auto set = [&](const char* name, muster::FactValue value) {
    muster::test::set_fact(out, name, std::move(value));
  };
  set("nodes", std::int64_t{8});
  set("tightly_coupled", work.slurm);
  set("bare_metal", work.slurm);
  set("long_lived_services", work.services);
  set("python_native_pipeline", false);
  set("edge_or_dev", false);
  if (work.share) set("gpu_hours_share", *work.share);
  return out;
}

muster::FleetDecision decide(const std::vector<Work>& all, const muster::SiteFacts& facts = {},
                             const muster::Targets& targets = {}) {
  static const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  muster::Model model;
  for (const Work& work : all) model.workloads.push_back(workload_of(work));
  const muster::Site site{targets, facts};
  return muster::decide_fleet(model, *book, site, muster::decide_all(model, *book, site));
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("work of one kind gets one plane and no hybrid", "[decide]") {
  const muster::FleetDecision batch = decide({{"a", true, false, {}}, {"b", true, false, {}}});
  CHECK(batch.kinds == Words{"slurm"});
  CHECK(batch.hybrid.value == "none");
  const muster::FleetDecision containers = decide({{"a", false, true, {}}});
  CHECK(containers.kinds == Words{"kubernetes"});
  CHECK(containers.hybrid.value == "none");
}

TEST_CASE("nine GPU-hours of ten argue for one plane and a small partition", "[decide]") {
  const muster::FleetDecision batch = decide({{"train", true, false, 0.9}, {"serve", false, true, 0.1}});
  CHECK(batch.kinds == Words{"slurm"});
  CHECK(batch.hybrid.value == "partition");
  const muster::FleetDecision containers = decide({{"train", true, false, 0.05}, {"serve", false, true, 0.95}});
  CHECK(containers.kinds == Words{"kubernetes"});
  CHECK(containers.hybrid.value == "partition");
}

TEST_CASE("a mixed fleet joins its planes only where the border costs more than the people", "[decide]") {
  const std::vector<Work> mixed{{"train", true, false, 0.6}, {"serve", false, true, 0.4}};
  const muster::FleetDecision cheap = decide(mixed, {{"economics.convergence_pays", "false"}});
  CHECK(cheap.kinds == Words{"slurm", "kubernetes"});
  CHECK(cheap.hybrid.value == "partition");
  const muster::Targets new_enough{{"slurm", *muster::Version::parse("25.11")},
                                   {"kubernetes", *muster::Version::parse("1.36")}};
  const muster::FleetDecision dear =
      decide(mixed, {{"economics.convergence_pays", "true"}, {"stage", "production"}}, new_enough);
  CHECK(dear.hybrid.value == "slinky-slurm-bridge");
}

TEST_CASE("shares that nobody gave leave the number of planes open, and are named", "[decide]") {
  const muster::FleetDecision open = decide({{"train", true, false, 0.6}, {"serve", false, true, {}}});
  CHECK_FALSE(open.planes.value);
  CHECK(open.kinds.empty());
  CHECK(open.planes.possible == Words{"both", "kubernetes", "slurm"});
  CHECK(open.planes.unknown == Words{"gpu_hours_share"});
  CHECK_FALSE(open.hybrid.value);
  CHECK(std::ranges::find(open.hybrid.possible, "none") == open.hybrid.possible.end());
}

TEST_CASE("services beside batch work of one workload make two kinds of work", "[decide]") {
  const muster::FleetDecision both = decide({{"train-and-serve", true, true, {}}});
  CHECK(both.planes.possible == Words{"both", "kubernetes", "slurm"});
}

TEST_CASE("what is said of all work together stands", "[decide]") {
  const std::vector<Work> mixed{{"train", true, false, 0.6}, {"serve", false, true, 0.4}};
  CHECK(decide(mixed).kinds == Words{"slurm", "kubernetes"});
  CHECK(decide(mixed, {{"work.slurm_share", "0.95"}}).kinds == Words{"slurm"});
  const muster::FleetDecision without = decide(mixed, {{"work.slurm", "false"}});
  CHECK(without.kinds == Words{"kubernetes"});
  CHECK(without.hybrid.value == "none");
  CHECK(decide({{"train", true, false, {}}}, {{"work.kubernetes", "true"}, {"work.slurm_share", "0.5"}}).kinds ==
        Words{"slurm", "kubernetes"});
}

TEST_CASE("a k3s beside a Kubernetes is one of the planes", "[decide]") {
  const muster::SiteFacts both{
      {"existing.k3s", "true"}, {"existing.kubernetes", "true"}, {"existing.slurm", "false"}, {"stage", "production"}};
  muster::Model model;
  model.workloads = {workload_of({"serve", false, true, {}}), workload_of({"edge", false, true, {}})};
  muster::test::set_fact(model.workloads[1], "edge_or_dev", true);
  const muster::Site site{{}, both};
  model.fleets.emplace_back();
  model.fleets.front().facts.resize(muster::fleet_facts().size());
  static const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const std::vector<muster::Decision> decisions = muster::decide_all(model, *book, site);
  REQUIRE(decisions[0].runs_on.value == "kubernetes");
  REQUIRE(decisions[1].runs_on.value == "k3s");
  CHECK(muster::decide_fleet(model, *book, site, decisions).kinds == Words{"kubernetes", "k3s"});
}
