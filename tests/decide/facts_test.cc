// Facts: each decides something, and --set reaches each.
#include <regex>
#include <set>

#include "base/strings.h"
#include "decide/decide.h"
#include "facts/fact_uses.h"
#include "facts/site_facts.h"
#include "support/catch.h"
#include "support/files.h"
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

std::string break_evens_in(const muster::Workspace& w) {
  std::string text;
  for (const muster::BreakEven& one : muster::break_evens_of(w.model, facts_book(), w.site, w.decisions)) {
    text += one.choice + " " + one.value + (one.upwards ? " <= " : " >= ") + one.until + " " + one.fact + " then " +
            one.then + "\n";
  }
  return text;
}

/// The fact of the model that --set means: of workloads before one of pools, both of which have `gpus_per_node`.
const muster::Located<muster::FactValue>& meant(const muster::Model& model, const std::string& name) {
  if (muster::workload_fact_index(name)) return model.workloads.front().fact(name);
  const muster::Fleet& fleet = model.fleets.front();
  return muster::fact_index(muster::fleet_facts(), name) ? fleet.fact(name) : fleet.node_pools.front().fact(name);
}

std::string text_of_value(const muster::FactValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real == 0.5 ? "0.5" : std::to_string(*real);
  return std::get<std::string>(value);
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

TEST_CASE("the uses of a fact are uses: their rules and facts exist", "[decide]") {
  const std::regex word("[a-z_0-9]+[.-][a-z_0-9.-]*[a-z_0-9]");
  for (const auto facts : {muster::workload_facts, muster::site_facts, muster::pool_facts}) {
    for (const muster::FactDef& fact : facts()) {
      for (const std::string_view view : muster::uses_of_fact(fact.name)) {
        const std::string use(view);
        INFO(fact.name << ": " << use);
        if (!use.starts_with("rule") && use.find(':') != std::string::npos)
          continue;  // a template, a part of the review
        for (std::sregex_iterator at(use.begin(), use.end(), word), end; at != end; ++at) {
          INFO(at->str());
          CHECK((use.starts_with("rule") ? facts_book().find(at->str()) != nullptr
                                         : muster::fact_index(muster::site_facts(), at->str()).has_value()));
        }
      }
    }
  }
}

TEST_CASE("what the sources read of a fact is among its uses", "[decide]") {
  struct Source {
    const char* file;
    std::string_view use;  ///< a word of one of them
  };
  for (const Source& source :
       {Source{"src/decide/plausible.cc", "rule"}, Source{"src/decide/money.cc", "review: money"},
        Source{"src/decide/goodput.cc", "review: "}, Source{"src/decide/pools.cc", "pool"},
        Source{"src/review/fleet.cc", "review: "}, Source{"src/decide/circumstances.cc", ""},
        Source{"src/facts/site_facts.cc", ""}}) {
    const std::string text = muster::test::read_file(muster::test::source_dir() + "/" + source.file);
    std::set<std::string> named;
    const std::regex literal("\"([a-z_.]+)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), literal), end; at != end; ++at) named.insert((*at)[1]);
    std::size_t facts = 0;
    for (const auto table : {muster::workload_facts, muster::fleet_facts, muster::pool_facts}) {
      for (const muster::FactDef& fact : table()) {
        if (!named.contains(std::string(fact.name))) continue;
        ++facts;
        const std::vector<std::string_view> uses = muster::uses_of_fact(fact.name);
        INFO(source.file << " reads " << fact.name);
        CHECK(std::ranges::any_of(uses, [&](std::string_view use) { return muster::contains(use, source.use); }));
      }
    }
    CHECK(facts > 3);
  }
}

TEST_CASE("the facts that rules read of our own files are among their uses", "[decide]") {
  std::size_t found = 0;
  for (const muster::Rule& rule : facts_book().rules()) {
    const std::string collection = rule.collection == nullptr ? "" : std::string(rule.collection->name);
    const auto table = collection == "workloads"     ? muster::workload_facts
                       : collection == "fleets"      ? muster::fleet_facts
                       : collection == "fleet_pools" ? muster::pool_facts
                                                     : nullptr;
    if (table == nullptr) continue;
    const std::string text = muster::test::read_file(muster::test::source_dir() + "/rules/" + rule.info.family + "/" +
                                                     rule.info.id + ".yaml");
    for (const muster::FactDef& fact : table()) {
      const std::regex read("\\b" + rule.variable + "\\." + muster::replace_all(std::string(fact.name), ".", "_") +
                            "\\b");
      if (!std::regex_search(text, read)) continue;
      ++found;
      const std::vector<std::string_view> uses = muster::uses_of_fact(fact.name);
      INFO(rule.info.id << " reads " << fact.name);
      CHECK(std::ranges::any_of(uses, [&](std::string_view use) { return muster::contains(use, rule.info.id); }));
    }
  }
  CHECK(found >= 2);
}

TEST_CASE("--set reaches every fact, and what follows from it is derived anew", "[decide]") {
  muster::Workspace all = small_fleet();
  for (const auto facts : {muster::workload_facts, muster::fleet_facts, muster::pool_facts}) {
    for (const muster::FactDef& fact : facts()) {
      const std::optional<muster::Error> error =
          muster::set_facts({std::string(fact.name) + "=" + some_value(fact)}, facts_book(), all.model, all.site);
      INFO(fact.name << (error ? ": " + error->message : ""));
      CHECK_FALSE(error);
      const muster::Located<muster::FactValue>& set = meant(all.model, std::string(fact.name));
      REQUIRE(set.known());
      CHECK(text_of_value(set.value) == some_value(fact));
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
  const std::string text = break_evens_in(w);
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

TEST_CASE("a number below a ten-thousandth at which a choice turns is written out", "[decide]") {
  const muster::Workspace w = muster::test::read_files(
      {{"r/fleet.yaml",
        "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[1-250]\", gpus_per_node: 8}\n"
        "economics: {gpu_hour_usd: 2, engineer_usd_per_year: 300, licence_usd_per_gpu_year: 1.5, "
        "bought_goodput_gain: 0.00003}\n"
        "requirements: {platform_engineers: 6, weeks_to_first_job: 20, differentiating: false}\n"},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 2}\n"}});
  // 2,000 GPUs: 3,000 of licences against 1,800 of people and 35,040,000 times the gain: 0.0000342.
  CHECK(
      muster::contains(break_evens_in(w), "build-or-buy build <= 0.0000342 economics.bought_goodput_gain then buy\n"));
}

TEST_CASE("--set refuses what a file could not say, with and without a fleet file", "[decide]") {
  for (const bool with_fleet : {true, false}) {
    muster::Workspace w = with_fleet ? small_fleet() : muster::Workspace();
    for (const char* text : {"requirements.platform_engineers=-3", "requirements.weeks_to_first_job=-1",
                             "work.slurm_share=2", "choice=hybrid", "requirements.tenant_trust=none", "stage=old"}) {
      INFO(text << " with " << w.model.fleets.size() << " fleet files");
      const std::optional<muster::Error> error = muster::set_facts({text}, facts_book(), w.model, w.site);
      CHECK(error);
    }
  }
}

TEST_CASE("a text with line breaks does not make two workloads one", "[decide]") {
  // Joined into one text, the facts of the first and the second would be the same.
  const std::string flag = std::to_string(*muster::workload_fact_index("tightly_coupled"));
  const std::string common =
      "nodes: 8, bare_metal: true, long_lived_services: false, python_native_pipeline: false, edge_or_dev: false";
  const muster::Workspace w = muster::test::read_files(
      {{"r/workloads.yaml",
        "muster: workloads/v1\nworkloads:\n  - {name: open, " + common + ", serving: {series: \"s\\n" + flag +
            "=1\"}}\n  - {name: gang, " + common +
            ", serving: {series: s}, tightly_coupled: true}\n  - {name: array, nodes: 1, tightly_coupled: false, "
            "bare_metal: true, long_lived_services: false, python_native_pipeline: false, edge_or_dev: false}\n"}});
  REQUIRE(w.findings.empty());
  REQUIRE(w.decisions.size() == 3);
  CHECK(w.decisions[2].runs_on.value == "slurm");  // beside the gang
}
