#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "gang/coupling.h"
#include "model/gang.h"
#include "syntax/document.h"

namespace muster {

/// Accelerators one pod of a PodSpec asks for. Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go
/// (1.37): limits count where requests are missing, ordinary init containers count as a maximum, restartable ones like
/// containers.
struct PodAccelerators {
  Located<std::int64_t> count;
  Located<std::string> resource;
  Located<std::string> unlimited;  ///< one that a container requests without an equal limit
};
/// Whether an extended resource is an accelerator: nvidia.com/gpu, amd.com/gpu, nvidia.com/mig-*, google.com/tpu ...
bool is_accelerator(std::string_view resource);
/// Whether a text names one somewhere; a word is what stands around a slash.
bool names_accelerator(std::string_view text);

/// What pods are made from. Usually one node holds both; a Grove clique has labels and a PodSpec, but no template.
struct PodTemplate {
  Node metadata;
  Node spec;
  std::vector<Node> containers;  ///< that stand outside of the spec
  std::vector<Node> resources;   ///< limits and requests of containers that an operator adds
  bool resources_win = false;    ///< they stand for those of the containers

  static PodTemplate of(const Node& node) { return {node["metadata"], node["spec"], {}, {}, false}; }
};

/// The `limits` or `requests` of a block of resources; a block with neither, as some kinds write it, is its limits.
Node amounts_in(const Node& resources, std::string_view list);

PodAccelerators read_accelerators(const PodTemplate& pod_template, std::vector<Finding>& findings);

/// What the commands, arguments and environment of a pod say about how its replicas work together.
CouplingEvidence read_coupling(const PodTemplate& pod_template);

/// A role from a pod template. Count is left to the caller.
Role read_role(const PodTemplate& pod_template, Located<std::string> name, std::vector<Finding>& findings);

}  // namespace muster
