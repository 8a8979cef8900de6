#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// `commands` are those of the text. `sbatch-test-of-word`: a test that asks whether a text is there that the script
/// itself writes, `[ $x==0 ]`.
void find_tests_of_words(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                         std::vector<Finding>& findings);

}  // namespace muster::sbatch
