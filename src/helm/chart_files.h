#pragma once

#include <string>
#include <vector>

#include "helm/engine.h"

namespace muster::helm {

/// `.Files.Get`, `GetBytes`, `Glob`, `Lines`, `AsConfig`, `AsSecrets` (helm/helm:pkg/engine/files.go, 3.19).
Value file_method(Engine& engine, const Map& files, const std::string& name, const std::vector<Value>& arguments);

}  // namespace muster::helm
