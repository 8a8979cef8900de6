#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "source/located.h"

namespace muster {

/// What slurmctld makes of CPUs, Boards, Sockets, CoresPerSocket and ThreadsPerCore of a node. Executed with slurmctld
/// 22.05.8, 24.11.5 and 26.05.5.
struct NodeCpus {
  std::int64_t cpus = 1;
  std::int64_t boards = 1;
  std::int64_t sockets = 1;  ///< of all boards
  std::int64_t cores_per_socket = 1;
  std::int64_t threads_per_core = 1;
  bool known = true;  ///< all of them are numbers
};

/// Why a node has fewer devices than its NodeName line says.
enum class DeviceLoss {
  None,
  Name,       ///< its name is not in GresTypes: the node shows none
  NoConf,     ///< no gres.conf is in the input
  NoLine,     ///< gres.conf has no line of the name for the node
  NoFile,     ///< its lines name no File: no GPU without one
  NoType,     ///< slurm.conf says a type, gres.conf none
  OtherType,  ///< gres.conf says other types
  Fewer,      ///< gres.conf has fewer of them
};
template <>
struct EnumNames<DeviceLoss> {
  static constexpr std::string_view names[] = {"none",    "name",    "no-conf",    "no-line",
                                               "no-file", "no-type", "other-type", "fewer"};
};

/// Devices of one name and type of each node of a group: Gres of slurm.conf against the lines of gres.conf for it.
/// Source: SchedMD/slurm:src/interfaces/gres.c; executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
struct NodeDevices {
  std::string name;                      ///< gpu
  std::string type;                      ///< empty: none said
  std::int64_t configured = 0;           ///< by Gres of the NodeName line
  std::optional<std::int64_t> provided;  ///< by gres.conf; nothing where it does not say: not here, or AutoDetect
  std::int64_t count = 0;                ///< what a job can be given; as configured where gres.conf is not here
  std::int64_t shown = 0;                ///< what `scontrol show nodes` says before a slurmd registered
  std::string shown_type;                ///< the type that it says, in the letters of gres.conf
  std::string files;                     ///< as the first line of gres.conf that counts here says
  std::string cores;                     ///< likewise
  bool auto_detect = false;              ///< a line of gres.conf for the node has slurmd look for its devices
  DeviceLoss loss = DeviceLoss::None;
  std::optional<std::size_t> line;  ///< the first line of gres.conf of the name for the node, in SlurmSite::gres_lines
  std::string twice;                ///< a device file that gres.conf names twice for the name; empty: none known
  std::optional<std::size_t> twice_line;  ///< the line that has it again
};

/// Nodes of one NodeName line that nothing but their names and switches tells apart, as slurmctld has them.
struct SiteNodes {
  std::string names;       ///< their list, as Slurm prints it
  std::int64_t count = 0;  ///< how many they are
  std::size_t record = 0;  ///< their NodeName line, in SlurmSite::nodes
  NodeCpus cpus;
  Located<std::int64_t> real_memory;  ///< MiB; 1 where it is not set
  std::int64_t core_spec_count = 0;   ///< cores that no job gets
  std::int64_t memory_spec = 0;       ///< MiB that no job gets
  std::vector<std::string> features;
  std::int64_t weight = 1;
  std::string state;  ///< in capitals, as in NodeName or DownNodes; UNKNOWN: up once its slurmd says so
  std::vector<NodeDevices> devices;
  std::vector<std::size_t> partitions;  ///< in SlurmSite::partitions, ascending
  std::vector<std::string> units;       ///< leaf switches or blocks that have some of them
  std::size_t site = 0;                 ///< in Model::slurm_sites

  bool is_cloud() const { return state.starts_with("CLOUD"); }
  /// Of devices of a name, and where `type` is not empty of that type: what a job can be given.
  std::int64_t devices_of(std::string_view name, std::string_view type = {}) const;
};

/// What all nodes of a NodeName line have alike of their devices, however they are told apart otherwise.
struct SiteDevices : NodeDevices {
  std::string nodes;            ///< their list, as Slurm prints it, or as the NodeName line has it
  std::int64_t node_count = 0;  ///< how many they are
  bool cloud = false;           ///< State=CLOUD: slurmctld itself reads their gres.conf
  bool own_conf = false;   ///< they may have a gres.conf of their own: another one names them, or this is of one node
  std::size_t record = 0;  ///< their NodeName line, in SlurmSite::nodes
  std::size_t site = 0;    ///< in Model::slurm_sites
  Span where;              ///< Gres of the line
};

/// What a partition comes to.
struct SitePartition {
  bool known = false;                     ///< which nodes it has, and their devices; the numbers below hold only then
  std::int64_t nodes = 0;                 ///< different ones
  std::vector<std::size_t> groups;        ///< of its nodes, in SiteTable::groups
  std::optional<std::int64_t> max_nodes;  ///< nothing: no limit, or not to be read
  std::optional<std::int64_t> min_nodes;  ///< likewise
  std::string max_time;                   ///< as written; empty: no limit
  std::optional<std::int64_t> max_cpus;   ///< MaxCPUsPerNode
  /// MiB, its own or the site's; of MaxMemPerNode and MaxMemPerCPU in one place the first counts.
  std::optional<std::int64_t> max_memory;
  std::optional<std::int64_t> max_memory_per_cpu;
  bool default_memory = false;                         ///< DefMemPerNode or DefMemPerCPU, its own or the site's
  std::optional<std::int64_t> default_memory_per_cpu;  ///< MiB; likewise, where DefMemPerNode takes its place nothing
  std::optional<std::int64_t> default_memory_per_gpu;
  std::string state = "UP";  ///< in capitals
};

/// A site as its slurmctld has it: groups of nodes alike, and the partitions in the order of SlurmSite::partitions.
struct SiteTable {
  bool known = false;  ///< all nodes are in it, each once
  std::vector<SiteNodes> groups;
  std::vector<SitePartition> partitions;
  std::vector<SiteDevices> devices;  ///< in the order of their NodeName lines
  /// Of lines of gres.conf that name nodes, by their place in SlurmSite::gres_lines: those whose NodeName line has no
  /// Gres of the name.
  std::map<std::size_t, std::string> without_gres;
  Located<bool> fenced;  ///< a job sees only the devices it was given: task/cgroup with ConstrainDevices
};

}  // namespace muster
