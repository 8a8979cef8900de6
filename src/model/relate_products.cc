#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kProduct = "nvidia.com/gpu.product";

/// Names that need a form and a memory, or another word in front. Since driver 470 all but the older Tesla begin with
/// NVIDIA. Source: NVIDIA/k8s-device-plugin:internal/lm/resource.go (0.17), product names as nvidia-smi has them.
bool is_no_product(std::string_view value) {
  constexpr std::array<std::string_view, 17> kAlone{
      "A100",        "A800",        "T4",          "V100",        "P100", "K80",  "GH200", "GB200", "NVIDIA-T4",
      "NVIDIA-H100", "NVIDIA-A100", "NVIDIA-A800", "NVIDIA-V100", "a100", "h100", "t4",    "v100"};
  constexpr std::array<std::string_view, 8> kAfter470{"H100", "H200", "H800", "H20", "B200", "L4", "L40", "L40S"};
  if (std::ranges::find(kAlone, value) != kAlone.end()) return true;
  // Words of cloud.google.com/gke-accelerator.
  if (value.starts_with("nvidia-tesla-") || value == "nvidia-l4" || value.starts_with("nvidia-h100-")) return true;
  return std::ranges::any_of(kAfter470, [&](std::string_view name) {
    return value == name || (value.starts_with(name) && value[name.size()] == '-');
  });
}

/// The last of the products that pods want, where none of them is one.
class ProductCheck {
 public:
  explicit ProductCheck(const std::set<std::string_view>& labelled) : labelled_(labelled) {}

  const WrittenValue* run(const Manifest& pods) {
    if (const WrittenValue* chosen = pods.part("node_selector").find(kProduct)) add(*chosen);
    const WrittenValue* affinity = pods.part("affinity").find("nodeAffinity");
    const WrittenValue* wanted =
        affinity == nullptr ? nullptr : affinity->find("requiredDuringSchedulingIgnoredDuringExecution");
    const WrittenValue* terms = wanted == nullptr ? nullptr : wanted->find("nodeSelectorTerms");
    for (std::size_t i = 0; terms != nullptr && i < terms->items().size(); ++i) {
      const std::size_t before = seen_;
      const WrittenValue* expressions = terms->items()[i].find("matchExpressions");
      if (expressions != nullptr) add_all(*expressions);
      if (seen_ == before) return nullptr;  // another way to a node, which has nothing to do with products
    }
    return some_product_ ? nullptr : wrong_;
  }

 private:
  void add_all(const WrittenValue& expressions) {
    for (const WrittenValue& one : expressions.items()) {
      const WrittenValue* key = one.find("key");
      const WrittenValue* how = one.find("operator");
      const WrittenValue* values = one.find("values");
      if (key == nullptr || key->text() != kProduct || how == nullptr || how->text() != "In" || values == nullptr)
        continue;
      for (const WrittenValue& value : values->items()) add(value);
    }
  }

  void add(const WrittenValue& value) {
    ++seen_;
    const bool known = value.state == State::Set && value.kind == WrittenValue::Kind::Text;
    if (known && !labelled_.contains(value.text()) && is_no_product(value.text())) {
      wrong_ = &value;
    } else {
      some_product_ = true;
    }
  }

  const std::set<std::string_view>& labelled_;
  const WrittenValue* wrong_ = nullptr;
  bool some_product_ = false;
  std::size_t seen_ = 0;
};

}  // namespace

void relate_products(Model& model) {
  std::set<std::string_view> labelled;
  bool simulated = false;
  for (const Manifest& one : model.manifests) {
    const WrittenValue* label = one.part("labels").find(kProduct);
    const bool gives = one.def->collection == "node_objects" || one.def->collection == "node_pools";
    if (gives && label != nullptr) labelled.insert(label->text());
    if (one.def->collection == "helm_releases") simulated |= contains(one.part("chart").text(), "fake-gpu");
  }
  if (simulated) return;  // run.ai's operator of that name labels nodes with whatever it is told
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "pods") continue;
    const WrittenValue* wrong = ProductCheck(labelled).run(one);
    if (wrong != nullptr) one.remarks.own().no_product = set_to(wrong->text(), wrong->where, FieldName(kProduct));
  }
}

}  // namespace muster
