#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/check.h"
#include "pipeline/merge.h"

namespace muster {

/// `2/8`: number 2 of 8, from 1. `1+1/8` is the same, for who counts from 0.
Result<Shard> parse_shard(std::string_view text);

/// A repository, or what lies outside of all.
struct Repository {
  std::string path;  ///< to read it by, from the PATH argument on
  std::string absolute;
  AmongOthers among;
};

/// The repositories in the paths, sorted by absolute path: folders with a .git or a muster.yaml, each with all that
/// lies in it. A path below such a folder is one by itself, and so is what lies in a path outside of all of them. No
/// two of them have a file in common, and what one holds meets nothing of another.
std::vector<Repository> find_repositories(const std::vector<std::string>& paths, const FileSystem& disk);

/// Checks every `shard.of`th repository by itself, by its own muster.yaml, and joins what was found. A repository that
/// cannot be checked is named in the report, and the others are checked. The report's places are in `sources`.
Result<Report> check_shard(const Options& options, Shard shard, const FileSystem& disk, SourceMap& sources);

}  // namespace muster
