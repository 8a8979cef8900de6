#pragma once

#include <string_view>
#include <vector>

#include "model/key_use.h"
#include "syntax/document.h"

namespace muster {

/// What others may name in an object (ConfigMap, Secret, Service), and what it names in others: variables and mounts of
/// pods, backends of Ingresses and HTTPRoutes, the default of the GPU Operator's device plugin. Nothing that is
/// optional, filled in later or of another namespace. File and bundle are not set yet.
void read_key_uses(const Node& object, std::string_view api_version, std::string_view kind,
                   std::vector<NamedKeys>& keys, std::vector<KeyUse>& uses);

/// The keys of a mapping; `open` where some of them are filled in later.
void take_keys(const Node& data, NamedKeys& out);

/// Source: NVIDIA/gpu-operator:controllers/object_controls.go (26.7), MigPartedDefaultConfigMapName.
inline constexpr std::string_view kDefaultMigConfig = "default-mig-parted-config";

}  // namespace muster
