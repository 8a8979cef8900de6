#include <algorithm>
#include <ostream>

#include "base/strings.h"
#include "cli/command.h"
#include "generate/template_def.h"
#include "kinds/kind.h"

namespace muster {
namespace {

Result<RuleBook> load(const Arguments& arguments, const Console& console) {
  return load_rule_book(book_options(arguments), console.disk);
}

/// What a finding fills in is not known here.
std::string without_values(std::string words) {
  for (std::size_t at = words.find("${"); at != std::string::npos; at = words.find("${", at)) {
    const std::size_t end = words.find('}', at);
    if (end == std::string::npos) break;
    words.replace(at, end + 1 - at, "...");
  }
  return words;
}

void explain_rule(const Rule& rule, std::ostream& out) {
  const RuleInfo& info = rule.info;
  out << info.id << "\n" << std::string(info.id.size(), '-') << "\n"
      << name_of(info.severity) << ", effect " << name_of(info.effect) << ", plane " << name_of(info.plane) << ", " << name_of(info.reversibility) << (info.suppressible ? "" : ", not suppressible in files") << "\n\n"
      << info.why << "\n\nWhat to do: " << without_values(info.help) << "\n";
  if (rule.collection != nullptr) {
    out << "\nFires for each " << rule.variable << " of " << rule.collection->name << " where\n";
    for (const Expr& condition : rule.when) out << "  " << condition.text() << "\n";
  }
  out << "\nSources\n";
  for (const std::string& source : info.sources) out << "  " << source << "\n";
  if (info.suppressible) {
    out << "\nAllow it: `# muster: allow " << info.id << " -- reason` on the line or the line above\n";
  } else {
    out << "\nAllow it: in muster.yaml alone, where a reviewer sees it, with `suppress: [{rule: " << info.id << ", reason: ...}]`\n";
  }
}

void explain_table(const Table& table, std::ostream& out) {
  out << "decision table " << table.id << " (" << name_of(table.hit) << ", " << name_of(table.reversibility) << ")\n\n" << table.why << "\n\nRows\n";
  for (const TableRow& row : table.rows) out << "  " << row.id << ": " << row.because << "\n";
  out << "\nSources\n";
  for (const std::string& source : table.sources) out << "  " << source << "\n";
}

void explain_template(const TemplateDef& def, std::ostream& out) {
  out << "template " << def.id << "\n\n" << def.doc << "\n\nNeeds\n";
  if (def.needs_fleet) out << "  a fleet file: --fleet FILE\n";
  if (def.needs_workloads) out << "  a workloads file: --workloads FILE\n";
  out << "\nWrites\n";
  for (const TemplateFile& file : def.files) out << "  " << file.path << "\n";
  out << "\nSources\n";
  for (const std::string& source : def.sources) out << "  " << source << "\n";
}

/// A misspelt name, or else the beginning of one.
std::string did_you_mean_one_of(const std::string& name, const std::vector<std::string_view>& known) {
  std::string words = did_you_mean(name, known);
  std::vector<std::string_view> longer;
  for (const std::string_view candidate : known) {
    if (!name.empty() && candidate.starts_with(name)) longer.push_back(candidate);
  }
  return longer.empty() ? words : "; there are " + join(longer, ", ");
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
  // A kind and the template that writes it may share a name.
  const Kind* kind = find_kind(arguments.name);
  if (kind != nullptr) {
    console.out << kind->id << ": " << kind->doc << (kind->group.empty() ? "" : ", " + std::string(kind->group) + " " + std::string(kind->versions)) << "\n";
  }
  Result<std::vector<TemplateDef>> templates = embedded_templates();
  if (!templates) return fail(console, templates.error().message);
  const auto found = std::ranges::find(*templates, arguments.name, &TemplateDef::id);
  if (found != templates->end()) {
    if (kind != nullptr) console.out << "\n";
    explain_template(*found, console.out);
  }
  if (kind != nullptr || found != templates->end()) return 0;
  std::vector<std::string_view> known;
  for (const Rule& rule : book->rules()) known.push_back(rule.info.id);
  for (const Table& table : book->tables()) known.push_back(table.id);
  for (const Kind& other : all_kinds()) known.push_back(other.id);
  for (const TemplateDef& def : *templates) known.push_back(def.id);
  return fail(console, "there is no rule, table, kind or template called `" + arguments.name + "`" + did_you_mean_one_of(arguments.name, known));
}

int run_rules(const Arguments& arguments, Console& console) {
  if (arguments.name == "check") return run_rules_check(arguments, console);
  if (arguments.name == "eval") return run_rules_eval(arguments, console);
  if (arguments.name != "list") return fail(console, "`muster rules " + arguments.name + "`: known are check, eval, list");
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
