#include "kubernetes/check_container.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "model/device_variables.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMaxItems = 1000;
constexpr std::size_t kMostNcclWords = 200;  // of one container

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

bool is_open(std::string_view text) {
  return is_placeholder(text) || text.find_first_of("$<>{}%") != text.npos || contains(text, "...");
}

/// A word in capitals is there to be replaced: REGISTRY/image.
bool has_blank(std::string_view reference) {
  for (const std::string_view part : split(reference, '/')) {
    const std::string_view name = part.substr(0, part.find_first_of(":@"));
    if (name.size() > 1 && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == name.npos &&
        name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != name.npos)
      return true;
  }
  const std::string low = to_lower(reference);
  return contains(low, "your") || contains(low, "replace") || contains(low, "placeholder") || contains(low, "todo");
}

/// Why a reference is none; empty: it is one. Source: distribution/reference:regexp.go and
/// normalize.go, splitDockerDomain (0.6).
std::string wrong_in(std::string_view reference) {
  if (contains(reference, "//")) return "it has an empty part between two slashes";
  if (reference.ends_with('/') || reference.ends_with(':')) return "it ends too early";
  const std::size_t slash = reference.find('/');
  const std::string_view first = reference.substr(0, slash);
  const bool host =
      slash != reference.npos && (contains(first, ".") || contains(first, ":") || first == "localhost" ||
                                  std::ranges::any_of(first, [](char c) { return c >= 'A' && c <= 'Z'; }));
  std::string_view path = host ? reference.substr(slash + 1) : reference;
  path = path.substr(0, path.find('@'));
  const std::size_t colon = path.rfind(':');
  const std::size_t last = path.rfind('/');
  if (colon != path.npos && (last == path.npos || colon > last)) path = path.substr(0, colon);
  if (contains(path, ":")) return "it has more than one `:`";
  if (path.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != path.npos)
    return "the name of a repository is in small letters";
  return {};
}

void check_image(const Node& image, std::vector<Finding>& findings) {
  if (!image.is_scalar()) return;
  const std::string_view text = image.text();
  // `:` and `:v1` are what a chart makes of a repository that its users name.
  if (text.empty() || text.front() == ':') return;
  const std::string wrong = wrong_in(text);  // first: nearly all are right
  if (wrong.empty() || is_open(text) || has_blank(text) || contains(text, "://") || contains(text, " ")) return;
  findings.push_back(problem("container-image-invalid", image.where(),
                             "`" + std::string(text) + "` is no reference to an image: " + wrong));
  findings.back().field = "image";
}

/// Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go, validateObjectFieldSelector (1.37).
void check_field(const Node& path, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 9> kFields{
      "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
      "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
  const std::string_view text = path.text();
  if (!path.is_scalar() || text.empty() || is_open(text)) return;
  if (std::ranges::find(kFields, text) != kFields.end()) return;
  const bool keyed = text.starts_with("metadata.labels[") || text.starts_with("metadata.annotations[");
  if (keyed || text.starts_with("spec.serviceAccount")) return;
  const bool whole = text == "metadata.labels" || text == "metadata.annotations";
  findings.push_back(problem(
      "variable-field-unsupported", path.where(),
      "a variable cannot be `" + std::string(text) + "` of its pod" +
          (whole ? "; it takes one of them: `" + std::string(text) + "['key']`" : did_you_mean(text, kFields))));
  findings.back().field = "fieldPath";
  findings.back().fix = spell_as_one_of(kFields, path.where(), text);
}

bool is_variable_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class NcclCheck {
 public:
  explicit NcclCheck(std::vector<Finding>& findings) : findings_(findings) {}

  void name(std::string_view word, const Node& at) {
    if (word.starts_with("TORCH_NCCL_")) return of_torch(word, at);
    if (!word.starts_with("NCCL_") || std::ranges::find(kNccl, word) != kNccl.end()) return;
    if (!seen_.insert(word).second || seen_.size() > kMostNcclWords) return;
    for (const std::string_view known : kNccl) {
      if (known.size() < 9 || !is_slip(word, known)) continue;
      findings_.push_back(
          problem("nccl-variable-unknown", at.where(),
                  "NCCL has no variable `" + std::string(word) + "`; did you mean `" + std::string(known) + "`?"));
      findings_.back().field = word;
      findings_.back().fix = Fix{.where = at.where(), .from = std::string(word), .to = std::string(known)};
      return;
    }
  }

  /// `export NCCL_X=1`, `-x NCCL_X=1`, `-x NCCL_X`.
  void script(const Node& text) {
    const std::string_view all = text.text();
    for (std::size_t at = all.find("NCCL_"); at != all.npos; at = all.find("NCCL_", at + 5)) {
      if (at > 0 && is_variable_letter(all[at - 1])) continue;
      std::size_t end = at;
      while (end < all.size() && is_variable_letter(all[end])) ++end;
      const bool set = end < all.size() && all[end] == '=';
      const bool passed = at > 2 && all.substr(at - 3, 3) == "-x ";
      if (set || passed) name(all.substr(at, end - at), text);
    }
  }

 private:
  /// PyTorch put its TORCH_ before the variables of its own alone: TORCH_NCCL_SOCKET_IFNAME is none.
  /// Source: pytorch/pytorch:torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp (2.9).
  void of_torch(std::string_view word, const Node& at) {
    const std::string_view own = word.substr(6);
    if (own == "NCCL_NAN_CHECK" || std::ranges::find(kNccl, own) == kNccl.end() || !seen_.insert(word).second) return;
    findings_.push_back(problem(
        "nccl-variable-unknown", at.where(),
        "neither PyTorch nor NCCL reads `" + std::string(word) + "`; did you mean `" + std::string(own) + "`?"));
    findings_.back().field = word;
    findings_.back().fix = Fix{.where = at.where(), .from = std::string(word), .to = std::string(own)};
  }

  /// One letter more, less or another, or two changed places.
  static bool is_slip(std::string_view word, std::string_view known) {
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

  std::vector<Finding>& findings_;
  std::set<std::string_view> seen_;
};

void check_device_variable(const Node& name, std::vector<Finding>& findings) {
  const std::string_view meant = meant_device_variable(name.text());
  if (meant.empty()) return;
  findings.push_back(
      problem("device-variable-misspelt", name.where(),
              "`" + std::string(name.text()) + "` is read by nothing; did you mean `" + std::string(meant) + "`?"));
  findings.back().field = name.text();
  findings.back().fix = spell(name.where(), meant);
}

/// Whether a rendezvous of several nodes has an id that each pod makes up for itself.
bool has_own_rendezvous(std::string_view text) {
  const std::size_t nodes = text.find("--nnodes");
  const std::size_t id = std::min(text.find("--rdzv_id"), text.find("--rdzv-id"));
  if (nodes == text.npos || id == text.npos || contains(text, "--standalone")) return false;
  const std::string_view count = text.substr(nodes + 8, 3);
  if (count == "=1 " || count == " 1 " || count == "=1\n" || count == "=1") return false;
  const std::string_view value = text.substr(id + 10, text.find_first_of(" \n\\", id + 10) - (id + 10));
  for (const std::string_view own : {"$RANDOM", "${RANDOM}", "$$", "$HOSTNAME", "${HOSTNAME}", "$POD_NAME",
                                     "${POD_NAME}", "$(hostname", "$(uuidgen"}) {
    if (contains(value, own)) return true;
  }
  return false;
}

void check_rendezvous(const Node& text, std::vector<Finding>& findings) {
  if (!has_own_rendezvous(text.text())) return;
  findings.push_back(problem("rendezvous-id-differs", text.where(),
                             "each pod makes up an id of its own for the rendezvous: --rdzv_id"));
  findings.back().field = "rdzv_id";
}

/// Source: kubernetes/kubernetes:pkg/probe/util.go, ResolveContainerPort (1.36): a name is looked up among the ports of
/// the same container.
void check_probe_port(const Node& container, std::string_view probe, std::string_view way,
                      std::vector<Finding>& findings) {
  const Node port = container[probe][way]["port"];
  const std::string_view name = port.text();
  const bool named = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!named || is_open(name)) return;
  const Node ports = container["ports"];
  std::vector<std::string_view> known;
  for (std::size_t i = 0; ports.is_sequence() && i < std::min(ports.size(), kMaxItems); ++i) {
    known.push_back(ports.item(i)["name"].text());
    if (known.back() == name || is_open(known.back()) || !ports.item(i).is_mapping()) return;
  }
  if (known.empty() || ports.size() > kMaxItems) return;
  findings.push_back(problem("probe-port-name-unknown", port.where(),
                             std::string(probe) + " asks at port `" + std::string(name) +
                                 "`, and no port of the container is called so" + did_you_mean(name, known)));
  findings.back().field = "port";
  findings.back().about = About::Whole;
}

}  // namespace

void check_liveness(const Node& node, std::vector<Finding>& findings) {
  const Node times = node["livenessProbe"]["failureThreshold"];
  if (times.text() != "1") return;
  const Node limits = node["resources"]["limits"];
  for (std::size_t i = 0; limits.is_mapping() && i < std::min(limits.size(), kMaxItems); ++i) {
    const std::string_view name = limits.key(i).text();
    // Dynamo's own word for the accelerators of a service.
    if (name != "gpu" && !is_accelerator(name)) continue;
    findings.push_back(problem("liveness-fails-at-once", times.where(),
                               "one late answer to this livenessProbe ends the container: failureThreshold is 1"));
    findings.back().field = "failureThreshold";
    return;
  }
}

/// The last one counts. Source: kubernetes/kubernetes:pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables (1.36).
void check_repeated(const Node& env, std::vector<Finding>& findings) {
  std::map<std::string_view, Node> values;
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxItems); ++i) {
    const Node name = env.item(i)["name"];
    if (name.text().empty() || is_open(name.text())) continue;
    const auto [before, fresh] = values.try_emplace(name.text(), env.item(i));
    const Node first = before->second["value"];
    if (fresh || (first.exists() && first.text() == env.item(i)["value"].text())) continue;
    findings.push_back(problem("container-variable-twice", name.where(),
                               "`" + std::string(name.text()) + "` was set above, to something else"));
    findings.back().field = name.text();
    findings.back().related.push_back({before->second["name"].where(), "does not count"});
    return;
  }
}

void check_container(const Node& container, std::vector<Finding>& findings) {
  check_image(container["image"], findings);
  NcclCheck nccl(findings);
  const Node env = container["env"];
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxItems); ++i) {
    nccl.name(env.item(i)["name"].text(), env.item(i)["name"]);
    check_device_variable(env.item(i)["name"], findings);
    check_field(env.item(i)["valueFrom"]["fieldRef"]["fieldPath"], findings);
  }
  check_repeated(env, findings);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    for (const std::string_view way : {"httpGet", "tcpSocket"}) check_probe_port(container, probe, way, findings);
  }
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxItems); ++i) {
      if (!words.item(i).is_scalar()) continue;
      nccl.script(words.item(i));
      check_rendezvous(words.item(i), findings);
    }
  }
}

}  // namespace muster
