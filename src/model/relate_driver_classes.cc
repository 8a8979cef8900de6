// Claims of GPUs beside a release of NVIDIA's DRA driver that is told to offer none.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// DeviceClasses that the chart leaves out then. Source: NVIDIA/k8s-dra-driver-gpu:
/// deployments/helm/nvidia-dra-driver-gpu/templates/deviceclass-{gpu,mig,vfio-gpu}.yaml (25.12).
constexpr std::array<std::string_view, 3> kGpuClasses{"gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com"};

enum class Offer { On, Off, Unknown };

Offer offer_of(const Manifest& release) {
  const WrittenValue& single = release.part("parameters");
  for (std::size_t i = 0; i < single.items().size(); ++i) {
    const bool named = single.kind == WrittenValue::Kind::Map;  // of K3s a map, of Argo CD a list
    const std::string_view name = named ? single.keys()[i] : single.items()[i].text_of("name");
    if (name.starts_with("resources")) return Offer::Unknown;
  }
  const WrittenValue& values = release.part("values");
  if (values.state == State::Absent)
    return release.part("value_files").state == State::Absent ? Offer::On : Offer::Unknown;
  if (values.kind != WrittenValue::Kind::Map || single.state == State::Unknown) return Offer::Unknown;
  const WrittenValue* resources = values.find("resources");
  const WrittenValue* gpus = resources == nullptr ? nullptr : resources->find("gpus");
  const WrittenValue* enabled = gpus == nullptr ? nullptr : gpus->find("enabled");
  if (enabled == nullptr) return Offer::On;
  if (enabled->state != State::Set) return Offer::Unknown;
  return enabled->text() == "false" ? Offer::Off : Offer::On;
}

/// The first request that is for such a class alone.
const WrittenValue* gpu_class_of(const Manifest& claim) {
  for (const WrittenValue& request : claim.part("requests").items()) {
    const WrittenValue* exactly = request.find("exactly");
    const WrittenValue* named = (exactly == nullptr ? request : *exactly).find("deviceClassName");
    if (named == nullptr || named->state != State::Set) continue;
    if (std::ranges::find(kGpuClasses, named->text()) != kGpuClasses.end()) return named;
  }
  return nullptr;
}

}  // namespace

void relate_driver_classes(Model& model) {
  const ManifestDef* releases = &manifest_def("helm_releases");
  const ManifestDef* claims = &manifest_def("resource_claims");
  const ManifestDef* classes = &manifest_def("device_classes");
  std::map<std::string_view, const Manifest*> off;  // by bundle: the releases of it, where they all offer none
  for (const Manifest& one : model.manifests) {
    const bool own_class = one.def == classes && std::ranges::find(kGpuClasses, one.name.value) != kGpuClasses.end();
    const std::string_view chart = one.def == releases ? one.part("chart").text() : std::string_view();
    const bool driver = chart == "nvidia-dra-driver-gpu" || chart == "dra-driver-nvidia-gpu";
    if (!own_class && !driver) continue;
    const bool offers = own_class || offer_of(one) != Offer::Off;
    const auto [found, first] = off.try_emplace(one.bundle, offers ? nullptr : &one);
    if (!first && offers) found->second = nullptr;
  }
  for (Manifest& one : model.manifests) {
    const auto found = one.def == claims ? off.find(one.bundle) : off.end();
    if (found == off.end() || found->second == nullptr) continue;
    const WrittenValue* named = gpu_class_of(one);
    if (named != nullptr)
      one.remarks.own().class_off =
          set_to(found->second->kind + " `" + found->second->name.value + "`", named->where, "deviceClassName");
  }
}

}  // namespace muster
