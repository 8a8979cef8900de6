#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/check.h"

// What the targets share. Each is a file fuzz_NAME.cc with a function LLVMFuzzerTestOneInput; its lines `// Reads:` and
// `// Seeds:` say to run.py which sources it is to reach and which files of this repository it begins with.

namespace muster::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void expect(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

/// The files of an input: each stands behind a line `==> PATH <==`, what is before the first is `first`. Paths that no
/// disk has, or that another one stands in the way of, are left out.
std::map<std::string, std::string> files_of(std::string_view text, const std::string& first);

// Every place lies within its file.
void stay_within(const Span& where, const SourceMap& sources);
void stay_within(const std::vector<Finding>& findings, const SourceMap& sources);
void stay_within(const Node& node, const SourceMap& sources);

/// A text as the only file.
struct OneFile {
  SourceMap sources;
  FileId file;
  std::string_view text;
  Span whole;

  explicit OneFile(std::string bytes, std::string path = "a.yaml");
};

/// Files in memory up to the model; what was found stays within them.
struct ReadFiles {
  Inputs inputs;
  std::vector<ParsedFile> parsed;
  Rendered rendered;
  Model model;
  std::vector<Finding> findings;
  bool any = false;  ///< there was a file to read

  explicit ReadFiles(std::map<std::string, std::string> files);
};

}  // namespace muster::fuzz
