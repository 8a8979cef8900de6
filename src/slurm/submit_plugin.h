#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// `slurm-submit-plugin-unreadable`: a job_submit.lua, or a template of it, that Lua does not read or that lacks a
/// function which the plugin wants.
void check_submit_plugin(std::string_view path, std::string_view text, FileId file, std::vector<Finding>& findings);

}  // namespace muster
