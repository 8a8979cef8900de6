#pragma once

#include <string>

#include "support/files.h"

namespace muster::test {

/// Whether git is here; says that the test is skipped where it is not.
bool has_git();

/// A git repository of its own, gone with the object.
class Repository {
 public:
  /// `init`: more words for `git init`.
  explicit Repository(const std::string& init = "");
  const std::string& path() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) const { write_file(path() + "/" + name, text); }
  std::string read(const std::string& name) const { return read_file(path() + "/" + name); }
  /// Runs `git WORDS` there; false when it fails.
  bool git(const std::string& words) const;
  /// Adds everything that is there as one commit.
  void commit(const std::string& subject = "change") const;

 private:
  TemporaryFolder folder_;
};

}  // namespace muster::test
