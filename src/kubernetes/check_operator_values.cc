#include "kubernetes/check_operator_values.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
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

}  // namespace

void check_operator_values(const Node& object, std::string_view api_version, std::string_view kind,
                           std::vector<Finding>& findings) {
  if (api_version == "keda.sh/v1alpha1" && (kind == "ScaledObject" || kind == "ScaledJob"))
    return check_triggers(object["spec"]["triggers"], findings);
  if (api_version.starts_with("karpenter.k8s.aws/") && kind == "EC2NodeClass")
    check_disks(object["spec"]["blockDeviceMappings"], findings);
}

}  // namespace muster
