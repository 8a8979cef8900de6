#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gang/pod_asks.h"
#include "gang/pod_template.h"
#include "gang/scheduler.h"
#include "model/gang.h"
#include "syntax/document.h"

namespace muster {

/// Fills `task_groups` with the groups of the list that the templates name, and of each role what is too large for its
/// placeholder. `templates`: one a role. What decides, where somebody fills a name in later.
std::optional<Origin> name_task_groups(const TaskGroupMarks& marks, const std::vector<PodTemplate>& templates,
                                       Gang& gang);

/// YuniKorn calls CPUs vcore, and takes either name; here they are `cpu`.
std::string resource_called(std::string_view name);

/// The task groups of YuniKorn in an annotation. Nothing where YuniKorn refuses the list: the pods go one by one then.
/// Source: apache/yunikorn-k8shim:pkg/cache/utils.go (1.9), GetTaskGroupsFromAnnotation.
std::optional<std::vector<TaskGroup>> read_task_groups(const Node& annotation);

/// A resource of which a pod requests more than a placeholder of its group; absent where none, or where nobody can
/// tell. Source: apache/yunikorn-core:pkg/scheduler/objects/application.go (1.9), tryPlaceholderAllocate.
std::optional<std::string> above_placeholder(const Requests& pod, const TaskGroup& group);

}  // namespace muster
