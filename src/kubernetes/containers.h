#pragma once

#include <string_view>
#include <vector>

#include "base/boxed.h"
#include "finding/finding.h"
#include "model/container.h"
#include "syntax/document.h"

namespace muster {

/// The containers with accelerators of every pod template in an object, whose kind need not be known: a template is
/// found by its shape. File and bundle of the containers are left to the caller. What is wrong with the words of any
/// container is a finding (check_command.h).
void read_containers(const Node& object, std::string_view api_version, std::string_view kind, Boxed<Container>& out,
                     std::vector<Finding>& findings);

}  // namespace muster
