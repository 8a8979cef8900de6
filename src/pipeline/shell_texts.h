#pragma once

#include <cstddef>
#include <string_view>

namespace muster {

/// Whether the first line names a shell that follows the grammar of POSIX: `#!/bin/bash -l`, `#!/usr/bin/env sh`.
bool begins_with_shell(std::string_view text);

/// Whether somebody else fills a script in first, and what stands in its marks may be anything. In quotes `{{ }}` is
/// the business of a program that the script calls: `docker ps --format '{{.Names}}'`.
bool may_be_filled_in(std::string_view text);

/// The line around a place of a text with those before and behind it that it goes on in, which end in `\`. Bounded.
std::string_view command_around(std::string_view text, std::size_t at);

}  // namespace muster
