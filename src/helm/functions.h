#pragma once

#include <string_view>

namespace muster {

/// Whether templates of charts may call it. Sources: golang/go:src/text/template/funcs.go (1.25);
/// Masterminds/sprig:functions.go (3.3), without env and expandenv; helm/helm:pkg/engine/funcs.go (3.16 to 4.0).
bool is_helm_function(std::string_view name);

}  // namespace muster
