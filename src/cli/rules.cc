#include <algorithm>
#include <ostream>

#include "base/strings.h"
#include "cli/command.h"
#include "embed/assets.h"

namespace muster {
namespace {

/// Where a rule of the merged book comes from.
std::string origin_of(const Rule& rule) {
  const bool shipped = std::ranges::any_of(all_assets(), [&](const Asset& asset) { return asset.path == rule.file; });
  return shipped ? "shipped" : rule.file;
}

/// A word filters by family, severity, effect or plane, or by a part of the id.
bool matches(const Rule& rule, const std::string& severity, const std::string& filter) {
  const RuleInfo& info = rule.info;
  return filter.empty() || contains(info.id, filter) || info.family == filter || severity == filter ||
         name_of(info.effect) == filter || name_of(info.plane) == filter;
}

int list_rules(const RuleBook& book, const std::string& filter, std::ostream& out) {
  std::size_t width = 0;
  for (const Rule& rule : book.rules()) width = std::max(width, rule.info.id.size());
  const auto column = [](const std::string& text, std::size_t size) {
    return text + std::string(std::max(size, text.size() + 1) - text.size(), ' ');
  };
  for (const Rule& rule : book.rules()) {
    const std::string severity = rule.enabled ? std::string(name_of(rule.info.severity)) : "off";
    if (!matches(rule, severity, filter)) continue;
    out << column(rule.info.id, width + 2) << column(severity, 9) << column(std::string(name_of(rule.info.effect)), 19)
        << origin_of(rule) << "\n";
  }
  return 0;
}

}  // namespace

int run_rules(const Arguments& arguments, Console& console) {
  if (arguments.name == "check") return run_rules_check(arguments, console);
  if (arguments.name == "docs" && arguments.expression == "gangs") return run_rules_docs_gangs(arguments, console);
  if (arguments.name == "docs") return run_rules_docs(arguments, console);
  if (arguments.name == "eval") return run_rules_eval(arguments, console);
  if (arguments.name == "test") return run_rules_test(arguments, console);
  if (arguments.name != "list")
    return fail(console, "`muster rules " + arguments.name + "`: known are check, docs, eval, list, test");
  Result<Book> book = load_whole_book(book_options(arguments), console.disk);
  if (!book) return fail(console, book.error().message);
  return list_rules(*book->rules, arguments.expression, console.out);
}

}  // namespace muster
