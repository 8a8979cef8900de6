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
  std::vector<Devices> more;       ///< of other resources
  Located<std::string> unlimited;  ///< one that a container requests without an equal limit
};
/// Whether an extended resource is an accelerator: nvidia.com/gpu, amd.com/gpu, nvidia.com/mig-*, google.com/tpu ...
bool is_accelerator(std::string_view resource);
/// The same as a pattern of RE2, for those who ask elsewhere.
std::string accelerator_pattern();
/// Whether a text names one somewhere; a word is what stands around a slash.
bool names_accelerator(std::string_view text);

/// What is laid over the container of that name, or added where there is none.
struct ContainerPatch {
  std::string name;
  Node container;
};

/// What pods are made from. Usually one node holds both; a Grove clique has labels and a PodSpec, but no template.
struct PodTemplate {
  Node metadata;
  Node spec;
  std::vector<Node> containers;         ///< that stand outside of the spec
  std::vector<Node> resources;          ///< limits and requests of containers that an operator adds
  bool resources_win = false;           ///< they stand for those of the containers
  std::vector<ContainerPatch> patches;  ///< in the order in which they are applied
  std::vector<Node> spec_patches;       ///< PodSpecs that are laid over the spec, likewise; their containers are above

  static PodTemplate of(const Node& node) { return {node["metadata"], node["spec"], {}, {}, false, {}, {}}; }
  /// A field of the spec that patches replace whole.
  Node field(std::string_view key) const;
  /// The spec and what is laid over it: of maps that are merged.
  std::vector<Node> layers() const;
};

/// Whether a patch is for a container; one without a name is called main, as Argo has it.
bool is_patched_by(const Node& container, const ContainerPatch& patch);
/// What no container of the template has the name of.
std::vector<Node> added_containers(const PodTemplate& pod_template);

/// The `limits` or `requests` of a block of resources; a block with neither, as some kinds write it, is its limits.
Node amounts_in(const Node& resources, std::string_view list);

PodAccelerators read_accelerators(const PodTemplate& pod_template, std::vector<Finding>& findings);

/// What the commands, arguments and environment of a pod say about how its replicas work together.
CouplingEvidence read_coupling(const PodTemplate& pod_template);

/// Where the first of their commands stands, if each of them is a whole program that knows of no others; see
/// is_lone_program. Nowhere, if some command is not, or there is none.
Span lone_program_in(const std::vector<PodTemplate>& templates);

/// The host whose Ray cluster a command joins: `head` of `ray start --address=head:6379`; absent where it is filled in.
Located<std::string> joined_ray_head(const PodTemplate& pod_template);

/// A role from a pod template. Count is left to the caller.
Role read_role(const PodTemplate& pod_template, Located<std::string> name, std::vector<Finding>& findings);

}  // namespace muster
