// What differs in drivers, kernels and devices of the nodes on which one gang may stand, and images of CUDA that need a
// newer driver than such a node has.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "base/version.h"
#include "model/model.h"
#include "model/node_table.h"
#include "model/runtime_nodes.h"

namespace muster {
namespace {

using NodeChoice = std::vector<const RuntimeNode*>;

constexpr std::size_t kMostDumped = 20'000;  // of one bundle that are looked at
constexpr std::size_t kMostKinds = 2'000;    // sets of nodes that gangs select

/// One bundle's nodes: those that `kubectl get nodes` lists, else the pools of its fleet file.
struct RuntimeFleet {
  std::vector<RuntimeNode> nodes;
  std::vector<RuntimeNode> pools;
};

/// Nodes that have one value of a fact.
struct FactShare {
  std::string text;
  std::int64_t nodes = 0;
  const Located<std::string>* first = nullptr;
  const RuntimeNode* on = nullptr;
};

bool pool_is_under(const RuntimeNode& pool, bool slurm) {
  const Located<FactValue>& plane = pool.pool->fact("control_plane");
  return !plane.known() || (std::get<std::string>(plane.value) == "slurm") == slurm;
}

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

class Runtimes {
 public:
  explicit Runtimes(Model& model) : model_(model) {}

  void run() {
    std::set<std::string> bundles;
    for (const Manifest& one : model_.manifests) {
      if (one.def != nodes_def_) continue;
      RuntimeFleet& fleet = fleets_[one.bundle];
      if (fleet.nodes.size() < kMostDumped) fleet.nodes.push_back(runtime_node(one));
    }
    for (const Fleet& one : model_.fleets) {
      if (++fleet_files_[one.bundle] > 1) continue;
      for (const NodePool& pool : one.node_pools) fleets_[one.bundle].pools.push_back(runtime_node(pool));
    }
    for (auto& [bundle, fleet] : fleets_) {
      if (fleet_files_[bundle] > 1) fleet.pools.clear();
    }
    if (fleets_.empty()) return;
    for (const Manifest& one : model_.manifests) {
      if (one.def != pods_def_) continue;
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
  /// As of the gang's bundle, else of the only one that has some.
  const RuntimeFleet* fleet_for(const std::string& bundle) const {
    const auto own = fleets_.find(bundle);
    if (own != fleets_.end()) return &own->second;
    return fleets_.size() == 1 ? &fleets_.begin()->second : nullptr;
  }

  static const std::vector<RuntimeNode>& nodes_for(const RuntimeFleet& fleet) {
    const bool listed = std::ranges::any_of(fleet.nodes, [](const RuntimeNode& node) {
      return node.gpus.value_or(0) > 0 || node.says.contains("accelerator");
    });
    return listed ? fleet.nodes : fleet.pools;
  }

  /// Where pods may stand; nothing where something of that is not known.
  static std::optional<NodeChoice> candidates(const std::vector<PodPlace>& pods,
                                              const std::vector<RuntimeNode>& nodes) {
    NodeChoice out;
    for (const RuntimeNode& node : nodes) {
      if (node.pool != nullptr && !pool_is_under(node, false)) continue;
      bool open = false;
      bool taken = false;
      for (const PodPlace& pod : pods) {
        const std::optional<bool> may = may_stand(pod, node);
        open = open || !may;
        taken = taken || may == true;
      }
      if (taken) out.push_back(&node);
      if (open && !taken) return std::nullopt;
    }
    return out;
  }

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

  /// A queue of Kueue gives pods the labels of one of its flavors; which, only the running queue knows.
  bool is_narrowed(const Gang& gang) const {
    return gang.queue_index && model_.queues[*gang.queue_index].system == GangSystem::Kueue &&
           model_.queues[*gang.queue_index].flavors.size() > 1;
  }

  void look_at(std::size_t g) {
    const Gang& gang = model_.gangs[g];
    const bool coupled = gang.tightly_coupled.known() && gang.tightly_coupled.value;
    const RuntimeFleet* fleet = fleet_for(gang.bundle);
    if (!coupled || fleet == nullptr || !gang.size.known() || gang.size.value < 2) return;
    if (gang.control_plane == ControlPlane::Slurm) return look_at_job(g, *fleet);
    if (!gang.gpus.known() || gang.gpus.value <= 0 || is_narrowed(gang)) return;
    const std::vector<PodPlace> pods = places_of(g);
    if (pods.empty()) return;
    const std::optional<NodeChoice> all = candidates(pods, nodes_for(*fleet));
    if (!all || all->empty()) return;
    std::int64_t most = 0;
    for (const RuntimeNode* node : *all) most = std::max(most, node->gpus.value_or(0));
    if (most == 0) return;
    const bool elastic = gang.elastic.known() && gang.elastic.value && gang.guaranteed_gpus.known();
    const std::int64_t devices = elastic ? gang.guaranteed_gpus.value : gang.gpus.value;
    compare(g, *all, {}, devices / most + (devices % most == 0 ? 0 : 1));
  }

  /// Nodes of the partition of a batch job in pools of the fleet file.
  void look_at_job(std::size_t g, const RuntimeFleet& fleet) {
    const auto found = jobs_.find(g);
    if (found == jobs_.end() || model_.gangs[g].size.value < 2) return;
    const SbatchJob& job = *found->second;
    if (!job.site || !job.partition_index || job.parts.size() != 1 || picks_nodes(job)) return;
    const SlurmSite& site = model_.slurm_sites[*job.site];
    if (!site.nodes_known) return;
    const std::optional<NodeTable::Nodes>& places =
        tables_.try_emplace(*job.site, site).first->second.of(*job.partition_index);
    if (!places) return;
    std::set<std::string_view> names;
    for (const std::uint32_t place : *places) names.insert(tables_.at(*job.site).name(place));
    NodeChoice all;
    std::map<const RuntimeNode*, std::int64_t> counts;
    std::int64_t placed = 0;
    for (const RuntimeNode& pool : fleet.pools) {
      if (!pool_is_under(pool, true) || !pool.pool->hosts || pool.pool->hosts->size() > Hostlist::kMaxExpanded)
        continue;
      std::int64_t count = 0;
      pool.pool->hosts->each([&](const std::string& host) { count += names.contains(host) ? 1 : 0; });
      if (count == 0) continue;
      all.push_back(&pool);
      counts[&pool] = count;
      placed += count;
    }
    if (placed == static_cast<std::int64_t>(names.size())) compare(g, all, counts, model_.gangs[g].size.value);
  }

  /// `gpu:h100:8` of --gres, `h100:8` of the others.
  static bool names_type(const SbatchPair& pair) {
    if (!pair.name.starts_with("gres") && !pair.name.starts_with("gpus")) return false;
    std::string_view value = pair.value.value;
    if (value.starts_with("gpu")) value.remove_prefix(3);
    return std::ranges::any_of(value, [](unsigned char c) { return std::isalpha(c) != 0; });
  }

  /// By options that say more of its nodes than the partition.
  static bool picks_nodes(const SbatchJob& job) {
    constexpr std::array<std::string_view, 6> kPick{"constraint", "exclude", "nodefile",
                                                    "nodelist",   "prefer",  "reservation"};
    return !job.given.empty() || std::ranges::any_of(job.options, [&](const SbatchPair& pair) {
      return names_type(pair) || std::ranges::find(kPick, pair.name) != kPick.end();
    });
  }

  using Counts = std::map<const RuntimeNode*, std::int64_t>;

  static std::int64_t nodes_of(const RuntimeNode* node, const Counts& counts) {
    const auto found = counts.find(node);
    return found == counts.end() ? node->nodes : found->second;
  }

  void compare(std::size_t g, const NodeChoice& all, const Counts& counts, std::int64_t needed) {
    constexpr std::array<std::string_view, 9> kFacts{
        "accelerator", "container-runtime", "cuda", "cudnn", "driver", "fabric", "kernel", "nccl", "sharing"};
    const Gang& gang = model_.gangs[g];
    std::int64_t total = 0;
    for (const RuntimeNode* node : all) total = add_capped(total, nodes_of(node, counts));
    if (needed < 2 || total < 2) return;
    // Where it stands in one domain of the network, its nodes are fewer than these.
    const bool near = gang.required_topology.state != State::Absent || gang.highest_tier.state != State::Absent;
    for (const std::string_view fact : kFacts) {
      std::vector<FactShare> values;
      std::int64_t silent = 0;
      const RuntimeNode* without = nullptr;
      for (const RuntimeNode* node : all) {
        const auto said = node->says.find(fact);
        if (said == node->says.end()) {
          silent += nodes_of(node, counts);
          if (without == nullptr) without = node;
          continue;
        }
        auto same = std::ranges::find(values, said->second.value, &FactShare::text);
        if (same == values.end())
          same = values.insert(values.end(), FactShare{said->second.value, 0, &said->second, node});
        same->nodes += nodes_of(node, counts);
      }
      std::ranges::stable_sort(values, std::greater<>{}, &FactShare::nodes);
      const bool shared = fact == "sharing" && values.size() == 1 && values.front().text != "none";
      const bool asked = fact == "driver" && all.front()->object != nullptr;
      // Who says nothing is asked where the gang cannot do with those that do.
      const bool enough = !values.empty() && values.front().nodes >= needed;
      const bool open = values.size() < 2 && silent > 0 && !enough && (!values.empty() || asked);
      if (values.size() < 2 && !shared && !open) continue;
      const std::int64_t alike = values.empty() ? 0 : add_capped(values.front().nodes, silent);
      const bool must_mix = values.size() > 1 && needed > alike && needed <= total;
      if (near && !must_mix && !shared) continue;
      keep(g, fact, values, open ? without : nullptr, {needed, alike, must_mix});
    }
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
      made.values.push_back("`" + value.text + "` (" + count_of(static_cast<std::size_t>(value.nodes), "node") + ")");
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

  /// Images of the containers with GPUs against the lowest driver that their pods may meet.
  void find_shortfall(const Manifest& pods) {
    const RuntimeFleet* fleet = fleet_for(pods.bundle);
    const PodPlace place = place_of_pods(pods);
    if (fleet == nullptr || place.resource != "nvidia.com/gpu" || place.devices == 0) return;
    if (pods.gang && is_narrowed(model_.gangs[*pods.gang])) return;
    for (const WrittenValue& container : pods.part("containers").items) {
      const WrittenValue* image = container.find("image");
      if (image == nullptr || !image->is_text()) continue;
      const std::string cuda = cuda_of_image(image->text);
      const std::string_view needs = least_driver(parse_int(cuda.substr(0, cuda.find('.'))).value_or(0));
      if (needs.empty()) continue;
      const std::optional<NodeChoice> all = candidates({place}, nodes_for(*fleet));
      if (all) add_shortfall(pods, *image, cuda, needs, *all);
    }
  }

  void add_shortfall(const Manifest& pods, const WrittenValue& image, const std::string& cuda, std::string_view needs,
                     const NodeChoice& all) {
    const Version least = *Version::parse(needs);
    std::optional<Version> lowest;
    DriverShortfall made;
    for (const RuntimeNode* node : all) {
      made.of_nodes = add_capped(made.of_nodes, node->nodes);
      const auto said = node->says.find("driver");
      const std::optional<Version> driver =
          said == node->says.end() ? std::nullopt : Version::parse(said->second.value);
      if (!driver || *driver >= least) continue;
      made.nodes = add_capped(made.nodes, node->nodes);
      if (lowest && *lowest <= *driver) continue;
      lowest = driver;
      made.driver = said->second;
      made.on = node->on;
    }
    if (!lowest) return;
    static_cast<Object&>(made) = pods;
    made.image = set_to(image.text, image.where, "image");
    made.cuda = cuda;
    made.needs = needs;
    model_.driver_shortfalls.push_back(std::move(made));
  }

  Model& model_;
  const ManifestDef* nodes_def_ = &manifest_def("node_objects");
  const ManifestDef* pods_def_ = &manifest_def("pods");
  std::map<std::string, RuntimeFleet> fleets_;                   // by bundle
  std::map<std::string, int> fleet_files_;                       // likewise
  std::map<std::size_t, std::vector<const Manifest*>> pods_of_;  // by gang
  std::map<std::size_t, const SbatchJob*> jobs_;                 // likewise
  std::map<std::size_t, NodeTable> tables_;                      // by site
  std::map<std::string, RuntimeSpread> found_;
};

}  // namespace

void relate_runtimes(Model& model) { Runtimes(model).run(); }

}  // namespace muster
