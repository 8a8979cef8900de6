#include "kubernetes/api_versions.h"

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {

bool is_built_in_group(std::string_view group) {
  return !contains(group, ".") ||
         (group.ends_with(".k8s.io") && !group.ends_with(".x-k8s.io") && !group.ends_with(".sigs.k8s.io"));
}

void report_version(const Span& at, std::string_view api_version, std::string_view kind,
                    const std::vector<std::string>& versions, std::vector<Finding>& findings) {
  if (versions.empty() || is_placeholder(api_version)) return;
  findings.push_back(problem("custom-api-version-unknown", at,
                             "`" + std::string(kind) + "` has no version `" + std::string(api_version) +
                                 "`; its operator serves " + join(versions, ", ")));
  findings.back().field = "apiVersion";
}

}  // namespace muster
