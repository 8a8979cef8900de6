// Facts: each decides something, and --set reaches each.
#include "decide/decide.h"
#include "facts/fact_uses.h"
#include "support/catch.h"
#include "support/model.h"

namespace {

const muster::RuleBook& facts_book() {
  static const muster::Result<muster::RuleBook> result = muster::RuleBook::embedded();
  REQUIRE(result);
  return *result;
}

bool is_read(std::string_view fact) {
  return std::ranges::any_of(facts_book().tables(),
                             [&](const muster::Table& table) { return table.find_input(fact) != nullptr; });
}

/// A value that the fact can have.
std::string some_value(const muster::FactDef& fact) {
  switch (fact.type) {
    case muster::FactType::Bool: return "true";
    case muster::FactType::Int: return "2";
    case muster::FactType::Double: return "0.5";
    case muster::FactType::String: return fact.words.empty() ? "1.2" : std::string(fact.words.front());
  }
  return "";
}

muster::Workspace small_fleet() {
  return muster::test::read_files(
      {{"r/fleet.yaml",
        "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[1-100]\", gpus_per_node: 8}\n"
        "economics: {gpu_hour_usd: 1, engineer_usd_per_year: 100000, two_plane_engineers: 2, stranded_share: 0.01}\n"},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 2}\n"}});
}

}  // namespace

TEST_CASE("every fact of our own files decides something", "[decide]") {
  for (const auto facts : {muster::workload_facts, muster::fleet_facts, muster::pool_facts}) {
    for (const muster::FactDef& fact : facts()) {
      INFO(fact.name);
      CHECK((is_read(fact.name) || !muster::uses_of_fact(fact.name).empty()));
    }
  }
}

TEST_CASE("--set reaches every fact, and what follows from it is derived anew", "[decide]") {
  muster::Workspace all = small_fleet();
  for (const auto facts : {muster::workload_facts, muster::fleet_facts, muster::pool_facts}) {
    for (const muster::FactDef& fact : facts()) {
      const std::optional<muster::Error> error =
          muster::set_facts({std::string(fact.name) + "=" + some_value(fact)}, facts_book(), all.model, all.site);
      INFO(fact.name << (error ? ": " + error->message : ""));
      CHECK_FALSE(error);
    }
  }
  muster::Workspace w = small_fleet();
  CHECK(w.site.facts["economics.convergence_pays"] == "false");  // 70,080 USD idle, 200,000 USD of people
  REQUIRE_FALSE(muster::set_facts({"economics.gpu_hour_usd=4"}, facts_book(), w.model, w.site));
  CHECK(w.site.facts["economics.convergence_pays"] == "true");
  REQUIRE_FALSE(
      muster::set_facts({"economics.convergence_pays=false", "stage=production"}, facts_book(), w.model, w.site));
  CHECK(w.site.facts["economics.convergence_pays"] == "false");  // what is said of it counts
  CHECK(w.site.facts["stage"] == "production");
}

TEST_CASE("the number at which a choice turns is the one at which the money does", "[decide]") {
  const muster::Workspace w = muster::test::read_files(
      {{"r/fleet.yaml",
        "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[1-250]\", gpus_per_node: 8}\n"
        "economics: {gpu_hour_usd: 2, engineer_usd_per_year: 200000, licence_usd_per_gpu_year: 2000, "
        "bought_goodput_gain: 0.05}\n"
        "requirements: {platform_engineers: 6, weeks_to_first_job: 20, differentiating: false}\n"},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 2}\n"}});
  const muster::FleetDecision fleet = muster::decide_fleet(w.model, facts_book(), w.site, w.decisions);
  std::string text;
  for (const muster::BreakEven& one : fleet.break_evens) {
    text += one.choice + " " + one.value + (one.upwards ? " <= " : " >= ") + one.until + " " + one.fact + " then " +
            one.then + "\n";
  }
  // 2,000 GPUs: 4.0 million of licences against 1.2 million of people and 1.752 million of goodput.
  CHECK(text ==
        "build-or-buy build <= 0.0799 economics.bought_goodput_gain then buy\n"
        "build-or-buy build <= 374000 economics.engineer_usd_per_year then buy\n"
        "build-or-buy build <= 3.19 economics.gpu_hour_usd then buy\n"
        "build-or-buy build >= 1480 economics.licence_usd_per_gpu_year then buy\n"
        "build-or-buy build <= 11 requirements.platform_engineers then buy\n"
        "build-or-buy build >= 3 requirements.platform_engineers then buy\n"
        "build-or-buy build >= 12 requirements.weeks_to_first_job then buy\n");
}
