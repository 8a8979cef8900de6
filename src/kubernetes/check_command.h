#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What a container's command, arguments and environment have that only a shell would do, where none runs:
/// `container-command-unsplit`, a command line in one word, and `container-shell-syntax-literal`, `$(date)` or `&&`
/// that stay as they are. The kubelet splits nothing, and expands $(NAME) of variables alone. Source:
/// kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container (1.36).
///
/// `in_shell`: its operator makes a script of the words, as KubeRay does.
void check_command(const Node& container, bool in_shell, std::vector<Finding>& findings);

}  // namespace muster
