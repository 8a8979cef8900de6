#pragma once

#include <map>
#include <set>
#include <string>

#include "source/file_system.h"

namespace muster::test {

/// A disk with the troubles of real ones. Paths of its tables are absolute, without the first slash.
class FakeDisk final : public FileSystem {
 public:
  explicit FakeDisk(const std::map<std::string, std::string>& contents) : files(contents) {}

  std::map<std::string, std::string> files;
  std::map<std::string, std::string> links;  ///< link to a file -> what it leads to
  std::set<std::string> unreadable;          ///< files and folders that may not be read
  std::set<std::string> pipes;
  std::string working_folder = "/";
  std::string standard_input;

  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;

 private:
  std::string key(const std::string& path) const;  ///< links followed
};

}  // namespace muster::test
