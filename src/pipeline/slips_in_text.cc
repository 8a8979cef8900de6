#include "pipeline/slips_in_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/application_slips.h"
#include "pipeline/cuda_tags.h"
#include "pipeline/denying_projects.h"
#include "pipeline/gpu_text_slips.h"
#include "pipeline/guide_batch_runs.h"
#include "pipeline/job_waits.h"
#include "pipeline/launch_configs.h"
#include "pipeline/pip_installs.h"
#include "pipeline/sacct_fields.h"
#include "pipeline/submitit_launchers.h"
#include "pipeline/terraform_accelerators.h"
#include "pipeline/terraform_clusters.h"
#include "pipeline/terraform_given.h"
#include "pipeline/terraform_pool_sizes.h"
#include "pipeline/terraform_providers.h"
#include "pipeline/terraform_releases.h"

namespace muster {
namespace {

constexpr std::size_t kMostPatchLines = 4;   // from an operation to the path of it
constexpr std::size_t kMostServeLines = 40;  // of one autoscaling_config
constexpr std::size_t kMostPatchSlips = 20;  // of one file
constexpr std::string_view kServe = "autoscaling_config:";

struct SlipLine {
  std::string_view whole;
  std::size_t begin = 0;  ///< in the text
};

std::vector<SlipLine> lines_from(std::string_view text, std::size_t at, std::size_t most) {
  std::vector<SlipLine> out;
  while (at < text.size() && out.size() < most) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back({text.substr(at, end - at), at});
    at = end + 1;
  }
  return out;
}

/// The value of `key: value` without quotes, where the line, behind a dash, is that.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  line = trim(line);
  if (line.starts_with("- ")) line = trim(line.substr(2));
  if (!line.starts_with(key)) return std::nullopt;
  line = line.substr(key.size());
  line = trim(line.substr(0, line.find(" #")));
  if (line.size() > 1 && (line.front() == '"' || line.front() == '\'') && line.back() == line.front())
    line = line.substr(1, line.size() - 2);
  return line;
}

/// Whether a line near that of the operation, of the same item, has the path it is for.
bool is_of_patch(std::string_view text, std::size_t begin, std::string_view own) {
  if (contains(own, "path:")) return true;
  for (const SlipLine& line : lines_from(text, begin, kMostPatchLines)) {
    if (line.begin != begin && trim(line.whole).starts_with('-')) return false;
    if (const auto path = value_of(line.whole, "path:"); path && path->starts_with('/')) return true;
  }
  return false;
}

/// Source: RFC 6902, section 4.
void find_patch_operations(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 6> kOperations{"add", "copy", "move", "remove", "replace", "test"};
  std::size_t said = 0;
  for (std::size_t at = find_part(text, "op: "); at != text.npos; at = find_part(text, "op: ", at + 1)) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
    at = begin + line.size();  // of a line the first counts
    const std::optional<std::string_view> word = value_of(line, "op: ");
    if (!word || word->empty() || std::ranges::find(kOperations, *word) != kOperations.end()) continue;
    const std::optional<std::string_view> meant = slip_of(*word, kOperations);
    if (!meant || ++said > kMostPatchSlips || !is_of_patch(text, begin, line)) continue;
    Finding finding = problem(
        "json-patch-op-unknown", span_of_part(file, text, *word),
        "a JSON patch has no operation `" + std::string(*word) + "`; did you mean `" + std::string(*meant) + "`?");
    findings.push_back(std::move(finding));
  }
}

/// `min_replicas` of `minReplicas`.
std::string with_underscores(std::string_view key) {
  std::string out;
  for (const char c : key) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital) out += '_';
    out += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// Source: ray-project/ray:python/ray/serve/config.py, AutoscalingConfig (2.50).
bool is_serve_key(std::string_view key) {
  constexpr std::array<std::string_view, 13> kKeys{"downscale_delay_s",
                                                   "downscale_smoothing_factor",
                                                   "downscale_to_zero_delay_s",
                                                   "downscaling_factor",
                                                   "initial_replicas",
                                                   "look_back_period_s",
                                                   "max_replicas",
                                                   "metrics_interval_s",
                                                   "min_replicas",
                                                   "target_ongoing_requests",
                                                   "upscale_delay_s",
                                                   "upscale_smoothing_factor",
                                                   "upscaling_factor"};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

void find_serve_keys(FileId file, std::string_view text, std::vector<Finding>& findings) {
  for (std::size_t at = find_part(text, kServe); at != text.npos; at = find_part(text, kServe, at + 1)) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::size_t indent = at - begin;
    if (text.substr(begin, indent).find_first_not_of(" -") != text.npos) continue;
    for (const SlipLine& line : lines_from(text, std::min(text.find('\n', at), text.size() - 1) + 1, kMostServeLines)) {
      const std::size_t first = line.whole.find_first_not_of(" \t\r");
      if (first == line.whole.npos || line.whole[first] == '#') continue;
      if (first <= indent) break;
      const std::string_view key = line.whole.substr(first, line.whole.find(':', first) - first);
      const std::string right = with_underscores(key);
      if (right == key || !is_serve_key(right)) continue;
      findings.push_back(
          problem("ray-serve-key-spelling", span_of_part(file, text, key),
                  "`autoscaling_config` of Ray Serve has no `" + std::string(key) + "`; it is called `" + right + "`"));
      break;
    }
  }
}

}  // namespace

void find_slips_in_text(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileId file{static_cast<std::uint32_t>(i)};
    if (inputs.files[i].reading != Reading::Whole || language_of(inputs.files[i].context.path) != Language::Data)
      continue;
    const std::string_view text = inputs.sources.file(file).text();
    find_patch_operations(file, text, findings);
    find_serve_keys(file, text, findings);
  }
  find_gpu_text_slips(inputs, findings);
  find_removed_sacct_fields(inputs, findings);
  find_submitit_slips(inputs, findings);
  find_missing_launch_configs(inputs, findings);
  find_application_slips(inputs, findings);
  find_denying_projects(inputs, findings);
  find_job_waits(inputs, findings);
  find_guide_batch_runs(inputs, findings);
  find_pip_slips(inputs, findings);
  find_cuda_tags(inputs, findings);
  TerraformGiven given(inputs);
  find_terraform_accelerators(inputs, given, findings);
  find_terraform_pool_sizes(inputs, given, findings);
  find_terraform_releases(inputs, given, findings);
  find_terraform_clusters(inputs, given, findings);
  find_terraform_providers(inputs, findings);
}

}  // namespace muster
