#pragma once

#include <string_view>

#include "model/key_use.h"
#include "syntax/document.h"

namespace muster {

/// Whether objects of that kind become a Secret each: ExternalSecret, SealedSecret.
bool makes_secret(std::string_view group, std::string_view kind);

/// The keys of that Secret and its name; `open` where there may be others.
NamedKeys read_made_secret(const Node& object, std::string_view api_version, std::string_view kind);

/// Whether a controller of the cluster fills in the Secret. Sources: mittwald/kubernetes-secret-generator:README.md,
/// mittwald/kubernetes-replicator:README.md, emberstack/kubernetes-reflector:README.md.
bool is_filled_by_controller(const Node& object);

}  // namespace muster
