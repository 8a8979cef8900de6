#pragma once

#include <map>
#include <string>
#include <vector>

namespace muster::test {

/// By absolute path of a file: line of each finding that says an object is refused, and its rule.
using Refusals = std::map<std::string, std::multimap<int, std::string>>;

/// What `check` says is refused in a file or folder, as one input.
Refusals refusals_of(const std::string& path);

/// The rules among them between two lines of one file, one after the other.
std::vector<std::string> rules_between(const std::multimap<int, std::string>& refused, int first_line, int last_line);

/// The file itself, or every YAML and JSON file below a folder, sorted.
std::vector<std::string> manifest_files(const std::string& path);

}  // namespace muster::test
