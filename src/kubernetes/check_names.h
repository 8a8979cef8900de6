#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Names that the API server refuses: of an object (`object-name-invalid`), two ports of one name in a Service or a
/// container (`port-name-twice`); and two containers of a pod that say they listen on one port
/// (`container-port-twice`). Only of what an API server keeps: files of other programs have names of their own.
void check_names(const Node& object, std::string_view api_version, std::string_view kind,
                 std::vector<Finding>& findings);

/// A pattern or a list where a nodeSelector wants the value of a label: `object-label-invalid`.
void check_node_labels(const Node& selector, std::vector<Finding>& findings);

/// The ports of a pod.
void check_pod_ports(const Node& pod, std::vector<Finding>& findings);

}  // namespace muster
