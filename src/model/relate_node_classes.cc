// Classes of nodes of Karpenter that pools with GPUs are made of.
#include <algorithm>
#include <map>

#include "base/strings.h"
#include "model/model.h"
#include "model/node_pools.h"

namespace muster {
namespace {

/// Whether all machines of a pool have GPUs. Families of AWS: docs.aws.amazon.com/ec2/latest/instancetypes.
bool has_gpu_machines(const Manifest& pool) {
  const auto of_gpus = [](std::string_view value) {
    return value.size() > 1 && (value[0] == 'g' || value[0] == 'p') && is_digit(value[1]);
  };
  return has_taint_for_gpus(pool) ||
         std::ranges::any_of(pool.part("requirements").items(), [&](const WrittenValue& one) {
           const std::string_view key = one.text_of("key");
           const WrittenValue* values = one.find("values");
           if (contains(key, "instance-gpu")) return true;
           if (values == nullptr || values->items().empty() || one.text_of("operator") != "In") return false;
           const bool kinds = key.ends_with("/instance-category");
           return (kinds || key.ends_with("/instance-family") || key.ends_with("/instance-type")) &&
                  std::ranges::all_of(values->items(), [&](const WrittenValue& value) {
                    return kinds ? value.text() == "g" || value.text() == "p" : of_gpus(value.text());
                  });
         });
}

}  // namespace

void relate_node_classes(Model& model) {
  const ManifestDef* pools = &manifest_def("node_pools");
  const ManifestDef* classes = &manifest_def("ec2_node_classes");
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> by_class;  // bundle and name
  for (const Manifest& one : model.manifests) {
    if (one.def != pools || !has_gpu_machines(one)) continue;
    const std::string_view name = one.part("node_class").text_of("name");
    if (!name.empty()) by_class.try_emplace({one.bundle, name}, &one);
  }
  for (Manifest& one : model.manifests) {
    const auto found = one.def == classes ? by_class.find({one.bundle, one.name.value}) : by_class.end();
    if (found != by_class.end()) one.remarks.own().gpu_pool = set_to(found->second->name.value, one.where, "name");
  }
}

}  // namespace muster
