#include "kubernetes/container_server.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/capped.h"
#include "base/strings.h"
#include "kubernetes/container_script.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxCommandWords = 1000;
constexpr std::size_t kMaxEnvironment = 1000;

/// A model server: how its image and its command are known, and where it listens by itself.
struct ModelServer {
  std::string_view id;
  std::string_view image;
  std::array<std::string_view, 3> commands;
  std::int64_t port;
};
// Sources: docs.vllm.ai/en/stable/cli/serve; docs.sglang.ai/advanced_features/server_arguments.html;
// huggingface/text-generation-inference:Dockerfile (3.3), PORT=80; docs.nvidia.com/deeplearning/triton-inference-server
// (25.06), quickstart; docs.nvidia.com/nim/large-language-models (1.12), NIM_SERVER_PORT;
// ggml-org/llama.cpp:tools/server (b6000), README; huggingface/text-embeddings-inference:Dockerfile (1.8), PORT=80.
constexpr std::array<ModelServer, 7> kServers{{
    {"vllm", "vllm-openai", {"vllm serve", "vllm.entrypoints", "--gpu-memory-utilization"}, 8000},
    {"sglang", "lmsysorg/sglang", {"sglang.launch_server", "sglang serve", "--mem-fraction-static"}, 30000},
    {"tgi",
     "huggingface/text-generation-inference",
     {"text-generation-launcher", "--num-shard", "--max-total-tokens"},
     80},
    {"triton", "nvidia/tritonserver", {"tritonserver", "--model-repository", "--model-control-mode"}, 8000},
    {"nim", "nvcr.io/nim/", {"/opt/nim/start", "/opt/nim/llm", "nim-llm"}, 8000},
    {"llama.cpp", "llama.cpp:server", {"llama-server", "llama_cpp.server", "llama.cpp/server"}, 8080},
    {"tei",
     "text-embeddings-inference",
     {"text-embeddings-router", "--max-client-batch-size", "--max-batch-requests"},
     80},
}};

/// Models for which Hugging Face asks who wants them. Sources: huggingface.co/docs/hub/models-gated; the cards of
/// huggingface.co/meta-llama and huggingface.co/google.
constexpr std::array<std::string_view, 3> kGatedModels{"meta-llama/", "google/gemma-2-", "google/gemma-3-"};

/// An image whose program is a shell, which without a terminal has nothing to read, or a sample of CUDA. Sources:
/// gitlab.com/nvidia/container-images/cuda, the Dockerfiles of hub.docker.com/_/ubuntu and its like.
bool is_base_image(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  if (colon != image.npos && (slash == image.npos || colon > slash)) image = image.substr(0, colon);
  for (const std::string_view host : {"docker.io/", "index.docker.io/"}) {
    if (image.starts_with(host)) image = image.substr(host.size());
  }
  if (image.starts_with("library/")) image = image.substr(8);
  constexpr std::array<std::string_view, 11> kBase{"alpine",
                                                   "bash",
                                                   "busybox",
                                                   "debian",
                                                   "nvidia/cuda",
                                                   "nvcr.io/nvidia/cuda",
                                                   "nvcr.io/nvidia/k8s/cuda-sample",
                                                   "k8s.gcr.io/cuda-vector-add",
                                                   "registry.k8s.io/cuda-vector-add",
                                                   "nvidia/samples",
                                                   "ubuntu"};
  return std::ranges::find(kBase, image) != kBase.end();
}

Located<std::int64_t> seconds_of(const Node& probe, FieldName key, std::int64_t otherwise) {
  std::vector<Finding> ignored;
  Located<std::int64_t> value = read_int(probe[key], key, ignored);
  if (value.state == State::Absent) value = defaulted_to(otherwise, probe.where(), key);
  return value;
}

}  // namespace

void ServerReader::read(Container& out) const {
  out.privileged = is_true(container_["securityContext"]["privileged"]);
  out.service_links = !is_false(pod_["enableServiceLinks"]);
  read_environment(out);
  read_server(out);
  read_model(out);
  read_idle(out);
  read_probes(out);
  read_outcome(out);
}

std::string ServerReader::command_text() const {
  std::string text;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container_[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxCommandWords); ++i)
      text.append(words.item(i).text()) += ' ';
  }
  return text;
}

void ServerReader::read_environment(Container& out) const {
  const Node env = container_["env"];
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxEnvironment); ++i) {
    const std::string_view name = env.item(i)["name"].text();
    const Node value = env.item(i)["value"];
    if (!value.is_scalar()) continue;
    if (name == "NVIDIA_VISIBLE_DEVICES")
      out.remarks.own().visible_devices = set_to(std::string(value.text()), value.where(), "NVIDIA_VISIBLE_DEVICES");
    const bool socket = name == "NCCL_NET" && equals_ignoring_case(value.text(), "Socket");
    if (socket || (name == "NCCL_IB_DISABLE" && value.text() == "1"))
      out.remarks.own().rdma_off = set_to(std::string(name) + "=" + std::string(value.text()), value.where(),
                                          socket ? "NCCL_NET" : "NCCL_IB_DISABLE");
    // Its own value stands before that of a Service.
    if (name == "VLLM_PORT") out.service_links = false;
  }
}

void ServerReader::read_server(Container& out) const {
  const std::string_view text = command_;
  if (contains(text, "-m dynamo.")) return;  // its workers get requests over NATS
  for (const ModelServer& server : kServers) {
    const bool by_image = contains(out.image.value, server.image);
    const bool by_command =
        std::ranges::any_of(server.commands, [&](std::string_view one) { return contains(text, one); });
    if (!by_command && (!by_image || container_["command"].exists())) continue;
    out.remarks.own().server = set_to(std::string(server.id), by_image ? out.image.where : out.where, "image");
    const bool moved = contains(text, "port") || contains(text, "-c ") || contains(text, "--config") ||
                       contains(text, ".sh") || contains(text, "uds") || contains(text, "PORT");
    const bool open =
        contains(text, "host") || contains(text, "$") || contains(text, ".sh") || contains(text, "nnodes");
    if (server.id == "sglang" && contains(text, "sglang.launch_server") && !open)
      out.remarks.own().loopback = set_to(
          std::string("sglang.launch_server"),
          container_["command"].exists() ? container_["command"].where() : container_["args"].where(), "command");
    bool by_variable = container_["envFrom"].exists();
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxEnvironment); ++i)
      by_variable = by_variable || contains(env.item(i)["name"].text(), "PORT");
    if (!moved && !by_variable) out.remarks.own().server_port = set_to(server.port, out.remarks->server->where, "port");
    return;
  }
}

bool ServerReader::may_have_model() const {
  if (container_["envFrom"].exists()) return true;
  const Node env = container_["env"];
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxEnvironment); ++i) {
    const std::string_view name = env.item(i)["name"].text();
    for (const std::string_view word : {"TOKEN", "HF_", "KEY", "HUGGING", "PROXY", "SECRET"}) {
      if (contains(name, word) && name != "HF_HOME" && name != "HF_HUB_ENABLE_HF_TRANSFER") return true;
    }
  }
  const Node mounts = container_["volumeMounts"];
  for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
    if (mounts.item(i)["mountPath"].text() != "/dev/shm") return true;
  }
  return false;
}

void ServerReader::read_model(Container& out) const {
  if (!out.remarks->server->is_set() || may_have_model()) return;
  const std::string_view text = command_;
  if (contains_ignoring_case(text, "token=") || contains_ignoring_case(text, "-token") || contains(text, "login") ||
      contains(text, "download-dir"))
    return;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container_[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxCommandWords); ++i) {
      const std::string_view word = words.item(i).text();
      const std::string_view name = word.substr(word.find('=') + 1);  // npos + 1 is 0
      const bool gated = std::ranges::any_of(kGatedModels, [&](std::string_view one) { return name.starts_with(one); });
      if (gated && name.find_first_of(" \n$") == name.npos)
        return void(out.remarks.own().gated_model = set_to(std::string(name), words.item(i).where(), FieldName(list)));
    }
  }
}

/// `bash -ec`, `-euo pipefail -c`
bool ServerReader::ends_at_errors() const {
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container_[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxCommandWords); ++i) {
      const std::string_view word = words.item(i).text();
      const bool options = word.size() > 1 && word.size() < 8 && word[0] == '-' && word[1] != '-';
      if (word == "errexit" || word == "pipefail" || (options && contains(word, "e"))) return true;
    }
  }
  return false;
}

void ServerReader::read_idle(Container& out) const {
  const std::string_view text = trim(command_);
  if (only_waits(text)) {
    const Node words = container_["command"].exists() ? container_["command"] : container_["args"];
    out.remarks.own().idle = set_to(std::string(text.substr(0, text.find('\n'))), words.where(), "command");
  }
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container_[list];
    if (!words.is_sequence() || words.size() == 0) continue;
    const Node last = words.item(words.size() - 1);
    const std::string wait = last.is_scalar() && !out.remarks->idle.is_set() ? wait_at_end(last.text()) : std::string();
    if (!wait.empty()) out.remarks.own().idle_after = set_to(wait, last.where(), FieldName(list));
    const std::string behind = last.is_scalar() ? never_reached(last.text()) : std::string();
    if (!behind.empty()) out.remarks.own().never_reached = set_to(behind, last.where(), FieldName(list));
    const std::string masked = last.is_scalar() && !ends_at_errors() ? hides_status(last.text()) : std::string();
    if (!masked.empty()) out.remarks.own().masked = set_to(masked, last.where(), FieldName(list));
  }
}

void ServerReader::read_outcome(Container& out) const {
  const std::string_view policy = pod_["restartPolicy"].text();
  out.always_restarted = policy.empty() || policy == "Always";
  const std::string_view text = command_;
  const bool ray = leaves_ray_behind(text);
  if (ray || only_looks(trim(text))) {
    const Node words = container_["command"].exists() ? container_["command"] : container_["args"];
    out.remarks.own().ends = set_to(ray ? std::string("ray start") : std::string(trim(text)), words.where(), "command");
    return;
  }
  if (container_["command"].exists() || container_["args"].exists() || is_true(container_["stdin"]) ||
      is_true(container_["tty"]) || container_["lifecycle"].exists() || !is_base_image(out.image.value))
    return;
  out.remarks.own().ends = set_to(out.image.value, out.image.where, "image");
}

void ServerReader::read_probes(Container& out) const {
  std::vector<Finding> ignored;
  out.asked_ready = container_["startupProbe"].exists() || container_["readinessProbe"].exists();
  for (const std::string_view name : {"startupProbe", "livenessProbe", "readinessProbe"}) {
    const Node probe = container_[name];
    Node asked = probe["httpGet"]["port"];
    if (!asked.exists()) asked = probe["tcpSocket"]["port"];
    if (!asked.exists() && !probe["grpc"].exists()) continue;
    if (!out.remarks->probe.is_set())
      out.remarks.own().probe = set_to(std::string(name), probe.key_where(), FieldName(name));
    if (out.remarks->probe_port.is_set() || !probe["httpGet"].exists()) continue;
    std::optional<std::int64_t> port = parse_int(asked.text());
    const Node ports = container_["ports"];
    for (std::size_t i = 0; !port && ports.is_sequence() && i < ports.size(); ++i) {
      if (ports.item(i)["name"].text() == asked.text()) port = parse_int(ports.item(i)["containerPort"].text());
    }
    if (port) out.remarks.own().probe_port = set_to(*port, asked.where(), "port");
  }
  const bool starts = container_["startupProbe"].exists();
  const Node alive = container_[starts ? "startupProbe" : "livenessProbe"];
  if (!alive.is_mapping()) return;
  const auto first = seconds_of(alive, "initialDelaySeconds", 0);
  const auto every = seconds_of(alive, "periodSeconds", 10);
  const auto times = seconds_of(alive, "failureThreshold", 3);
  if (!first.known() || !every.known() || !times.known()) return;
  // The first is asked after the delay, so that of n failures n - 1 have a period before them.
  const std::int64_t all =
      add_capped(first.value, multiply_capped(every.value, std::max<std::int64_t>(times.value - 1, 0)));
  if (starts) out.remarks.own().start_within = set_to(all, alive.key_where(), "startupProbe");
  if (!starts) out.remarks.own().killed_after = set_to(all, alive.key_where(), "livenessProbe");
}

}  // namespace muster
