#include <algorithm>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "cli/explain_book.h"

namespace muster {
namespace {

constexpr std::size_t kMostRowsShown = 200;

/// `nodes >= 2`, `host in [kubernetes, k3s]`, `primary is not slurm`.
std::string words_of(const std::string& input, const Cell& cell) {
  const std::string text =
      cell.negated && cell.text.starts_with('!') ? std::string(trim(cell.text.substr(1))) : cell.text;
  if (text.starts_with('<') || text.starts_with('>')) return input + (cell.negated ? " is not " : " ") + text;
  const bool several = text.starts_with('[') || contains(text, "..");
  return input +
         (cell.negated ? " is not "
          : several    ? ""
                       : " is ") +
         (several ? (cell.negated ? "in " : " in ") : "") + replace_all(text, "!", "");
}

std::string type_of(const TableInput& input) {
  std::string out(name_of(input.type));
  const bool listed = input.type != InputType::Bool && !input.words.empty();
  if (listed) out += ": " + join(input.words, ", ");
  if (input.min) out += ", at least " + to_text(*input.min);
  if (input.max) out += ", at most " + to_text(*input.max);
  switch (input.origin) {
    case InputOrigin::Fact: break;
    case InputOrigin::Target: out += ", the release that runs"; break;
    case InputOrigin::Table: out += ", decided by " + input.from; break;
    case InputOrigin::Site: out += ", of the site"; break;
  }
  return out;
}

std::string_view policy_of(HitPolicy hit) {
  switch (hit) {
    case HitPolicy::Unique: return "exactly one matches";
    case HitPolicy::First: return "the first that matches counts";
    case HitPolicy::Collect: return "all that match count";
  }
  return "";
}

void explain_row(const Table& table, const TableRow& row, std::ostream& out) {
  out << "  " << printable(row.id) << "\n";
  std::vector<std::string> conditions;
  for (const TableInput& input : table.inputs) {
    const auto cell = row.when.find(input.name);
    if (cell != row.when.end()) conditions.push_back(words_of(input.name, cell->second));
  }
  const std::string when = conditions.empty() ? "always" : join(conditions, " and ");
  out << wrapped("    when     ", printable(when), 13);
  std::vector<std::string> answers;
  for (const TableOutput& output : table.outputs) answers.push_back(output.name + " = " + row.then.at(output.name));
  if (!row.options.empty()) answers.push_back("one of " + join(row.options, ", "));
  out << wrapped("    then     ", printable(join(answers, ", ")), 13);
  if (!row.because.empty()) out << wrapped("    because  ", printable(row.because), 13);
}

}  // namespace

void explain_table(const Table& table, std::ostream& out) {
  out << "decision table " << table.id << " (" << name_of(table.hit) << ", " << name_of(table.reversibility) << ")\n\n"
      << wrapped_lines(table.why) << "\nDecides\n";
  for (const TableOutput& output : table.outputs)
    out << wrapped("  " + printable(output.name) + ": ", printable(join(output.words, ", ")), 4);
  out << "\nFrom\n";
  for (const TableInput& input : table.inputs)
    out << wrapped("  " + printable(input.name) + ": ", printable(type_of(input)), 4);
  out << "\nRows: " << policy_of(table.hit) << "; what a row does not speak of may be anything\n";
  const std::size_t shown = std::min(table.rows.size(), kMostRowsShown);
  for (std::size_t i = 0; i < shown; ++i) explain_row(table, table.rows[i], out);
  if (shown < table.rows.size())
    out << "  ... and " << table.rows.size() - shown << " more in " << printable(table.file) << "\n";
  out << "\nSources\n";
  for (const std::string& source : table.sources) out << wrapped("  ", printable(source), 4);
}

}  // namespace muster
