// What `muster review` says of a repository in memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/json.h"

namespace muster::test {

/// The readiness for claims of devices, `dra` of the review of files below r, with these words more on the command
/// line.
nlohmann::json readiness_of(const std::map<std::string, std::string>& files, const std::vector<std::string>& more = {});

}  // namespace muster::test
