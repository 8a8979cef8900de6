#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/located.h"

namespace muster {

/// Whether Ansible keeps variables in the file: below group_vars, host_vars, vars or defaults.
bool holds_playbook_variables(std::string_view path);

/// Releases of Kubernetes that variables of a playbook state, each with its place: `kube_version: v1.30.4` of kubespray
/// as 1.30.4. Other roles call it kubernetes_version or k8s_version, those of k3s and RKE2 k3s_version and
/// rke2_version. Only names at the begin of a line. Source:
/// kubernetes-sigs/kubespray:roles/kubespray_defaults/defaults/main.
std::vector<Located<std::string>> kubernetes_releases_stated_in(FileId file, std::string_view text);

}  // namespace muster
