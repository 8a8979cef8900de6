// What differs in drivers, kernels and devices of the nodes on which one gang may stand, and images of CUDA that need a
// newer driver than such a node has.
#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>

#include "base/capped.h"
#include "base/strings.h"
#include "base/version.h"
#include "model/model.h"
#include "model/runtime_choice.h"

namespace muster {
namespace {

constexpr std::size_t kMostKinds = 2'000;  // different findings about what gangs select

/// The lowest driver for a major release of CUDA. Source: docs.nvidia.com/deploy/cuda-compatibility, minor version
/// compatibility (11.x: 450.80.02, 12.x: 525.60.13, 13.x: 580.65.06; Linux).
std::string_view least_driver(std::int64_t cuda_major) {
  switch (cuda_major) {
    case 11: return "450.80.02";
    case 12: return "525.60.13";
    case 13: return "580.65.06";
    default: return "";
  }
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("0123456789", at);
  return (end == text.npos ? text.size() : end) - std::min(at, text.size());
}

/// The release of CUDA that an image's name speaks of: nvidia/cuda:12.4.1-base, x:2.4.0-cuda12.4-cudnn9, x:1-cu124.
/// Empty: none, or not to be told.
std::string cuda_of_image(std::string_view image) {
  const std::string_view plain = image.substr(0, image.find('@'));
  const std::size_t slash = plain.rfind('/');
  const std::size_t colon = plain.find(':', slash == plain.npos ? 0 : slash);
  if (colon == plain.npos) return "";
  const std::string_view tag = plain.substr(colon + 1);
  const auto release_at = [&](std::size_t at) -> std::string {
    const std::size_t major = digits_at(tag, at);
    if (major != 2) return "";
    const bool dotted = at + 2 < tag.size() && tag[at + 2] == '.';
    const std::size_t minor = dotted ? digits_at(tag, at + 3) : 0;
    return minor == 0 ? std::string(tag.substr(at, 2)) : std::string(tag.substr(at, 3 + minor));
  };
  if (plain.substr(0, colon).ends_with("nvidia/cuda")) return release_at(0);
  if (const std::size_t word = tag.find("cuda"); word != tag.npos) {
    const std::size_t at = word + 4 + (tag.substr(word + 4).starts_with("-") ? 1 : 0);
    return release_at(at);
  }
  for (std::size_t word = tag.find("cu"); word != tag.npos; word = tag.find("cu", word + 1)) {
    const bool begins = word == 0 || tag[word - 1] == '-' || tag[word - 1] == '_' || tag[word - 1] == '.';
    if (begins && digits_at(tag, word + 2) == 3) return std::string(tag.substr(word + 2, 2)) + "." + tag[word + 4];
  }
  return "";
}

/// `gpu:h100:8` of --gres, `h100:8` of the others.
bool names_type(const SbatchPair& pair) {
  if (!pair.name.starts_with("gres") && !pair.name.starts_with("gpus")) return false;
  std::string_view value = pair.value.value;
  if (value.starts_with("gpu")) value.remove_prefix(3);
  return std::ranges::any_of(value, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// By options that say more of its nodes than the partition.
bool picks_nodes(const SbatchJob& job) {
  constexpr std::array<std::string_view, 6> kPick{"constraint", "exclude", "nodefile",
                                                  "nodelist",   "prefer",  "reservation"};
  return !job.given.empty() || job.parts.size() != 1 || std::ranges::any_of(job.options, [&](const SbatchPair& pair) {
    return names_type(pair) || std::ranges::find(kPick, pair.name) != kPick.end();
  });
}

/// What lets a container reach InfiniBand or RoCE, or says that it is not to: devices by resources or claims, networks
/// of its own, the host's network or devices, an NCCL that is told otherwise.
bool reaches_fabric(const Manifest& pods) {
  constexpr std::array<std::string_view, 9> kNames{"rdma",    "hca",        "efa", "roce", "sriov",
                                                   "hostdev", "infiniband", "/ib", "mlnx"};
  const auto speaks = [&](std::string_view key) {
    return std::ranges::any_of(kNames, [&](std::string_view name) { return contains_ignoring_case(key, name); });
  };
  const std::function<bool(const WrittenValue&)> tells = [&](const WrittenValue& tree) {
    if (tree.state == State::Unknown || contains(tree.text(), "NCCL_NET") || contains(tree.text(), "NCCL_IB") ||
        contains(tree.text(), "NCCL_SOCKET") || contains(tree.text(), "/dev/infiniband"))
      return true;
    for (std::size_t i = 0; i < tree.keys().size(); ++i) {
      const bool privileged = tree.keys()[i] == "privileged" && tree.items()[i].flag;
      if (privileged || tree.keys()[i] == "envFrom" || speaks(tree.keys()[i])) return true;
    }
    return std::ranges::any_of(tree.items(), tells);
  };
  const WrittenValue& host_network = pods.part("host_network");
  return host_network.state != State::Absent || pods.part("claims").state != State::Absent ||
         pods.part("annotations").find("k8s.v1.cni.cncf.io/networks") != nullptr || tells(pods.part("containers")) ||
         tells(pods.part("volumes")) || pods.part("runtime_class").state != State::Absent;
}

/// RDMA that all of the nodes have, as one of them says it; nullptr: not all, or not known.
const Located<std::string>* rdma_of(const RuntimeChoice& choice, const RuntimeNode** on) {
  const Located<std::string>* out = nullptr;
  for (const RuntimeNode* node : choice.nodes) {
    auto said = node->says.find("rdma");
    if (said == node->says.end() && node->pool != nullptr) {
      said = node->says.find("fabric");
      if (said != node->says.end() && said->second.value != "infiniband" && said->second.value != "roce")
        return nullptr;
    }
    if (said == node->says.end()) return nullptr;
    if (out == nullptr) *on = node;
    if (out == nullptr) out = &said->second;
  }
  return out;
}

class Runtimes {
 public:
  explicit Runtimes(Model& model) : model_(model), choices_(model) {}

  void run() {
    if (choices_.empty()) return;
    const ManifestDef* pods_def = &manifest_def("pods");
    for (const Manifest& one : model_.manifests) {
      if (one.def != pods_def) continue;
      if (one.gang) pods_of_[*one.gang].push_back(&one);
      find_shortfall(one);
    }
    for (const SbatchJob& job : model_.sbatch_jobs) {
      if (job.gang) jobs_[*job.gang] = &job;
    }
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) look_at(g);
    for (auto& [key, spread] : found_) model_.runtime_spreads.push_back(std::move(spread));
  }

 private:
  std::vector<PodPlace> places_of(std::size_t g) const {
    std::vector<PodPlace> out;
    const auto found = pods_of_.find(g);
    if (found != pods_of_.end()) {
      for (const Manifest* pods : found->second) out.push_back(place_of_pods(*pods));
      std::erase_if(out, [](const PodPlace& place) { return place.devices == 0; });
    }
    if (!out.empty()) return out;
    for (const Role& role : model_.gangs[g].roles) {
      if (role.gpus_each.known() && role.gpus_each.value > 0) out.push_back(place_of_role(role));
    }
    return out;
  }

  /// A queue of Kueue gives pods the labels of one of its flavors: they stand on fewer nodes than they select.
  bool is_narrowed(const Gang& gang) const {
    const bool of_kueue = gang.queue_index && model_.queues[*gang.queue_index].system == GangSystem::Kueue;
    return of_kueue || (gang.queue.state != State::Absent && gang.scheduler.value == "kueue");
  }

  void look_at(std::size_t g) {
    const Gang& gang = model_.gangs[g];
    const bool coupled = gang.tightly_coupled.known() && gang.tightly_coupled.value;
    if (!coupled || !gang.size.known() || gang.size.value < 2) return;
    if (gang.control_plane == ControlPlane::Slurm) {
      const auto job = jobs_.find(g);
      if (job == jobs_.end() || picks_nodes(*job->second)) return;
      if (const RuntimeChoice* nodes = choices_.of_job(*job->second)) compare(g, *nodes, gang.size.value);
      return tell_spent(g);
    }
    if (!gang.gpus.known() || gang.gpus.value <= 0) return;
    const RuntimeChoice* nodes = choices_.of_pods(gang.bundle, places_of(g));
    if (nodes == nullptr || nodes->most_gpus == 0) return tell_spent(g);
    const bool elastic = gang.elastic.known() && gang.elastic.value && gang.guaranteed_gpus.known();
    const std::int64_t devices = elastic ? gang.guaranteed_gpus.value : gang.gpus.value;
    compare(g, *nodes, devices / nodes->most_gpus + (devices % nodes->most_gpus == 0 ? 0 : 1));
  }

  /// Gangs that select nodes in thousands of ways would take hours.
  void tell_spent(std::size_t g) {
    if (!choices_.spent() || found_.contains("")) return;
    const Gang& gang = model_.gangs[g];
    RuntimeSpread& open = found_[""];
    static_cast<Object&>(open) = gang;
    open.name = set_to<std::string>("driver", gang.where);
    open.gang = g;
    open.value_count = unknown_until<std::int64_t>(
        "a run over fewer files: from here on, too many nodes were to be compared", gang.where);
  }

  void compare(std::size_t g, const RuntimeChoice& choice, std::int64_t needed) {
    const Gang& gang = model_.gangs[g];
    if (needed < 2 || choice.total < 2) return;
    // Where it stands in one domain of the network, its nodes are fewer than these.
    const bool near = gang.required_topology->state != State::Absent || gang.highest_tier->state != State::Absent ||
                      is_narrowed(gang);
    for (std::size_t f = 0; f < kRuntimeFacts.size(); ++f) {
      const auto& [values, silent, without] = choice.facts[f];
      const bool shared = kRuntimeFacts[f] == "sharing" && values.size() == 1 && values.front().text != "none";
      const bool asked = kRuntimeFacts[f] == "driver" && choice.nodes.front()->object != nullptr;
      // Who says nothing is asked where the gang cannot do with those that do.
      const bool enough = !values.empty() && values.front().nodes >= needed;
      const bool open = values.size() < 2 && silent > 0 && !enough && (!values.empty() || asked);
      if (values.size() < 2 && !shared && !open) continue;
      const std::int64_t alike = values.empty() ? 0 : add_capped(values.front().nodes, silent);
      const bool must_mix = values.size() > 1 && needed > alike && needed <= choice.total;
      if (near && !must_mix && !shared) continue;
      keep(g, kRuntimeFacts[f], values, open ? without : nullptr, {needed, alike, must_mix});
    }
    find_unasked_rdma(g, choice, needed);
  }

  /// A container sees no device of InfiniBand or RoCE that it is not given.
  void find_unasked_rdma(std::size_t g, const RuntimeChoice& choice, std::int64_t needed) {
    const auto pods = pods_of_.find(g);
    if (pods == pods_of_.end() || std::ranges::any_of(pods->second, [](const Manifest* one) {
          return place_of_pods(*one).devices > 0 && reaches_fabric(*one);
        }))
      return;
    const RuntimeNode* on = nullptr;
    const Located<std::string>* rdma = rdma_of(choice, &on);
    if (rdma != nullptr)
      keep(g, "rdma-unasked", {FactShare{rdma->value, choice.total, rdma, on}}, nullptr, {needed, 0, false});
  }

  struct Sums {
    std::int64_t needed = 0;
    std::int64_t alike = 0;
    bool must_mix = false;
  };

  void keep(std::size_t g, std::string_view fact, const std::vector<FactShare>& values, const RuntimeNode* without,
            const Sums& sums) {
    const Gang& gang = model_.gangs[g];
    RuntimeSpread made;
    for (const FactShare& value : values) {
      if (made.values.size() == kShown) break;
      made.values.push_back("`" + std::string(value.text) + "` (" +
                            count_of(static_cast<std::size_t>(value.nodes), "node") + ")");
    }
    std::string key = std::string(fact) + (without == nullptr ? " " : " of " + without->on + " ") +
                      join(made.values, " ") + " " + std::to_string(values.size());
    if (found_.size() >= kMostKinds) return;
    const auto [at, fresh] = found_.try_emplace(std::move(key), std::move(made));
    RuntimeSpread& spread = at->second;
    ++spread.gangs;
    if (!fresh && (spread.must_mix || (!sums.must_mix && spread.nodes_needed >= sums.needed))) return;
    spread.gang = g;
    spread.must_mix = sums.must_mix;
    spread.nodes_needed = sums.needed;
    spread.nodes_alike = sums.alike;
    if (!fresh) return;
    spread.name = set_to(std::string(fact), gang.where);
    spread.bundle = gang.bundle;
    spread.file = gang.file;
    spread.where = gang.where;
    spread.id = gang.id;
    if (without == nullptr) {
      spread.value_count = set_to(static_cast<std::int64_t>(values.size()), gang.where);
    } else {
      const std::string label = without->object == nullptr || fact != "driver"
                                    ? "`" + words_of(fact) + "`"
                                    : "label `nvidia.com/cuda.driver-version.full`";
      spread.value_count = unknown_until<std::int64_t>(label + " of " + without->on, gang.where);
    }
    if (!values.empty()) {
      spread.most = *values.front().first;
      spread.most_on = values.front().on->on;
      spread.where = spread.most.where;
    }
    if (values.size() > 1) {
      spread.other = *values[1].first;
      spread.other_on = values[1].on->on;
    }
  }

  /// As the fleet file calls it.
  static std::string words_of(std::string_view fact) {
    if (fact == "accelerator") return "accelerator.model";
    if (fact == "container-runtime") return "runtime.containerd";
    if (fact == "fabric") return "fabric.kind";
    if (fact == "sharing") return "accelerator.partitioning";
    return "runtime." + std::string(fact);
  }

  static bool asks_devices(const WrittenValue& container) {
    const WrittenValue* resources = container.find("resources");
    for (const char* list : {"limits", "requests"}) {
      const WrittenValue* amounts = resources == nullptr ? nullptr : resources->find(list);
      if (amounts != nullptr && amounts->find("nvidia.com/gpu") != nullptr) return true;
    }
    return false;
  }

  /// Images of the containers with GPUs against the lowest driver that their pods may meet.
  void find_shortfall(const Manifest& pods) {
    const PodPlace place = place_of_pods(pods);
    if (place.resource != "nvidia.com/gpu" || place.devices == 0) return;
    if (pods.gang && is_narrowed(model_.gangs[*pods.gang])) return;
    for (const WrittenValue& container : pods.part("containers").items()) {
      const WrittenValue* image = container.find("image");
      if (image == nullptr || !image->is_text() || !asks_devices(container)) continue;
      const std::string cuda = cuda_of_image(image->text());
      const std::string_view needs = least_driver(parse_int(cuda.substr(0, cuda.find('.'))).value_or(0));
      if (needs.empty()) continue;
      const RuntimeChoice* nodes = choices_.of_pods(pods.bundle, {place});
      if (nodes != nullptr) add_shortfall(pods, *image, cuda, needs, *nodes);
    }
  }

  void add_shortfall(const Manifest& pods, const WrittenValue& image, const std::string& cuda, std::string_view needs,
                     const RuntimeChoice& choice) {
    constexpr auto kDriver = std::ranges::find(kRuntimeFacts, "driver") - kRuntimeFacts.begin();
    const Version least = *Version::parse(needs);
    std::optional<Version> lowest;
    DriverShortfall made;
    made.of_nodes = choice.total;
    for (const FactShare& share : choice.facts[kDriver].values) {
      const std::optional<Version> driver = Version::parse(share.text);
      if (!driver || *driver >= least) continue;
      made.nodes = add_capped(made.nodes, share.nodes);
      if (lowest && *lowest <= *driver) continue;
      lowest = driver;
      made.driver = *share.first;
      made.on = share.on->on;
    }
    if (!lowest) return;
    static_cast<Object&>(made) = pods;
    made.image = set_to(image.text(), image.where, "image");
    made.cuda = cuda;
    made.needs = needs;
    model_.driver_shortfalls.push_back(std::move(made));
  }

  Model& model_;
  RuntimeChoices choices_;
  std::map<std::size_t, std::vector<const Manifest*>> pods_of_;  // by gang
  std::map<std::size_t, const SbatchJob*> jobs_;                 // likewise
  std::map<std::string, RuntimeSpread> found_;
};

}  // namespace

void relate_runtimes(Model& model) { Runtimes(model).run(); }

}  // namespace muster
