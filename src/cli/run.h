#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "source/file_system.h"

namespace muster {

/// Where a command reads and writes; a test brings its own.
struct Console {
  std::ostream& out;  ///< the answer and nothing else
  std::ostream& err;  ///< progress, statistics, what went wrong
  const FileSystem& disk;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::string no_color;           ///< environment variable NO_COLOR
  std::string source_date_epoch;  ///< environment variable SOURCE_DATE_EPOCH
  bool one_run = false;           ///< nothing else is run in this process
};

/// Runs a command line and returns the exit code: 0, 1, 2; never 3, which ends the process itself.
int run(const std::vector<std::string>& words, Console& console);

}  // namespace muster
