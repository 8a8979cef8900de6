#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/maybe_index.h"
#include "model/object.h"
#include "model/pod_security.h"
#include "model/written_value.h"
#include "source/rare.h"

namespace muster {

enum class PartType : unsigned char { Bool, Int, Text, Any };

/// One field of a described object, as rules read it.
struct PartDef {
  std::string_view name;
  PartType type = PartType::Text;
  std::string_view path;  ///< spec.strategy.type; `a|b` is the first of them that is there
  std::string_view doc;
  int levels = 8;  ///< of a part of any type: how deep it is looked at
};

/// The last step of its path.
FieldName field_of(const PartDef& part);

/// A kind of object that rules judge field by field, because no normal form is behind it. Its row is the only place
/// that knows where its fields stand: the reader and the rule language take them from there.
struct ManifestDef {
  std::string_view collection;  ///< `for: n in node_pools`
  std::string_view element;
  std::string_view doc;
  std::string_view group;          ///< API groups, blank-separated; "-" is the core group
  std::string_view kinds;          ///< blank-separated; empty: found by shape, the reader says how
  std::span<const PartDef> parts;  ///< sorted by name
};

/// Sorted by collection.
std::span<const ManifestDef> manifest_defs();
const ManifestDef& manifest_def(std::string_view collection);

/// What the other objects of the input have to do with one of those.
struct ManifestRemarks {
  Located<std::int64_t> alike;        ///< objects of its kind and version in the input, at the first of them
  Rare<std::string> dangling;         ///< a name it uses, of a kind that its bundle has, but none of that name
  Rare<std::string> class_filled_in;  ///< of a claim: the volume without a class that it names and will not get
  Rare<std::string> no_pods;        ///< what its selector asks for, where no pod of the input has it; relate_selectors
  Rare<std::int64_t> missed_port;   ///< where the model server of the pods it selects listens, and it sends nothing
  Rare<std::string> no_port;        ///< a targetPort that is the name of no port of the one object it selects
  Rare<std::string> no_format;      ///< formats of the one runtime that it names, of which its model's is none
  Rare<std::string> driver;         ///< of a claim: the provisioner of its StorageClass, where the input has that
  Rare<std::string> above_range;    ///< what a LimitRange allows a container at most, of which one has more
  Rare<std::string> quota_wants;    ///< what a quota of its namespace wants, and a container does not say
  Rare<std::string> unprovisioned;  ///< of a ClusterQueue: an accelerator that its check leaves out; see relate_checks
  Rare<std::string> unserved;       ///< a label of its pods, which answer requests, and no Service selects them
  Rare<std::int64_t> scaled_to;     ///< of pods: the most that an autoscaler of the input makes of their object
  Rare<std::int64_t> scaled_from;   ///< replicas that the file of what it scales says
  Rare<std::string> rival;          ///< of an autoscaler: another of its target in its folder; relate_autoscalers
  Rare<std::int64_t> only_pods;     ///< pods of the one object of the input that its selector matches
  Rare<std::string> one_node;       ///< a claim of its pods that one node at a time mounts
  Rare<std::string> late_label;     ///< of pods: a label that no node pool gives, and nodes have after they run alone
  Rare<std::string> fuse_claim;     ///< a claim of its pods whose volume is one of Cloud Storage FUSE
  Rare<std::string> no_product;     ///< a GPU product its pods want that no driver has; see relate_products
  Rare<std::string> not_tolerated;  ///< a taint of every node pool that its pods can select
  Rare<std::string> beside;         ///< what of the input it cannot stand beside; see relate_devices
  Rare<std::string> installs;       ///< id of a gang scheduler that it installs, where its cluster ...
  Rare<std::string> decided_scheduler;  ///< ... is decided to have this one
  Rare<std::string> unfit;              ///< of a claim: why no node of the input has devices for it; see fit_claims
  Rare<std::string> no_channel;     ///< the template of a channel that other pods of its gang claim; relate_channels
  Rare<std::string> unread_by;      ///< of an NVIDIADriver: the ClusterPolicy for which none counts
  Rare<std::string> lost_host;      ///< a host it asks for that only an object has for its name, see relate_network
  Rare<std::string> lost_host_is;   ///< that object and the Service that answers for it, in words
  Rare<std::string> mute;           ///< a namespace in which nothing may ask for anything, for all of its policies
  Rare<std::string> pods_alone;     ///< the port by which a rule means hosts outside, and allows pods; relate_network
  Rare<std::string> server_as_pod;  ///< the port by which a rule means the API server, as a pod of default
  Rare<std::string> empties;        ///< of a NodePool: single pods with GPUs that it may be emptied of
  Rare<std::string> gpu_pool;       ///< of a class of nodes: a NodePool of machines with GPUs that is made of it
  Rare<std::string> injected;       ///< of a job of Kubeflow: its namespace, where a mesh puts a proxy beside its pods
  Rare<std::string> made_by;        ///< of a Service: the RayService whose operator makes one of that name
  Rare<std::string> ray_heads;      ///< of a Service: a RayService the heads of all of whose clusters it selects
  Rare<std::string> ray_service;    ///< of a selector: a RayService whose name it takes for that of a RayCluster
  Rare<std::string> lone_cohort;    ///< of a ClusterQueue: its cohort, which lends it nothing; see relate_cohorts
  Rare<std::string> no_pool;        ///< of pods: what they select, and what the node pools have instead, in words
  Rare<std::string> above_pool;     ///< of pods: what of every pool that they select is too small; relate_pool_sizes
  Rare<std::string> gated;          ///< fields that Knative refuses by the features that the input has; relate_knative
  Rare<std::string> features_by;    ///< the object that has them
  Rare<std::string> deadline_by;    ///< the object that sets Knative's progress-deadline for all
  Rare<std::string> kept_by;        ///< of a Job: the Application that makes it again when it is gone; relate_kept_jobs
  Rare<std::string> silent_role;    ///< of a workflow: the role by which it may report nothing; relate_workflow_roles
  Rare<std::string> without_crds;   ///< of an Application: its files of values are all known, and none speaks of crds
  Rare<std::string> unmet_here;     ///< what Flux has to have ready first, and is in another namespace, in words
  Rare<std::string> nameless;       ///< the port by which a policy means hosts, whose names no policy lets be asked for
  Rare<std::string> unmet;          ///< what Flux has to have ready first, and nobody of the input is; relate_sources
  Rare<std::string> class_off;      ///< of a claim: the release of NVIDIA's driver that leaves its class out
  Rare<std::string> above_volume;   ///< of a claim: the volume that it is for and that is too small, in words
  Rare<std::string> not_allowed;    ///< of a route: the Gateway that takes none of its namespace; relate_listeners
  Rare<std::string> not_chosen;     ///< of an InferenceService: a runtime that has its format and is not chosen for it
  Rare<std::string> no_service;     ///< of a StatefulSet: the Service of its pods, where it names one that is nowhere
  Rare<std::string> service_nowhere;  ///< that name, where its file has no other Service of its pods
  Rare<std::string> circle;           ///< the others that it waits for and that wait for it, in words; relate_circles
  Rare<std::string> other_group;  ///< the one API group of the InferencePools that it means by another; relate_pools
  Rare<std::string> shut_by;      ///< of a Service: the policy by which nobody may ask its pods; relate_policies
  Rare<std::string> port_of_service;  ///< the port of a name server's Service, where a policy wants that of its pods
  Rare<std::string> no_label;         ///< a namespace of the input that lacks a label it needs; see relate_devices
};

/// An object of one of those kinds.
struct Manifest : Object {
  const ManifestDef* def = nullptr;
  SharedText api_version;
  bool defined = false;  ///< the input has the CustomResourceDefinition of its kind
  MaybeIndex gang;       ///< in Model::gangs: its own pods, or those of the object it points to
  PodSecurity security;  ///< of `pods` and `pod_makers`
  RareParts<ManifestRemarks> remarks;

  /// By its name; absent, and nowhere, where nobody wrote it.
  const WrittenValue& part(std::string_view which) const;
  /// Where it stands, or would.
  Span place_of(std::string_view which) const;
  /// By its row; nullptr where nobody wrote it.
  const WrittenValue* written(std::size_t row) const;
  /// What is not written: its field and the nearest place.
  Origin unwritten(std::size_t row) const;

  /// Parts that are written, by row; `nearest` is where others would stand, and `nearest_of_row` says for each row
  /// which of those. All of it lies in a block that whoever read the object has.
  void set_parts(std::span<const WrittenValue> written, std::span<const Span> nearest, std::string_view nearest_of_row);

 private:
  std::span<const WrittenValue> written_;
  std::span<const Span> nearest_;
  std::string_view nearest_of_row_;
};

}  // namespace muster
