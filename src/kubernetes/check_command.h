#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What a container's command, arguments and environment have that only a shell would do, where none runs:
/// `container-command-unsplit`, a command line in one word, and `container-shell-syntax-literal`, `$(date)` or `&&`
/// that stay as they are; `container-variable-unset`, $(NAME) of a variable that it does not have. The kubelet splits
/// nothing, and expands $(NAME) of variables alone. Source:
/// kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container (1.36).
///
/// `kind`: of the object that it stands in; `in_shell`: its operator makes a script of the words, as KubeRay does.
void check_command(const Node& container, std::string_view kind, bool in_shell, std::vector<Finding>& findings);

}  // namespace muster
