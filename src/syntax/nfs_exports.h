#pragma once

#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// Options that stand behind a blank in lines of /etc/exports, as a text has or writes them: `/shared 10.0.0.0/8 (rw)`.
/// Source: exports(5) of nfs-utils 2.6.
std::vector<Span> exports_options_apart(std::string_view path, std::string_view text, FileId file);

}  // namespace muster
