#pragma once

#include "model/manifest.h"
#include "syntax/document.h"

namespace muster::ray_runtime_env {

/// A runtime_env of Ray as an object of `ray_runtime_envs`, without an id; `env` is a mapping.
Manifest runtime_env_of(const Node& env, ValueBlock& block);

}  // namespace muster::ray_runtime_env
