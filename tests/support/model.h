#pragma once

#include <map>
#include <string>

#include "pipeline/check.h"

namespace muster::test {

/// Reads files that never were on disk: path -> text.
Workspace read_files(const std::map<std::string, std::string>& files);

/// The same through the whole check.
struct Checked {
  Workspace workspace;
  Report report;
};
Checked check_files(const std::map<std::string, std::string>& files, const Targets& targets = {});

/// `path:line:column rule: message` for each finding.
std::string summary_of(const Checked& checked);

}  // namespace muster::test
