#pragma once

#include <string>
#include <vector>

#include "finding/finding.h"
#include "input/artifact.h"
#include "source/source_map.h"

namespace muster {

/// What was made of a set of dumps.
struct Inventory {
  std::string fleet;              ///< a fleet file; empty when no node was found
  std::vector<Finding> findings;  ///< sorted
  std::vector<FileId> unknown;    ///< files that are none of the known formats
  std::size_t nodes = 0;
  std::size_t pools = 0;
};

/// Builds a fleet file from dumps of one fleet, `files` by FileId. What no dump says is left out, with a comment that
/// names what would decide it; where dumps contradict each other there is a finding with both places. The result does
/// not depend on anything but the files and their paths.
Inventory take_inventory(const SourceMap& sources, const std::vector<FileContext>& files, const std::string& name);

/// The formats that are read, for messages; one a line.
std::string known_dumps();

}  // namespace muster
