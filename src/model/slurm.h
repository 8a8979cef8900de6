#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hostlist.h"
#include "base/version.h"
#include "model/object.h"
#include "model/topology.h"

namespace muster {

/// One `Key=Value` of slurm.conf outside record lines.
struct SlurmSetting {
  std::string key;        ///< as written
  std::string lower_key;
  Located<std::string> value;
  Span where;             ///< key and value
  Span key_where;
  std::optional<std::size_t> previous;  ///< the same key earlier, in SlurmSite::settings
  std::size_t site = 0;   ///< in Model::slurm_sites
};

/// A NodeName=DEFAULT or PartitionName=DEFAULT line behind the last record it could apply to.
struct UselessDefault {
  std::string record;  ///< NodeName or PartitionName
  Span where;
  std::size_t site = 0;
};

/// One entry of a Gres list: gpu, gpu:8, gpu:h100:8.
struct Gres {
  std::string name;
  std::string type;
  std::int64_t count = 1;
};

/// A NodeName line with the defaults in force above it.
struct SlurmNodes {
  Located<std::string> names;   ///< hostlist as written
  std::optional<Hostlist> hosts;
  Located<std::string> gres;    ///< as written, own or from DEFAULT
  std::vector<Gres> gres_items;
  std::int64_t gpus_each = 0;
  Located<std::string> topology;  ///< Topology=, own or from DEFAULT
  Span where;
  std::size_t site = 0;
};

/// A PartitionName line with the defaults in force above it.
struct SlurmPartition {
  Located<std::string> name;
  Located<std::string> nodes;
  Located<std::string> preempt_mode;
  Located<std::string> oversubscribe;  ///< OverSubscribe, or Shared as it was called once
  Located<std::string> exclusive;      ///< Exclusive= of Slurm 26.05
  Located<std::string> topology;       ///< Topology= of Slurm 25.05
  Located<std::string> max_nodes;
  Located<bool> has_gpus;       ///< some node of it has a gpu Gres
  Span where;
  std::size_t site = 0;
};

/// A line of gres.conf.
struct GresLine {
  Located<std::string> nodes;   ///< NodeName=, absent: every node that reads the file
  Located<std::string> name;
  std::optional<Hostlist> hosts;
  std::vector<std::string> unknown_nodes;  ///< nodes its site does not have; the first few
  std::int64_t unknown_count = 0;
  Span where;
  std::size_t site = 0;
};

/// slurm.conf with its siblings: what one slurmctld reads.
struct SlurmSite {
  std::string folder;
  std::string file;             ///< slurm.conf itself; empty when there is none
  std::string bundle;
  Span where;
  Located<std::string> name;    ///< ClusterName
  std::vector<SlurmSetting> settings;
  std::vector<SlurmNodes> nodes;
  std::vector<SlurmPartition> partitions;
  std::vector<UselessDefault> useless_defaults;
  std::vector<GresLine> gres_lines;
  std::vector<Topology> topologies;
  std::vector<TopologyMark> topology_marks;
  std::vector<std::string> node_names;  ///< sorted, without duplicates; only when all of them are known
  bool nodes_known = false;     ///< every NodeName line could be read and no Include leads outside the input
  bool has_gpus = false;
  bool fragment = false;        ///< no slurm.conf of its own: a piece meant for inclusion somewhere
  bool complete = true;         ///< every Include was found: a key that is not here is not set

  /// The last value of a key, as Slurm takes it; absent when it is not set.
  const SlurmSetting* setting(std::string_view lower_key) const;
};

/// Why slurmctld does not read a topology file.
enum class Unread {
  No,        ///< it reads it
  Plugin,    ///< slurm.conf names no plugin that opens topology.conf
  Version,   ///< topology.yaml before 25.05
  Shadowed,  ///< topology.conf beside a topology.yaml, since 25.05
};
template <>
struct EnumNames<Unread> {
  static constexpr std::string_view names[] = {"no", "plugin", "version", "shadowed"};
};

/// Without a release: as the files suggest, a topology.yaml being there for Slurm 25.05 or later.
Unread unread_reason(const Topology& topology, const Version* release);

/// Whether a mark holds in a release; nothing where no release is given and they differ.
std::optional<bool> holds_in(const TopologyMark& mark, const SlurmSite& site, const Version* release);

/// An #SBATCH line that sbatch never reads.
struct IgnoredDirective {
  std::string text;
  Span where;
  Located<std::string> first_command;  ///< the line that ended the reading
  std::string job;     ///< id of its job
};

/// What a batch script asks for.
struct SbatchJob : Object {
  Located<std::int64_t> min_nodes;
  Located<std::int64_t> max_nodes;
  bool nodes_given = false;         ///< by --nodes; else they follow from the tasks
  Located<std::int64_t> tasks;      ///< --ntasks
  Located<std::string> gres_gpus;   ///< --gres with a gpu in it
  Located<std::string> gpus_per_node;
  Located<std::string> partition;
  Located<bool> requests_gpus;      ///< by any of the options that ask for them
  Located<bool> exclusive;
  Located<bool> uses_gpus;          ///< known from the partition or the body; absent when nothing tells
  bool partition_whole_node = false;  ///< the partition gives whole nodes, GPUs included
  std::vector<IgnoredDirective> ignored_directives;
  std::int64_t components = 1;      ///< of a heterogeneous job
  std::optional<std::size_t> gang;  ///< in Model::gangs
};

}  // namespace muster
