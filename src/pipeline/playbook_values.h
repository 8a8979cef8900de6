#pragma once

#include <vector>

#include "input/artifact.h"
#include "pipeline/discover.h"

namespace muster {

/// Puts into templates of Slurm's files what the playbooks of the input give their variables: the defaults and vars of
/// the role they lie in, unless group_vars, an inventory or a playbook says otherwise. A value keeps the place where it
/// was written; one that two files give differently is left open.
/// Source: docs.ansible.com, "Using variables", understanding variable precedence.
void fill_from_playbooks(std::vector<ParsedFile>& parsed, const Inputs& inputs);

}  // namespace muster
