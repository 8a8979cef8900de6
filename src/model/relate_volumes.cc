// Claims for more than the volume that they name holds, or than any of a class that makes none.
#include <map>
#include <optional>
#include <string>

#include "base/quantity.h"
#include "model/model.h"

namespace muster {
namespace {

std::optional<Quantity> storage_in(const WrittenValue& amounts) {
  const WrittenValue* storage = amounts.find("storage");
  return storage == nullptr || storage->state != State::Set ? std::nullopt : Quantity::parse(storage->text());
}

/// Source: kubernetes-sigs/aws-efs-csi-driver:pkg/driver/controller.go (3.4), CreateVolume: Missing provisioningMode.
bool makes_no_volumes(const Manifest& storage_class) {
  const std::string_view provisioner = storage_class.part("provisioner").text();
  const WrittenValue& parameters = storage_class.part("parameters");
  if (provisioner == "kubernetes.io/no-provisioner") return true;
  return provisioner == "efs.csi.aws.com" && parameters.state != State::Unknown &&
         parameters.find("provisioningMode") == nullptr;
}

/// Volumes of one name, or of one class.
struct VolumeSizes {
  std::optional<Quantity> most;
  std::string_view of;    ///< the name of the largest
  std::string_view text;  ///< what it says it holds
  bool open = false;      ///< one does not say what it holds
  bool kept = false;      ///< one is kept for a claim, which then gets it whatever it asks for

  void add(const Manifest& volume) {
    const std::optional<Quantity> size = storage_in(volume.part("capacity"));
    open = open || !size;
    kept = kept || volume.part("claim").state != State::Absent;
    if (!size || (most && *most >= *size)) return;
    most = size;
    of = volume.name.value;
    text = volume.part("capacity").find("storage")->text();
  }
};

class VolumeCheck {
 public:
  explicit VolumeCheck(const Model& model) {
    for (const Manifest& one : model.manifests) {
      if (one.def->collection == "storage_classes") {
        const auto [idle, fresh] = idle_.try_emplace(one.name.value, true);
        idle->second = idle->second && makes_no_volumes(one);
      }
      if (one.kind != "PersistentVolume" || one.def->collection != "local_volumes") continue;
      by_name_[one.name.value].add(one);
      by_class_[one.part("storage_class").text()].add(one);
      if (one.part("storage_class").state == State::Unknown) open_class_ = true;
    }
  }

  bool empty() const { return by_name_.empty(); }

  void judge(Manifest& claim) const {
    const std::optional<Quantity> wanted = storage_in(claim.part("requests"));
    const WrittenValue& volume = claim.part("volume");
    const bool named = volume.is_text() && !volume.text().empty();
    const VolumeSizes* sizes = named ? sizes_of(by_name_, volume.text()) : sizes_of_class(claim);
    if (!wanted || sizes == nullptr || sizes->open || (named && sizes->kept) || *sizes->most >= *wanted) return;
    const std::string of = "`" + std::string(sizes->of) + "`";
    const std::string holds(sizes->text);
    const std::string found =
        named ? of + ", which it names, holds " + holds : "of its class the largest volume, " + of + ", holds " + holds;
    claim.remarks.own().above_volume = set_to(found, claim.part("requests").find("storage")->where, "storage");
  }

 private:
  using Sizes = std::map<std::string_view, VolumeSizes>;

  static const VolumeSizes* sizes_of(const Sizes& all, std::string_view name) {
    const auto found = all.find(name);
    return found == all.end() ? nullptr : &found->second;
  }

  /// Of a class that makes no volumes. A claim without one gets the default class.
  const VolumeSizes* sizes_of_class(const Manifest& claim) const {
    const WrittenValue& name = claim.part("storage_class");
    const auto idle = idle_.find(name.text());
    if (open_class_ || !name.is_text() || idle == idle_.end() || !idle->second) return nullptr;
    return sizes_of(by_class_, name.text());
  }

  std::map<std::string_view, bool> idle_;  ///< classes of the input: whether they make no volumes
  bool open_class_ = false;                ///< somebody fills in the class of a volume
  Sizes by_name_;
  Sizes by_class_;
};

}  // namespace

/// Source: kubernetes/kubernetes:pkg/controller/volume/persistentvolume/pv_controller.go (1.36), syncUnboundClaim.
void relate_volumes(Model& model) {
  const VolumeCheck check(model);
  if (check.empty()) return;
  for (Manifest& one : model.manifests) {
    if (one.def->collection == "volume_claims") check.judge(one);
  }
}

}  // namespace muster
