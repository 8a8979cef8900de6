#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_table.h"
#include "model/runtime_nodes.h"

namespace muster {

/// What is compared among the nodes of one gang.
inline constexpr std::array<std::string_view, 9> kRuntimeFacts{
    "accelerator", "container-runtime", "cuda", "cudnn", "driver", "fabric", "kernel", "nccl", "sharing"};

/// Nodes that have one value of a fact.
struct FactShare {
  std::string_view text;
  std::int64_t nodes = 0;
  const Located<std::string>* first = nullptr;
  const RuntimeNode* on = nullptr;
};

struct FactShares {
  std::vector<FactShare> values;         ///< the most nodes first
  std::int64_t silent = 0;               ///< nodes that do not say
  const RuntimeNode* without = nullptr;  ///< the first of them
};

/// The nodes on which some pods may stand.
struct RuntimeChoice {
  std::vector<const RuntimeNode*> nodes;
  std::int64_t total = 0;
  std::int64_t most_gpus = 0;  ///< of one node; 0: not said
  std::array<FactShares, kRuntimeFacts.size()> facts;
};

/// Chooses nodes, for pods that ask for the same once. Of a bundle it takes the Nodes that `kubectl get nodes` lists,
/// else the pools of its one fleet file.
class RuntimeChoices {
 public:
  explicit RuntimeChoices(const Model& model);

  bool empty() const { return fleets_.empty(); }
  /// nullptr: there are no nodes, or something of what the pods ask for is not known.
  const RuntimeChoice* of_pods(const std::string& bundle, const std::vector<PodPlace>& pods);
  /// Nodes of the partition of a batch job, where pools of the fleet file have them all. nullptr: not known.
  const RuntimeChoice* of_job(const SbatchJob& job);
  /// Too many different questions: from here on the answer is nullptr.
  bool spent() const { return looks_ > kMostLooks; }

 private:
  static constexpr std::uint64_t kMostLooks = 4'000'000;  // at a node, some seconds

  struct Listed {
    std::vector<RuntimeNode> nodes;
    std::vector<RuntimeNode> pools;
  };
  using Counts = std::vector<std::pair<const RuntimeNode*, std::int64_t>>;

  const Listed* fleet_for(const std::string& bundle) const;
  std::optional<Counts> find(const std::vector<PodPlace>& pods, const std::vector<RuntimeNode>& nodes);
  std::optional<Counts> find(const SbatchJob& job, const Listed& fleet);

  const Model& model_;
  std::map<std::string, Listed> fleets_;     // by bundle
  std::map<std::size_t, NodeTable> tables_;  // by site
  std::map<std::string, std::optional<RuntimeChoice>> known_;
  std::uint64_t looks_ = 0;
};

}  // namespace muster
