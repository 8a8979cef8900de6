#pragma once

#include <string_view>

namespace muster {

/// A value that somebody fills in later: $NODES, ${NODES}, {{ .Values.nodes }}, {nodes}, <your-queue>, @NODES@, __NODES__.
/// Such a field is unknown, never wrong.
bool is_placeholder(std::string_view text);

}  // namespace muster
