#pragma once

#include <string_view>

#include "model/slurm.h"

namespace muster {

/// Whether a line of a text that is no comment names a file.
bool names_file(std::string_view text, std::string_view name);

/// The keys that a script's sed puts values to, with the words in whose place it does: ControlMachine and SET_HOST of
/// `sed -i "s/ControlMachine=SET_HOST/ControlMachine=$H/"`.
void find_edited_keys(std::string_view text, EditedKeys& keys);

}  // namespace muster
