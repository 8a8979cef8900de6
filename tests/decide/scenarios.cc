#include "decide/scenarios.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "decide/circumstances.h"
#include "decide/decide.h"
#include "decide/evaluation.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"

namespace muster::test {
namespace {

using Answers = std::map<std::string, std::string>;

std::string without_ticks(std::string cell) { return replace_all(std::string(trim(cell)), "`", ""); }

std::string answer_word(const Choice& choice) {
  return choice.value ? *choice.value : "open: " + join(choice.unknown, ", ");
}

/// An organisation with facts of its files set otherwise, and all that the tables say about it.
struct Played {
  Workspace w;
  std::vector<Decision> decisions;
  FleetDecision fleet;
};

Played play(const std::string& organisation, const std::vector<std::string>& sets) {
  const RuleBook& book = scenario_book();
  const std::string folder = source_dir() + "/examples/organisations/" + organisation + "/";
  Played out{read_files({{"fleet.yaml", read_file(folder + "fleet.yaml")},
                         {"workloads.yaml", read_file(folder + "workloads.yaml")}}),
             {},
             {}};
  REQUIRE(out.w.findings.empty());
  const std::optional<Error> error = set_facts(sets, book, out.w.model, out.w.site);
  INFO((error ? error->message : ""));
  REQUIRE_FALSE(error);
  out.decisions = decide_all(out.w.model, book, out.w.site);
  out.fleet = decide_fleet(out.w.model, book, out.w.site, out.decisions);
  return out;
}

Answers answers_in(const Played& played) {
  Answers out;
  for (const Decision& decision : played.decisions) {
    const std::string name = decision.workload + " ";
    out[name + "control-plane"] = answer_word(decision.primary);
    out[name + "placement"] = answer_word(decision.runs_on);
    out[name + "hybrid"] = answer_word(decision.hybrid);
    for (const std::string& addon : scenario_book().find_table("addons")->outputs.front().words)
      out[name + "addon " + addon] = "none";
    for (const AddonChoice& addon : decision.addons) out[name + "addon " + addon.id] = answer_word(addon.level);
    for (const NamedChoice& further : decision.choices) out[name + further.id] = answer_word(further.choice);
    for (const PoolDecision& pool : decision.pools) {
      for (const NamedChoice& further : pool.choices)
        out[name + further.id + " in " + pool.pool] = answer_word(further.choice);
    }
  }
  const FleetDecision& fleet = played.fleet;
  out["fleet planes"] = fleet.planes.value ? join(fleet.kinds, " and ") : answer_word(fleet.planes);
  out["fleet hybrid"] = answer_word(fleet.hybrid);
  for (const char* plane : {"kubernetes", "k3s"}) out["fleet gang-scheduler of " + std::string(plane)] = "none";
  for (const ClusterScheduler& one : fleet.gang_schedulers)
    out["fleet gang-scheduler of " + one.plane] = answer_word(one.scheduler);
  for (const NamedChoice& further : fleet.choices) out["fleet " + further.id] = answer_word(further.choice);
  return out;
}

/// `dra in h200` and `addon kuberay` as table, output and pool.
struct Asked {
  std::string table;
  std::string output;
  std::string pool;
};

std::optional<Asked> asked_by(const std::string& choice) {
  Asked out;
  const std::size_t in = choice.find(" in ");
  std::string id = choice.substr(0, in);
  if (in != std::string::npos) out.pool = choice.substr(in + 4);
  if (id.starts_with("addon ")) return Asked{"addons", id.substr(6), out.pool};
  if (id == "planes") id = "fleet";
  out.table = id.substr(0, id.find('.'));
  const Table* table = scenario_book().find_table(out.table);
  if (table == nullptr) return std::nullopt;
  out.output = id == out.table ? table->outputs.front().name : id.substr(out.table.size() + 1);
  return out;
}

/// What the other tables decided for a workload.
std::optional<TableValue> decided_value(const TableInput& input, const Decision& decision) {
  const auto value = [](const Choice& choice) {
    return choice.value ? std::optional<TableValue>(*choice.value) : std::nullopt;
  };
  if (input.from == "control-plane") return value(input.name == "host" ? decision.host : decision.primary);
  if (input.from == "placement") return value(decision.runs_on);
  if (input.from == "hybrid") return value(decision.hybrid);
  const Table& table = *scenario_book().find_table(input.from);
  const std::string id = table.outputs.front().name == input.name ? input.from : input.from + "." + input.name;
  const auto found = std::ranges::find(decision.choices, id, &NamedChoice::id);
  return found == decision.choices.end() ? std::nullopt : value(found->choice);
}

std::map<std::string, TableValue> known_inputs(const Table& table, const Workload& workload, const Site& site,
                                               const Decision& decision) {
  std::map<std::string, TableValue> out;
  for (const TableInput& input : table.inputs) {
    const std::optional<TableValue> value =
        input.origin == InputOrigin::Table ? decided_value(input, decision) : known_value(input, workload, site);
    if (value) out[input.name] = *value;
  }
  return out;
}

/// How the table was asked for an answer of the page; nothing where it did not give the answer by itself.
std::optional<ScenarioCase> case_of(const Played& played, const std::string& who, const std::string& choice) {
  const std::optional<Asked> asked = asked_by(choice);
  if (!asked) return std::nullopt;
  const Table& table = *scenario_book().find_table(asked->table);
  ScenarioCase out{asked->table, asked->output, answers_in(played)[who + " " + choice], {}};
  if (who == "fleet") {
    if (choice == "planes") out.answer = played.fleet.planes.value.value_or("");
    const Site site = with_work(played.w.model, played.w.site, played.decisions);
    out.known = known_inputs(table, no_workload(), site, {});
  } else {
    const Circumstances around(played.w.model, scenario_book(), played.w.site);
    const auto found = std::ranges::find(played.decisions, who, &Decision::workload);
    if (found == played.decisions.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(found - played.decisions.begin());
    Site site = around.site_of(index);
    for (const PoolGroup& group : around.pools_of(index)) {
      const bool here = asked->pool.empty() ? around.pools_of(index).size() == 1
                                            : std::ranges::find(group.pools, asked->pool) != group.pools.end();
      if (here) site = group.site;
    }
    out.known = known_inputs(table, played.w.model.workloads[index], site, *found);
  }
  if (possible_answers(table, out) != std::vector<std::string>{out.answer}) return std::nullopt;
  return out;
}

}  // namespace

std::vector<ScenarioRow> scenario_rows(const std::string& what) {
  std::vector<ScenarioRow> out;
  std::istringstream in(read_file(source_dir() + "/docs/decisions.md"));
  std::string organisation;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) {
      const std::size_t begin = line.find('`');
      organisation = begin == std::string::npos ? "" : line.substr(begin + 1, line.rfind('`') - begin - 1);
      inside = false;
    } else if (line.starts_with("### ")) {
      inside = !organisation.empty() && line == "### " + what;
    } else if (inside && line.starts_with("| `")) {
      ScenarioRow row{organisation, {}};
      std::istringstream cells(line.substr(1));
      for (std::string cell; std::getline(cells, cell, '|');) row.cells.push_back(without_ticks(cell));
      out.push_back(std::move(row));
    }
  }
  return out;
}

const RuleBook& scenario_book() {
  static const Result<RuleBook> book = RuleBook::embedded();
  REQUIRE(book);
  return *book;
}

std::map<std::string, std::string> scenario_answers(const std::string& organisation,
                                                    const std::vector<std::string>& sets) {
  return answers_in(play(organisation, sets));
}

std::vector<std::string> possible_answers(const Table& table, const ScenarioCase& one) {
  const bool collects = table.hit == HitPolicy::Collect;
  std::set<std::string> out;
  for (const TableRow& row : table.rows) {
    if (collects && row.then.at(table.outputs.front().name) != one.output) continue;
    bool sure = true;
    const bool fails = std::ranges::any_of(row.when, [&](const auto& cell) {
      const auto value = one.known.find(cell.first);
      sure = sure && value != one.known.end();
      return value != one.known.end() && !cell.second.allows(value->second);
    });
    if (fails) continue;
    out.insert(row.then.at(collects ? table.outputs.at(1).name : one.output));
    if (sure) return {out.begin(), out.end()};
  }
  if (collects) out.insert("none");
  return {out.begin(), out.end()};
}

std::vector<ScenarioCase> scenario_cases() {
  std::vector<ScenarioCase> out;
  const auto add = [&](const Played& played, const std::string& who, const std::string& choice) {
    const std::optional<ScenarioCase> one = case_of(played, who, choice);
    const auto same = [&](const ScenarioCase& other) {
      return other.table == one->table && other.output == one->output && other.known == one->known;
    };
    if (one && std::ranges::none_of(out, same)) out.push_back(*one);
  };
  std::map<std::string, Played> played;  // by organisation and what is set
  const auto with = [&](const std::string& organisation, const std::string& sets) -> const Played& {
    const std::string key = organisation + " " + sets;
    if (!played.contains(key)) {
      std::vector<std::string> words;
      std::istringstream in(sets);
      for (std::string one; in >> one;) words.push_back(one);
      played.emplace(key, play(organisation, words));
    }
    return played.at(key);
  };
  for (const ScenarioRow& row : scenario_rows("Answers")) add(with(row.organisation, ""), row.cells[0], row.cells[1]);
  for (const ScenarioRow& row : scenario_rows("What turns them")) {
    const std::size_t blank = row.cells[1].find(' ');
    add(with(row.organisation, row.cells[0]), row.cells[1].substr(0, blank), row.cells[1].substr(blank + 1));
  }
  return out;
}

}  // namespace muster::test
