#pragma once

#include <string_view>

#include "gang/scheduler.h"
#include "input/kind.h"
#include "syntax/document.h"

namespace muster {

/// Settings of the operators that a pod runs, from the flags of its containers, as rules/operators lists them.
void read_operator_settings(const Node& pod_spec, const NormaliseContext& context);

/// Settings from the Configuration object of an operator, which its API group names.
void read_operator_config(const Node& config, const NormaliseContext& context);

/// The same where the object is a text, as in a ConfigMap. Values keep their places where it is a block.
void read_operator_config_text(const Node& text, const NormaliseContext& context);

/// Whether a text speaks of the Configuration of an operator.
bool may_hold_operator_config(std::string_view text, const SchedulerBook& book);

/// Whether a document may be the values of an operator's Helm chart that sets something: the chart is known by the
/// image or, in the values of a chart above it, by its name.
bool is_operator_values(const Node& values, const SchedulerBook& book);
void read_operator_values(const Node& values, const NormaliseContext& context);

}  // namespace muster
