#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "pipeline/discover.h"

namespace muster {

/// The last part of a path.
inline std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

/// Whether the name of a file, or that of its folder, has one of these beginnings of words, whatever its case: `test`
/// is in `my-tests/a.yaml`, not in `latest.yaml`. One that begins with a sign stands anywhere.
bool is_named_for(std::string_view path, std::span<const std::string_view> words);

/// `Dockerfile`, `Containerfile.cuda`, `train.dockerfile`, `slurm.Dockerfile.j2`.
bool is_dockerfile(std::string_view path);

inline bool is_yaml_file(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

/// Whether a path is the folder, or one of those below it; the empty folder is the top.
inline bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

/// Whether `holds` for some line of a text that has the name. Each line is looked at once, however often it has it.
template <class Holds>
bool some_line_with(std::string_view text, std::string_view name, Holds holds) {
  for (std::size_t at = find_part(text, name); at != text.npos;) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (holds(text.substr(begin, end - begin))) return true;
    at = find_part(text, name, end);
  }
  return false;
}

/// The files of an input by their last part. Indices are those of Inputs::files.
class InputNames {
 public:
  explicit InputNames(const Inputs& inputs);

  const std::vector<std::size_t>& called(std::string_view name) const;
  /// The one at a path as it is shown.
  std::optional<std::size_t> at(std::string_view path) const;
  /// Whether something of that name is there that is not read: binary, too large, ignored, excluded.
  bool is_aside(std::string_view name) const { return aside_.contains(name); }
  /// Whether `holds(file, text)` of some text. True as well once all that was asked for took too long.
  template <class Holds>
  bool of_some_text(Holds holds) {
    looked_ += letters_;
    if (looked_ > kMostSearched) return true;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (holds(i, inputs_.sources.file(static_cast<FileId>(i)).text())) return true;
    }
    return false;
  }
  /// Whether `says(file, text, at)` of some place where a text has the name; likewise.
  template <class Says>
  bool is_said(std::string_view name, Says says) {
    return of_some_text([&](std::size_t i, std::string_view text) {
      for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        if (says(i, text, at)) return true;
      }
      return false;
    });
  }
  /// Whether `says(file, line)` of some line that has the name; likewise.
  template <class Says>
  bool is_said_in_line(std::string_view name, Says says) {
    return of_some_text([&](std::size_t i, std::string_view text) {
      return some_line_with(text, name, [&](std::string_view line) { return says(i, line); });
    });
  }

 private:
  static constexpr std::uint64_t kMostSearched = 500'000'000;  // characters

  const Inputs& inputs_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::set<std::string, std::less<>> aside_;
  std::uint64_t letters_ = 0;  ///< of all texts
  std::uint64_t looked_ = 0;
};

/// Whether `cd FOLDER` in a script may lead out of the input: `"$JOBS"`, `/scratch/x`. A folder that is found by
/// `dirname` lies within, and so does the one that a job was submitted from. `folder` as written, `text` the script.
bool leaves_input(std::string_view text, std::string_view folder);

}  // namespace muster
