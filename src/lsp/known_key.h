#pragma once

#include <optional>
#include <string>

#include "lsp/asked_place.h"

namespace muster {

/// What is known of the key at a place, in Markdown.
struct KnownKey {
  TextRange where;
  std::string markdown;
};

/// The key at a place: of one of muster's own files, of Slurm's files, or of an object of Kubernetes.
std::optional<KnownKey> known_key_at(const AskedPlace& place);

}  // namespace muster
