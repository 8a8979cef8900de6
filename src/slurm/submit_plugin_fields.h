#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"

namespace muster {

/// `slurm-submit-plugin-field-unknown`: what a job_submit.lua reads or sets of the job that Slurm does not have there.
/// `masked` is the text with what a template fills in masked, letter for letter.
void check_submit_plugin_fields(std::string_view masked, std::string_view text, FileId file,
                                std::vector<Finding>& findings);

}  // namespace muster
