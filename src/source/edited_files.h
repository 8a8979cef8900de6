#pragma once

#include <map>
#include <string>

#include "source/file_system.h"

namespace muster {

/// Another file system in which some files have another text: what a check would say after an edit.
class EditedFiles final : public FileSystem {
 public:
  /// `texts`: by absolute path. What lies below outlives it.
  EditedFiles(const FileSystem& below, const std::map<std::string, std::string>& texts);

  Kind kind(const std::string& path) const override { return below_.kind(path); }
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::string> read_start(const std::string& path, std::size_t bytes) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override { return below_.list(path); }
  std::string absolute(const std::string& path) const override { return below_.absolute(path); }
  Result<std::string> read_standard_input(std::uint64_t limit) const override {
    return below_.read_standard_input(limit);
  }

 private:
  const std::string* edited(const std::string& path) const;

  const FileSystem& below_;
  const std::map<std::string, std::string>& texts_;
};

}  // namespace muster
