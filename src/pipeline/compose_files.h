#pragma once

#include <vector>

#include "finding/finding.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What files of Docker Compose name and nothing of the input is: `compose-reference-undefined`, networks, volumes and
/// services; `compose-file-missing`, what is built from or mounted. `compose-name-twice`: two services of one name. And
/// what find_containers_of_sites says. The files of a folder may be put together. Source:
/// https://docs.docker.com/reference/compose-file/ (2025-11).
void find_compose_files(const Inputs& inputs, const Model& model, std::vector<Finding>& findings);

}  // namespace muster
