#include "kubernetes/fit_claims.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "kubernetes/device_fit.h"

namespace muster {
namespace {

constexpr std::size_t kMostFitted = 50'000'000;  // devices, each as often as a claim is tried on it

const WrittenValue* below(const WrittenValue* tree, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (tree != nullptr) tree = tree->find(key);
  }
  return tree;
}

std::string_view set_text_of(const WrittenValue* value) {
  return value != nullptr && value->state == State::Set ? value->text() : std::string_view();
}

/// Classes that the chart of NVIDIA's driver makes. Source: kubernetes-sigs/dra-driver-nvidia-gpu:
/// deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-gpu.yaml, deviceclass-mig.yaml (0.4, 0.5).
struct ShippedClass {
  std::string_view name;
  std::string_view selector;
};
constexpr std::array kShippedClasses{
    ShippedClass{"gpu.nvidia.com",
                 "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"},
    ShippedClass{"mig.nvidia.com",
                 "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'"},
};

/// The devices of a bundle, and what else it says of its nodes.
struct ClusterDevices {
  PublishedDevices devices;
  DeviceSelection selection{devices};
  std::map<std::string_view, std::vector<const Manifest*>> classes;
  std::map<std::string_view, const Manifest*> nodes;
  bool partial = false;  ///< nodes come and go, or a node with GPUs has no slice
};

/// What cannot be told of a claim, and what would tell it; empty: nothing is to be said.
struct OpenAsk {
  std::string needs;
};

class ClaimFits {
 public:
  explicit ClaimFits(Model& model) : model_(model) {}

  void run() {
    std::vector<const Manifest*> slices;
    for (const Manifest& one : model_.manifests) {
      if (one.def == slices_) slices.push_back(&one);
    }
    for (auto& [bundle, devices] : published_devices(slices)) clusters_[bundle].devices = std::move(devices);
    if (clusters_.empty()) return;
    for (const Manifest& one : model_.manifests) note(one);
    for (auto& [bundle, cluster] : clusters_) find_missing(cluster);
    for (Manifest& one : model_.manifests) {
      const auto cluster = clusters_.find(one.bundle);
      if (one.def == claims_ && cluster != clusters_.end() && !cluster->second.partial) fit(one, cluster->second);
    }
    for (ClaimUse& use : model_.claim_uses) fit_selected(use);
  }

 private:
  void note(const Manifest& one) {
    const auto cluster = clusters_.find(one.bundle);
    if (cluster == clusters_.end()) return;
    const std::string_view of = one.def->collection;
    ClusterDevices& out = cluster->second;
    if (of == "device_classes") out.classes[one.name.value].push_back(&one);
    if (of == "node_objects") out.nodes.emplace(one.name.value, &one);
    const bool scales = of == "node_pools" || (of == "deployments" && contains(one.name.value, "cluster-autoscaler"));
    out.partial = out.partial || scales;
  }

  /// A Node with GPUs that no device plugin hands out and no slice has.
  static void find_missing(ClusterDevices& cluster) {
    std::set<std::string_view> seen;
    for (const PublishedDevice& one : cluster.devices.devices) seen.insert(one.node);
    for (const auto& [name, node] : cluster.nodes) {
      const std::string_view plain = set_text_of(node->part("allocatable").find("nvidia.com/gpu"));
      const bool has_gpus = set_text_of(node->part("labels").find("nvidia.com/gpu.present")) == "true";
      if (has_gpus && (plain.empty() || plain == "0") && !seen.contains(name)) cluster.partial = true;
    }
  }

  /// Selectors of a class or request, one after the other; what one leaves out the next does not see.
  static void narrow(ClusterDevices& cluster, const WrittenValue* selectors, std::vector<DeviceVerdict>& fits) {
    for (std::size_t s = 0; selectors != nullptr && s < selectors->items().size(); ++s) {
      narrow_by(cluster, set_text_of(below(&selectors->items()[s], {"cel", "expression"})), fits);
    }
  }
  static void narrow_by(ClusterDevices& cluster, std::string_view expression, std::vector<DeviceVerdict>& fits) {
    const std::vector<DeviceVerdict>& found = cluster.selection.by(expression);
    for (std::size_t i = 0; i < fits.size(); ++i) {
      if (fits[i] == DeviceVerdict::Yes) fits[i] = found[i];
    }
  }

  /// Devices of a class; nothing where they are not known.
  std::optional<std::vector<DeviceVerdict>> of_class(ClusterDevices& cluster, std::string_view name,
                                                     OpenAsk& open) const {
    std::vector<DeviceVerdict> fits(cluster.devices.devices.size(), DeviceVerdict::Yes);
    const auto found = cluster.classes.find(name);
    if (found != cluster.classes.end()) {
      if (found->second.size() > 1 || found->second.front()->part("selectors").state == State::Unknown)
        return std::nullopt;
      narrow(cluster, &found->second.front()->part("selectors"), fits);
    } else {
      const auto shipped = std::ranges::find(kShippedClasses, name, &ShippedClass::name);
      if (shipped == kShippedClasses.end()) {
        open.needs = "the DeviceClass `" + std::string(name) + "`";
        return std::nullopt;
      }
      narrow_by(cluster, shipped->selector, fits);
    }
    bool any = false;
    for (std::size_t i = 0; i < fits.size(); ++i) {
      if (fits[i] == DeviceVerdict::No) continue;
      any = true;
      if (!cluster.devices.open.empty() && cluster.devices.open.contains(cluster.devices.devices[i].driver))
        return std::nullopt;
    }
    // Of its driver there may be no slices here, or none that are known.
    return any ? std::optional(std::move(fits)) : std::nullopt;
  }

  /// One alternative, or a request that has none.
  bool add_alternative(ClusterDevices& cluster, const WrittenValue& asked, DeviceWant& want, OpenAsk& open) const {
    const std::string_view name = set_text_of(asked.find("deviceClassName"));
    if (name.empty()) return false;
    std::optional<std::vector<DeviceVerdict>> fits = of_class(cluster, name, open);
    if (!fits) return false;
    narrow(cluster, asked.find("selectors"), *fits);
    const WrittenValue* count = asked.find("count");
    const bool written = count != nullptr && count->state == State::Set && count->kind == WrittenValue::Kind::Int;
    const std::int64_t least =
        written && set_text_of(asked.find("allocationMode")) != "All" ? std::max<std::int64_t>(0, count->number()) : 1;
    if (want.fits.empty()) {
      want.fits = std::move(*fits);
      want.count = least;
      return true;
    }
    want.count = std::min(want.count, least);
    for (std::size_t i = 0; i < want.fits.size(); ++i) {
      if ((*fits)[i] == DeviceVerdict::Yes || want.fits[i] == DeviceVerdict::No) want.fits[i] = (*fits)[i];
    }
    return true;
  }

  /// What a claim asks for; nothing where it cannot be told.
  std::optional<ClaimedDevices> read(ClusterDevices& cluster, const Manifest& claim, OpenAsk& open) const {
    ClaimedDevices out;
    if (claim.part("requests").state != State::Set) return std::nullopt;
    std::vector<std::string> names;
    for (const WrittenValue& request : claim.part("requests").items()) {
      const WrittenValue* exactly = request.find("exactly");
      const WrittenValue& asked = exactly == nullptr ? request : *exactly;
      const WrittenValue* admin = asked.find("adminAccess");
      if (admin != nullptr && (admin->flag || admin->state == State::Unknown)) continue;
      DeviceWant want;
      want.name = set_text_of(request.find("name"));
      want.where = request.where;
      const WrittenValue* alternatives = request.find("firstAvailable");
      if (alternatives == nullptr) {
        if (!add_alternative(cluster, asked, want, open)) return std::nullopt;
      } else {
        for (const WrittenValue& one : alternatives->items()) {
          if (!add_alternative(cluster, one, want, open)) return std::nullopt;
        }
      }
      if (!want.fits.empty()) out.wants.push_back(std::move(want));
    }
    for (const WrittenValue& constraint : claim.part("constraints").items()) read_constraint(constraint, out);
    return out;
  }

  /// One for alternatives by their names is passed over.
  static void read_constraint(const WrittenValue& written, ClaimedDevices& out) {
    const WrittenValue* match = written.find("matchAttribute");
    DeviceConstraint one;
    one.distinct = match == nullptr;
    one.attribute = set_text_of(match != nullptr ? match : written.find("distinctAttribute"));
    one.where = written.where;
    const WrittenValue* names = written.find("requests");
    for (const DeviceWant& want : out.wants) {
      const bool named = names == nullptr || names->items().empty() ||
                         std::ranges::any_of(names->items(),
                                             [&](const WrittenValue& name) { return set_text_of(&name) == want.name; });
      one.of.push_back(named);
    }
    const bool of_alternatives = names != nullptr && std::ranges::any_of(names->items(), [](const WrittenValue& name) {
                                   return name.state != State::Set || contains(name.text(), "/");
                                 });
    if (!one.attribute.empty() && !of_alternatives) out.constraints.push_back(std::move(one));
  }

  /// Beyond the bound nothing is said.
  bool may_try(const ClusterDevices& cluster) { return (fitted_ += cluster.devices.devices.size()) <= kMostFitted; }

  void fit(Manifest& claim, ClusterDevices& cluster) {
    OpenAsk open;
    if (!may_try(cluster)) return;
    const std::optional<ClaimedDevices> ask = read(cluster, claim, open);
    if (!ask) {
      if (!open.needs.empty())
        claim.remarks.own().unfit =
            unknown_until<std::string>(open.needs, claim.part("requests").where, "deviceClassName");
      return;
    }
    const DeviceFit found = fit_devices(*ask, cluster.devices, {});
    if (found.fits == DeviceVerdict::No) claim.remarks.own().unfit = set_to(found.why, found.where, "requests");
    if (found.fits == DeviceVerdict::Open)
      claim.remarks.own().unfit = unknown_until<std::string>(found.why, found.where, "requests");
    if (found.fits == DeviceVerdict::Yes) fitting_.emplace(&claim, *ask);
  }

  /// Of pods that select some of the nodes, all of which the input has.
  void fit_selected(ClaimUse& use) {
    const auto ask = fitting_.find(use.claim);
    if (ask == fitting_.end() || use.pods == nullptr || use.pods->bundle != use.claim->bundle) return;
    const ClusterDevices& cluster = clusters_.at(std::string(use.bundle));
    const WrittenValue& wanted = use.pods->part("node_selector");
    if (!wanted.is_text_map() || !may_try(cluster)) return;
    std::set<std::string_view> selected;
    for (const PublishedDevice& one : cluster.devices.devices) {
      const auto node = cluster.nodes.find(one.node);
      if (node == cluster.nodes.end() || node->second->part("labels").state == State::Unknown) return;
      if (wanted.selects(node->second->part("labels"))) selected.insert(one.node);
    }
    if (selected.empty()) return;  // of labels that no node has others speak
    const DeviceFit found = fit_devices(ask->second, cluster.devices, selected);
    if (found.fits == DeviceVerdict::No) use.unfit = set_to(found.why, use.target.where, use.target.field);
  }

  Model& model_;
  const ManifestDef* claims_ = &manifest_def("resource_claims");
  const ManifestDef* slices_ = &manifest_def("resource_slices");
  std::map<std::string, ClusterDevices> clusters_;  // by bundle; they stay where they are
  std::map<const Manifest*, ClaimedDevices> fitting_;
  std::size_t fitted_ = 0;
};

}  // namespace

void fit_claims(Model& model) { ClaimFits(model).run(); }

}  // namespace muster
