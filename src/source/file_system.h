#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

/// The one door to files. Paths are as the user wrote them; `/` separates folders.
class FileSystem {
 public:
  enum class Kind { Missing, File, Folder, Other };
  struct Entry {
    std::string name;
    Kind kind = Kind::Missing;
    bool link = false;
  };

  virtual ~FileSystem() = default;
  virtual Kind kind(const std::string& path) const = 0;
  virtual std::uint64_t size(const std::string& path) const = 0;
  virtual Result<std::string> read(const std::string& path) const = 0;
  /// At most the first `bytes` of a file.
  virtual Result<std::string> read_start(const std::string& path, std::size_t bytes) const;
  /// Children in the order of their names' bytes. Symbolic links to folders are Other: they are not followed.
  /// Links to files are Files with `link` set: who follows them decides whether the target is within bounds.
  virtual Result<std::vector<Entry>> list(const std::string& path) const = 0;
  /// Absolute form without `.` and `..`, for comparing places; the file need not exist.
  virtual std::string absolute(const std::string& path) const = 0;
  /// All of standard input, at most `limit` bytes.
  virtual Result<std::string> read_standard_input(std::uint64_t limit) const = 0;
};

class DiskFileSystem final : public FileSystem {
 public:
  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::string> read_start(const std::string& path, std::size_t bytes) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;
};

/// Files that never were on disk, for tests and for input that comes from elsewhere. Their paths are relative, without
/// `.`, `..` or doubled slashes; questions may have them.
class MemoryFileSystem final : public FileSystem {
 public:
  explicit MemoryFileSystem(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace muster
