// What `ray job submit --runtime-env FILE` gives to a job: packages, variables and files of its workers.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/strings.h"
#include "input/artifact.h"
#include "input/kind.h"
#include "kubernetes/manifests.h"
#include "kubernetes/ray_runtime_env.h"

namespace muster::ray_runtime_env {
namespace {

/// Source: ray-project/ray:python/ray/runtime_env/runtime_env.py, RuntimeEnv.known_fields (2.50).
bool is_field(std::string_view key) {
  constexpr std::array<std::string_view, 19> kFields{
      "_nsight",    "conda",         "config",     "container",       "docker", "eager_install",
      "env_vars",   "excludes",      "image_uri",  "java_jars",       "mpi",    "nsight",
      "pip",        "py_executable", "py_modules", "secret_env_vars", "uv",     "worker_process_setup_hook",
      "working_dir"};
  return std::ranges::find(kFields, key) != kFields.end();
}

/// A word that stands for a field, and is none.
bool is_meant(std::string_view key) {
  constexpr std::array<std::string_view, 12> kSlips{"env-vars",  "env_var",   "envs",        "py-modules",
                                                    "py_module", "pymodules", "setup_hook",  "setup-hook",
                                                    "work_dir",  "workdir",   "working-dir", "workingDir"};
  if (std::ranges::find(kSlips, key) != kSlips.end()) return true;
  return !key.empty() && (key.back() == '"' || key.back() == '\'') && is_field(key.substr(0, key.size() - 1));
}

}  // namespace

/// By its keys alone: all are fields or meant to be, and several of them are Ray's.
bool recognises(const Artifact& artifact) {
  const Node root = artifact.object;
  if (!root.is_mapping() || !(root["env_vars"].is_mapping() || root["py_modules"].is_sequence())) return false;
  std::size_t fields = 0;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const std::string_view key = root.key(i).text();
    if (!is_field(key) && !is_meant(key)) return false;
    fields += is_field(key) ? 1 : 0;
  }
  return fields > 1;
}

Manifest runtime_env_of(const Node& env, ValueBlock& block) {
  std::vector<std::string> slips;
  Span first;
  for (std::size_t i = 0; i < env.size(); ++i) {
    const std::string_view key = env.key(i).text();
    if (!is_meant(key)) continue;
    if (slips.empty()) first = env.key(i).where();
    slips.push_back("`" + std::string(key) + "`");
  }
  const Located<std::string> named = slips.empty() ? Located<std::string>{} : set_to(join(slips, ", "), first, "slips");
  return whole_document(env, "ray_runtime_envs", "config", "slips", named, block);
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  Manifest one = runtime_env_of(artifact.object, context.model.values);
  one.name = set_to(std::string("runtime_env"), artifact.object.where(), "runtime_env");
  keep_document(std::move(one), "ray-runtime-env", context.file.path, context);
}

}  // namespace muster::ray_runtime_env
