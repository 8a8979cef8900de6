#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/discover.h"

namespace muster {

/// The last part of a path.
inline std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

/// The files of an input by their last part. Indices are those of Inputs::files.
class InputNames {
 public:
  explicit InputNames(const Inputs& inputs);

  const std::vector<std::size_t>& called(std::string_view name) const;
  /// The one at a path as it is shown.
  std::optional<std::size_t> at(std::string_view path) const;
  /// Whether something of that name is there that is not read: binary, too large, ignored, excluded.
  bool is_aside(std::string_view name) const { return aside_.contains(name); }
  /// Characters of all texts.
  std::uint64_t letters() const { return letters_; }

 private:
  const Inputs& inputs_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> names_;
  std::set<std::string, std::less<>> aside_;
  std::uint64_t letters_ = 0;
};

/// Whether `cd FOLDER` in a script may lead out of the input: `"$JOBS"`, `/scratch/x`. A folder that is found by
/// `dirname` lies within, and so does the one that a job was submitted from. `folder` as written, `text` the script.
bool leaves_input(std::string_view text, std::string_view folder);

}  // namespace muster
