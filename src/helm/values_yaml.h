#pragma once

#include <string>
#include <string_view>

#include "helm/engine.h"
#include "kustomize/tree.h"

namespace muster::helm {

/// A value as Helm reads YAML: words of YAML 1.1 are booleans, and every number is a float64 (sigs.k8s.io/yaml 1.6).
/// Scalars and keys keep their places.
Value value_of(const kustomize::Tree& tree, Store& store);

/// A document of YAML or JSON; false with the reason in `trouble`.
bool read_value(std::string_view text, Engine& engine, Value& out, std::string& trouble);

/// As `toYaml` writes it, without a line end behind it: keys sorted, lists as far to the left as their key. What it
/// writes counts as seen. Nothing where the engine failed.
std::string to_yaml(const Value& value, Engine& engine);

/// As encoding/json writes it; `pretty` in lines, `raw` without escapes for HTML.
std::string to_json(const Value& value, Engine& engine, bool pretty, bool raw);

}  // namespace muster::helm
