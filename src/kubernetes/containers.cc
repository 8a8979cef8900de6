#include "kubernetes/containers.h"

#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/coupling.h"
#include "gang/manifest.h"
#include "gang/pod_template.h"
#include "kubernetes/check_command.h"
#include "kubernetes/check_container.h"
#include "kubernetes/check_names.h"
#include "kubernetes/check_resources.h"
#include "kubernetes/container_script.h"
#include "kubernetes/container_server.h"
#include "kubernetes/endless_sidecar.h"
#include "kubernetes/server_options.h"
#include "kubernetes/shifted_rank.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr int kMaxLevels = 100;             // a pod template lies some ten levels deep
constexpr std::size_t kMaxSteps = 500'000;  // through one object: aliases repeat
constexpr std::size_t kMaxWords = 1000;     // of a command

using Names = std::span<const std::string_view>;
// Sources: docs.pytorch.org/docs/stable/elastic/run.html; docs.vllm.ai/en/stable/cli/serve; SGLang's
// python/sglang/srt/server_args.py; trtllm-serve; text-generation-launcher.
constexpr std::array<std::string_view, 2> kProcesses{"--nproc_per_node", "--nproc-per-node"};
constexpr std::array<std::string_view, 7> kTensor{
    "--tensor-parallel-size", "--tensor_parallel_size", "-tp", "--tp", "--tp-size", "--tp_size", "--num-shard"};
constexpr std::array<std::string_view, 6> kPipeline{
    "--pipeline-parallel-size", "--pipeline_parallel_size", "-pp", "--pp", "--pp-size", "--pp_size"};
constexpr std::array<std::string_view, 12> kOtherNodes{
    "--nnodes",   "--nodes",       "--dist-init-addr",        "--node-rank",
    "--headless", "ray",           "LWS_GROUP_SIZE",          "LWS_LEADER_ADDRESS",
    "mpirun",     "--master-addr", "--data-parallel-address", "srun"};
// Those with a dash are options of xDiT, those with `finetune` recipes of torchtune.
constexpr std::array<std::string_view, 12> kLaunchers{"torchrun",
                                                      "torch.distributed.run",
                                                      "torch.distributed.launch",
                                                      "deepspeed",
                                                      "horovodrun",
                                                      "mpirun",
                                                      "accelerate",
                                                      "all_reduce_perf",
                                                      "full_finetune_distributed",
                                                      "lora_finetune_distributed",
                                                      "--ulysses_parallel_degree",
                                                      "--pipefusion_parallel_degree"};

void drop_server(Container& out) {
  if (out.remarks->server->state != State::Absent) out.remarks.own().server = {};
}

class ContainerReader {
 public:
  /// `group_size`: of the LeaderWorkerSet that it stands in.
  ContainerReader(const Node& pod_spec, const Node& container, const Node& group_size)
      : pod_(pod_spec), container_(container), group_size_(group_size) {
    read_words();
  }

  void run(Container& out) {
    out.where = container_["name"].exists() ? container_["name"].where() : container_.where();
    out.name = set_to(std::string(container_["name"].text()), out.where, "name");
    if (const Node image = container_["image"]; image.is_scalar() && !image.text().empty())
      out.image = set_to(std::string(image.text()), image.where(), "image");
    read_accelerators(out);
    ServerReader(pod_, container_).read(out);
    out.processes = number_of(kProcesses);
    if (!out.processes->is_set()) out.processes = accelerate_processes();
    if (!out.accelerator.is_set()) {
      // Asked for elsewhere, or not at all.
      const bool open = container_["resources"].is_scalar() || container_["resources"]["claims"].exists() ||
                        pod_["runtimeClassName"].exists() || has_extended_resource();
      out.accelerator = defaulted_to<std::string>("", container_.where(), "resources");
      out.accelerators = defaulted_to<std::int64_t>(0, container_.where(), "resources");
      if (open || !speaks_of_gpus()) out.processes = {};
      if (open || out.privileged || out.remarks->visible_devices->is_set() || !needs_cuda(out)) drop_server(out);
      return;
    }
    out.parallel = number_of(kTensor);
    if (out.remarks->server->value == "tgi" && !out.parallel->is_set()) {
      const Node shards = variable("NUM_SHARD");
      if (const auto number = parse_int(shards.text()); number && *number > 0)
        out.parallel = set_to(*number, shards.where(), "NUM_SHARD");
    }
    const Located<std::int64_t> stages = number_of(kPipeline);
    if (out.parallel->is_set() && stages.is_set())
      out.parallel =
          set_to(multiply_capped(out.parallel->value, stages.value), out.parallel->where, out.parallel->field);
    each_word([&](std::size_t, const Node& word, std::string_view text) {
      for (const std::string_view name : kOtherNodes) out.several_nodes |= find_word(text, name) != text.npos;
      for (const std::string_view name : kLaunchers) {
        if (!out.collective.is_set() && find_word(text, name) != text.npos)
          out.collective = set_to(std::string(name), word.where(), "command");
      }
    });
    if (!out.collective.is_set() && out.parallel->is_set() && out.parallel->value > 1)
      out.collective = set_to(std::string("a tensor parallel size"), out.parallel->where, "command");
    read_used(out);
    constexpr std::array<std::string_view, 1> kNodes{"--nnodes"};
    if (!leaves_ranks_to_others(container_)) out.nodes = number_of(kNodes);
    read_memory_share(out);
    out.shared_memory = has_shared_memory();
    read_security(out);
    read_end(out);
  }

 private:
  /// Devices of the first accelerator it names; several kinds in one container are too rare to be judged.
  void read_accelerators(Container& out) const {
    std::vector<Finding> ignored;
    for (const std::string_view list : {"limits", "requests"}) {
      const Node resources = container_["resources"][list];
      for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
        if (out.accelerator.is_set() || !is_accelerator(resources.key(i).text())) continue;
        const Located<Quantity> amount = read_quantity(resources.value(i), "resources", ignored);
        if (amount.state == State::Absent || (amount.known() && amount.value.whole == 0 && amount.value.nano == 0))
          continue;
        const Span where = resources.value(i).where();
        if (amount.known() && amount.value.nano != 0)
          out.remarks.own().fraction = set_to(std::string(resources.value(i).text()), where, "resources");
        out.accelerator = set_to(std::string(resources.key(i).text()), where, "resources");
        out.accelerators = amount.known()
                               ? set_to(amount.value.whole + (amount.value.nano > 0 ? 1 : 0), where, "resources")
                               : unknown_until<std::int64_t>(amount.needs(), where, "resources");
      }
    }
  }

  /// A request that has no limit, or another one. Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go
  /// (1.37).
  void read_unlimited(Container& out) const {
    std::vector<Finding> ignored;
    const Node requests = container_["resources"]["requests"];
    for (std::size_t i = 0; requests.is_mapping() && i < requests.size() && !out.remarks->unlimited->is_set(); ++i) {
      const std::string_view name = requests.key(i).text();
      if (!is_accelerator(name)) continue;
      const Located<Quantity> request = read_quantity(requests.value(i), "requests", ignored);
      const Located<Quantity> limit = read_quantity(container_["resources"]["limits"][name], "limits", ignored);
      if (request.known() && (limit.state == State::Absent || (limit.known() && limit.value != request.value)))
        out.remarks.own().unlimited = set_to(std::string(name), requests.value(i).where(), "requests");
    }
  }

  void read_memory_share(Container& out) const {
    constexpr std::string_view kOption = "--gpu-memory-utilization";
    each_word([&](std::size_t i, const Node& word, std::string_view text) {
      const Node next = text == kOption ? behind(i, word) : Node{};
      const std::string_view value = next.exists() ? next.text() : option_value(text, kOption);
      if (value.empty()) return;
      out.remarks.own().memory_share = set_to(std::string(value), next.exists() ? next.where() : word.where(), "command");
    });
  }

  /// Devices of one server without replicas of its model: what splits it, and one where nothing does. vLLM and SGLang
  /// take the first devices and leave the others. Sources: docs.vllm.ai/en/stable/serving/parallelism_scaling;
  /// docs.sglang.ai/advanced_features/server_arguments.html.
  void read_used(Container& out) const {
    const bool vllm = out.remarks->server->value == "vllm";
    if (!vllm && out.remarks->server->value != "sglang") return;
    constexpr std::array<std::string_view, 1> kHosts{"--nnodes"};
    const Located<std::int64_t> hosts = number_of(kHosts);
    if (!vllm && hosts.is_set() && hosts.value > 1 && out.parallel->is_set()) {  // its sizes are those of all hosts
      if (out.parallel->value % hosts.value == 0)
        out.remarks.own().used = set_to(out.parallel->value / hosts.value, out.parallel->where, "command");
      return;
    }
    std::string all;
    each_word([&](std::size_t, const Node&, std::string_view text) { all.append(text) += ' '; });
    for (const std::string_view open : {"data-parallel", "data_parallel", "-dp", "--config", "--omni",
                                        "--stage-configs", "$", "{{", ".sh", ".py", "_VISIBLE_DEVICES", "--device"}) {
      if (contains(all, open)) return;
    }
    if (out.several_nodes || variable("CUDA_VISIBLE_DEVICES").exists()) return;
    if (container_["command"].exists() && !contains(all, vllm ? "vllm" : "sglang")) return;
    if (count_of_words(all, "serve ") > 1 || count_of_words(all, "--port") > 1) return;
    out.remarks.own().used = out.parallel->is_set() ? out.parallel.located()
                                                    : set_to<std::int64_t>(1, out.remarks->server->where, "command");
  }

  /// Any resource of a vendor: shares of devices have many names.
  bool has_extended_resource() const {
    for (const std::string_view list : {"limits", "requests"}) {
      const Node resources = container_["resources"][list];
      if (resources.is_scalar()) return true;
      for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
        if (contains(resources.key(i).text(), "/") || resources.key(i).is_mapping()) return true;
      }
    }
    return false;
  }

  /// The image of vLLM that has no part for CPUs. Source: docs.vllm.ai/en/stable/deployment/docker.
  bool needs_cuda(const Container& out) const {
    const std::string& image = out.image.value;
    bool other = contains(image, "cpu") || contains(image, "tpu") || contains(image, "xpu");
    each_word([&](std::size_t, const Node&, std::string_view text) { other |= contains(text, "cpu"); });
    return contains(image, "vllm/vllm-openai") && !other && container_["resources"].size() > 0;
  }

  /// Words that only programs on GPUs use.
  bool speaks_of_gpus() const {
    const std::string_view image = container_["image"].text();
    bool found = image.starts_with("nvcr.io/nvidia/") || image.starts_with("nvidia/cuda:");
    each_word([&](std::size_t, const Node&, std::string_view text) {
      found = found || contains(text, "nccl") || contains(text, "NCCL_");
    });
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < env.size(); ++i) {
      const std::string_view name = env.item(i)["name"].text();
      if (name == "NVIDIA_VISIBLE_DEVICES" || name == "CUDA_VISIBLE_DEVICES") return false;  // from outside
      found = found || name.starts_with("NCCL_") || env.item(i)["value"].text() == "nccl";
    }
    return found;
  }

  /// Source: docs.nvidia.com/networking/display/cokan10, RDMA shared device plugin.
  void read_security(Container& out) const {
    const Node security = container_["securityContext"];
    out.locks_memory = out.privileged;
    const Node added = is_kept_from_root(pod_, container_) ? Node{} : security["capabilities"]["add"];
    for (std::size_t i = 0; added.is_sequence() && i < added.size(); ++i) {
      const std::string_view name = added.item(i).text();
      out.locks_memory |= name == "IPC_LOCK" || name == "CAP_IPC_LOCK" || name == "ALL" || name == "all";
    }
    for (const std::string_view list : {"limits", "requests"}) {
      const Node resources = container_["resources"][list];
      for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
        if (contains(resources.key(i).text(), "rdma"))
          out.remarks.own().rdma = set_to(std::string(resources.key(i).text()), resources.key(i).where(), "resources");
      }
    }
    read_unlimited(out);
  }

  /// How long it may take to end, and how long it waits before it begins to.
  void read_end(Container& out) const {
    std::vector<Finding> ignored;
    out.grace = read_int(pod_["terminationGracePeriodSeconds"], "terminationGracePeriodSeconds", ignored);
    if (out.grace.state == State::Absent)
      out.grace = defaulted_to<std::int64_t>(30, out.grace.where, "terminationGracePeriodSeconds");
    const Node hook = container_["lifecycle"]["preStop"];
    if (const Node seconds = hook["sleep"]["seconds"]; seconds.exists())
      out.remarks.own().stop_delay = read_int(seconds, "seconds", ignored);
    const Node words = hook["exec"]["command"];
    for (std::size_t i = 0; words.is_sequence() && i < words.size(); ++i) {
      const std::string_view text = words.item(i).text();
      const std::size_t at = find_word(text, "sleep");
      std::string_view number = at == text.npos ? std::string_view() : trim(text.substr(at + 5));
      if (text == "sleep" && i + 1 < words.size()) number = words.item(i + 1).text();
      number = number.substr(0, number.find_first_not_of("0123456789"));
      if (const std::optional<std::int64_t> seconds = parse_int(number))
        out.remarks.own().stop_delay = set_to(*seconds, words.item(i).where(), "preStop");
    }
  }

  /// A word of the command.
  struct Word {
    std::size_t place;  ///< in its list
    Node node;
    std::string_view text;  ///< without comments and what it installs
  };

  void read_words() {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = container_[list];
      for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxWords); ++i) {
        const Node word = words.item(i);
        if (!word.is_scalar()) continue;
        std::string_view text = word.text();
        if (contains(text, "#") || contains(text, " install ")) text = shortened_.emplace_back(what_runs_of(text));
        words_.push_back({i, word, text});
      }
    }
  }

  /// Calls visit(place in the list, node, text) with each word of the command.
  template <class Visit>
  void each_word(const Visit& visit) const {
    for (const Word& word : words_) visit(word.place, word.node, word.text);
  }

  /// `accelerate launch` says the ranks of all machines. Where no option says how many machines there are, a
  /// configuration may. Source: huggingface/accelerate:src/accelerate/utils/launch.py, prepare_multi_gpu_env (1.0).
  Located<std::int64_t> accelerate_processes() const {
    bool launches = false, configured = false;
    each_word([&](std::size_t, const Node&, std::string_view text) {
      launches |= find_word(text, "accelerate") != text.npos;
      configured |= contains(text, "--config_file") || contains(text, "--cpu") || contains(text, "--use_cpu");
    });
    if (!launches) return {};
    constexpr std::array<std::string_view, 2> kAll{"--num_processes", "--num-processes"};
    constexpr std::array<std::string_view, 2> kMachines{"--num_machines", "--num-machines"};
    Located<std::int64_t> out = number_of(kAll);
    const Located<std::int64_t> machines = number_of(kMachines);
    if (!out.is_set() || (configured && !machines.is_set())) return {};
    if (machines.is_set()) out.value /= machines.value;
    return out.value > 0 ? out : Located<std::int64_t>{};
  }

  /// The number behind one of the options, as a word of its own or within a script; absent where none is written.
  Located<std::int64_t> number_of(Names names) const {
    Located<std::int64_t> out;
    each_word([&](std::size_t i, const Node& word, std::string_view text) {
      if (text.find('-') == text.npos) return;  // each option has one
      for (const std::string_view name : names) {
        if (out.is_set()) return;
        if (text.size() < name.size()) continue;
        Node at = word;
        std::string_view value = option_value(text, name);
        if (value.empty() && text != name) continue;
        if (text == name) {
          at = behind(i, word);
          value = at.text();
        }
        if (value.starts_with("$(") && value.ends_with(')')) {
          if (const Node said = variable(value.substr(2, value.size() - 3)); said.exists()) {
            at = said;
            value = said.text();
          }
        }
        if (const std::optional<std::int64_t> number = parse_int(value); number && *number > 0)
          out = set_to(*number, at.where(), "command");
      }
    });
    return out;
  }

  /// The value of a variable of the container.
  Node variable(std::string_view name) const {
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxWords); ++i) {
      if (env.item(i)["name"].text() == name) return env.item(i)["value"];
    }
    // Its webhook sets that: kubernetes-sigs/lws:pkg/utils/pod/pod_utils.go (0.10).
    if (name == "LWS_GROUP_SIZE") return group_size_;
    return {};
  }

  /// The word behind word i of the list that holds it.
  Node behind(std::size_t i, const Node& word) const {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = container_[list];
      if (words.is_sequence() && i < words.size() && words.item(i).where().begin == word.where().begin)
        return i + 1 < words.size() ? words.item(i + 1) : Node{};
    }
    return {};
  }

  bool has_shared_memory() const {
    if (is_true(pod_["hostIPC"])) return true;
    const Node mounts = container_["volumeMounts"];
    for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
      std::string_view path = mounts.item(i)["mountPath"].text();
      if (path.ends_with('/')) path.remove_suffix(1);
      if (path == "/dev/shm" || path == "/dev") return true;
    }
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < env.size(); ++i) {
      if (env.item(i)["name"].text() == "NCCL_SHM_DISABLE" && env.item(i)["value"].text() == "1") return true;
    }
    bool off = false;
    each_word([&](std::size_t, const Node&, std::string_view text) { off |= contains(text, "NCCL_SHM_DISABLE=1"); });
    return off;
  }

  Node pod_;
  Node container_;
  Node group_size_;
  std::deque<std::string> shortened_;  ///< texts of words that are not as they stand
  std::vector<Word> words_;
};

/// Looks for pod templates by their shape: a list `containers` of which one asks for accelerators or uses them.
class PodSearch {
 public:
  /// KubeRay puts the words of a command before `ray start` in a script: ray-operator/controllers/ray/common/pod.go.
  PodSearch(const Node& object, std::string_view kind, Boxed<Container>& out, std::vector<Finding>& findings)
      : kind_(kind),
        of_ray_(kind.starts_with("Ray")),
        of_argo_(kind.ends_with("Workflow") || kind.ends_with("WorkflowTemplate")),
        in_shell_(of_ray_ || kind.starts_with("Dynamo")),
        group_size_(object["spec"]["leaderWorkerTemplate"]["size"]),
        out_(out),
        findings_(findings) {}

  void run(const Node& node, int level = 0) {
    if (level > kMaxLevels || ++steps_ > kMaxSteps) return;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) run(node.item(i), level + 1);
    if (!node.is_mapping()) return;
    check_liveness(node, findings_);
    const Node containers = node["containers"];
    if (containers.is_sequence()) check_node_labels(node["nodeSelector"], findings_);
    const Node before = containers.is_sequence() ? node["initContainers"] : Node{};
    for (std::size_t c = 0; before.is_sequence() && c < before.size(); ++c) {
      check_command(before.item(c), kind_, false, findings_);
      check_container(before.item(c), findings_);
    }
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) read(node, containers.item(c));
    for (const std::string_view one : {"container", "script"}) {
      if (of_argo_ && node[one]["image"].is_scalar()) read(node, node[one]);
    }
    for (std::size_t i = 0; i < node.size(); ++i) run(node.value(i), level + 1);
  }

 private:
  void note_sidecar(const Node& pod, Container& out) {
    if (sidecar_of_ != pod.where()) sidecar_ = endless_sidecar(pod);
    sidecar_of_ = pod.where();
    if (sidecar_.exists()) out.remarks.own().kept_by = set_to(std::string(sidecar_.text()), sidecar_.where(), "name");
  }

  void read(const Node& pod, const Node& container) {
    if (!container.is_mapping()) return;
    check_command(container, kind_, in_shell_, findings_);
    check_server_options(container, kind_, findings_);
    check_resources(container, findings_);
    check_container(container, findings_);
    Container& found = out_.emplace_back();
    ContainerReader(pod, container, group_size_).run(found);
    // KubeRay starts Ray in it, which serves models on workers.
    if (of_ray_ && found.accelerator.value.empty()) drop_server(found);
    if (of_argo_) {
      if (found.name.value.empty()) found.name = set_to(std::string("main"), found.where, "name");
      found.always_restarted = false;
    }
    if (!found.accelerator.value.empty()) note_sidecar(pod, found);
    if (!found.accelerator.is_set() && !found.processes->is_set() && !found.remarks->server->is_set()) out_.pop_back();
  }

  Span sidecar_of_;  ///< the pod that was asked last
  Node sidecar_;     ///< its container that never ends
  std::string_view kind_;
  bool of_ray_;
  bool of_argo_;  ///< pods of Argo Workflows: `container` or `script` beside the fields of a pod, and never restarted
  bool in_shell_;
  Node group_size_;
  Boxed<Container>& out_;
  std::vector<Finding>& findings_;
  std::size_t steps_ = 0;
};

/// Where the launcher of an MPIJob starts ranks that use NCCL or RCCL, and are in the workers.
Span launcher_of(const Node& job) {
  Span where;
  std::string all;
  const Node containers = job["spec"]["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"];
  for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = containers.item(c)[list];
      for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxWords); ++i) {
        all += std::string(words.item(i).text()) + " ";
        for (const std::string_view program : {"mpirun", "mpiexec", "horovodrun"}) {
          if (find_word(words.item(i).text(), program) != std::string_view::npos) where = words.item(i).where();
        }
      }
    }
  }
  const bool ranks = contains(all, "python") || contains(all, "_perf") || contains(all, "horovod");
  return ranks ? where : Span{};
}

}  // namespace

void read_containers(const Node& object, std::string_view api_version, std::string_view kind, Boxed<Container>& out,
                     std::vector<Finding>& findings) {
  const std::size_t before = out.size();
  PodSearch(object, kind, out, findings).run(object);
  const Node metadata = object["metadata"];
  const std::string_view space = metadata["namespace"].text();
  if (out.size() == before) return;
  const SharedText id = object_id(api_version, kind, space, metadata["name"].text());
  const Object none;
  const Object& beside = before == 0 ? none : static_cast<const Object&>(out[before - 1]);  // most are of one kind
  const SharedText same_kind = SharedText::like(beside.kind, kind);
  const SharedText same_space = SharedText::like(beside.space, space);
  const Span launcher = kind == "MPIJob" ? launcher_of(object) : Span{};
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].id = id;
    out[i].kind = same_kind;
    out[i].space = same_space;
    const bool gpus = out[i].accelerator.value == "nvidia.com/gpu" || out[i].accelerator.value == "amd.com/gpu";
    if (gpus && !out[i].collective.is_set() && launcher.placed())
      out[i].collective = set_to(std::string("mpirun"), launcher, "command");
  }
}

}  // namespace muster
