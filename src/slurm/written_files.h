#pragma once

#include <string_view>

#include "model/slurm.h"

namespace muster {

/// Whether a line of a text that is no comment names a file.
bool names_file(std::string_view text, std::string_view name);

/// The keys that a script's sed puts values to, with what it replaces of them: ControlMachine and SET_HOST of
/// `sed -i "s/ControlMachine=SET_HOST/ControlMachine=$H/"`, the whole line of node1 of `s|^NodeName=node1.*|...|`
/// and of `/NodeName=node1/c\...`.
void find_edited_keys(std::string_view text, EditedKeys& keys);

}  // namespace muster
