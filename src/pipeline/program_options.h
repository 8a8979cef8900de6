#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "slurm/batch_shell.h"

namespace muster {

/// What a program of Python's gives to its one parser of argparse.
struct ProgramOptions {
  bool known = false;                              ///< all of it stands in the program, as written words
  std::set<std::string, std::less<>> names;        ///< `--lr`, `-l`
  std::vector<std::vector<std::string>> required;  ///< the names of each that has to be given
  std::set<std::string, std::less<>> ends;         ///< `--help`, `--version`: the program says something and ends
};

ProgramOptions program_options(std::string_view program);

/// `sbatch-program-option-unknown` and `sbatch-program-option-missing`: what a command gives to the program that is its
/// word number `at`. One finding a command.
void check_program_options(FileId file, const sbatch::BatchCommand& command, std::size_t at,
                           const ProgramOptions& options, std::vector<Finding>& findings);

}  // namespace muster
