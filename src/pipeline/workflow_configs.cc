#include "pipeline/workflow_configs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kAttempt = "task.attempt";

Span span_of(FileId file, std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {file, begin, begin + static_cast<std::uint32_t>(part.size())};
}

/// `'64 GB' * ` at the end of a text, with its quotes; empty where something else stands there.
std::string_view repeated_amount(std::string_view before) {
  before = trim(before);
  if (!before.ends_with('*')) return {};
  const std::string_view amount = trim(before.substr(0, before.size() - 1));
  const char quote = amount.empty() ? ' ' : amount.back();
  if (amount.size() < 3 || (quote != '\'' && quote != '"')) return {};
  const std::size_t begin = amount.rfind(quote, amount.size() - 2);
  if (begin == amount.npos) return {};
  const std::string_view out = amount.substr(begin);
  const bool counts = is_digit(out[1]) && out.find_first_of("${") == out.npos && !is_digit(out[out.size() - 2]);
  const bool filled = quote == '"' && out.substr(1).starts_with("${");  // a parameter, as a text
  return counts || filled ? out : std::string_view{};
}

/// An amount as a text, times the attempt: Groovy writes the text so many times.
void find_repeated_amounts(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::size_t kLongestAmount = 100;  // characters before the attempt
  for (std::size_t at = text.find(kAttempt); at != text.npos; at = text.find(kAttempt, at + 1)) {
    std::string_view before = text.substr(at - std::min(at, kLongestAmount), std::min(at, kLongestAmount));
    before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const std::string_view amount = repeated_amount(before);
    if (amount.empty() || contains(before, "//")) continue;
    const std::string inner(amount.substr(1, amount.size() - 2));
    findings.push_back(problem("nextflow-amount-repeated", span_of(file, text, amount),
                               "at the second attempt this is `" + inner + inner + "`, which is no amount"));
    return;
  }
}

/// Options that Snakemake 8 does not have any more, as a profile for it names them. Source:
/// snakemake.readthedocs.io/en/stable/getting_started/migration.html (8.0).
void find_removed_keys(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 9> kRemoved{"cluster",        "cluster-cancel",  "cluster-cancel-nargs",
                                                     "cluster-config", "cluster-sidecar", "cluster-status",
                                                     "cluster-sync",   "drmaa",           "drmaa-log-dir"};
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view key = line.substr(0, line.find(':'));
    if (key.size() == line.size() || std::ranges::find(kRemoved, key) == kRemoved.end()) continue;
    findings.push_back(
        problem("snakemake-key-removed", span_of(file, text, key), "Snakemake 8 has no option --" + std::string(key)));
    return;
  }
}

/// `restart-times: 3`, a line of its own.
std::optional<std::int64_t> restarts_of(std::string_view text) {
  constexpr std::string_view kKey = "restart-times:";
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with(kKey)) return parse_int(trim(line.substr(0, line.find('#')).substr(kKey.size())));
  }
  return std::nullopt;
}

/// `['1d', '3d'][attempt - 1]` of a profile that has more attempts than that.
void find_short_lists(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::string_view kIndex = "][attempt";
  constexpr std::size_t kLongestList = 500;
  const std::optional<std::int64_t> restarts = restarts_of(text);
  if (!restarts) return;
  for (std::size_t at = text.find(kIndex); at != text.npos; at = text.find(kIndex, at + 1)) {
    const std::string_view rest = text.substr(at + kIndex.size(), 6);
    std::string_view before = text.substr(at - std::min(at, kLongestList), std::min(at, kLongestList));
    before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const std::size_t open = before.rfind('[');
    const bool from_first = rest.starts_with(" - 1]") || rest.starts_with("-1]");
    if (!from_first || open == before.npos || contains(before, "#")) continue;
    const std::string_view list = before.substr(open + 1);
    // Commas of amounts and calls are none of the list.
    if (list.find_first_of("(){}*") != list.npos || trim(list).empty() || trim(list).ends_with(',')) continue;
    const auto items = static_cast<std::int64_t>(split(list, ',').size());
    if (items > *restarts) continue;
    findings.push_back(problem("snakemake-attempts-beyond-list", span_of(file, text, list),
                               "a list of " + count_of(static_cast<std::size_t>(items), "item") +
                                   " for as many attempts, and `restart-times: " + std::to_string(*restarts) +
                                   "` has " + std::to_string(*restarts + 1)));
  }
}

bool is_of_nextflow(std::string_view path) { return path.ends_with(".config") || path.ends_with(".nf"); }

/// `config.v8+.yaml`, which Snakemake 8 and later take before `config.yaml`.
bool is_newer_profile(std::string_view name) {
  constexpr std::string_view kBegin = "config.v";
  if (!name.starts_with(kBegin) || !(name.ends_with("+.yaml") || name.ends_with("+.yml"))) return false;
  const std::string_view release = name.substr(kBegin.size(), name.find('+') - kBegin.size());
  const std::optional<std::int64_t> number = parse_int(release);
  return number && *number >= 8;
}

}  // namespace

void find_workflow_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string& path = inputs.files[i].context.path;
    if (is_newer_profile(last_part(path))) find_removed_keys(file, inputs.sources.file(file).text(), findings);
    const std::string_view name = last_part(path);
    const bool profile = name == "config.yaml" || is_newer_profile(name);
    if (profile) find_short_lists(file, inputs.sources.file(file).text(), findings);
    if (is_of_nextflow(path)) find_repeated_amounts(file, inputs.sources.file(file).text(), findings);
  }
}

}  // namespace muster
