#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {

/// Slips of a batch script, or of one that it calls, that bash takes for something else: `sbatch-option-as-command`, a
/// line that was to go on the one before; `sbatch-exit-in-subshell`, `|| (exit 1)`; `sbatch-continuation-with-blank`, a
/// line that was to go on; `sbatch-module-with-suffix`, `python -m train.py`; `sbatch-typographic-sign`, quotes and
/// dashes of a text processor; `sbatch-shell-option-lost`, `set -e pipefail`; `sbatch-test-unclosed`, `[ "$A" == "x"]`;
/// `sbatch-test-redirects`, `[ $A > 0 ]`; `sbatch-hosts-in-one-word`, an array of one item that holds all hosts;
/// `sbatch-step-ends-at-message`, `srun echo start && program`; `sbatch-environment-not-activated`, `conda activate` in
/// a shell without it. Source: the manual of bash 5.2; executed with bash 5.2.
void find_script_slips(FileId file, std::string_view text, std::vector<Finding>& findings);

/// Those that any script may have, whoever runs it: `sbatch-option-as-command` and `sbatch-continuation-with-blank`.
void find_line_slips(FileId file, std::string_view text, std::vector<Finding>& findings);

/// Of the words of a script that is no batch script: `sbatch-module-with-suffix`, `sbatch-typographic-sign`,
/// `sbatch-shell-option-lost`, `sbatch-test-unclosed` and `sbatch-test-redirects`. `commands` are those of the text.
void find_word_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                     std::vector<Finding>& findings);

}  // namespace muster::sbatch
