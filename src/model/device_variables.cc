#include "model/device_variables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

// Sources: docs.nvidia.com/cuda/cuda-c-programming-guide, Environment Variables (13.0); NVIDIA container toolkit,
// docker-specialized.html; rocm.docs.amd.com/en/latest/conceptual/gpu-isolation.html and reference/env-variables.html
// (7.0); pytorch.org/docs/stable/notes/cuda.html; openmp.org (5.2), OMP_NUM_THREADS.
constexpr std::array<std::string_view, 15> kVariables{
    "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_DEVICE_ORDER",      "CUDA_LAUNCH_BLOCKING",      "CUDA_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",          "HIP_VISIBLE_DEVICES",    "HSA_FORCE_FINE_GRAIN_PCIE", "HSA_OVERRIDE_GFX_VERSION",
    "NVIDIA_DRIVER_CAPABILITIES",  "NVIDIA_VISIBLE_DEVICES", "OMP_NUM_THREADS",           "PYTORCH_ALLOC_CONF",
    "PYTORCH_CUDA_ALLOC_CONF",     "PYTORCH_HIP_ALLOC_CONF", "ROCR_VISIBLE_DEVICES",
};
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kSlips{{
    {"CUDA_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"},
    {"HSA_FORCE_FINE_GRAIN_PRICE", "HSA_FORCE_FINE_GRAIN_PCIE"},
    {"PYTORCH_CUDA_ALLOC_CONFIG", "PYTORCH_CUDA_ALLOC_CONF"},
    {"TORCH_CUDA_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"},
}};

}  // namespace

std::string_view meant_device_variable(std::string_view name) {
  constexpr std::size_t kShortest = 14;
  if (name.size() < kShortest || std::ranges::find(kVariables, name) != kVariables.end()) return {};
  for (const auto& [slip, meant] : kSlips) {
    if (name == slip) return meant;
  }
  for (const std::string_view known : kVariables) {
    if (edit_distance(name, known, 1) <= 1) return known;
  }
  return {};
}

}  // namespace muster
