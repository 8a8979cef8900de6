#pragma once

#include <string_view>

namespace muster {

/// Whether the first line names a shell that follows the grammar of POSIX: `#!/bin/bash -l`, `#!/usr/bin/env sh`.
bool begins_with_shell(std::string_view text);

/// Whether somebody else fills a script in first, and what stands in its marks may be anything. In quotes `{{ }}` is
/// the business of a program that the script calls: `docker ps --format '{{.Names}}'`.
bool may_be_filled_in(std::string_view text);

}  // namespace muster
