#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/model.h"
#include "worlds/kept_out.h"
#include "worlds/pod_sets.h"
#include "worlds/queue_limits.h"
#include "worlds/role_asks.h"
#include "worlds/worlds.h"

namespace muster {

/// Gangs of a world, as in a world file.
inline constexpr std::int64_t kMostGangs = 5000;

bool is_placed_by_volcano(const Gang& gang);

/// Turns gangs of the model into those of a world.
class WorldGangs {
 public:
  /// So many instances of each gang are in flight.
  WorldGangs(const Model& model, const WorldOptions& options);

  /// The gang of that index on these node pools of the fleet, then the instances of its pod sets that come apart;
  /// nothing when something of it is not known: `needs` says what would decide it.
  std::vector<WorldGang> make(std::size_t gang, const Fleet& fleet, const std::vector<const NodePool*>& pools,
                              std::string& needs);
  /// The nodes of the slurm.conf that the gang's batch job goes to; none where that is not known. Its pools have the
  /// labels of their partitions.
  const Fleet* site_of(std::size_t gang);
  /// How many gangs a world gets of one that is placed in so many parts.
  std::int64_t gangs_in_flight(std::size_t gang, std::size_t parts) const;
  /// By node: its HyperNode of at most that tier. Nothing where that is not known.
  const std::optional<std::unordered_map<std::string, std::string>>& hyper_nodes_of(const std::string& bundle,
                                                                                    std::int64_t tier);
  /// The level of a world that stands for HyperNodes of at most that tier.
  static std::string level_of_tier(std::int64_t tier);

  /// The site of a batch job the nodes of whose slurm.conf are the fleet.
  const SlurmSite* site_for(std::size_t g, const Fleet& fleet) const;

 private:
  bool as_volcano_does(const Gang& gang, WorldGang& out, std::string& needs) const;
  bool add_queue(const Gang& gang, WorldGang& out, std::string& needs) const;
  static void add_coupling(const Gang& gang, WorldGang& out);
  NodesTaken choice_of(std::size_t g, const Fleet& fleet) const;
  /// The level on which pods have to share a domain; empty: they need not; nothing: that is not known.
  std::optional<std::string> level_of(const Gang& gang, const Located<std::string>& required_topology,
                                      const Located<std::int64_t>& highest_tier, const Fleet& fleet,
                                      std::string& needs);
  std::optional<std::string> level_of_highest(const Gang& gang, const Located<std::int64_t>& highest_tier,
                                              std::string& needs);
  bool add_roles(std::size_t g, const GangPart& part, const Fleet& fleet, const NodePools& all_pools, WorldGang& out,
                 std::string& needs) const;
  bool add_apart(std::size_t g, const Fleet& fleet, const std::vector<const NodePool*>& pools,
                 std::vector<WorldGang>& out, std::string& needs) const;

  const Model& model_;
  const std::int64_t concurrent_;
  const bool spare_cores_kept_;
  const KeptOut kept_out_;
  std::vector<const SbatchJob*> batch_;                ///< of each gang; none where it is no batch job
  std::map<std::size_t, std::optional<Fleet>> sites_;  ///< by index in Model::slurm_sites
  std::map<std::pair<std::string, std::int64_t>, std::optional<std::unordered_map<std::string, std::string>>>
      hyper_nodes_;                  ///< by bundle and tier
  std::vector<std::string> levels_;  ///< of the pod sets of the gang that is being made
};

}  // namespace muster
