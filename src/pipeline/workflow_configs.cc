#include "pipeline/workflow_configs.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/nextflow_options.h"
#include "pipeline/nextflow_text.h"
#include "pipeline/snakemake_files.h"
#include "pipeline/yaml_times.h"

namespace muster {
namespace {

constexpr std::string_view kAttempt = "task.attempt";

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
void find_repeated_amounts(FileId file, std::string_view written, std::vector<Finding>& findings) {
  constexpr std::size_t kLongestAmount = 100;  // characters before the attempt
  if (!contains(written, kAttempt)) return;
  const std::string kept = without_nextflow_comments(written);
  const std::string_view text = kept;
  for (std::size_t at = text.find(kAttempt); at != text.npos; at = text.find(kAttempt, at + 1)) {
    std::string_view before = text.substr(at - std::min(at, kLongestAmount), std::min(at, kLongestAmount));
    before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const std::string_view amount = repeated_amount(before);
    if (amount.empty()) continue;
    const std::string inner(amount.substr(1, amount.size() - 2));
    findings.push_back(problem("nextflow-amount-repeated", span_of_part(file, text, amount),
                               "at the second attempt this is `" + inner + inner + "`, which is no amount"));
    return;
  }
}

bool is_of_nextflow(std::string_view path) { return path.ends_with(".config") || path.ends_with(".nf"); }

}  // namespace

void find_workflow_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string& path = inputs.files[i].context.path;
    if (is_of_nextflow(path)) find_repeated_amounts(file, inputs.sources.file(file).text(), findings);
  }
  find_nextflow_options(inputs, findings);
  find_snakemake_slips(inputs, findings);
  find_times_as_numbers(inputs, findings);
}

}  // namespace muster
