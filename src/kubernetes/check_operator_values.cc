#include "kubernetes/check_operator_values.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/strings.h"
#include "kubernetes/check_fields.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// Source: kedacore/keda:config/crd/bases/keda.sh_scaledobjects.yaml, keda.sh_scaledjobs.yaml (8b4f083c): `metadata` of
/// a trigger has texts.
void check_triggers(const Node& triggers, std::vector<Finding>& findings) {
  for (std::size_t i = 0; triggers.is_sequence() && i < triggers.size(); ++i) {
    const Node metadata = triggers.item(i)["metadata"];
    for (std::size_t k = 0; metadata.is_mapping() && k < metadata.size(); ++k)
      require_text(metadata.value(k), FieldName(metadata.key(k).text()), findings);
  }
}

/// `100Gi`, and no fraction. How much is most of each unit is left to the API server.
bool is_disk_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(digits);
  return digits > 0 && text.front() != '0' && (unit == "Gi" || unit == "G" || unit == "Ti" || unit == "T");
}

/// Source: aws/karpenter-provider-aws:pkg/apis/v1/ec2nodeclass.go, the pattern of VolumeSize (1.6).
void check_disks(const Node& disks, std::vector<Finding>& findings) {
  for (std::size_t i = 0; disks.is_sequence() && i < disks.size(); ++i) {
    const Node size = disks.item(i)["ebs"]["volumeSize"];
    if (!size.is_scalar() || size.is_null() || size.text().empty() || is_unsaid(size) || is_disk_size(size.text()))
      continue;
    findings.push_back(problem("field-type", size.where(),
                               "`volumeSize`: expected a whole number of Gi, G, Ti or T, got " + describe(size)));
    findings.back().field = "volumeSize";
  }
}

void lacks_fields(const Node& spec, std::string_view kind, std::initializer_list<std::string_view> required,
                  std::vector<Finding>& findings) {
  std::string names;
  for (const std::string_view field : required) {
    if (!spec[field].exists()) names += (names.empty() ? "`" : ", `") + std::string(field) + "`";
  }
  if (names.empty() || !spec.is_mapping() || spec["<<"].exists() || is_filled_in_later(spec)) return;
  findings.push_back(
      problem("custom-field-missing", spec.key_where(), "`spec` of " + std::string(kind) + " lacks " + names));
  findings.back().field = "spec";
  findings.back().about = About::Whole;
}

/// A field of the other version of InferencePool. Source: kubernetes-sigs/gateway-api-inference-extension:
/// api/v1/inferencepool_types.go, apix/v1alpha2/inferencepool_types.go (1.0).
void of_other_pool(const Node& key, std::string_view version, std::string_view meant, std::vector<Finding>& findings) {
  findings.push_back(problem("custom-field-unknown", key.where(),
                             "there is no field `" + std::string(key.text()) + "` in `spec` of InferencePool of " +
                                 std::string(version) + ", which has `" + std::string(meant) + "`"));
  findings.back().field = key.text();
}

void check_pool(const Node& spec, std::vector<Finding>& findings) {
  bool old = false;
  for (std::size_t i = 0; spec.is_mapping() && i < spec.size(); ++i) {
    const Node key = spec.key(i);
    if (key.text() != "targetPortNumber" && key.text() != "extensionRef") continue;
    old = true;
    of_other_pool(key, "v1", key.text() == "extensionRef" ? "endpointPickerRef" : "targetPorts", findings);
  }
  const Node selector = spec["selector"];
  if (selector.is_mapping() && selector.size() > 0 && !selector["matchLabels"].exists() && !selector["<<"].exists() &&
      !is_filled_in_later(selector)) {
    findings.push_back(
        problem("custom-field-missing", selector.key_where(),
                "`spec.selector` of InferencePool of v1 lacks `matchLabels`, in which its labels stand"));
    findings.back().field = "selector";
  }
  // `endpointPickerRef` is required up to 1.5 alone.
  if (!old) lacks_fields(spec, "InferencePool", {"selector", "targetPorts"}, findings);
}

}  // namespace

void check_operator_values(const Node& object, std::string_view api_version, std::string_view kind,
                           std::vector<Finding>& findings) {
  if (api_version == "keda.sh/v1alpha1" && (kind == "ScaledObject" || kind == "ScaledJob"))
    return check_triggers(object["spec"]["triggers"], findings);
  if (api_version.starts_with("karpenter.k8s.aws/") && kind == "EC2NodeClass") {
    // Source: aws/karpenter-provider-aws:pkg/apis/v1/ec2nodeclass.go, what is `+required` (1.6).
    if (api_version.ends_with("/v1"))
      lacks_fields(object["spec"], kind, {"amiSelectorTerms", "securityGroupSelectorTerms", "subnetSelectorTerms"},
                   findings);
    check_disks(object["spec"]["blockDeviceMappings"], findings);
  }
  if (api_version == "inference.networking.k8s.io/v1" && kind == "InferencePool") check_pool(object["spec"], findings);
}

}  // namespace muster
