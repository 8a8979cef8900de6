#pragma once

#include <vector>

#include "finding/finding.h"
#include "gang/pod_template.h"
#include "gang/scheduler.h"
#include "model/gang.h"

namespace muster {

/// Gives the roles the shares of devices that annotations ask for, where no container does; whether there are some.
/// `templates`: one a role. Source: the rows of the book.
bool read_shares(Gang& gang, const std::vector<PodTemplate>& templates, const SchedulerBook& book,
                 std::vector<Finding>& findings);

}  // namespace muster
