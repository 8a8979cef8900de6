#include "pipeline/enroot_paths.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"

namespace muster {
namespace {

constexpr std::string_view kDataPath = "ENROOT_DATA_PATH";

/// Folders that are called after what is mounted there: file systems of many machines.
bool is_shared(std::string_view path) {
  constexpr std::array<std::string_view, 9> kShared{"beegfs", "efs", "fsx",    "gpfs", "home",
                                                    "lustre", "nfs", "shared", "weka"};
  if (!path.starts_with('/')) return false;
  const std::vector<std::string_view> folders = split(path.substr(1), '/');
  const std::string_view first = folders.front() == "mnt" && folders.size() > 1 ? folders[1] : folders.front();
  return std::ranges::find(kShared, first) != kShared.end();
}

/// A part that is another one on each node.
bool differs_by_node(std::string_view path) {
  constexpr std::array<std::string_view, 8> kOwn{"hostname", "HOST",       "NODENAME",    "NODEID",
                                                 "uname",    "machine-id", "instance-id", "{{"};
  return std::ranges::any_of(kOwn, [&](std::string_view one) { return contains(path, one); });
}

/// The path on a line of enroot.conf: a key, blanks, a value.
std::string_view data_path_on(std::string_view line) {
  const std::string_view words = trim(line);
  if (!words.starts_with(kDataPath)) return {};
  const std::string_view behind = words.substr(kDataPath.size());
  if (behind.empty() || (behind.front() != ' ' && behind.front() != '\t')) return {};
  return trim(behind.substr(0, behind.find(" #")));
}

}  // namespace

void find_enroot_paths(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, kDataPath) || language_of(inputs.files[i].context.path) == Language::Prose) continue;
    for (const std::string_view line : split(text, '\n')) {
      const std::string_view path = data_path_on(line);
      if (!is_shared(path) || differs_by_node(path)) continue;
      findings.push_back(problem("enroot-data-on-shared-files", span_of_part(static_cast<FileId>(i), text, path),
                                 "enroot unpacks the images of all nodes into one folder that they share"));
    }
  }
}

}  // namespace muster
