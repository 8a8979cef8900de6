#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "input/kind.h"
#include "model/slurm.h"

namespace muster {

/// Reads slurm.conf line by line into a site, with the DEFAULT records in force at each line.
class RecordReader {
 public:
  /// `edited`: what scripts of the input write into slurm.conf; nullptr: nothing.
  RecordReader(SlurmSite& site, std::vector<Finding>& findings, const EditedKeys* edited)
      : site_(site), findings_(findings), edited_(edited) {}
  void read(const ConfLine& line);
  /// After the last line: DEFAULT records that nothing follows.
  void finish();

 private:
  /// A value of a DEFAULT line and its place in SlurmSite::record_pairs.
  struct Default {
    ConfPair pair;
    std::size_t entry = 0;
  };
  using Defaults = std::map<std::string, Default>;  ///< by lower-case key

  void read_nodes(const ConfLine& line);
  void read_partition(const ConfLine& line);
  void read_node_set(const ConfLine& line);
  void read_down_nodes(const ConfLine& line);
  void read_setting(const ConfLine& line);
  void read_line(const ConfLine& line);
  bool is_filled_by_script(const ConfLine& line);
  const EditedValue* edit_of(const ConfPair& pair) const;
  void judge_controller(const SlurmSetting& setting);
  void judge_power_action(const ConfLine& line);
  void read_defaults(const ConfLine& line, std::string_view scope, Defaults& out);
  /// Keeps the pairs of a record for the rules about keys and values; DEFAULT values that it takes are used.
  void keep_pairs(const ConfLine& line, std::string_view scope, const Defaults& defaults);
  std::size_t keep(const ConfPair& pair, std::string_view scope, bool in_default);
  Located<std::string> take(const ConfLine& line, const Defaults& defaults, FieldName lower_key) const;
  std::int64_t number(const ConfLine& line, const Defaults& defaults, FieldName lower_key, std::int64_t fallback) const;
  SlurmCpuCounts cpu_counts(const ConfLine& line) const;
  std::optional<std::int64_t> count16(const ConfLine& line, FieldName key, NodeCpus& counts) const;
  void judge_cpus(const ConfLine& line, SlurmNodes& nodes) const;
  void judge_addresses(const ConfLine& line, SlurmNodes& nodes) const;

  SlurmSite& site_;
  std::vector<Finding>& findings_;
  const EditedKeys* edited_;
  std::map<std::string, std::size_t> last_setting_;  ///< by lower-case key, in SlurmSite::settings
  std::set<std::string> controllers_;                ///< hosts of SlurmctldHost
  std::set<std::string> kept_;                       ///< scope, key and value of SlurmSite::record_pairs
  Defaults node_defaults_;
  Defaults partition_defaults_;
  std::optional<Span> open_node_default_;  ///< since which no record has come
  std::optional<Span> open_partition_default_;
};

/// The lines of a gres.conf, a cgroup.conf and a slurmdbd.conf.
void read_gres_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings);
void read_cgroup_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings);
void read_database_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings);

/// Says what Slurm's parser makes of a line it cannot read to its end: rule slurm-conf-syntax.
void report_unread_rest(const ConfLine& line, std::vector<Finding>& findings);

/// gpu:h100:8,shard:16 -> its entries; counts may carry K, M, G. Source: slurm.schedmd.com/gres.conf.html, Count.
std::vector<Gres> parse_gres(std::string_view text);

/// A node list; unreadable ones are findings of rule hostlist-invalid, placeholders are left out without a word.
std::optional<Hostlist> read_hostlist(const Located<std::string>& text, std::vector<Finding>& findings);

/// A setting made of a pair; placeholders are unknown.
SlurmSetting setting_of(const ConfPair& pair, std::string_view scope);

/// What the records of a site say of each other, once all are read: unknown nodes, duplicates, GPUs of partitions.
void relate_records(SlurmSite& site);

/// What lines of a template say that are to be filled in: which keys it may set, nodes without RealMemory, keys that
/// one line has twice.
void read_filled_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings);

/// The same of a template of slurmdbd.conf.
void read_filled_database(const Artifact& artifact, SlurmSite& site);

/// Keys of a template's lines that are not literal, into SlurmSite::record_pairs: a key that no release knows is wrong
/// whatever it is filled in with. Not those that a condition writes for some releases. `scope`: gres.conf, cgroup.conf.
void keep_filled_pairs(const Artifact& artifact, std::string_view scope, SlurmSite& site);

/// Which nodes are in no partition and which have no RealMemory, once the site is resolved.
void find_unset_memory(SlurmSite& site);

/// Features of a NodeName line, one by one.
std::vector<std::string> features_of(const SlurmNodes& record);

/// The site as its slurmctld has it, once its records are related and its topologies analysed.
SiteTable resolve_site(const SlurmSite& site);

/// Gres of a NodeName line against the lines of gres.conf for some of its nodes, in SlurmSite::gres_lines, ascending.
std::vector<NodeDevices> resolve_devices(const SlurmSite& site, const SlurmNodes& record,
                                         const std::vector<std::size_t>& lines);

}  // namespace muster
