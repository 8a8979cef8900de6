#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Reports, under `rule`, mounts of volumes that a pod does not have. `claim_templates`: of its StatefulSet.
void check_mounts(const Node& pod, const Node& claim_templates, std::string_view rule, std::vector<Finding>& findings);

/// Two mounts of a container at one place (`volume-mount-path-twice`).
void check_mount_paths(const Node& pod, std::vector<Finding>& findings);

/// Folders of the host whose name is nearly the one at which they are mounted (`host-folder-misspelt`).
void check_host_folders(const Node& pod, std::vector<Finding>& findings);

/// Containers that the kubelet does not start (`container-root-refused`).
void check_root(const Node& pod, std::vector<Finding>& findings);

/// An emptyDir that each container mounts read-only (`empty-volume-read-only`).
void check_empty_volumes(const Node& pod, std::vector<Finding>& findings);

}  // namespace muster
