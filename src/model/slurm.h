#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hostlist.h"
#include "base/version.h"
#include "model/batch.h"
#include "model/object.h"
#include "model/request.h"
#include "model/site_nodes.h"
#include "model/topology.h"

namespace muster {

/// One `Key=Value` of a Slurm file. Of many record lines that say the same, one stands for all.
struct SlurmSetting {
  std::string_view scope = "slurm.conf";  ///< the file, or the record it stands in: NodeName, PartitionName ...
  bool in_default = false;                ///< on a DEFAULT line
  bool used = true;                       ///< some record takes it, where it stands on a DEFAULT line
  bool conditional = false;               ///< of a template: only some renderings have it
  bool filled_in = false;                 ///< in SlurmSite::settings, of what stands among its record_pairs, too
  std::string key;                        ///< as written
  std::string lower_key;
  Located<std::string> value;
  Span where;  ///< key and value
  Span key_where;
  std::optional<std::size_t> previous;  ///< the same key earlier, in SlurmSite::settings
  std::size_t site = 0;                 ///< in Model::slurm_sites
};

/// What a script's sed replaces behind `Key=`.
struct EditedValue {
  enum Extent {
    Whole,       ///< a value that is the text
    Begin,       ///< one that begins with it, up to where the value ends: `RealMemory=[0-9]*`
    RestOfLine,  ///< and all that follows it: `NodeName=node1.*`
    Line,        ///< the whole line becomes another, or goes
  };
  std::string text;
  Extent extent = Whole;
};

/// Keys of slurm.conf that scripts edit with sed.
using EditedKeys = std::map<std::string, std::vector<EditedValue>>;

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

/// CPUs of a NodeName line as written; 0 where the line does not say.
struct SlurmCpuCounts {
  std::int64_t cpus = 0;
  std::int64_t sockets = 0;  ///< of all boards
  std::int64_t cores_per_socket = 0;
  std::int64_t threads_per_core = 0;
  Span where;

  bool is_written() const { return cpus > 0 || sockets > 0 || cores_per_socket > 0 || threads_per_core > 0; }
};

/// A NodeName line with the defaults in force above it.
struct SlurmNodes {
  Located<std::string> names;  ///< hostlist as written
  Located<std::string> state;
  Located<std::int64_t> weight;
  Located<std::int64_t> real_memory;
  SlurmCpuCounts cpu_counts;
  Located<std::string> cpus_problem;        ///< CPUs that match none of sockets, cores and threads, in words
  Located<std::string> cpus_refused;        ///< CPUs that are neither cores nor threads in the end, in words
  Located<std::string> address_problem;     ///< NodeAddr, NodeHostname, BcastAddr or Port of another length, in words
  Located<std::string> duplicates;          ///< names that an earlier line has, too; the first few
  std::optional<std::size_t> duplicate_of;  ///< that line, in SlurmSite::nodes
  bool odd_list = false;                    ///< some release reads the list differently, or not at all
  std::optional<Hostlist> hosts;
  Located<std::string> gres;  ///< as written, own or from DEFAULT
  std::vector<Gres> gres_items;
  std::int64_t gpus_each = 0;
  NodeCpus cpus;
  Located<std::string> features;          ///< Feature or Features, own or from DEFAULT
  bool unread = false;                    ///< the line has words that are no pairs
  Located<std::string> outside;           ///< those that no partition has; absent: none, or nobody knows
  std::int64_t outside_count = 0;         ///< how many those are
  std::int64_t core_spec_count = 0;       ///< CoreSpecCount
  std::int64_t memory_spec = 0;           ///< MemSpecLimit, MiB
  Located<std::string> cpu_spec_list;     ///< CPUSpecList, own or from DEFAULT
  Located<std::string> cpu_spec_problem;  ///< a CPU of it that the node does not have, in words
  std::int64_t cores_each = 0;            ///< sockets by cores; 0: not known
  std::int64_t cpus_each = 0;             ///< the most that CPUs and the threads say; 0: not known
  Located<std::string> topology;          ///< Topology=, own or from DEFAULT
  Span where;
  std::size_t site = 0;
};

/// A PartitionName line with the defaults in force above it.
struct SlurmPartition {
  Located<std::string> name;
  Located<std::string> nodes;
  std::vector<SlurmSetting> settings;      ///< what is in force for it, its own or by DEFAULT
  std::vector<std::string> unknown_nodes;  ///< neither nodes nor node sets of the site; the first few
  Located<std::int64_t> unknown_count;
  std::vector<std::string> node_functions;  ///< feature{x}, switch{x} ... in its list
  std::optional<std::size_t> duplicate_of;  ///< an earlier partition of the same name
  Located<std::string> preempt_mode;
  Located<std::string> oversubscribe;  ///< OverSubscribe, or Shared as it was called once
  Located<std::string> exclusive;      ///< Exclusive= of Slurm 26.05
  Located<std::string> topology;       ///< Topology= of Slurm 25.05
  Located<std::string> max_nodes;
  Located<bool> has_gpus;     ///< some node of it has a gpu Gres
  Located<bool> whole_nodes;  ///< no two jobs share a node of it, whatever SelectType says
  Span where;
  std::size_t site = 0;
};

/// A NodeSet line.
struct SlurmNodeSet {
  Located<std::string> name;
  Located<std::string> nodes;
  Located<std::string> feature;
  bool overlaps = false;      ///< a node has the same name
  bool feature_lost = false;  ///< all nodes are known, and none has the feature
  bool used = false;          ///< some partition names it
  Span where;
  std::size_t site = 0;
};

/// A DownNodes line.
struct SlurmDownNodes {
  Located<std::string> names;
  Located<std::string> state;
  std::vector<std::string> unknown_nodes;  ///< nodes its site does not have; the first few
  std::int64_t unknown_count = 0;
  Span where;
  std::size_t site = 0;
};

/// A line of gres.conf.
struct GresLine {
  Located<std::string> nodes;  ///< NodeName=, absent: every node that reads the file
  Located<std::string> name;
  Located<std::string> type;
  Located<std::string> count;
  Located<std::string> files;  ///< File=, Files= or MultipleFiles= as written
  Located<std::string> multiple_files;
  Located<std::string> file;
  Located<std::string> cores;
  Located<std::string> flags;
  Located<std::string> auto_detect;
  Located<std::string> rest;                  ///< what Slurm's parser stops at
  std::optional<std::int64_t> file_count;     ///< devices that File= names
  std::int64_t highest_core = -1;             ///< the highest number in Cores=; -1: none
  std::optional<std::size_t> smallest_nodes;  ///< the line of its nodes that has the fewest cores, in SlurmSite::nodes
  std::optional<std::size_t> torn_nodes;      ///< a line of its nodes of whose sockets Cores= takes a part
  std::optional<std::size_t>
      mixed_with;  ///< an earlier line of the name that has File= or Type= where this has not, in SlurmSite::gres_lines
  std::optional<std::size_t> repeats;  ///< an earlier line of the name without File= and Type=, like this one
  bool leads_with_key = true;          ///< the line begins with NodeName=, Name= or AutoDetect=
  std::optional<Hostlist> hosts;
  std::vector<std::string> unknown_nodes;  ///< nodes its site does not have; the first few
  std::int64_t unknown_count = 0;
  Span where;
  std::size_t site = 0;
};

/// The last value of a key, as Slurm takes it; null when it is not set.
const SlurmSetting* last_setting(const std::vector<SlurmSetting>& settings, std::string_view lower_key);

/// slurm.conf with its siblings: what one slurmctld reads.
struct SlurmSite {
  std::string folder;
  std::string file;  ///< slurm.conf itself; empty when there is none
  std::string bundle;
  Span where;
  Located<std::string> name;       ///< ClusterName
  std::optional<Version> release;  ///< that its files state for themselves
  bool release_stated = false;     ///< not roughly: by its files, by others of the input, or by who runs muster
  std::vector<SlurmSetting> settings;
  std::vector<SlurmSetting> record_pairs;  ///< keys of records and of gres.conf, each distinct value once
  std::vector<SlurmSetting> cgroup;        ///< cgroup.conf
  std::vector<SlurmSetting> database;      ///< slurmdbd.conf
  bool database_known = false;             ///< all of that file was read
  std::vector<std::string> database_open;  ///< of a template: its lower-case keys that some rendering sets, or how
  bool has_cgroup_conf = false;
  bool cgroup_conf_named =
      false;  ///< beside a template without one: some file speaks of a cgroup.conf, and may make it
  bool has_gres_conf = false;
  bool has_cloud_nodes = false;
  bool named_slurm_conf = false;  ///< the file is called slurm.conf; of a template, begins so
  bool within = false;            ///< it stands within another text, a script or an object that writes it
  std::vector<SlurmNodeSet> node_sets;
  std::vector<SlurmDownNodes> down_nodes;
  Located<std::string> not_excluded;  ///< names in SuspendExcNodes that no node has; the first few
  std::vector<SlurmNodes> nodes;
  std::vector<SlurmPartition> partitions;
  std::vector<UselessDefault> useless_defaults;
  std::vector<GresLine> gres_lines;
  std::vector<Topology> topologies;
  std::vector<TopologyMark> topology_marks;
  std::vector<std::string> node_names;  ///< sorted, without duplicates; only when all of them are known
  bool nodes_known = false;             ///< every NodeName line could be read and no Include leads outside the input
  SiteTable table;                      ///< what slurmctld ends up with
  std::vector<std::string> gres_names;  ///< of every NodeName line's Gres; sorted, without duplicates
  std::int64_t node_total = 0;          ///< of the NodeName lines that could be read
  bool has_gpus = false;
  bool fragment = false;                         ///< no slurm.conf of its own: a piece meant for inclusion somewhere
  bool is_template = false;                      ///< of a template the lines that every rendering has; some may lack
  bool of_template = false;                      ///< what it is read from is a template, a whole one or not
  bool keys_open = false;                        ///< of a template: what it is filled in with may set any key
  std::vector<std::string> open_keys;            ///< of a template: lower-case keys that some rendering sets, or how
  Located<std::string> memory_unset;             ///< the first NodeName line of nodes for jobs without RealMemory
  std::int64_t memory_unset_lines = 0;           ///< how many such lines there are
  bool memory_written = false;                   ///< some NodeName line has RealMemory
  bool single_cpus = false;                      ///< every NodeName line was read, and each node has one CPU
  bool nodes_bare = false;                       ///< many nodes of which no NodeName line has CPUs or RealMemory
  Located<std::string> gpus_filled;              ///< of nodes that are filled in or join by themselves: Gres, GresTypes
  std::vector<std::string> partition_keys;       ///< of a template: lower-case keys of its PartitionName lines
  bool partitions_open = false;                  ///< of a template: those lines may have more keys
  Located<std::string> endless_partition;        ///< of a template: MaxTime of a line without an end or DefaultTime
  Located<std::string> default_in_loop;          ///< of a template: Default=YES of every partition that a loop writes
  Located<std::string> repeated_record;          ///< of a template: a record of one name that a loop writes again
  bool shares_nodes = false;                     ///< jobs share the nodes of some partition
  bool state_mounted = false;                    ///< another file speaks of a mount where StateSaveLocation is
  bool for_trial = false;                        ///< containers or virtual machines to try things on
  bool complete = true;                          ///< every Include was found: a key that is not here is not set
  std::vector<Located<std::string>> unfollowed;  ///< paths of Includes whose files are not in the input
  std::vector<Located<std::string>> unfilled;    ///< keys that begin records of a form: their values are left empty

  /// The last value of a key, as Slurm takes it; absent when it is not set.
  const SlurmSetting* setting(std::string_view lower_key) const;
  /// Whether a key that is neither set nor open is set nowhere: every Include was found, every line of a template is
  /// known.
  bool settings_known() const { return is_template ? !keys_open : complete && !fragment; }
  /// Whether jobs take memory from each other: what SelectTypeParameters says; unsaid it is CR_Core_Memory of
  /// select/cons_tres, and no memory of select/linear. Nothing where SelectType is the release's own. Executed with
  /// slurmctld 22.05.8, 24.11.5 and 26.05.5.
  std::optional<bool> counts_memory() const;
  /// Whether GresTypes names a Gres; nothing where somebody else decides it.
  std::optional<bool> has_gres_type(std::string_view gres) const;
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
  std::string job;                     ///< id of its job
};

/// One option of the directives that sbatch reads.
struct SbatchPair {
  std::string name;            ///< the long name without dashes; as written when sbatch does not know it
  Located<std::string> value;  ///< empty when it has none
  bool known = true;
  std::string_view meant;         ///< the option that it is a slip of, where it is not known; empty: none
  std::int64_t component = 0;     ///< of a heterogeneous job
  std::string variable;           ///< of the shell in its value, $NAME or ${NAME}; sbatch does not expand it
  bool begins_with_sign = false;  ///< the value that it has, be it to be filled in, begins with `=`
  bool without_value = false;     ///< its line ends behind it, and it takes one, or more than an empty one
  std::string rest;               ///< text of the line that is neither an option nor a value
  std::string open_quote;         ///< the quote that the line leaves open
  Span where;
  std::string job;  ///< id of its job
};

/// What a component without an option of its own has from those before it: sbatch forgets most options at `hetjob`, and
/// not these of those that matter to where a job runs. Source: SchedMD/slurm:src/common/slurm_opt.c, reset_each_pass
/// (22.05-26.05); executed with sbatch 22.05.8, 24.11.5 and 26.05.5 for --mem, --time and --exclude.
bool stays_for_later_components(std::string_view option);

/// Whether the option is one of the component, its own or one that stays.
bool counts_for(const SbatchPair& pair, std::int64_t component);

/// Components that need more different nodes than their partitions have together.
struct Overfull {
  std::string partitions;
  std::int64_t components = 0;
  std::int64_t needs = 0;
  std::int64_t has = 0;
};

/// A component for which those before it leave too few nodes.
struct Starvation {
  std::int64_t needs = 0;
  std::int64_t left = 0;
  std::string order;  ///< partitions in an order in which all components start; empty: none was found
};

/// What a batch script asks for.
struct SbatchJob : Object {
  Located<std::int64_t> min_nodes;
  Located<std::int64_t> max_nodes;
  bool nodes_given = false;        ///< by --nodes; else they follow from the tasks
  Located<std::int64_t> tasks;     ///< --ntasks
  Located<std::string> gres_gpus;  ///< --gres with a gpu in it
  Located<std::string> gpus_per_node;
  Located<std::string> partition;
  Located<bool> requests_gpus;  ///< by any of the options that ask for them
  Located<bool> exclusive;
  Located<bool> uses_gpus;            ///< known from the partition or the body; absent when nothing tells
  Located<std::int64_t> ray_port;     ///< of the head of a Ray cluster that its body starts
  Located<std::int64_t> server_port;  ///< of a model server that its body starts
  bool runs_docker = false;           ///< its body has docker run, not only for services beside its work
  bool shows_gpus = false;            ///< its body runs nvidia-smi or rocm-smi
  bool partition_whole_node = false;  ///< the partition gives whole nodes, GPUs included
  std::vector<SbatchPair> options;    ///< in the order written
  std::vector<SbatchPair> given;      ///< on command lines of the input that start it; their values are unknown
  bool given_open = false;            ///< such a line has more options, out of a variable
  std::vector<IgnoredDirective> ignored_directives;
  std::int64_t components = 1;         ///< of a heterogeneous job
  std::vector<SbatchComponent> parts;  ///< one a component
  BatchScript script;                  ///< what its body does
  Located<std::string> output_folder;  ///< of --output or --error, relative and without patterns
  bool output_folder_made = false;     ///< its body makes that folder, which is too late
  bool output_folder_here = false;     ///< the input has files in a folder of that name
  bool output_folder_others = false;   ///< other files of the input may make it
  // Filled in by place_jobs, where the input has its site.
  std::optional<std::size_t> site;             ///< in Model::slurm_sites
  std::optional<std::size_t> partition_index;  ///< of its first component, in SlurmSite::partitions
  std::optional<Overfull> overfull;
  Located<std::string> starved;  ///< partition of the component that never gets its nodes
  Starvation starvation;
  std::vector<RequestProblem> problems;  ///< what its site cannot give
  std::optional<std::size_t> gang;       ///< in Model::gangs
};

/// The last of an option that the script itself gives; nullptr: it has none, or a command line may give another.
const SbatchPair* option_in_force(const SbatchJob& job, std::string_view name);

}  // namespace muster
