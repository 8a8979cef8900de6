#include "kubernetes/containers.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/coupling.h"
#include "gang/pod_template.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr int kMaxLevels = 100;             // a pod template lies some ten levels deep
constexpr std::size_t kMaxSteps = 500'000;  // through one object: aliases repeat
constexpr std::size_t kMaxWords = 1000;     // of a command

using Names = std::span<const std::string_view>;
// Sources: docs.pytorch.org/docs/stable/elastic/run.html; docs.vllm.ai/en/stable/cli/serve; SGLang's
// python/sglang/srt/server_args.py; trtllm-serve.
constexpr std::array<std::string_view, 2> kProcesses{"--nproc_per_node", "--nproc-per-node"};
constexpr std::array<std::string_view, 6> kTensor{
    "--tensor-parallel-size", "--tensor_parallel_size", "-tp", "--tp", "--tp-size", "--tp_size"};
constexpr std::array<std::string_view, 6> kPipeline{
    "--pipeline-parallel-size", "--pipeline_parallel_size", "-pp", "--pp", "--pp-size", "--pp_size"};
constexpr std::array<std::string_view, 12> kOtherNodes{
    "--nnodes",   "--nodes",       "--dist-init-addr",        "--node-rank",
    "--headless", "ray",           "LWS_GROUP_SIZE",          "LWS_LEADER_ADDRESS",
    "mpirun",     "--master-addr", "--data-parallel-address", "srun"};
constexpr std::array<std::string_view, 8> kLaunchers{
    "torchrun",   "torch.distributed.run", "torch.distributed.launch", "deepspeed", "horovodrun", "mpirun",
    "accelerate", "all_reduce_perf"};

class ContainerReader {
 public:
  ContainerReader(const Node& pod_spec, const Node& container) : pod_(pod_spec), container_(container) {}

  Container run() {
    Container out;
    out.where = container_["name"].exists() ? container_["name"].where() : container_.where();
    out.name = set_to(std::string(container_["name"].text()), out.where, "name");
    read_accelerators(out);
    if (!out.accelerator.is_set()) return out;
    out.processes = number_of(kProcesses);
    out.parallel = number_of(kTensor);
    const Located<std::int64_t> stages = number_of(kPipeline);
    if (out.parallel.is_set() && stages.is_set())
      out.parallel.value = multiply_capped(out.parallel.value, stages.value);
    each_word([&](std::size_t, const Node& word, std::string_view text) {
      for (const std::string_view name : kOtherNodes) out.several_nodes |= find_word(text, name) != text.npos;
      for (const std::string_view name : kLaunchers) {
        if (!out.collective.is_set() && find_word(text, name) != text.npos)
          out.collective = set_to(std::string(name), word.where(), "command");
      }
    });
    if (!out.collective.is_set() && out.parallel.is_set() && out.parallel.value > 1)
      out.collective = set_to(std::string("a tensor parallel size"), out.parallel.where, "command");
    out.shared_memory = has_shared_memory();
    return out;
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
        if (amount.state == State::Absent || (amount.known() && amount.value.whole == 0)) continue;
        const Span where = resources.value(i).where();
        out.accelerator = set_to(std::string(resources.key(i).text()), where, "resources");
        out.accelerators = amount.known() ? set_to(amount.value.whole, where, "resources")
                                          : unknown_until<std::int64_t>(amount.needs, where, "resources");
      }
    }
  }

  /// Calls visit(place in the list, node, text without comment lines) with each word of the command.
  template <class Visit>
  void each_word(Visit visit) const {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = container_[list];
      for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxWords); ++i) {
        if (words.item(i).is_scalar()) visit(i, words.item(i), without_comments(words.item(i).text()));
      }
    }
  }

  static std::string without_comments(std::string_view text) {
    if (!contains(text, "#")) return std::string(text);
    std::string out;
    for (const std::string_view line : split(text, '\n')) {
      if (!trim(line).starts_with('#')) out += std::string(line) + "\n";
    }
    return out;
  }

  /// The number behind one of the options, as a word of its own or within a script; absent where none is written.
  Located<std::int64_t> number_of(Names names) const {
    Located<std::int64_t> out;
    each_word([&](std::size_t i, const Node& word, const std::string& text) {
      for (const std::string_view name : names) {
        if (out.is_set()) return;
        Node at = word;
        std::string value(option_value(text, name));
        if (text == name) {
          at = behind(i, word);
          value = at.text();
        }
        if (const std::optional<std::int64_t> number = parse_int(value); number && *number > 0)
          out = set_to(*number, at.where(), "command");
      }
    });
    return out;
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
    if (pod_["hostIPC"].text() == "true") return true;
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
    return false;
  }

  Node pod_;
  Node container_;
};

/// Looks for pod templates by their shape: a list `containers` of which one asks for accelerators.
class PodSearch {
 public:
  explicit PodSearch(std::vector<Container>& out) : out_(out) {}

  void run(const Node& node, int level = 0) {
    if (level > kMaxLevels || ++steps_ > kMaxSteps) return;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) run(node.item(i), level + 1);
    if (!node.is_mapping()) return;
    const Node containers = node["containers"];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      if (!containers.item(c).is_mapping()) continue;
      Container found = ContainerReader(node, containers.item(c)).run();
      if (found.accelerator.is_set()) out_.push_back(std::move(found));
    }
    for (std::size_t i = 0; i < node.size(); ++i) run(node.value(i), level + 1);
  }

 private:
  std::vector<Container>& out_;
  std::size_t steps_ = 0;
};

}  // namespace

void read_containers(const Node& object, std::string_view api_version, std::string_view kind,
                     std::vector<Container>& out) {
  const std::size_t before = out.size();
  PodSearch(out).run(object);
  const Node metadata = object["metadata"];
  const std::string space(metadata["namespace"].text());
  const std::string id = std::string(api_version) + "/" + std::string(kind) + "/" + (space.empty() ? "" : space + "/") +
                         std::string(metadata["name"].text());
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].id = id;
    out[i].kind = kind;
    out[i].space = space;
  }
}

}  // namespace muster
