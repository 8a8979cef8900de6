#pragma once

#include <string_view>

#include "inventory/dump.h"
#include "syntax/document.h"

namespace muster {

// One pair for each format: whether a text is such a dump, and what it says.

/// `scontrol show nodes`, `show partitions`, `show topology`, with or without -o, one behind the other as they come.
bool looks_like_scontrol(std::string_view text);
void read_scontrol(FileId file, DumpContext& context);

}  // namespace muster
