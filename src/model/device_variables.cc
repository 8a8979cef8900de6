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

// Sources: docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html (2.28); NCCL_PARAM in NVIDIA/nccl:src (2.28).
constexpr auto kNccl = std::to_array<std::string_view>({
    "NCCL_ALGO",
    "NCCL_ALLOC_P2P_NET_LL_BUFFERS",
    "NCCL_BUFFSIZE",
    "NCCL_CGA_CLUSTER_SIZE",
    "NCCL_CHECKS_DISABLE",
    "NCCL_CHECK_POINTERS",
    "NCCL_CHUNK_SIZE",
    "NCCL_COLLNET_ENABLE",
    "NCCL_COLLNET_NODE_THRESHOLD",
    "NCCL_COMM_BLOCKING",
    "NCCL_COMM_ID",
    "NCCL_COMM_SHRINK_SHARE_RESOURCES",
    "NCCL_COMM_SPLIT_SHARE_RESOURCES",
    "NCCL_CONF_FILE",
    "NCCL_CREATE_THREAD_CONTEXT",
    "NCCL_CROSS_NIC",
    "NCCL_CTA_POLICY",
    "NCCL_CUMEM_ENABLE",
    "NCCL_CUMEM_HOST_ENABLE",
    "NCCL_DEBUG",
    "NCCL_DEBUG_FILE",
    "NCCL_DEBUG_SUBSYS",
    "NCCL_DEBUG_TIMESTAMP_FORMAT",
    "NCCL_DEBUG_TIMESTAMP_LEVELS",
    "NCCL_DMABUF_ENABLE",
    "NCCL_DYNAMIC_CHUNK_SIZE",
    "NCCL_ENV_PLUGIN",
    "NCCL_GDRCOPY_ENABLE",
    "NCCL_GDRCOPY_FIFO_ENABLE",
    "NCCL_GDRCOPY_FLUSH_ENABLE",
    "NCCL_GDRCOPY_SYNC_ENABLE",
    "NCCL_GIN_ENABLE",
    "NCCL_GIN_PLUGIN",
    "NCCL_GIN_TYPE",
    "NCCL_GRAPH_DUMP_FILE",
    "NCCL_GRAPH_FILE",
    "NCCL_GRAPH_HELPER_DISABLE",
    "NCCL_GRAPH_MIXING_SUPPORT",
    "NCCL_GRAPH_REGISTER",
    "NCCL_HOME",
    "NCCL_HOSTID",
    "NCCL_IB_ADAPTIVE_ROUTING",
    "NCCL_IB_ADDR_FAMILY",
    "NCCL_IB_ADDR_RANGE",
    "NCCL_IB_AR_THRESHOLD",
    "NCCL_IB_CUDA_SUPPORT",
    "NCCL_IB_DATA_DIRECT",
    "NCCL_IB_DISABLE",
    "NCCL_IB_ECE_ENABLE",
    "NCCL_IB_FIFO_TC",
    "NCCL_IB_GDR_FLUSH_DISABLE",
    "NCCL_IB_GID_INDEX",
    "NCCL_IB_HCA",
    "NCCL_IB_MERGE_NICS",
    "NCCL_IB_MERGE_VFS",
    "NCCL_IB_MQP_RETRY_ALL",
    "NCCL_IB_MQP_RETRY_CNT",
    "NCCL_IB_MQP_RETRY_SLEEP_MSEC",
    "NCCL_IB_PCI_RELAXED_ORDERING",
    "NCCL_IB_PKEY",
    "NCCL_IB_QPS_PER_CONNECTION",
    "NCCL_IB_RETRY_CNT",
    "NCCL_IB_RETURN_ASYNC_EVENTS",
    "NCCL_IB_ROCE_VERSION_NUM",
    "NCCL_IB_SL",
    "NCCL_IB_SPLIT_DATA_ON_QPS",
    "NCCL_IB_TC",
    "NCCL_IB_TIMEOUT",
    "NCCL_IB_USE_INLINE",
    "NCCL_IGNORE_CPU_AFFINITY",
    "NCCL_IGNORE_DISABLED_P2P",
    "NCCL_L1_SHARED_MEMORY_CARVEOUT",
    "NCCL_LAUNCH_MODE",
    "NCCL_LAUNCH_ORDER_IMPLICIT",
    "NCCL_LL128_BUFFSIZE",
    "NCCL_LL128_NTHREADS",
    "NCCL_LL_BUFFSIZE",
    "NCCL_LL_NTHREADS",
    "NCCL_LOCAL_REGISTER",
    "NCCL_MAX_CTAS",
    "NCCL_MAX_NCHANNELS",
    "NCCL_MAX_NRINGS",
    "NCCL_MAX_P2P_NCHANNELS",
    "NCCL_MIN_CTAS",
    "NCCL_MIN_NCHANNELS",
    "NCCL_MIN_NRINGS",
    "NCCL_MIN_P2P_NCHANNELS",
    "NCCL_MNNVL_ENABLE",
    "NCCL_NCHANNELS_PER_NET_PEER",
    "NCCL_NCHANNELS_PER_PEER",
    "NCCL_NET",
    "NCCL_NETDEVS_POLICY",
    "NCCL_NET_DISABLE_INTRA",
    "NCCL_NET_FORCE_FLUSH",
    "NCCL_NET_FORCE_MERGE",
    "NCCL_NET_GDR_C2C",
    "NCCL_NET_GDR_LEVEL",
    "NCCL_NET_GDR_READ",
    "NCCL_NET_MERGE_LEVEL",
    "NCCL_NET_OPTIONAL_RECV_COMPLETION",
    "NCCL_NET_OVERHEAD",
    "NCCL_NET_PLUGIN",
    "NCCL_NET_SHARED_BUFFERS",
    "NCCL_NET_SHARED_COMMS",
    "NCCL_NSOCKS_PERTHREAD",
    "NCCL_NTHREADS",
    "NCCL_NVB_DISABLE",
    "NCCL_NVLS_ENABLE",
    "NCCL_NVLS_NCHANNELS",
    "NCCL_OOB_NET_ENABLE",
    "NCCL_OOB_NET_IFNAME",
    "NCCL_P2P_DIRECT_DISABLE",
    "NCCL_P2P_DISABLE",
    "NCCL_P2P_LEVEL",
    "NCCL_P2P_NET_CHUNKSIZE",
    "NCCL_P2P_NVL_CHUNKSIZE",
    "NCCL_P2P_PCI_CHUNKSIZE",
    "NCCL_P2P_PXN_LEVEL",
    "NCCL_P2P_READ_ENABLE",
    "NCCL_P2P_USE_CUDA_MEMCPY",
    "NCCL_PROTO",
    "NCCL_PXN_DISABLE",
    "NCCL_SHM_DISABLE",
    "NCCL_SOCKET_FAMILY",
    "NCCL_SOCKET_IFNAME",
    "NCCL_SOCKET_NTHREADS",
    "NCCL_TOPO_FILE",
    "NCCL_TUNER_PLUGIN",
});

/// Slips that are more than a letter.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNcclSlips{{
    {"NCCL_IFNAME", "NCCL_SOCKET_IFNAME"},
    {"NCCL_SOCKET_INTERFACE", "NCCL_SOCKET_IFNAME"},
}};

/// One letter more, less or another, or two changed places.
bool is_slip(std::string_view word, std::string_view known) {
  const std::size_t longer = std::max(word.size(), known.size());
  if (longer - std::min(word.size(), known.size()) > 1) return false;
  std::size_t from = 0;
  while (from < word.size() && from < known.size() && word[from] == known[from]) ++from;
  const std::string_view a = word.substr(from);
  const std::string_view b = known.substr(from);
  if (word.size() > known.size()) return a.substr(1) == b;
  if (word.size() < known.size()) return a == b.substr(1);
  if (a.size() < 2) return true;
  return a.substr(1) == b.substr(1) || (a[0] == b[1] && a[1] == b[0] && a.substr(2) == b.substr(2));
}

/// What container programs hand to the inside, by the beginning of a name. Sources:
/// apptainer.org/docs/user/1.4/environment_and_metadata.html; docs.sylabs.io/guides/4.3/user-guide.
constexpr std::array<std::string_view, 2> kContainerPrefixes{"APPTAINERENV", "SINGULARITYENV"};

}  // namespace

std::string_view meant_nccl_variable(std::string_view name) {
  // PyTorch put its TORCH_ before the variables of its own alone: TORCH_NCCL_SOCKET_IFNAME is none.
  // Source: pytorch/pytorch:torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp (2.9).
  if (name.starts_with("TORCH_NCCL_")) {
    const std::string_view own = name.substr(6);
    return own != "NCCL_NAN_CHECK" && std::ranges::find(kNccl, own) != kNccl.end() ? own : std::string_view();
  }
  if (!name.starts_with("NCCL_") || std::ranges::find(kNccl, name) != kNccl.end()) return {};
  for (const auto& [slip, meant] : kNcclSlips) {
    if (name == slip) return meant;
  }
  constexpr std::size_t kShortest = 9;
  for (const std::string_view known : kNccl) {
    if (known.size() >= kShortest && is_slip(name, known)) return known;
  }
  return {};
}

std::string meant_container_variable(std::string_view name) {
  const std::size_t end = name.find("ENV_");
  if (end == name.npos) return {};
  const std::string_view prefix = name.substr(0, end + 3);
  for (const std::string_view known : kContainerPrefixes) {
    if (prefix == known) return {};
    if (edit_distance(prefix, known, 2) <= 2) return std::string(known) + std::string(name.substr(end + 3));
  }
  return {};
}

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
