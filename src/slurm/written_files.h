#pragma once

#include <set>
#include <string>
#include <string_view>

namespace muster {

/// Whether a line of a text that is no comment names a file.
bool names_file(std::string_view text, std::string_view name);

/// The keys that a script's sed puts values to: ControlMachine of `sed -i "s/ControlMachine=.*/ControlMachine=$H/"`.
void find_edited_keys(std::string_view text, std::set<std::string>& keys);

}  // namespace muster
