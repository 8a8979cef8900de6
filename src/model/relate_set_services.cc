// StatefulSets that name a Service which nothing is, beside one that selects their pods.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {

/// The kubelet makes host names of `serviceName`, and DNS has them of the Service of that name alone.
/// Source: kubernetes/kubernetes:staging/src/k8s.io/endpointslice/util/controller_utils.go, ShouldSetHostname (1.36).
void relate_set_services(Model& model) {
  constexpr std::size_t kMostOfFile = 50;  // Services without an address in one file
  std::set<std::string_view> named;
  std::set<std::string_view> folders;                                 // that have Services
  std::map<std::string_view, std::vector<const Manifest*>> headless;  // by file
  for (const Manifest& one : model.manifests) {
    if (one.def->collection != "services") continue;
    named.insert(one.name.value);
    folders.insert(folder_of(one.file));
    if (one.part("cluster_ip").text() == "None" && one.part("selector").is_text_map())
      headless[one.file].push_back(&one);
  }
  for (Manifest& one : model.manifests) {
    if (one.kind != "StatefulSet" || one.def->collection != "pod_makers") continue;
    const WrittenValue& service = one.part("service_name");
    const auto beside = headless.find(one.file);
    if (!service.is_text() || service.text().empty() || named.contains(service.text())) continue;
    if (beside == headless.end()) {
      if (folders.contains(folder_of(one.file)))
        one.remarks.own().service_nowhere = set_to(service.text(), service.where, "serviceName");
      continue;
    }
    if (beside->second.size() > kMostOfFile) continue;
    const auto meant = std::ranges::find_if(beside->second, [&](const Manifest* other) {
      const bool here = other->space == one.space;
      return here && other->part("selector").selects(one.part("pod_labels"));
    });
    if (meant != beside->second.end())
      one.remarks.own().no_service = set_to((*meant)->name.value, service.where, "serviceName");
  }
}

}  // namespace muster
