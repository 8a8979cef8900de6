#pragma once

#include <optional>
#include <string>
#include <vector>

namespace muster::test {

/// The repository's root.
std::string source_dir();

/// A file's text; fails the test when it cannot be read.
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& text);

/// The reference material beside the repository (environment variable MUSTER_REFERENCE, else ../shared), if it is
/// there.
std::optional<std::string> reference_dir();

/// Names of the entries of a folder, sorted; empty when there is none.
std::vector<std::string> entries(const std::string& folder);
bool is_folder(const std::string& path);

/// Compares with a golden file; with MUSTER_ACCEPT=1 in the environment the file is rewritten instead.
void check_golden(const std::string& path, const std::string& actual);

/// A fresh folder for the test, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace muster::test
