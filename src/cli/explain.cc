#include <algorithm>
#include <array>
#include <ostream>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "cli/command.h"
#include "cli/explain_book.h"
#include "expr/functions.h"
#include "facts/fact_uses.h"
#include "facts/object_type.h"
#include "facts/site_facts.h"
#include "generate/template_def.h"
#include "model/fact.h"

namespace muster {
namespace {

void explain_rule(const Rule& rule, std::ostream& out) {
  const RuleInfo& info = rule.info;
  out << info.id << "\n"
      << std::string(info.id.size(), '-') << "\n"
      << name_of(info.severity) << ", effect " << name_of(info.effect) << ", plane " << name_of(info.plane) << ", "
      << name_of(info.reversibility) << (info.suppressible ? "" : ", not suppressible in files") << "\n\n"
      << printable_lines(info.why) << "\n\nWhat to do: " << printable_lines(without_values(info.help)) << "\n";
  if (info.fix) out << "\nFix: " << name_of(*info.fix) << ", by `muster check " << fix_option(*info.fix) << "`\n";
  if (rule.collection != nullptr) {
    out << "\nFires for each " << rule.variable << " of " << rule.collection->name << " where\n";
    for (const Expr& condition : rule.when) out << "  " << printable(condition.text()) << "\n";
  }
  out << "\nSources\n";
  for (const std::string& source : info.sources) out << "  " << printable(source) << "\n";
  if (info.suppressible) {
    out << "\nAllow it: `# muster: allow " << info.id << " -- reason` on the line or the line above\n";
  } else {
    out << "\nAllow it: in muster.yaml alone, where a reviewer sees it, with `suppress: [{rule: " << info.id
        << ", reason: ...}]`\n";
  }
}

void explain_template(const TemplateDef& def, std::ostream& out) {
  out << "template " << def.id << "\n\n" << wrapped_lines(def.doc) << "\nNeeds\n";
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

struct FactArea {
  std::string_view what;
  std::span<const FactDef> (*facts)();
};
constexpr std::array kAreas{
    FactArea{"a workload, in the workloads file", workload_facts},
    FactArea{"a fleet, in the fleet file", fleet_facts},
    FactArea{"a node pool, in the fleet file", pool_facts},
};

/// The tables that read a fact, and what else it does.
std::vector<std::string> deciding(std::string_view fact, const RuleBook& book) {
  std::vector<std::string> tables;
  for (const Table& table : book.tables()) {
    if (table.find_input(fact) != nullptr) tables.push_back(table.id);
  }
  std::vector<std::string> out;
  if (!tables.empty()) out.push_back((tables.size() == 1 ? "table " : "tables ") + join(tables, ", "));
  for (const std::string_view use : uses_of_fact(fact)) out.emplace_back(use);
  return out;
}

std::string type_words(const FactDef& fact) {
  return std::string(name_of(fact.type)) + (fact.words.empty() ? "" : ", one of " + join(fact.words, ", "));
}

/// Every fact with what it is and what it decides: `explain facts`.
void explain_all_facts(const RuleBook& book, std::ostream& out) {
  const auto list = [&](std::span<const FactDef> facts) {
    for (const FactDef& fact : facts) {
      out << wrapped("  " + std::string(fact.name) + ": ", std::string(fact.doc) + " (" + type_words(fact) + ")", 4);
      const std::vector<std::string> uses = deciding(fact.name, book);
      if (!uses.empty()) out << wrapped("    -> ", join(uses, "; "), 7);
    }
  };
  for (const FactArea& area : kAreas) {
    out << "Facts of " << area.what << "\n";
    list(area.facts());
    out << "\n";
  }
  std::vector<FactDef> derived;
  for (const FactDef& fact : site_facts()) {
    const bool said = fact_index(fleet_facts(), fact.name) || fact_index(pool_facts(), fact.name);
    if (!said && fact.name != "choice") derived.push_back(fact);  // that is what a table is asked about
  }
  out << "What follows from them; --set can give it, too\n";
  list(derived);
  out << "\nReleases of what runs, by --target, muster.yaml or the fleet file\n";
  std::set<std::string> targets;
  for (const Table& table : book.tables()) {
    for (const TableInput& input : table.inputs) {
      if (input.origin == InputOrigin::Target) targets.insert(input.name);
    }
  }
  for (const std::string& target : targets)
    out << wrapped("  " + target + " -> ", join(deciding(target, book), "; "), 4);
}

bool explain_facts(std::string_view name, const RuleBook& book, std::ostream& out) {
  bool found = false;
  for (const FactArea& area : kAreas) {
    const std::optional<std::size_t> index = fact_index(area.facts(), name);
    if (!index) continue;
    const FactDef& fact = area.facts()[*index];
    out << "fact " << fact.name << " of " << area.what << ": " << name_of(fact.type);
    if (!fact.words.empty()) out << ", one of " << join(fact.words, ", ");
    out << "\n  " << fact.doc << "\n  not given: unknown, never false"
        << (fact.can_change ? "" : "; never suggested as something to change") << "\n";
    for (const std::string& use : deciding(name, book)) out << "  -> " << use << "\n";
    found = true;
  }
  return found;
}

void explain_field(const ObjectType& type, const Field& field, std::ostream& out) {
  out << "  " << type.name << "." << field.name << ": " << name_of(field.type)
      << (field.presence == Presence::Optional ? ", may be absent" : "") << "\n    " << field.doc << "\n";
}

/// `gang`, or `gang.size`.
bool explain_objects(std::string_view name, std::ostream& out) {
  const std::size_t dot = name.find('.');
  for (const ObjectType* type : object_types()) {
    if (type->name != name.substr(0, dot)) continue;
    if (dot == name.npos) {
      out << type->name << ": " << type->doc << "\n";
      for (const Field& field : type->fields) explain_field(*type, field, out);
      return true;
    }
    const Field* field = type->find(name.substr(dot + 1));
    if (field == nullptr) return false;
    explain_field(*type, *field, out);
    return true;
  }
  return false;
}

bool explain_function(std::string_view name, std::ostream& out) {
  const Function* function = find_function(name);
  if (function == nullptr) return false;
  out << "function " << function->name << ": " << function->doc << "\n";
  for (const Overload& overload : function->overloads) {
    std::vector<std::string> arguments;
    for (std::size_t i = overload.receiver ? 1 : 0; i < overload.count(); ++i)
      arguments.push_back(name_of(*overload.arguments[i]));
    out << "  " << (overload.receiver ? name_of(*overload.arguments[0]) + "." : "") << function->name << "("
        << join(arguments, ", ") << "): " << name_of(*overload.result) << "\n";
  }
  return true;
}

}  // namespace

int run_explain(const Arguments& arguments, Console& console) {
  if (!arguments.at.empty()) return run_explain_at(arguments, console);
  if (arguments.name.empty()) return fail(console, "explain what? Give a name, or --at FILE:LINE");
  Result<Book> whole = load_whole_book(book_options(arguments), console.disk);
  if (!whole) return fail(console, whole.error().message);
  const RuleBook* book = whole->rules;
  if (const Rule* rule = book->find(arguments.name)) {
    explain_rule(*rule, console.out);
    return 0;
  }
  if (const Table* table = book->find_table(arguments.name)) {
    explain_table(*table, console.out);
    return 0;
  }
  if (arguments.name == "facts") {
    explain_all_facts(*book, console.out);
    return 0;
  }
  // A kind and the template that writes it may share a name.
  const bool known_kind = explain_knowledge(arguments.name, *whole->knowledge, console.out);
  Result<std::vector<TemplateDef>> templates = embedded_templates();
  if (!templates) return fail(console, templates.error().message);
  const auto found = std::ranges::find(*templates, arguments.name, &TemplateDef::id);
  if (found != templates->end()) {
    if (known_kind) console.out << "\n";
    explain_template(*found, console.out);
  }
  bool found_more = explain_facts(arguments.name, *book, console.out);
  found_more = explain_objects(arguments.name, console.out) || found_more;
  found_more = explain_function(arguments.name, console.out) || found_more;
  if (known_kind || found != templates->end() || found_more) return 0;
  std::vector<std::string_view> known;
  for (const Rule& rule : book->rules()) known.push_back(rule.info.id);
  for (const Table& table : book->tables()) known.push_back(table.id);
  known.push_back("facts");
  add_known_names(*whole->knowledge, known);
  for (const TemplateDef& def : *templates) known.push_back(def.id);
  for (const FactArea& area : kAreas) {
    for (const FactDef& fact : area.facts()) known.push_back(fact.name);
  }
  for (const ObjectType* type : object_types()) known.push_back(type->name);
  each_function([&](const Function& function) { known.push_back(function.name); });
  return fail(console, "there is no rule, table, kind, scheduler, operator, fact, function or template called `" +
                           arguments.name + "`" + did_you_mean_one_of(arguments.name, known));
}

}  // namespace muster
