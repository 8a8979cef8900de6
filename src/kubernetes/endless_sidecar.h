#pragma once

#include "syntax/document.h"

namespace muster {

/// The first ordinary container of a pod without accelerators whose command never ends by itself: one that only waits,
/// or the receive daemon of Google's GPUDirect-TCPX and -TCPXO in the foreground. Its name; nothing where there is
/// none, or where others may end it.
Node endless_sidecar(const Node& pod);

}  // namespace muster
