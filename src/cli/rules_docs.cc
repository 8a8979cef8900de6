#include <array>

#include "base/strings.h"
#include "cli/command.h"

namespace muster {
namespace {

/// Text that Markdown does not take for markup.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '|' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

/// `error where ..., info otherwise`
template <class T>
std::string words_of(const ByCase<T>& by_case) {
  std::vector<std::string> out;
  for (const auto& candidate : by_case.cases) {
    const std::string condition = candidate.when ? " where `" + std::string(candidate.when->text()) + "`"
                                  : out.empty()  ? ""
                                                 : " otherwise";
    out.push_back(std::string(name_of(candidate.is)) + condition);
  }
  return join(out, ", ");
}

std::string source_item(const std::string& source) {
  return "- " + (source.starts_with("http") ? "<" + source + ">" : escaped(source)) + "\n";
}

struct Family {
  std::string_view id;
  std::string_view title;
};
// In the order in which a reader asks: what was read, then the jobs, then what they run on.
constexpr std::array kFamilies{Family{"input", "Reading files"},   Family{"gang", "Gangs"},
                               Family{"queue", "Queues"},          Family{"kubernetes", "Kubernetes objects"},
                               Family{"sbatch", "Batch scripts"},  Family{"slurm", "Slurm sites"},
                               Family{"topology", "Topology"},     Family{"inventory", "Fleet inventory"},
                               Family{"fleet", "Fleets and work"}, Family{"hybrid", "Several planes"},
                               Family{"runtime", "Node runtime"},  Family{"decide", "Decisions"}};

bool in_family(const Rule& rule, const Family* family) {
  if (family != nullptr) return rule.info.family == family->id;
  return std::ranges::none_of(kFamilies, [&](const Family& one) { return rule.info.family == one.id; });
}

std::string_view title_of(const Family* family) { return family == nullptr ? "Of this site" : family->title; }

std::string anchor_of(std::string_view title) {
  std::string out = to_lower(title);
  std::ranges::replace(out, ' ', '-');
  return out;
}

void write_index(const std::vector<Rule>& rules, std::span<const Family* const> families, std::string& out) {
  for (const Family* family : families) {
    const std::string title(title_of(family));
    const auto count = std::ranges::count_if(rules, [&](const Rule& rule) { return in_family(rule, family); });
    if (count != 0) out += "- [" + title + "](#" + anchor_of(title) + "): " + std::to_string(count) + "\n";
  }
  out += "- [Decision tables](#decision-tables)\n\n";
}

void write_rule(const Rule& rule, std::string& out) {
  const RuleInfo& info = rule.info;
  out += "### " + info.id + "\n\n";
  out += words_of(rule.severity) + " · effect " + words_of(rule.effect) + " · plane " +
         std::string(name_of(info.plane)) + " · " + std::string(name_of(info.reversibility)) + " · since " +
         info.since + (info.suppressible ? "" : " · can only be lowered in muster.yaml") + "\n\n";
  if (rule.message) out += "> " + escaped(rule.message->text()) + "\n\n";
  if (rule.follows) out += "**What follows:** " + escaped(rule.follows->text()) + "\n\n";
  out += std::string(trim(escaped(info.why))) + "\n\n";
  if (!info.help.empty()) out += "**What to do:** " + escaped(info.help) + "\n\n";
  if (info.fix)
    out += "**Fix:** " + std::string(name_of(*info.fix)) + ", by `muster check " + fix_option(*info.fix) + "`\n\n";
  if (rule.collection != nullptr) {
    out += "Fires for each `" + rule.variable + "` of `" + std::string(rule.collection->name) + "` where\n\n```cel\n";
    for (const Expr& condition : rule.when) out += std::string(condition.text()) + "\n";
    out += "```\n\n";
  }
  out += "Sources:\n\n";
  for (const std::string& source : info.sources) out += source_item(source);
  out += "\n";
}

void write_family(const std::vector<Rule>& rules, const Family* family, std::string& out) {
  std::string list;
  std::string texts;
  for (const Rule& rule : rules) {
    if (!in_family(rule, family)) continue;
    list += "- [" + rule.info.id + "](#" + rule.info.id + ")";
    list += rule.message ? ": " + escaped(rule.message->text()) + "\n" : "\n";
    write_rule(rule, texts);
  }
  if (list.empty()) return;
  out += "## " + std::string(title_of(family)) + "\n\n" + list + "\n" + texts;
}

void write_table(const Table& table, std::string& out) {
  out += "### " + table.id + "\n\nDecision table, hit policy " + std::string(name_of(table.hit)) + " · " +
         std::string(name_of(table.reversibility)) + "\n\n" + std::string(trim(escaped(table.why))) +
         "\n\n| row | gives | because |\n|---|---|---|\n";
  for (const TableRow& row : table.rows) {
    std::vector<std::string> outcome;
    for (const auto& [output, value] : row.then) outcome.push_back(output + " = " + value);
    out += "| " + row.id + " | " + escaped(join(outcome, ", ")) + " | " + escaped(row.because) + " |\n";
  }
  out += "\nSources:\n\n";
  for (const std::string& source : table.sources) out += source_item(source);
  out += "\n";
}

}  // namespace

int run_rules_docs(const Arguments& arguments, Console& console) {
  Result<Book> book = load_whole_book(book_options(arguments), console.disk);
  if (!book) return fail(console, book.error().message);
  std::string out = "# Rules\n\nPrinted by `muster rules docs`. Words in `${...}` are filled in for each finding.\n\n";
  std::vector<const Family*> families;
  for (const Family& family : kFamilies) families.push_back(&family);
  families.push_back(nullptr);  // a site's own
  write_index(book->rules->rules(), families, out);
  for (const Family* family : families) write_family(book->rules->rules(), family, out);
  out += "## Decision tables\n\n";
  for (const Table& table : book->rules->tables()) write_table(table, out);
  out.pop_back();
  if (std::optional<Error> error = write_output("", out, console)) return fail(console, error->message);
  return 0;
}

}  // namespace muster
