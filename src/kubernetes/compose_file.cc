// A file of Docker Compose: clusters to try things on are made of them, and servers with GPUs.
#include <algorithm>
#include <array>

#include "input/artifact.h"
#include "input/kind.h"
#include "kubernetes/manifests.h"

namespace muster::compose_file {
namespace {

/// Source: https://docs.docker.com/reference/compose-file/ (2025-11).
bool is_top_key(std::string_view key) {
  constexpr std::array<std::string_view, 9> kKeys{"version", "name",    "services", "networks", "volumes",
                                                  "configs", "secrets", "models",   "include"};
  return key.starts_with("x-") || std::ranges::find(kKeys, key) != kKeys.end();
}

}  // namespace

bool recognises(const Artifact& artifact) {
  const Node root = artifact.object;
  const Node services = root["services"];
  if (!services.is_mapping() || services.size() == 0) return false;
  for (std::size_t i = 0; i < root.size(); ++i) {
    if (!is_top_key(root.key(i).text())) return false;
  }
  for (std::size_t i = 0; i < services.size(); ++i) {
    const Node service = services.value(i);
    if (!service.is_mapping()) return false;
    const bool made = service["image"].exists() || service["build"].exists() || service["extends"].exists();
    // An override has what differs alone.
    if (!made && !service["volumes"].exists() && !service["environment"].exists() && !service["deploy"].exists())
      return false;
  }
  return true;
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  Manifest one = whole_document(artifact.object, "compose_files", "config", "",
                                set_to(std::string("compose"), artifact.object.where(), "name"), context.model.values);
  keep_document(std::move(one), "compose-file", context.file.path, context);
}

}  // namespace muster::compose_file
