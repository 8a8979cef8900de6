#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "syntax/cut_text.h"

namespace muster {

/// What tasks of Ansible hand to Kubernetes: objects below `definition:` of the module `kubernetes.core.k8s`, also as
/// the items of a list or as a text, and what `kubernetes.core.helm` installs, as the HelmRelease that says the same.
/// What Jinja fills in is `${x}`; an object with statements of it (`{% %}`) is left
/// out, and so are those that are taken away or are a part of one (`state: absent`, `patched`). Linear in the text.
/// Source: docs.ansible.com/ansible/latest/collections/kubernetes/core/k8s_module.html (6.0).
std::vector<CutText> playbook_objects(std::string_view text);

/// A template of Jinja that is a manifest, as if every `{% if %}` held and each loop ran once: lines of statements are
/// left out, what is filled in is `${x}`. Nothing where a statement stands within a line, or there are two sides.
std::optional<CutText> filled_in_manifest(std::string_view text);

}  // namespace muster
