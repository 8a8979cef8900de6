#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinds/kind.h"
#include "model/slurm.h"

namespace muster {

/// Reads slurm.conf line by line into a site, with the DEFAULT records in force at each line.
class RecordReader {
 public:
  RecordReader(SlurmSite& site, std::vector<Finding>& findings) : site_(site), findings_(findings) {}
  void read(const ConfLine& line);
  /// After the last line: DEFAULT records that nothing follows.
  void finish();

 private:
  using Defaults = std::map<std::string, ConfPair>;  ///< by lower-case key

  void read_nodes(const ConfLine& line);
  void read_partition(const ConfLine& line);
  void read_setting(const ConfLine& line);
  static Located<std::string> take(const ConfLine& line, const Defaults& defaults, std::string_view lower_key);

  SlurmSite& site_;
  std::vector<Finding>& findings_;
  std::map<std::string, std::size_t> last_setting_;  ///< by lower-case key, in SlurmSite::settings
  Defaults node_defaults_;
  Defaults partition_defaults_;
  std::optional<Span> open_node_default_;       ///< since which no record has come
  std::optional<Span> open_partition_default_;
};

/// The lines of a gres.conf.
void read_gres_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings);

/// Says what Slurm's parser makes of a line it cannot read to its end: rule slurm-conf-syntax.
void report_unread_rest(const ConfLine& line, std::vector<Finding>& findings);

/// gpu:h100:8,shard:16 -> its entries; counts may carry K, M, G. Source: slurm.schedmd.com/gres.conf.html, Count.
std::vector<Gres> parse_gres(std::string_view text);

/// A node list; unreadable ones are findings of rule hostlist-invalid, placeholders are left out without a word.
std::optional<Hostlist> read_hostlist(const Located<std::string>& text, std::vector<Finding>& findings);

/// Which partitions have nodes with GPUs; unknown where their nodes cannot be told.
void fill_partition_gpus(SlurmSite& site);

}  // namespace muster
