#pragma once

#include <map>
#include <string>

#include "source/file_system.h"

namespace muster {

/// Texts by absolute path.
using OpenTexts = std::map<std::string, std::string>;

/// The disk as somebody sees it who stands in a folder and has some files open: those have the text of the editor, also
/// where nothing of that name is on the disk yet. Nothing comes from standard input: that is the editor's.
class OpenFiles final : public FileSystem {
 public:
  /// `folder`: absolute. The disk outlives it.
  OpenFiles(const FileSystem& disk, std::string folder, OpenTexts texts);

  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::string> read_start(const std::string& path, std::size_t bytes) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;

 private:
  std::string below(const std::string& path) const;
  const std::string* open(const std::string& path) const;

  const FileSystem& disk_;
  std::string folder_;
  OpenTexts texts_;
};

}  // namespace muster
