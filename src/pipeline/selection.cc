#include "pipeline/selection.h"

#include <algorithm>
#include <map>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kAlwaysSelected = "input";

bool means(std::string_view word, const RuleInfo& rule) {
  return word == rule.id || word == rule.family || word == name_of(rule.plane) || glob_matches(word, rule.id);
}

/// What a word may be that is no pattern.
std::vector<std::string_view> names_in(const RuleBook& book) {
  std::vector<std::string_view> out(names_of<Plane>().begin(), names_of<Plane>().end());
  for (const Rule& rule : book.rules()) {
    out.push_back(rule.info.id);
    if (std::ranges::find(out, rule.info.family) == out.end()) out.push_back(rule.info.family);
  }
  return out;
}

/// The families, as a remedy where nothing is spelt nearly so.
std::string families_of(const RuleBook& book) {
  std::vector<std::string_view> families;
  for (const Rule& rule : book.rules()) families.push_back(rule.info.family);
  std::ranges::sort(families);
  families.erase(std::unique(families.begin(), families.end()), families.end());
  std::string out = "; families are ";
  for (const std::string_view family : families) out += (family == families.front() ? "" : ", ") + std::string(family);
  return out;
}

std::optional<Error> add_words(std::string_view option, const std::vector<std::string>& texts, const RuleBook& book,
                               std::vector<std::string>& out) {
  for (const std::string& text : texts) {
    for (const std::string_view piece : split(text, ',')) {
      const std::string_view word = trim(piece);
      const bool known = enum_of<Plane>(word) ||
                         std::ranges::any_of(book.rules(), [&](const Rule& rule) { return means(word, rule.info); });
      if (!known) {
        const std::string near = did_you_mean(word, names_in(book));
        return Error{Error::Code::Usage, std::string(option) + ": no rule, family or plane is called `" +
                                             std::string(word) + "`" + (near.empty() ? families_of(book) : near)};
      }
      out.emplace_back(word);
    }
  }
  return std::nullopt;
}

bool takes(const Selection& selection, const RuleInfo& rule) {
  const auto meant = [&](const std::string& word) { return means(word, rule); };
  if (std::ranges::any_of(selection.ignore, meant)) return false;
  // What cannot be read hides all that is in it.
  const bool always = rule.family == kAlwaysSelected && rule.severity != Severity::Info;
  return selection.select.empty() || always || std::ranges::any_of(selection.select, meant);
}

}  // namespace

Result<Selection> read_selection(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                                 const RuleBook& book) {
  Selection out;
  if (std::optional<Error> error = add_words("--select", select, book, out.select)) return *error;
  if (std::optional<Error> error = add_words("--ignore", ignore, book, out.ignore)) return *error;
  return out;
}

std::size_t apply_selection(const Selection& selection, const RuleBook& book, std::vector<Finding>& findings,
                            std::vector<SuppressedFinding>& suppressed, std::vector<Undecided>& undecided) {
  if (!selection.says_something()) return 0;
  std::map<std::string, bool> judged;
  const auto left_out = [&](const std::string& id) {
    const auto [known, fresh] = judged.try_emplace(id);
    const Rule* rule = fresh ? book.find(id) : nullptr;
    if (fresh) known->second = rule != nullptr && !takes(selection, rule->info);
    return known->second;
  };
  std::erase_if(suppressed, [&](const SuppressedFinding& one) { return left_out(one.finding.rule); });
  std::erase_if(undecided, [&](const Undecided& one) { return left_out(one.rule); });
  return std::erase_if(findings, [&](const Finding& one) { return left_out(one.rule); });
}

}  // namespace muster
