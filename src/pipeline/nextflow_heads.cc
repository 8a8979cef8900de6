#include "pipeline/nextflow_heads.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/nextflow_text.h"

namespace muster {
namespace {

constexpr std::int64_t kMostHours = 10'000;

/// Minutes of `48h`, `2 days`, `30m`, `48.h`; nothing for others.
/// Source: docs.seqera.io/nextflow/reference/stdlib-types, Duration.
std::optional<std::int64_t> process_minutes(std::string_view text) {
  if (text.size() > 1 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> number = parse_int(text.substr(0, end));
  std::string_view unit = trim(text.substr(end));
  if (unit.starts_with('.')) unit.remove_prefix(1);
  if (!number || *number < 1 || *number > kMostHours) return std::nullopt;
  if (unit == "m" || unit == "min" || unit == "minute" || unit == "minutes") return *number;
  if (unit == "h" || unit == "hour" || unit == "hours") return *number * 60;
  if (unit == "d" || unit == "day" || unit == "days") return *number * 24 * 60;
  return std::nullopt;
}

struct LongestProcess {
  std::int64_t minutes = 0;
  Span where;
};

/// The longest `time = '48h'` of a configuration.
LongestProcess longest_in(FileId file, std::string_view text) {
  LongestProcess out;
  const std::string plain = without_nextflow_comments(text);
  some_line_with(plain, "time", [&](std::string_view line) {
    const std::size_t at = line.find("time");
    const bool whole = at == 0 || (!is_word_char(line[at - 1]) && line[at - 1] != '.');
    const std::string_view behind = trim(line.substr(at + 4));
    if (!whole || !behind.starts_with('=')) return false;
    // `withLabel: long { time = '48h' }`
    const std::string_view value = trim(behind.substr(1, behind.find_first_of("};") - 1));
    const std::string_view words = line.substr(at, 4);
    const std::optional<std::int64_t> minutes = process_minutes(value);
    if (!minutes || *minutes <= out.minutes) return false;
    out = {*minutes, span_of_part(file, plain, words)};
    return false;
  });
  return out;
}

std::string time_in_words(std::int64_t minutes) {
  return minutes % 60 == 0 ? count_of(static_cast<std::size_t>(minutes / 60), "hour")
                           : count_of(static_cast<std::size_t>(minutes), "minute");
}

bool runs_nextflow(std::string_view text) {
  return some_line_with(text, "nextflow", [](std::string_view line) {
    const std::string_view words = trim(line);
    return !words.starts_with('#') && !words.starts_with("echo") && contains(words, "nextflow ") &&
           contains(words, " run ");
  });
}

}  // namespace

void find_short_heads(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  for (const SbatchJob& job : model.sbatch_jobs) {
    const auto i = static_cast<std::size_t>(job.where.file);
    if (i >= inputs.files.size() || job.components != 1 || !job.given.empty() || job.given_open) continue;
    const SbatchPair* time = option_in_force(job, "time");
    const Located<std::int64_t>& minutes = job.parts.front().minutes;
    const std::string_view text = inputs.sources.file(job.where.file).text();
    if (time == nullptr || !minutes.known() || !text.starts_with("#!") || !runs_nextflow(text)) continue;
    if (!names) names.emplace(inputs);
    for (std::string_view folder = folder_of(inputs.files[i].context.path);; folder = folder_of(folder)) {
      const std::string path = (folder.empty() ? "" : std::string(folder) + "/") + "nextflow.config";
      if (const std::optional<std::size_t> found = names->at(path)) {
        const auto file = static_cast<FileId>(*found);
        const LongestProcess longest = longest_in(file, inputs.sources.file(file).text());
        if (longest.minutes <= minutes.value) break;
        findings.push_back(problem("nextflow-head-shorter", time->where,
                                   "this job, which runs Nextflow, ends after " + time_in_words(minutes.value) +
                                       ", and a process may take " + time_in_words(longest.minutes)));
        findings.back().related.push_back({longest.where, "the process"});
        break;
      }
      if (folder.empty()) break;
    }
  }
}

}  // namespace muster
