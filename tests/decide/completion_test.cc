// All shipped tables over open facts, against all completions of those facts judged one at a time by rows.
#include <map>
#include <random>
#include <set>

#include "base/strings.h"
#include "decide/decide.h"
#include "decide/slow_decide.h"
#include "support/catch.h"
#include "support/workloads.h"

namespace {

using muster::test::Facts;

/// Values of every fact that some table reads: one of each part of its domain that rows can tell apart.
std::map<std::string, std::vector<std::string>> universe_of(const std::vector<muster::Table>& tables) {
  const std::map<std::string, std::vector<std::string>> ordered{
      {"nodes", {"1", "2", "9"}},
      {"gpu_hours_share", {"0", "0.5", "0.9", "1"}},
      {"fabric.nvlink_domain_nodes", {"1", "2", "18"}},
      {"requirements.weeks_to_first_job", {"0", "11", "12"}},
      {"requirements.platform_engineers", {"2", "3"}},
      {"work.slurm_share", {"0", "0.1", "0.5", "0.9", "1"}},
      {"kubernetes", {"1.28", "1.29", "1.31", "1.32", "1.33.4", "1.34", "1.34.2", "1.35", "1.36", "1.37"}},
      {"slurm", {"23.11", "24.05", "25.05", "25.11"}},
      {"runtime.driver", {"550.54", "565", "570.124", "570.158.01", "580.95.05"}},
      {"runtime.containerd", {"1.6.9", "1.7", "1.7.24", "2.0"}},
      {"volcano", {"1.13", "1.14"}},
      {"kai", {"0.9", "0.12"}},
      {"kueue", {"0.14", "0.15"}},
  };
  std::map<std::string, std::vector<std::string>> out;
  for (const muster::Table& table : tables) {
    for (const muster::TableInput& input : table.inputs) {
      if (!input.from.empty()) continue;
      const auto found = ordered.find(input.name);
      REQUIRE((found != ordered.end() || !input.words.empty()));  // a new fact of an order needs its values here
      out[input.name] = found != ordered.end() ? found->second : input.words;
    }
  }
  return out;
}

muster::FactValue typed(const muster::FactDef& fact, const std::string& text) {
  switch (fact.type) {
    case muster::FactType::Bool: return text == "true";
    case muster::FactType::Int: return std::int64_t{std::stoll(text)};
    case muster::FactType::Double: return std::stod(text);
    case muster::FactType::String: return text;
  }
  return text;
}

struct Case {
  muster::Workload workload = muster::test::workload_without_facts("w");
  muster::Site site;
};

Case case_of(const Facts& facts) {
  Case out;
  for (const auto& [name, text] : facts) {
    if (const auto index = muster::workload_fact_index(name)) {
      muster::test::set_fact(out.workload, name, typed(muster::workload_facts()[*index], text));
    } else if (muster::fact_index(muster::site_facts(), name)) {
      out.site.facts[name] = text;
    } else {
      out.site.targets[name] = *muster::Version::parse(text);
    }
  }
  return out;
}

/// The choices of a decision by `table.output` and `addons.item`.
std::map<std::string, muster::Choice> choices_of(const muster::Decision& decision, const muster::RuleBook& book) {
  std::map<std::string, muster::Choice> out{{"control-plane.primary", decision.primary},
                                            {"control-plane.host", decision.host},
                                            {"hybrid.mode", decision.hybrid}};
  for (const std::string& item : book.find_table("addons")->outputs[0].words) {
    muster::Choice& choice = out["addons." + item];
    choice.value = "none";
    for (const muster::AddonChoice& addon : decision.addons) {
      if (addon.id == item) choice = addon.level;
    }
  }
  for (const muster::NamedChoice& named : decision.choices) {
    const bool whole = named.id.find('.') == std::string::npos;
    out[whole ? named.id + "." + book.find_table(named.id)->outputs[0].name : named.id] = named.choice;
  }
  return out;
}

std::string value_in(const std::map<std::string, std::string>& slow, const std::string& what) {
  const auto found = slow.find(what);
  return found == slow.end() ? "none" : found->second;
}

}  // namespace

TEST_CASE("open facts give the outcomes of all completions and name exactly the facts that decide", "[decide]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const std::map<std::string, std::vector<std::string>> universe = universe_of(book->tables());
  std::vector<std::string> names;
  for (const auto& [name, values] : universe) names.push_back(name);
  std::mt19937 random(3);
  std::set<std::string> seen_open;
  for (int n = 0; n < 300; ++n) {
    Facts facts;
    for (const std::string& name : names) facts[name] = universe.at(name)[random() % universe.at(name).size()];
    std::vector<std::string> open;
    for (std::size_t k = random() % 4; k > 0; --k) open.push_back(names[random() % names.size()]);
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    for (const std::string& name : open) facts.erase(name);
    const Case known = case_of(facts);

    // Completions by number: the first open fact turns fastest.
    std::vector<std::size_t> stride{1};
    for (const std::string& name : open) stride.push_back(stride.back() * universe.at(name).size());
    std::vector<std::map<std::string, std::string>> outcomes;
    for (std::size_t i = 0; i < stride.back(); ++i) {
      for (std::size_t k = 0; k < open.size(); ++k)
        facts[open[k]] = universe.at(open[k])[i / stride[k] % universe.at(open[k]).size()];
      outcomes.push_back(muster::test::decide_slowly(book->tables(), facts));
    }
    for (const auto& [what, choice] : choices_of(muster::decide(known.workload, *book, known.site), *book)) {
      std::set<std::string> expected;
      std::set<std::string> deciding;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::string value = value_in(outcomes[i], what);
        expected.insert(value);
        for (std::size_t k = 0; k < open.size(); ++k) {
          const std::size_t first = i - i / stride[k] % universe.at(open[k]).size() * stride[k];
          if (value_in(outcomes[first], what) != value) deciding.insert(open[k]);
        }
      }
      std::set<std::string> given(choice.possible.begin(), choice.possible.end());
      if (choice.value) given.insert(*choice.value);
      INFO(what << " with " << muster::join(open, ", ") << " open");
      CHECK(given == expected);
      CHECK(std::set<std::string>(choice.unknown.begin(), choice.unknown.end()) == deciding);
      if (!choice.value) seen_open.insert(what);
    }
  }
  CHECK(seen_open.size() > 12);  // nearly every output was open at least once
}
