#pragma once

#include <string>
#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"
#include "source/located.h"

namespace muster {

/// Takes out findings about releases that are those of another cluster: `api-version-too-new` of objects that do not
/// stand below the folder in which the release of Kubernetes is written, and `ray-service-seconds-unread` where a line
/// of the input installs a KubeRay of before 1.1, which reads them; `custom-api-version-deprecated` of Kueue's kinds
/// beside Red Hat's build of it or a line that installs one of before 0.15, and of KubeRay's beside one of before 1.1;
/// and versions of Karpenter's kinds that a release still serves which a line of the input installs.
void drop_of_other_clusters(const Inputs& inputs, const Located<std::string>& kubernetes,
                            std::vector<Finding>& findings);

}  // namespace muster
