#pragma once

#include "facts/site_facts.h"
#include "model/model.h"

namespace muster {

/// What the platform of the input's Kubernetes settles: whether claims are there at all, and their gate where nobody
/// states it.
void add_platform_facts(const Model& model, Site& site);

}  // namespace muster
