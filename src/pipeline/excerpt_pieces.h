#pragma once

#include <string_view>
#include <vector>

#include "syntax/cut_text.h"

namespace muster {

/// What a text for people quotes, a script, Terraform or a playbook writes, and a chart's template is without its
/// switches, where that may be of a kind that muster reads. `unrendered`: a template that nothing was made of.
std::vector<CutText> pieces_of(std::string_view path, std::string_view text, bool unrendered);

/// A batch script, a manifest with both of its names, or in a text for people (`prose`) a whole slurm.conf.
bool may_be_read(std::string_view text, bool prose);

}  // namespace muster
