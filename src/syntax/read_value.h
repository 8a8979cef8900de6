#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "finding/finding.h"
#include "source/located.h"
#include "syntax/document.h"

namespace muster {

// Typed reads of a node. A missing or null node is Absent at the nearest enclosing place; a placeholder is Unknown and
// needs a value for `field`; a wrong type is a finding of rule field-type and Unknown.

enum class IntStyle {
  Strict,     ///< a count as Kubernetes reads it: a quoted number is a string, and no count is negative
  QuotesToo,  ///< the same, for fields of text that programs read as a decimal number
  Signed,     ///< as Strict, for readers that judge negative numbers themselves
};

/// The whole number that Kubernetes makes of a plain scalar: 8, 0x10, 010 (8), 0o10, 0b11, 1_000, 1e3, 8.0. Nothing for
/// texts, fractions and what 64 bits cannot hold.
std::optional<std::int64_t> yaml_int(std::string_view text);

/// What Kubernetes takes for true (`True`, `yes`) or false; nothing for other values.
std::optional<bool> bool_of(const Node& node);
bool is_true(const Node& node);
bool is_false(const Node& node);

Located<std::int64_t> read_int(const Node& node, FieldName field, std::vector<Finding>& findings,
                               IntStyle style = IntStyle::Strict);
Located<bool> read_bool(const Node& node, FieldName field, std::vector<Finding>& findings);
/// Any scalar; numbers and booleans are taken as they are written.
Located<std::string> read_text(const Node& node, FieldName field, std::vector<Finding>& findings);
Located<double> read_double(const Node& node, FieldName field, std::vector<Finding>& findings);
/// A Kubernetes quantity, quoted or not.
Located<Quantity> read_quantity(const Node& node, FieldName field, std::vector<Finding>& findings);

/// A finding of rule field-type where Kubernetes wants a text and YAML makes a plain scalar a number or a boolean, as
/// in an environment variable `value: 8`: the API server refuses it.
void require_text(const Node& node, FieldName field, std::vector<Finding>& findings);

/// What stands there, for messages: "`8gpus`", "a list", "a mapping", "nothing".
std::string describe(const Node& node);

}  // namespace muster
