#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace muster {

/// The patterns of one .gitignore or info/exclude. Source of what they mean: git/git:Documentation/gitignore.adoc and
/// wildmatch.c (2.39).
class IgnorePatterns {
 public:
  enum class Verdict { Silent, Ignored, Read };

  /// More wildcards, or a longer text, than anybody writes say nothing at all: then more is read, never less.
  static constexpr std::size_t kMaxWildcards = 2'000;
  static constexpr std::size_t kMaxText = 1 << 20;

  IgnorePatterns() = default;
  explicit IgnorePatterns(std::string_view text);

  /// What the last pattern that matches says about a file or folder; `path` is relative to the folder the patterns
  /// stand in, without slashes at its ends. Whether a folder above is ignored is for the caller to ask first.
  Verdict verdict(std::string_view path, FileSystem::Kind kind) const;

 private:
  struct Wildcard {
    std::size_t number;
    std::vector<std::string> segments;
    bool anywhere;  ///< one segment that any name below may match
    bool folders_only;
  };
  /// Numbers, from 1, of the last patterns that are just this name.
  struct Name {
    std::size_t any = 0;
    std::size_t folder = 0;
  };
  void add(std::string_view line);

  std::vector<bool> negated_{false};  ///< by number
  std::map<std::string, Name, std::less<>> names_;
  std::vector<Wildcard> wildcards_;
};

}  // namespace muster
