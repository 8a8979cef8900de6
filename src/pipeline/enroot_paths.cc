#include "pipeline/enroot_paths.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kDataPath = "ENROOT_DATA_PATH";
constexpr std::size_t kMostJudged = 10;  // of one file

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

/// The path that a line of enroot.conf gives the key: a key, blanks, a value.
std::string_view path_on(std::string_view line, std::string_view key) {
  const std::string_view words = trim(line);
  if (!words.starts_with(key)) return {};
  const std::string_view behind = words.substr(key.size());
  if (behind.empty() || (behind.front() != ' ' && behind.front() != '\t')) return {};
  return trim(behind.substr(0, behind.find(" #")));
}

class EnrootPaths {
 public:
  EnrootPaths(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = text_of(i);
      if (!contains(text, "ENROOT_") || is_prose(i)) continue;
      std::size_t judged = 0;
      for (const std::string_view line : split(text, '\n')) {
        for (const std::string_view key : kPaths) {
          const std::string_view path = path_on(line, key);
          if (!path.empty() && ++judged <= kMostJudged) judge(i, key, path);
        }
      }
    }
  }

 private:
  /// What enroot makes for whoever comes first, with umask 077. Source: NVIDIA/enroot:enroot.in.
  static constexpr std::array<std::string_view, 3> kPaths{"ENROOT_CACHE_PATH", kDataPath, "ENROOT_RUNTIME_PATH"};

  std::string_view text_of(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }
  bool is_prose(std::size_t i) const { return language_of(inputs_.files[i].context.path) == Language::Prose; }

  void judge(std::size_t i, std::string_view key, std::string_view written) {
    const std::string path = filled(i, written);
    const Span where = span_of_part(static_cast<FileId>(i), text_of(i), written);
    if (key == kDataPath && is_shared(path) && !differs_by_node(path)) {
      findings_.push_back(problem("enroot-data-on-shared-files", where,
                                  "enroot unpacks the images of all nodes into one folder that they share"));
      return;
    }
    const bool plain = path.starts_with('/') && path.find_first_of("$`{%~<") == path.npos;
    if (plain && !said_.contains(static_cast<FileId>(i)) && !is_open_to_all(path)) {
      said_.insert(static_cast<FileId>(i));
      findings_.push_back(
          problem("enroot-path-of-first-user", where,
                  "`" + path + "` is one folder for all users, and enroot makes it for the first alone"));
    }
  }

  /// `{{ enroot.data_path }}/data` with what the one line of the input that sets data_path says.
  std::string filled(std::size_t i, std::string_view path) {
    const std::size_t end = path.find("}}");
    const std::string_view file = inputs_.files[i].context.path;
    const std::size_t folder = file.rfind("templates/");
    if (!path.starts_with("{{") || end == path.npos || folder == file.npos) return std::string(path);
    const std::string_view mark = trim(path.substr(2, end - 2));
    const std::string key = std::string(mark.substr(mark.rfind('.') + 1)) + ":";  // npos + 1 is 0
    const auto [known, fresh] = values_.try_emplace(key);
    if (fresh) known->second = value_of(key);
    return known->second.empty() ? std::string(path) : known->second + std::string(path.substr(end + 2));
  }

  /// The one value of `data_path:`; empty: there is none, or several.
  std::string value_of(std::string_view key) {
    std::string value;
    const bool open = names().of_some_text([&](std::size_t i, std::string_view all) {
      return is_yaml_file(inputs_.files[i].context.path) && some_line_with(all, key, [&](std::string_view line) {
               if (!trim(line).starts_with(key)) return false;
               std::string_view text = trim(trim(line).substr(key.size()));
               text = trim(text.substr(0, text.find(" #")));
               if (text.size() > 1 && (text[0] == '\'' || text[0] == '"')) text = text.substr(1, text.size() - 2);
               if (!value.empty() && value != text) return true;
               value = text;
               return false;
             });
    });
    return open ? std::string() : value;
  }

  /// Whether a text that names the folder, or one it lies in, gives something to everybody; or makes the folder itself.
  bool is_open_to_all(std::string_view path) {
    constexpr std::array<std::string_view, 5> kOpen{"777", "a+w", "o+w", "a+rw", "ugo+"};
    constexpr std::array<std::string_view, 6> kMade{"install -d", "chmod ", "chgrp ", "setfacl", "mode:", "mkdir -m"};
    const auto has = [](std::string_view text, const auto& words) {
      return std::ranges::any_of(words, [&](std::string_view one) { return contains(text, one); });
    };
    std::string_view folder = path;
    while (folder.ends_with('/')) folder.remove_suffix(1);
    const std::string_view above = folder.substr(0, folder.rfind('/'));
    return names().of_some_text([&](std::size_t i, std::string_view text) {
      if (is_prose(i)) return false;
      const bool said = contains(text, folder);
      return ((said || (above.size() > 4 && contains(text, above))) && has(text, kOpen)) || (said && has(text, kMade));
    });
  }

  InputNames& names() { return names_ ? *names_ : names_.emplace(inputs_); }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::set<FileId> said_;
  std::optional<InputNames> names_;            ///< once something is judged
  std::map<std::string, std::string> values_;  ///< by key
};

}  // namespace

void find_enroot_paths(const Inputs& inputs, std::vector<Finding>& findings) { EnrootPaths(inputs, findings).run(); }

}  // namespace muster
