#pragma once

#include <string>
#include <vector>

#include "cli/run.h"

namespace muster::test {

/// What a command line did.
struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

/// What surrounds a command.
struct Surroundings {
  bool terminal = false;  ///< both streams are one
  std::string no_color;
  std::string source_date_epoch = "1780272000";  ///< 2026-06-01
};

Ran run_command(const std::vector<std::string>& words, const FileSystem& disk, const Surroundings& around = {});
/// On the real disk.
Ran run_command(const std::vector<std::string>& words, const Surroundings& around = {});

}  // namespace muster::test
