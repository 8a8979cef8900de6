#include <algorithm>
#include <ostream>

#include "base/strings.h"
#include "cli/command.h"
#include "kinds/kind.h"

namespace muster {
namespace {

Result<RuleBook> load(const Arguments& arguments, const Console& console) {
  Options options;
  options.rule_folders = arguments.rules;
  return load_rule_book(options, console.disk);
}

void explain_rule(const Rule& rule, std::ostream& out) {
  const RuleInfo& info = rule.info;
  out << info.id << "\n" << std::string(info.id.size(), '-') << "\n"
      << name_of(info.severity) << ", effect " << name_of(info.effect) << ", plane " << name_of(info.plane) << ", " << name_of(info.reversibility)
      << " to undo" << (info.suppressible ? "" : ", not suppressible in files") << "\n\n"
      << info.why << "\n\nWhat to do: " << info.help << "\n";
  if (rule.collection != nullptr) {
    out << "\nFires for each " << rule.variable << " of " << rule.collection->name << " where\n";
    for (const Expr& condition : rule.when) out << "  " << condition.text() << "\n";
  }
  out << "\nSources\n";
  for (const std::string& source : info.sources) out << "  " << source << "\n";
  out << "\nAllow it: `# muster: allow " << info.id << " -- reason` on the line or the line above\n";
}

void explain_table(const Table& table, std::ostream& out) {
  out << "decision table " << table.id << " (" << name_of(table.hit) << ", " << name_of(table.reversibility) << ")\n\n" << table.why << "\n\nRows\n";
  for (const TableRow& row : table.rows) out << "  " << row.id << ": " << row.because << "\n";
  out << "\nSources\n";
  for (const std::string& source : table.sources) out << "  " << source << "\n";
}

}  // namespace

int run_explain(const Arguments& arguments, Console& console) {
  Result<RuleBook> book = load(arguments, console);
  if (!book) return fail(console, book.error().message);
  if (const Rule* rule = book->find(arguments.name)) {
    explain_rule(*rule, console.out);
    return 0;
  }
  if (const Table* table = book->find_table(arguments.name)) {
    explain_table(*table, console.out);
    return 0;
  }
  if (const Kind* kind = find_kind(arguments.name)) {
    console.out << kind->id << ": " << kind->doc << (kind->group.empty() ? "" : ", " + std::string(kind->group) + " " + std::string(kind->versions)) << "\n";
    return 0;
  }
  std::vector<std::string_view> known;
  for (const Rule& rule : book->rules()) known.push_back(rule.info.id);
  for (const Table& table : book->tables()) known.push_back(table.id);
  for (const Kind& kind : all_kinds()) known.push_back(kind.id);
  return fail(console, "there is no rule, table or kind called `" + arguments.name + "`" + did_you_mean(arguments.name, known));
}

int run_rules(const Arguments& arguments, Console& console) {
  if (arguments.name == "eval") return run_rules_eval(arguments, console);
  if (arguments.name != "list") return fail(console, "`muster rules " + arguments.name + "`: known are eval, list");
  Result<RuleBook> book = load(arguments, console);
  if (!book) return fail(console, book.error().message);
  std::size_t width = 0;
  for (const Rule& rule : book->rules()) width = std::max(width, rule.info.id.size());
  for (const Rule& rule : book->rules()) {
    const RuleInfo& info = rule.info;
    const std::string severity(name_of(info.severity));
    console.out << info.id << std::string(width + 2 - info.id.size(), ' ') << severity << std::string(9 - severity.size(), ' ') << name_of(info.effect) << "\n";
  }
  return 0;
}

}  // namespace muster
