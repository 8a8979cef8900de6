#pragma once

#include "lsp/folder_check.h"
#include "lsp/server.h"

namespace muster {

/// Serves one client: reads messages from a descriptor, writes answers to another, and checks on a thread of its own so
/// that questions are answered meanwhile. Returns the exit code: 0 where the client said shutdown and exit, 1 where it
/// did not or went away, 2 where what it sent cannot be read; `why` says then what.
int serve(int in, int out, ServerSettings settings, FolderChecks& checks, std::string& why);

}  // namespace muster
