#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lsp/asked_place.h"

namespace muster {

/// CompletionItems for what can stand at a place: keys and values of muster's own files, keys of Slurm's files, fields
/// of objects of Kubernetes. Null where nothing is known.
nlohmann::json completion(const AskedPlace& place);

}  // namespace muster
