#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/quantity.h"
#include "model/gang.h"

namespace muster {

struct PodTemplate;

/// By resource; nothing where the value cannot be read.
using Requests = std::map<std::string, std::optional<Quantity>>;

/// What the containers of a pod request together. Source: kubernetes/component-helpers:resource/helpers.go (1.36).
Requests requests_of_pod(const PodTemplate& pod_template);

/// What a pod asks of its node beside accelerators: CPUs and memory, selectors, tolerations, and the rest in words.
void read_pod_asks(const PodTemplate& pod_template, Role& role);

}  // namespace muster
