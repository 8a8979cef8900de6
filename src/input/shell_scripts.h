#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "source/span.h"

namespace muster {

/// Shell scripts of the input, and files of settings that they name, by their paths; and its folders.
class ShellScripts {
 public:
  void add(FileId file, std::string_view path);
  /// The one that a script at `caller` calls by a relative path. A job runs where sbatch was called: in the folder of
  /// the script, or in one above it; the nearest that has such a file is taken.
  std::optional<FileId> find(std::string_view path, std::string_view caller) const;
  /// Likewise of a file of YAML or a .conf.
  std::optional<FileId> find_config(std::string_view path, std::string_view caller) const;
  /// Whether some file lies in or below a folder that is called so: `out/logs` is one of `a/out/logs/b`. Of more than
  /// sixteen names in a row none is known.
  bool has_folder(std::string_view folder) const { return folders_.contains(folder); }

 private:
  void add_folders(std::string_view path);

  std::map<std::string, FileId, std::less<>> by_path_;
  std::map<std::string, FileId, std::less<>> configs_;
  std::set<std::string, std::less<>> known_;    ///< folders from the root on
  std::set<std::string, std::less<>> folders_;  ///< their last names
};

}  // namespace muster
