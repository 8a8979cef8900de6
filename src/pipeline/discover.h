#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "input/artifact.h"
#include "source/file_system.h"
#include "source/source_map.h"

namespace muster {

/// A file that was read.
struct InputFile {
  FileContext context;
  std::string rooted;                         ///< path from DiscoverOptions::root: what globs are about
  std::optional<std::uint32_t> invalid_utf8;  ///< offset of the first byte that is not UTF-8
};

/// All input, read once: nothing is read from disk afterwards.
struct Inputs {
  SourceMap sources;
  std::vector<InputFile> files;    ///< by FileId, sorted by shown path
  std::size_t skipped = 0;         ///< binary, empty or too large
};

struct DiscoverOptions {
  std::vector<std::string> paths;
  std::vector<std::string> own_files;  ///< fleet and workloads files: they speak for every bundle
  std::vector<std::string> excludes;  ///< globs over paths below the root; what is named is read all the same
  std::string root;                   ///< absolute folder of muster.yaml; files elsewhere go by their shown path
};

/// The largest file that is read, in bytes; larger ones are counted as skipped.
inline constexpr std::uint64_t kMaxFileSize = 32u << 20;

/// Reads every file under the paths (`-` is standard input). Fails when a path itself cannot be read or when there is
/// not one file; a file or folder within a path that cannot be read is a finding of rule unreadable-file. Folders called
/// .git are left out; links are followed only to files below the same path and in another folder: in the same one they are
/// a second name of what is read anyway.
Result<Inputs> discover(const DiscoverOptions& options, const FileSystem& disk, std::vector<Finding>& findings);

}  // namespace muster
