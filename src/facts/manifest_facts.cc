#include "facts/manifest_facts.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "facts/read.h"
#include "facts/types.h"
#include "model/device_platforms.h"
#include "model/manifest.h"

namespace muster {
namespace {

constexpr Type kWorkloadObject = object_of(kGangType);
constexpr std::size_t kMostParts = 24;
constexpr std::size_t kMostDefs = 96;

const Manifest& manifest_of(const void* object) { return *static_cast<const Manifest*>(object); }

/// What is known of a manifest beside what it says, in words, of few.
template <auto Remark>
Field remark(std::string_view name, std::string_view doc) {
  return {name, kStringType, kOptional, doc, read_remark<Manifest, Remark>};
}

Value part_value(const WrittenValue& tree, const ReadContext& context);

Value part_items(std::span<const WrittenValue> items, const ReadContext& context) {
  const std::span<Value> values = context.arena->make_array<Value>(items.size());
  ListData list{items.size(), values.data(),
                [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }};
  for (std::size_t i = 0; i < items.size(); ++i) {
    values[i] = part_value(items[i], context);
    list.partial = list.partial || values[i].is(Value::Kind::Unknown);
  }
  return Value::of(context.arena->make(list));
}

bool is_given_again(std::span<const std::string_view> keys, std::size_t i) {
  for (std::size_t later = i + 1; later < keys.size(); ++later) {
    if (keys[later].size() == keys[i].size() && keys[later] == keys[i]) return true;
  }
  return false;
}

Value part_entries(const WrittenValue& tree, const ReadContext& context) {
  const std::span<const WrittenValue> items = tree.items();
  const std::span<const std::string_view> keys = tree.keys();
  const std::span<MapEntry> entries = context.arena->make_array<MapEntry>(items.size());
  MapData map{entries};
  std::size_t used = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_given_again(keys, i)) continue;  // the later one counts
    // `env:` without a value is none to the API server, but `emptyDir:` is one of a volume.
    const bool null = items[i].state == State::Set && items[i].kind == WrittenValue::Kind::Null;
    if (null && keys[i] != "emptyDir") continue;
    entries[used++] = {Value::of(keys[i]), part_value(items[i], context)};
    map.partial = map.partial || entries[used - 1].value.is(Value::Kind::Unknown);
  }
  map.entries = entries.first(used);
  return Value::of(context.arena->make(map));
}

Value part_value(const WrittenValue& tree, const ReadContext& context) {
  if (tree.state == State::Absent) return Value::absent().with_origin(&tree);
  if (tree.state == State::Unknown)
    return Value::unknown(context.arena->make(UnknownNeed{tree.needs(), nullptr})).with_origin(&tree);
  switch (tree.kind) {
    case WrittenValue::Kind::Null: return Value::null().with_origin(&tree);
    case WrittenValue::Kind::Bool: return Value::of(tree.flag).with_origin(&tree);
    case WrittenValue::Kind::Int: return Value::of(tree.number()).with_origin(&tree);
    case WrittenValue::Kind::Text: return Value::of(tree.text()).with_origin(&tree);
    case WrittenValue::Kind::List: return part_items(tree.items(), context).with_origin(&tree);
    case WrittenValue::Kind::Map: return part_entries(tree, context).with_origin(&tree);
  }
  return Value::null();
}

bool is_of(const WrittenValue& tree, PartType type) {
  switch (type) {
    case PartType::Bool: return tree.kind == WrittenValue::Kind::Bool;
    case PartType::Int: return tree.kind == WrittenValue::Kind::Int;
    case PartType::Text: return tree.kind == WrittenValue::Kind::Text;
    case PartType::Any: return true;
  }
  return true;
}

template <std::size_t row>
Value read_part(const void* object, const ReadContext& context) {
  const Manifest& manifest = manifest_of(object);
  const WrittenValue* found = manifest.written(row);
  if (found == nullptr) return Value::absent().with_origin(context.arena->own(manifest.unwritten(row)));
  const WrittenValue& part = *found;
  const PartDef& def = manifest.def->parts[row];
  const bool written = part.state == State::Set && part.kind != WrittenValue::Kind::Null;
  if (part.state == State::Set && !written) return Value::absent().with_origin(&part);
  if (written && !is_of(part, def.type)) {
    const std::string needs = "a value of the right type for `" + std::string(part.field) + "`";
    return Value::unknown(context.arena->make(UnknownNeed{context.arena->copy(needs), nullptr})).with_origin(&part);
  }
  return part_value(part, context);
}

template <std::size_t... rows>
constexpr auto part_readers(std::index_sequence<rows...>) {
  return std::array<Value (*)(const void*, const ReadContext&), sizeof...(rows)>{read_part<rows>...};
}
constexpr auto kPartReaders = part_readers(std::make_index_sequence<kMostParts>());

template <std::size_t row>
void each_manifest(const Model& model, const std::function<void(const void*)>& visit) {
  const ManifestDef* def = &manifest_defs()[row];
  for (const Manifest& manifest : model.manifests) {
    if (manifest.def == def) visit(&manifest);
  }
}

template <std::size_t... rows>
constexpr auto def_visitors(std::index_sequence<rows...>) {
  return std::array<void (*)(const Model&, const std::function<void(const void*)>&), sizeof...(rows)>{
      each_manifest<rows>...};
}
constexpr auto kDefVisitors = def_visitors(std::make_index_sequence<kMostDefs>());

Value read_gang(const void* object, const ReadContext& context) {
  const Manifest& manifest = manifest_of(object);
  if (!manifest.gang) return Value::absent();
  return Value::object(&kGangType, &context.model->gangs[*manifest.gang]);
}

/// By the fleet file, where the input has one and no more.
Value read_gates(const void*, const ReadContext& context) {
  const std::vector<Fleet>& fleets = context.model->fleets;
  std::vector<std::string_view> on;
  for (std::size_t i = 0; fleets.size() == 1 && i < fleets.front().control_planes.size(); ++i) {
    for (const auto& [gate, is_on] : fleets.front().control_planes[i].feature_gates) {
      if (is_on) on.push_back(gate);
    }
  }
  const std::span<Value> values = context.arena->make_array<Value>(on.size());
  for (std::size_t i = 0; i < on.size(); ++i) values[i] = Value::of(on[i]);
  return Value::of(context.arena->make(ListData{
      on.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
}

/// The platform whose label the pods select, else the one that the fleet file states; where it lacks claims in some
/// release.
std::optional<std::string_view> lacking_platform(const void* object, const ReadContext& context) {
  const Manifest& manifest = manifest_of(object);
  if (manifest.def->collection != "pods") return std::nullopt;
  const WrittenValue& labels = manifest.part("node_selector");
  for (std::size_t i = 0; i < labels.keys().size(); ++i) {
    const std::string_view id = platform_of_label(labels.keys()[i], labels.items()[i].text());
    if (platform_claims_from(id)) return id;
  }
  const std::optional<PlatformSeen> stated = stated_platform(*context.model);
  return stated && platform_claims_from(stated->id) ? std::optional(stated->id) : std::nullopt;
}

Value read_lacking_platform(const void* object, const ReadContext& context) {
  const std::optional<std::string_view> id = lacking_platform(object, context);
  if (!id) return Value::absent();
  const auto row = std::ranges::find(device_platforms(), *id, &DevicePlatform::id);
  return Value::of(row->name);
}

Value read_claims_from(const void* object, const ReadContext& context) {
  const std::optional<std::string_view> id = lacking_platform(object, context);
  const std::string_view from = id ? *platform_claims_from(*id) : "";
  return from.empty() ? Value::absent() : Value::of(from);
}

const Type& type_of(PartType type) {
  switch (type) {
    case PartType::Bool: return kBoolType;
    case PartType::Int: return kIntType;
    case PartType::Text: return kStringType;
    case PartType::Any: break;
  }
  return kDynType;
}

/// What hands out devices and what asks for them.
void add_device_fields(std::vector<Field>& out) {
  out.push_back(Field{"claims_from", kStringType, kOptional,
                      "of pods: the release of Kubernetes from which on their `lacking_platform` has claims",
                      read_claims_from});
  out.push_back(Field{"gates_on", kStringListType, kAlways,
                      "feature gates of Kubernetes that the fleet file of the input says are on", read_gates});
  out.push_back(Field{"lacking_platform", kStringType, kOptional,
                      "of pods: the platform that their nodes show, where some release of it has no claims",
                      read_lacking_platform});
  out.push_back(remark<&ManifestRemarks::no_channel>(
      "no_channel",
      "of pods with GPUs: the template of a ComputeDomain's channel that others of their gang claim, and they do "
      "not"));
  out.push_back(remark<&ManifestRemarks::no_label>(
      "no_label", "its namespace, where the input has that and it lacks a label that the object needs"));
  out.push_back(remark<&ManifestRemarks::unread_by>(
      "unread_by", "of an NVIDIADriver: the ClusterPolicy beside it that takes drivers from itself alone"));
  out.push_back(remark<&ManifestRemarks::class_off>(
      "class_off", "of a claim of GPUs: the release of NVIDIA's DRA driver that leaves their DeviceClass out"));
  out.push_back(remark<&ManifestRemarks::unfit>(
      "unfit", "of a claim: why no node has the devices it asks for, by the ResourceSlices of the input"));
}

/// What keeps pods from each other, and how many of them there may be.
void add_network_fields(std::vector<Field>& out) {
  out.push_back(remark<&ManifestRemarks::ray_heads>(
      "ray_heads", "of a Service for requests: a RayService the heads of all of whose clusters it selects"));
  out.push_back(remark<&ManifestRemarks::ray_service>(
      "ray_service", "a RayService whose name its selector takes for that of a RayCluster"));
  out.push_back(remark<&ManifestRemarks::made_by>(
      "made_by", "of a Service: the object of Ray whose operator makes one of that name"));
  out.push_back(remark<&ManifestRemarks::injected>(
      "injected",
      "of a job of Kubeflow: its namespace, where Istio puts a proxy beside each pod that nothing keeps out"));
  out.push_back(remark<&ManifestRemarks::lost_host>(
      "lost_host", "a host that its containers ask for, the name of a Pod or Deployment and of no Service"));
  out.push_back(remark<&ManifestRemarks::lost_host_is>("lost_host_is",
                                                       "that object and the Service that answers for it, in words"));
  out.push_back(Field{"scaled_to", kIntType, kOptional,
                      "of pods: the most replicas that an autoscaler makes of their object",
                      read_remark<Manifest, &ManifestRemarks::scaled_to>});
  out.push_back(remark<&ManifestRemarks::not_allowed>(
      "not_allowed", "of a route: a Gateway of another namespace, none of whose listeners takes routes of its own"));
  out.push_back(remark<&ManifestRemarks::not_chosen>(
      "not_chosen",
      "of an InferenceService without a runtime: one that has its format, and KServe does not choose it"));
  out.push_back(remark<&ManifestRemarks::no_service>(
      "no_service", "of a StatefulSet that names a Service which nothing is: the one beside it that selects its pods"));
  out.push_back(remark<&ManifestRemarks::service_nowhere>(
      "service_nowhere", "of a StatefulSet: a Service that it names and nothing is, though its folder has others"));
  out.push_back(
      remark<&ManifestRemarks::circle>("circle", "of what Flux applies: what it waits for, up to itself, in words"));
  out.push_back(remark<&ManifestRemarks::unmet>(
      "unmet", "of what Flux applies: a name in its dependsOn that no object of its kind in the input has"));
  out.push_back(remark<&ManifestRemarks::gated>(
      "gated", "of what Knative runs: fields of its pods that no features of Knative in the input allow"));
  out.push_back(remark<&ManifestRemarks::features_by>(
      "features_by", "of what Knative runs: an object of the input that lists features of Knative"));
  out.push_back(remark<&ManifestRemarks::deadline_by>(
      "deadline_by", "of what Knative runs: an object of the input that sets its progress-deadline"));
  out.push_back(remark<&ManifestRemarks::kept_by>(
      "kept_by", "of a Job that deletes itself: the Application of Argo CD that makes it again"));
  out.push_back(remark<&ManifestRemarks::silent_role>(
      "silent_role", "of a workflow of Argo: the role of its account, where no role of it may report results"));
  out.push_back(remark<&ManifestRemarks::without_crds>(
      "without_crds", "of an Application: its file, where the input has all its files of values, without crds"));
  out.push_back(remark<&ManifestRemarks::unmet_here>(
      "unmet_here", "of what Flux applies: one of its dependsOn that is in another namespace alone, in words"));
  out.push_back(remark<&ManifestRemarks::nameless>(
      "nameless", "of a NetworkPolicy: 443 or 80, to hosts anywhere, whose names no policy lets its pods ask for"));
  out.push_back(remark<&ManifestRemarks::other_group>(
      "other_group", "of a route or role: the API group of the InferencePools it means, where it names another"));
  out.push_back(remark<&ManifestRemarks::mute>(
      "mute", "of a NetworkPolicy for all pods: the namespace, where no policy lets anything out"));
  out.push_back(remark<&ManifestRemarks::empties>(
      "empties", "of a NodePool: pods with GPUs, no collective, that Karpenter may take off its nodes"));
  out.push_back(remark<&ManifestRemarks::gpu_pool>(
      "gpu_pool", "of a class of nodes: a NodePool of machines with GPUs that is made of it"));
  out.push_back(remark<&ManifestRemarks::pods_alone>(
      "pods_alone", "of a NetworkPolicy: 443 or 80, to the pods of all namespaces and, by no policy there, to others"));
  out.push_back(remark<&ManifestRemarks::server_as_pod>(
      "server_as_pod", "of a NetworkPolicy: 443 or 6443, to pods of default alone, and by no policy there to hosts"));
}

/// What policies leave out.
void add_policy_fields(std::vector<Field>& out) {
  out.push_back(remark<&ManifestRemarks::shut_by>(
      "shut_by", "of a Service: the policy that shuts its namespace, where none lets anybody in to its pods"));
  out.push_back(remark<&ManifestRemarks::port_of_service>(
      "port_of_service", "of a NetworkPolicy: 53, to the pods of OpenShift's name server, which listen on 5353"));
}

void add_quota_fields(std::vector<Field>& out) {
  out.push_back(remark<&ManifestRemarks::no_pool>(
      "no_pool", "of pods with GPUs: a label they select, and the values that it has in node pools of Terraform"));
  out.push_back(remark<&ManifestRemarks::above_pool>(
      "above_pool", "of pods: what the node pools that they select have too little of for them, in words"));
  out.push_back(remark<&ManifestRemarks::above_range>(
      "above_range", "what a LimitRange of its namespace allows a container at most, of which one has more"));
  out.push_back(remark<&ManifestRemarks::above_volume>(
      "above_volume", "of a PersistentVolumeClaim: the volume that it is for, and how much that holds, too little"));
  out.push_back(remark<&ManifestRemarks::lone_cohort>(
      "lone_cohort",
      "of a ClusterQueue beside others: its cohort, where none of them is in it and no Cohort gives it more"));
  out.push_back(remark<&ManifestRemarks::unprovisioned>(
      "unprovisioned",
      "of a ClusterQueue: an accelerator with a quota for which its check makes no ProvisioningRequest"));
  out.push_back(remark<&ManifestRemarks::quota_wants>(
      "quota_wants", "an entry of a quota of its namespace that wants every container to say it, and one does not"));
}

/// What every described object has, sorted by name.
std::vector<Field> common_fields() {
  std::vector<Field> out{
      Field{"alike", kIntType, kOptional,
            "what Flux reads: objects of its kind and version in the input, at the first of them",
            read_remark<Manifest, &ManifestRemarks::alike>},
      Field{"api_version", kStringType, kAlways, "its apiVersion", read<Manifest, &Manifest::api_version>},
      remark<&ManifestRemarks::beside>("beside", "another object of the input that it cannot stand beside"),
      remark<&ManifestRemarks::class_filled_in>(
          "class_filled_in", "of a PersistentVolumeClaim without a class: the volume without one that it names"),
      remark<&ManifestRemarks::dangling>(
          "dangling", "a name of a kind that the input has, but none of that name; of a TrainJob: not for the cluster"),
      remark<&ManifestRemarks::decided_scheduler>("decided_scheduler", "the one that is decided for its cluster"),
      Field{"defined", kBoolType, kAlways, "the input has the CustomResourceDefinition of its kind",
            read<Manifest, &Manifest::defined>},
      remark<&ManifestRemarks::driver>("driver",
                                       "of a claim: the provisioner of its StorageClass, where the input has that"),
      remark<&ManifestRemarks::fuse_claim>("fuse_claim", "a claim of its pods whose volume is of Cloud Storage FUSE"),
      Field{"id", kStringType, kAlways, "group/version/kind/namespace/name", read<Manifest, &Object::id>},
      Field{"kind", kStringType, kAlways, "its kind", read<Manifest, &Object::kind>},
      remark<&ManifestRemarks::installs>("installs", "that other gang scheduler"),
      remark<&ManifestRemarks::late_label>(
          "late_label", "a label its pods select that nodes get once they run, and that no NodePool of the input has"),
      Field{"missed_port", kIntType, kOptional,
            "where the model server of the one object that its selector matches listens, and none of its ports sends",
            read_remark<Manifest, &ManifestRemarks::missed_port>},
      Field{"name", kStringType, kAlways, "its name", read<Manifest, &Object::name>},
      remark<&ManifestRemarks::no_format>(
          "no_format", "of an InferenceService: formats of the runtime that it names, where its own is none of them"),
      remark<&ManifestRemarks::no_pods>(
          "no_pods", "what its selector asks for, where no pod of the input has it, though pods stand beside it"),
      remark<&ManifestRemarks::no_port>(
          "no_port",
          "a targetPort by a name that its one object lacks; of a ServiceMonitor a port of none of its Services"),
      remark<&ManifestRemarks::no_product>(
          "no_product", "a value of nvidia.com/gpu.product that its pods want and that no driver of NVIDIA gives"),
      remark<&ManifestRemarks::not_tolerated>("not_tolerated",
                                              "a taint of every node pool of the input that its pods select"),
      remark<&ManifestRemarks::one_node>("one_node", "a claim of its pods that only one node at a time mounts"),
      Field{"only_pods", kIntType, kOptional, "pods of the one object that its selector matches",
            read_remark<Manifest, &ManifestRemarks::only_pods>},
      remark<&ManifestRemarks::rival>("rival", "of an autoscaler: another of what it scales, in its folder"),
      Field{"scaled_from", kIntType, kOptional, "of an autoscaler: replicas in the file of what it scales",
            read_remark<Manifest, &ManifestRemarks::scaled_from>},
      remark<&ManifestRemarks::unserved>(
          "unserved",
          "a label of its pods, whose containers with accelerators are probed; no Service of the input selects them"),
      Field{"workload", kWorkloadObject, kOptional, "its own pods, or those of the object it points to", read_gang},
  };
  add_device_fields(out);
  add_network_fields(out);
  add_policy_fields(out);
  add_quota_fields(out);
  std::ranges::sort(out, {}, &Field::name);
  return out;
}

/// Those and its own parts.
std::vector<Field> fields_of(const ManifestDef& def, const std::vector<Field>& common) {
  std::vector<Field> parts;
  for (std::size_t row = 0; row < def.parts.size(); ++row) {
    const PartDef& part = def.parts[row];
    parts.push_back(Field{part.name, type_of(part.type), kOptional, part.doc, kPartReaders[row]});
  }
  std::vector<Field> out;
  out.reserve(common.size() + parts.size());
  std::ranges::merge(common, parts, std::back_inserter(out), {}, &Field::name, &Field::name);
  return out;
}

struct ManifestType {
  std::vector<Field> fields;
  ObjectType type;
};

const std::deque<ManifestType>& all_manifest_types() {
  static const std::deque<ManifestType> kAll = [] {
    std::deque<ManifestType> out;
    const std::vector<Field> common = common_fields();
    MUSTER_CHECK(manifest_defs().size() <= kMostDefs, "more kinds of described objects than readers");
    for (const ManifestDef& def : manifest_defs()) {
      MUSTER_CHECK(def.parts.size() <= kMostParts, "more parts than readers: " + std::string(def.collection));
      ManifestType& made = out.emplace_back();
      made.fields = fields_of(def, common);
      made.type = {def.element, def.doc, made.fields, where_of<Manifest>, own_id<Manifest>};
    }
    return out;
  }();
  return kAll;
}

}  // namespace

std::vector<std::vector<const void*>> manifests_by_def(const Model& model) {
  std::vector<std::vector<const void*>> out(manifest_defs().size());
  for (const Manifest& manifest : model.manifests)
    out[static_cast<std::size_t>(manifest.def - manifest_defs().data())].push_back(&manifest);
  return out;
}

std::optional<std::size_t> manifest_def_of(const Collection& collection) {
  const auto found = std::ranges::lower_bound(manifest_defs(), collection.name, {}, &ManifestDef::collection);
  if (found == manifest_defs().end() || found->collection != collection.name) return std::nullopt;
  return static_cast<std::size_t>(found - manifest_defs().begin());
}

void add_collections_in(const Model& model, std::set<std::string_view>& out) {
  const std::vector<std::vector<const void*>> manifests = manifests_by_def(model);
  for (const Collection& collection : collections()) {
    bool any = false;
    if (const std::optional<std::size_t> def = manifest_def_of(collection))
      any = !manifests[*def].empty();
    else
      collection.each(model, [&](const void*) { any = true; });
    if (any) out.insert(collection.name);
  }
}

std::vector<Collection> manifest_collections() {
  std::vector<Collection> out;
  for (std::size_t row = 0; row < manifest_defs().size(); ++row) {
    const ManifestDef& def = manifest_defs()[row];
    out.push_back({def.collection, &all_manifest_types()[row].type, def.doc, kDefVisitors[row]});
  }
  return out;
}

std::vector<const ObjectType*> manifest_types() {
  std::vector<const ObjectType*> out;
  for (const ManifestType& made : all_manifest_types()) out.push_back(&made.type);
  return out;
}

}  // namespace muster
