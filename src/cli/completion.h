#pragma once

#include <span>
#include <string>

#include "cli/usage.h"

namespace muster {

// What a shell reads to complete the words of muster: commands, options, the words that an option takes, names of rules
// and templates, which it asks muster for, and files.
std::string bash_completion(std::span<const CommandUsage> commands);
std::string zsh_completion(std::span<const CommandUsage> commands);
std::string fish_completion(std::span<const CommandUsage> commands);

/// muster(1), for man.
std::string manual_page(std::span<const CommandUsage> commands);

}  // namespace muster
