#include "pipeline/array_limits.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// Source: slurm.schedmd.com/slurm.conf.html, MaxArraySize.
constexpr std::int64_t kDefaultArraySize = 1001;

/// Up to nine digits: Slurm takes no more than 4000001.
std::optional<std::int64_t> index_of(std::string_view digits) {
  constexpr std::size_t kMostDigits = 9;
  const bool plain = !digits.empty() && digits.size() <= kMostDigits &&
                     std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return plain ? parse_int(digits) : std::nullopt;
}

/// The highest number of `1-100:2,200%5`; nothing where it is not all numbers.
std::optional<std::int64_t> highest_index(std::string_view array) {
  std::int64_t highest = -1;
  for (const std::string_view part : split(array.substr(0, array.find('%')), ',')) {
    const std::string_view range = part.substr(0, part.find(':'));
    for (const std::string_view number : split(range, '-')) {
      const std::optional<std::int64_t> index = index_of(trim(number));
      if (!index) return std::nullopt;
      highest = std::max(highest, *index);
    }
  }
  return highest < 0 ? std::nullopt : std::optional(highest);
}

/// What a script appends to a slurm.conf, and pieces of one, name no controller.
bool is_whole(const SlurmSite& site) {
  return site.settings_known() &&
         (site.setting("slurmctldhost") != nullptr || site.setting("controlmachine") != nullptr);
}

}  // namespace

ArrayLimits::ArrayLimits(const Model& model) {
  for (const SlurmSite& site : model.slurm_sites) {
    if (site.for_trial) continue;
    const SlurmSetting* setting = site.setting("maxarraysize");
    std::optional<std::int64_t> size;
    if (setting != nullptr) {
      size = setting->value.is_set() && !setting->conditional ? index_of(setting->value.value) : std::nullopt;
    } else if (is_whole(site) && std::ranges::find(site.open_keys, "maxarraysize") == site.open_keys.end()) {
      size = kDefaultArraySize;
    }
    if (!size) {
      size_.reset();
      return;
    }
    if (size_ && *size_ >= *size) continue;
    size_ = size;
    where_ = setting != nullptr ? std::optional(setting->where) : std::nullopt;
    said_ = setting != nullptr ? "MaxArraySize=" + setting->value.value : "MaxArraySize, which is 1001 by default";
  }
}

void ArrayLimits::check(std::string_view array, Span where, std::vector<Finding>& findings) const {
  const std::optional<std::int64_t> highest = size_ ? highest_index(array) : std::nullopt;
  if (!highest || *highest < *size_) return;
  findings.push_back(problem("sbatch-array-above-limit", where,
                             "the array has index " + std::to_string(*highest) + ", which is not below " + said_));
  if (where_) findings.back().related.push_back({*where_, "set here"});
}

void check_job_arrays(const Model& model, std::vector<Finding>& findings) {
  const ArrayLimits limits(model);
  for (const SbatchJob& job : model.sbatch_jobs) {
    const SbatchPair* option = option_in_force(job, "array");
    if (option != nullptr && option->value.is_set()) limits.check(option->value.value, option->value.where, findings);
  }
}

}  // namespace muster
