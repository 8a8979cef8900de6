#pragma once

#include <string>
#include <string_view>

#include "source/located.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {

/// The value of a pair; a placeholder is unknown. `field` has static storage.
Located<std::string> located_value(const ConfPair& pair, std::string_view field);

/// The pair of a line that counts, the last of its key; nullptr when there is none.
const ConfPair* find_pair(const ConfLine& line, std::string_view lower_key);

/// Its value; absent at the line's place when there is none.
Located<std::string> take_pair(const ConfLine& line, std::string_view lower_key);

}  // namespace muster
