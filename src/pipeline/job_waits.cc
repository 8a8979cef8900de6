#include "pipeline/job_waits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::int64_t kLongWait = 300;  // seconds; by default kubectl waits 30

/// Seconds of `--timeout=20m`; nullopt: none is written out.
std::optional<std::int64_t> timeout_of(std::string_view line) {
  constexpr std::string_view kOption = "--timeout";
  const std::size_t at = line.find(kOption);
  if (at == line.npos) return std::nullopt;
  std::string_view value = line.substr(at + kOption.size());
  value.remove_prefix(std::min<std::size_t>(1, value.size()));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || number > 100'000 || end == value.data() + value.size()) return std::nullopt;
  return *end == 's' ? number : *end == 'm' ? number * 60 : *end == 'h' ? number * 3600 : 0;
}

/// Whether a line waits long for a Job, and nobody looks at it meanwhile.
bool waits_for_job(std::string_view line) {
  constexpr std::array<std::string_view, 3> kJobs{" job/", " jobs/", " job.batch/"};
  const std::string_view words = trim(line);
  if (words.starts_with('#') || words.starts_with("echo ") || words.ends_with('&') || contains(line, "'wait"))
    return false;
  if (!contains(line, "kubectl ") && !contains(line, "oc ")) return false;
  if (!contains(line, " wait ") || !contains(to_lower(line), "condition=complete")) return false;
  if (std::ranges::none_of(kJobs, [&](std::string_view one) { return contains(line, one); })) return false;
  const std::optional<std::int64_t> seconds = timeout_of(line);
  return seconds && *seconds >= kLongWait;
}

/// Words by which a script looks for failed Jobs in another way.
bool sees_failures(std::string_view text) {
  constexpr std::array<std::string_view, 5> kSigns{"condition=failed", "status.failed", "\"failed\"", "'failed'",
                                                   "wait -n"};
  const std::string lower = to_lower(text);
  return std::ranges::any_of(kSigns, [&](std::string_view one) { return contains(lower, one); });
}

}  // namespace

void find_job_waits(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view name = last_part(path);
    const bool script = language_of(path) == Language::Script && !name.ends_with(".py");
    if (!script && !is_recipe_file(path)) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, " wait ") || sees_failures(text)) continue;
    for (const std::string_view line : split(text, '\n')) {
      if (!waits_for_job(line)) continue;
      const std::size_t at = to_lower(line).find("condition=complete");
      const auto begin = static_cast<std::uint32_t>(line.data() - text.data() + static_cast<std::ptrdiff_t>(at));
      constexpr std::uint32_t kLength = 18;  // of condition=complete
      findings.push_back(problem("script-wait-misses-failure", {static_cast<FileId>(i), begin, begin + kLength},
                                 "a Job that fails never has this condition"));
      break;
    }
  }
}

}  // namespace muster
