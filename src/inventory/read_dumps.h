#pragma once

#include <vector>

#include "input/artifact.h"
#include "inventory/dump.h"

namespace muster {

/// What the files say, in the order of their ids.
struct DumpFiles {
  std::vector<Dump> dumps;
  std::vector<Finding> findings;
  std::vector<FileId> unknown;
};

/// Recognises each file by its content and reads it.
DumpFiles read_dumps(const SourceMap& sources, const std::vector<FileContext>& files);

}  // namespace muster
