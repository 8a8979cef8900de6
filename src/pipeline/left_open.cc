#include "pipeline/left_open.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "lint/lint.h"

namespace muster {
namespace {

/// Bytes from a key to what is wrong within its value.
constexpr std::uint32_t kLongestObject = 1 << 16;

}  // namespace

void leave_unread_open(const Workspace& w, std::vector<Undecided>& out) {
  const auto leave = [&](std::string_view rule, const SlurmSite& site, const Located<std::string>& what,
                         const std::string& need) {
    if (w.book->find(rule)->enabled) out.push_back({std::string(rule), site.file, what.where, {need}});
  };
  for (const SlurmSite& site : w.model.slurm_sites) {
    for (const Located<std::string>& path : site.unfollowed)
      leave("slurm-include-unreadable", site, path, "the file `" + path.value + "`");
    for (const Located<std::string>& record : site.unfilled)
      leave("slurm-conf-syntax", site, record, "the values of a `" + record.value + "` line");
  }
}

void drop_of_wrong_types(const std::vector<Finding>& findings, const SourceMap& sources,
                         std::vector<Undecided>& undecided) {
  const auto is_open_by_type = [](const Undecided& one) {
    return one.where.placed() &&
           std::ranges::all_of(one.needs, [](std::string_view need) { return need.starts_with(kNeedsEvaluation); });
  };
  if (std::ranges::none_of(undecided, is_open_by_type)) return;
  std::map<FileId, std::vector<std::uint32_t>> wrong;
  for (const Finding& one : findings) {
    if (one.rule == "field-type" && one.where.placed()) wrong[one.where.file].push_back(one.where.begin);
  }
  for (auto& [file, places] : wrong) std::ranges::sort(places);
  std::erase_if(undecided, [&](const Undecided& one) {
    const auto of_file = wrong.find(one.where.file);
    if (of_file == wrong.end() || !is_open_by_type(one)) return false;
    // The place is that of a key; what is wrong stands behind it, in the same document and before the next object of a
    // List.
    const auto next = std::ranges::lower_bound(of_file->second, one.where.begin);
    if (next == of_file->second.end() || *next - one.where.begin > kLongestObject) return false;
    const std::string_view text = sources.file(one.where.file).text();
    const std::string_view between = text.substr(one.where.begin, *next - one.where.begin);
    return !contains(between, "\n---") && !contains(between, "apiVersion");
  });
}

}  // namespace muster
