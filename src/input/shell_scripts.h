#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "source/span.h"

namespace muster {

/// Shell scripts of the input, and files of settings that they name, by their paths.
class ShellScripts {
 public:
  void add(FileId file, std::string_view path);
  /// The one that a script at `caller` calls by a relative path. A job runs where sbatch was called: in the folder of
  /// the script, or in one above it; the nearest that has such a file is taken.
  std::optional<FileId> find(std::string_view path, std::string_view caller) const;
  /// Likewise of a file of YAML or a .conf.
  std::optional<FileId> find_config(std::string_view path, std::string_view caller) const;

 private:
  std::map<std::string, FileId, std::less<>> by_path_;
  std::map<std::string, FileId, std::less<>> configs_;
};

}  // namespace muster
