#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "finding/finding.h"
#include "input/artifact.h"
#include "source/file_system.h"
#include "source/source_map.h"

namespace muster {

/// Whether a file was read. What was not has an empty text, for a finding to point at.
enum class Reading { Whole, Unreadable, TooLarge };

/// A file that was read, or that should have been.
struct InputFile {
  FileContext context;
  Reading reading = Reading::Whole;
  std::string rooted;                         ///< path from DiscoverOptions::root: what globs are about
  std::optional<std::uint32_t> invalid_utf8;  ///< offset of the first byte that is not UTF-8
  bool named = false;                         ///< by itself: what stands beside it need not be in the input
};

/// All input, read once: nothing is read from disk afterwards.
struct Inputs {
  SourceMap sources;
  std::vector<InputFile> files;        ///< by FileId, sorted by shown path
  std::vector<std::string> folders;    ///< that were gone through, as they are shown
  std::uint64_t unpacked = 0;          ///< bytes of texts out of `.gz` files
  std::size_t skipped = 0;             ///< binary, empty or too large, and in none of the lists above
  std::vector<std::string> foreign;    ///< binary or empty
  std::vector<std::string> too_large;  ///< files above kMaxFileSize, and folders nested too deep to be looked into
  std::vector<std::string> ignored;    ///< by git or by their name, second names; a folder stands for what is in it
  std::vector<std::string> excluded;   ///< by globs; likewise
};

/// Of a repository that is checked by itself, though it is one of several: what it has to do with the others.
struct AmongOthers {
  std::string named_from;       ///< absolute folder that names of files begin below; empty: it is the only one
  std::set<std::string> apart;  ///< absolute folders of others that lie in it: not gone into, nor spoken of
};

struct DiscoverOptions {
  std::vector<std::string> paths;
  std::vector<std::string> own_files;  ///< fleet and workloads files: they speak for every bundle
  std::vector<std::string> excludes;   ///< globs over paths below the root; what is named is read all the same
  std::string root;  ///< absolute folder of muster.yaml, else the working folder; files elsewhere go by their path
                     ///< below the PATH argument
  enum class Ignored { LeaveOut, Read } ignored = Ignored::LeaveOut;
  std::string stdin_name;  ///< the file that standard input is taken for; empty: none
  AmongOthers among{};
};

/// The largest file that is read, in bytes.
inline constexpr std::uint64_t kMaxFileSize = 32u << 20;
/// What all `.gz` files of an input may unpack to: a thousandfold comes out of a few bytes.
inline constexpr std::uint64_t kMaxUnpacked = 256u << 20;

/// The shown path of each file. `inputs` has to stay.
std::function<std::string_view(FileId)> paths_in(const Inputs& inputs);

/// How a person who stands in `folder` opens a file: from there on where it is below, with `..` where it is not.
std::string path_from(const std::string& folder, const std::string& absolute);

/// Reads every file under the paths (`-` is standard input); of `x.yaml.gz` the text that is packed in it. Fails when a
/// path itself cannot be read or when there is not one file; a file or folder within a path that cannot be read, or is
/// too large or too deep and seems to be ours, is a finding of rule unreadable-file. Folders called .git are left out;
/// links are followed only to files below the same path and in another folder: in the same one they are a second name
/// of what is read anyway. What .gitignore names, and folders called vendor or node_modules, are left out, unless git
/// tracks what is in them: nobody hides a file that he commits. Outside of git no .gitignore counts. A file is shown by
/// its path from the working folder; an absolute PATH that leads elsewhere shows absolute ones.
Result<Inputs> discover(const DiscoverOptions& options, const FileSystem& disk, std::vector<Finding>& findings);

}  // namespace muster
