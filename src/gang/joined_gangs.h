#pragma once

#include <set>

#include "model/model.h"

namespace muster {

/// Adds pods of another object to a gang: to a role whose pods ask for the same, else as one more.
void add_joined_role(Gang& gang, Role role);

/// Takes gangs out that have become part of others; batch jobs keep theirs.
void erase_gangs(Model& model, const std::set<std::size_t>& gone);

}  // namespace muster
