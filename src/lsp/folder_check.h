#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "lsp/folder_findings.h"
#include "lsp/open_files.h"
#include "pipeline/check.h"
#include "pipeline/kept_input.h"

namespace muster {

/// A check of a folder that is to be made.
struct CheckJob {
  std::uint64_t number = 0;                      ///< each is greater than the last
  std::string folder;                            ///< absolute
  OpenTexts texts;                               ///< of all open files
  std::map<std::string, std::int64_t> versions;  ///< of these
  std::set<std::string> folders;                 ///< that are open: of others nothing is kept
  std::optional<std::set<std::string>> changed;  ///< as KeptInput::expect takes it
  PositionEncoding encoding = PositionEncoding::Utf16;
  std::uint64_t known = 0;  ///< the job whose findings of the folder are known; 0: none
};

struct FolderOutcome {
  std::string folder;
  std::optional<FolderFindings> findings;  ///< of a check that came to its end
  std::string error;                       ///< why there is none; empty where it was stopped
  std::chrono::steady_clock::duration took{};
  std::uint64_t number = 0;  ///< of the job
  std::uint64_t since = 0;   ///< the findings are what is different from those of this job; 0: all
};

/// Checks folders one after the other and keeps of each what the next check of it can use.
class FolderChecks {
 public:
  /// `options`: of every check, but for its paths. `today` is asked before each. The disk outlives it.
  FolderChecks(const FileSystem& disk, Options options, std::function<Date()> today)
      : disk_(disk), options_(std::move(options)), today_(std::move(today)) {}

  FolderOutcome run(const CheckJob& job);
  /// Nobody wants to know any more what a check finds; from any thread.
  void stop(std::uint64_t number) { stopped_ = number; }
  /// After the outcome was handed on: takes apart what nobody needs any more, and makes ready what the next check can
  /// use.
  void tidy_up();

 private:
  struct Folder {
    KeptInput kept;
    Workspace last;
    std::optional<Report> report;  ///< of it
    std::optional<FindingPlacer> placer;
    std::uint64_t placed = 0;  ///< the last job whose findings were
  };

  const FileSystem& disk_;
  Options options_;
  std::function<Date()> today_;
  std::map<std::string, Folder> folders_;
  std::atomic<std::uint64_t> stopped_ = 0;
};

}  // namespace muster
