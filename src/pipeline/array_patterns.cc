#include "pipeline/array_patterns.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// `%a`, `%3a`.
bool has_task_pattern(std::string_view name) {
  for (std::size_t at = name.find('%'); at != name.npos; at = name.find('%', at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789", at + 1);
    if (end == name.npos) return false;
    if (name[end] == 'a') return true;
    at = end;
  }
  return false;
}

bool speaks_of_arrays(std::string_view text) {
  return contains(text, "--array") || contains(text, "SLURM_ARRAY") || contains(text, " -a ") ||
         contains_ignoring_case(text, "job array") || contains_ignoring_case(text, "array job");
}

}  // namespace

void find_array_patterns(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  std::map<FileId, std::size_t> jobs;
  for (const SbatchJob& job : model.sbatch_jobs) ++jobs[job.where.file];
  constexpr int kMostLookedFor = 100;
  int looked = 0;
  for (const SbatchJob& job : model.sbatch_jobs) {
    const auto i = static_cast<std::size_t>(job.where.file);
    if (i >= inputs.files.size() || jobs[job.where.file] != 1 || job.components != 1 || job.given_open ||
        !job.given.empty())
      continue;
    const SbatchPair* found = nullptr;
    for (const SbatchPair& pair : job.options) {
      const bool file = pair.name == "output" || pair.name == "error";
      if (file && found == nullptr && pair.value.is_set() && has_task_pattern(pair.value.value)) found = &pair;
    }
    const bool array = std::ranges::any_of(job.options, [](const SbatchPair& pair) { return pair.name == "array"; });
    const std::string_view text = inputs.sources.file(job.where.file).text();
    if (found == nullptr || array || !text.starts_with("#!") || speaks_of_arrays(text)) continue;
    if (++looked > kMostLookedFor) return;
    const std::string_view name = last_part(inputs.files[i].context.path);
    bool elsewhere = false;
    for (std::size_t other = 0; other < inputs.files.size() && !elsewhere; ++other) {
      const std::string_view said = inputs.sources.file(static_cast<FileId>(other)).text();
      elsewhere = other != i && contains(said, name) && (speaks_of_arrays(said) || contains(said, "array"));
    }
    if (elsewhere) continue;
    findings.push_back(problem("sbatch-array-pattern-alone", found->where,
                               "%a is 4294967294 in the name of this file: the job is no array"));
  }
}

}  // namespace muster
