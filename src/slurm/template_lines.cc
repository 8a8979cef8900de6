#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "slurm/pairs.h"
#include "slurm/records.h"

namespace muster {
namespace {

bool is_filled_key(const ConfPair& pair) { return pair.key.find_first_of("{}") != pair.key.npos; }

/// `NodeName={xxx} CPUs=4`: nothing that is filled in may bring further pairs.
bool has_own_keys_alone(const ConfLine& line) {
  return line.rest.empty() && std::ranges::none_of(line.pairs, is_filled_key);
}

/// Of a record that names no memory: what to call its nodes.
std::string words_of_nodes(const Located<std::string>& names) {
  return names.is_set() && names.value.find_first_of("{}") == names.value.npos ? "`" + names.value + "`"
                                                                               : "the nodes of this line";
}

/// No job gets them as they are.
bool is_for_later(const Located<std::string>& state) {
  return starts_with_ignoring_case(state.value, "future") || starts_with_ignoring_case(state.value, "down");
}

void note_unset(SlurmSite& site, const Located<std::string>& names) {
  if (site.memory_unset_lines++ == 0) site.memory_unset = set_to(words_of_nodes(names), names.where, "RealMemory");
}

/// `Gres=gpu:8`, or what is filled in where GresTypes has nothing but GPUs.
void note_gpus(const ConfLine& line, SlurmSite& site) {
  const ConfPair* gres = find_pair(line, "gres");
  if (gres == nullptr || site.gpus_filled.is_set()) return;
  const SlurmSetting* types = site.setting("grestypes");
  const bool gpus_alone = types != nullptr && types->value.is_set() && types->value.value == "gpu";
  if (gres->value.starts_with("gpu") || (gres->value.starts_with('{') && gpus_alone))
    site.gpus_filled = set_to(gres->value, gres->value_where, "Gres");
}

void read_node_line(const ConfLine& line, SlurmSite& site, bool& by_default) {
  note_gpus(line, site);
  const bool memory = find_pair(line, "realmemory") != nullptr;
  site.memory_written = site.memory_written || memory;
  if (equals_ignoring_case(line.pairs.front().value, "default")) {
    by_default = by_default || memory || !has_own_keys_alone(line);
    return;
  }
  if (memory || by_default || !has_own_keys_alone(line) || line.pairs.size() < 2) return;
  if (!is_for_later(take_pair(line, "state"))) note_unset(site, take_pair(line, "nodename"));
}

bool lies_in(const Span& where, const std::vector<Span>& looped) {
  const auto after = std::ranges::upper_bound(looped, where.begin, {}, &Span::begin);
  return after != looped.begin() && where.begin < std::prev(after)->end;
}

bool is_infinite(std::string_view value) {
  return equals_ignoring_case(value, "infinite") || equals_ignoring_case(value, "unlimited");
}

void read_partition_line(const ConfLine& line, const std::vector<Span>& looped, SlurmSite& site) {
  const bool says = find_pair(line, "oversubscribe") != nullptr || find_pair(line, "shared") != nullptr ||
                    find_pair(line, "exclusive") != nullptr;
  const bool alone = has_own_keys_alone(line);
  site.shares_nodes = site.shares_nodes || (!says && alone);
  site.partitions_open = site.partitions_open || !alone;
  for (const ConfPair& pair : line.pairs) site.partition_keys.push_back(to_lower(pair.key));
  const ConfPair* longest = find_pair(line, "maxtime");
  if (alone && longest != nullptr && is_infinite(longest->value) && find_pair(line, "defaulttime") == nullptr &&
      !site.endless_partition.is_set())
    site.endless_partition = set_to(longest->value, longest->value_where, "MaxTime");
  const ConfPair* by_default = find_pair(line, "default");
  const bool several =
      by_default != nullptr && equals_ignoring_case(by_default->value, "yes") && lies_in(by_default->key_where, looped);
  if (several && contains(line.pairs.front().value, "{") && !site.default_in_loop.is_set())
    site.default_in_loop = set_to(by_default->value, by_default->value_where, "Default");
}

/// `PartitionName=batch Nodes={xxx}` in a loop: each round writes the record again.
void note_repeated(const ConfLine& line, SlurmSite& site) {
  const ConfPair& name = line.pairs.front();
  if (name.value.find_first_of("{}") != name.value.npos || equals_ignoring_case(name.value, "default")) return;
  if (!site.repeated_record.is_set()) site.repeated_record = set_to(name.key + "=" + name.value, whole_pair(name));
}

/// The condition that a line of a template stands in; nullptr: every rendering has it.
const ConditionalSpan* condition_of(const Span& where, const std::vector<ConditionalSpan>& conditional) {
  const auto begins = [](const ConditionalSpan& one) { return one.where.begin; };
  const auto after = std::ranges::upper_bound(conditional, where.begin, {}, begins);
  if (after == conditional.begin() || std::prev(after)->where.file != where.file) return nullptr;
  return where.begin < std::prev(after)->where.end ? &*std::prev(after) : nullptr;
}

/// Which record's keys stand on a line of slurm.conf.
std::string_view record_of(const ConfLine& line) {
  constexpr std::array<std::string_view, 4> kRecords{"NodeName", "PartitionName", "DownNodes", "NodeSet"};
  const auto found = std::ranges::find_if(
      kRecords, [&](std::string_view record) { return equals_ignoring_case(line.pairs.front().key, record); });
  return found == kRecords.end() ? std::string_view("slurm.conf") : *found;
}

/// Whether each rendering has all lines of a template, and nothing but values of settings is filled in: what it holds
/// is then a whole slurm.conf, of which some values are open.
bool fills_values_alone(const Artifact& artifact) {
  if (!artifact.looped->empty() || !artifact.conditional->empty()) return false;
  bool nodes = false;
  bool partitions = false;
  for (const ConfLine& line : *artifact.filled) {
    if (line.include || line.pairs.empty() || !line.rest.empty()) return false;
    const bool record = record_of(line) != "slurm.conf";
    nodes = nodes || equals_ignoring_case(line.pairs.front().key, "nodename");
    partitions = partitions || equals_ignoring_case(line.pairs.front().key, "partitionname");
    for (const ConfPair& pair : line.pairs) {
      if (is_filled_key(pair) || (record && pair.value.find_first_of("{}") != pair.value.npos)) return false;
    }
  }
  return nodes && partitions;
}

/// Reads such a template as the file that it will be: what is noted of lines of templates is found in its records.
void read_as_whole(SlurmSite& site) {
  site.fragment = site.is_template = false;
  site.nodes_known = site.complete = true;
  site.memory_unset_lines = 0;
  site.memory_unset = site.gpus_filled = site.endless_partition = Located<std::string>{};
  for (const SlurmSetting& pair : site.record_pairs) {
    if (pair.scope != "slurm.conf" || !pair.value.unknown()) continue;
    site.settings.push_back(pair);
    site.settings.back().filled_in = true;
  }
}

/// Of the lines of a template that are not literal: those are read as records.
void report_repeated_in_filled(const Artifact& artifact, std::vector<Finding>& findings) {
  std::set<std::uint32_t> literal;
  for (const ConfLine& line : *artifact.lines) literal.insert(line.where.begin);
  for (const ConfLine& line : *artifact.filled) {
    if (line.include || line.pairs.empty() || literal.contains(line.where.begin) || record_of(line) == "slurm.conf")
      continue;
    const ConditionalSpan* first = condition_of(line.pairs.front().key_where, *artifact.conditional);
    const bool whole = std::ranges::all_of(line.pairs, [&](const ConfPair& pair) {
      return !is_filled_key(pair) && condition_of(pair.key_where, *artifact.conditional) == first;
    });
    if (whole) report_repeated(line, 1, findings);
  }
}

/// Where keys such as `ealMemory=64000` stand, which are said for themselves.
std::vector<Span> misspelt_memory(const SlurmSite& site) {
  constexpr std::size_t kMost = 100;  // more are no slips
  std::vector<Span> out;
  for (const SlurmSetting& pair : site.record_pairs) {
    const bool slip = pair.lower_key != "realmemory" && edit_distance(pair.lower_key, "realmemory", 2) <= 2;
    if (slip && out.size() < kMost) out.push_back(pair.where);
  }
  return out;
}

void note_outside(const SiteNodes& group, SlurmNodes& record) {
  const std::string before = record.outside.is_set() ? record.outside.value + "," : "";
  record.outside = set_to(before + group.names, record.names.where, "NodeName");
  record.outside_count += group.count;
}

}  // namespace

void keep_filled_pairs(const Artifact& artifact, std::string_view scope, SlurmSite& site) {
  std::set<std::uint32_t> literal;
  std::set<std::string> seen;  // a key with a value once, as of records
  for (const ConfLine& line : *artifact.lines) literal.insert(line.where.begin);
  for (const ConfLine& line : *artifact.filled) {
    if (line.include || line.pairs.empty() || literal.contains(line.where.begin)) continue;
    const ConditionalSpan* condition = condition_of(line.pairs.front().key_where, *artifact.conditional);
    if (condition != nullptr && condition->of_release) continue;
    const std::string_view record = scope == "slurm.conf" ? record_of(line) : scope;
    for (const ConfPair& pair : line.pairs) {
      if (is_filled_key(pair) || !seen.insert(to_lower(pair.key) + "=" + pair.value).second) continue;
      SlurmSetting& kept =
          site.record_pairs.emplace_back(setting_of(pair, &pair == &line.pairs.front() ? scope : record));
      kept.conditional = condition != nullptr;
      if (pair.value.find_first_of("{}") != pair.value.npos)
        kept.value = unknown_until<std::string>("what `" + pair.key + "` is filled in with", pair.value_where);
    }
  }
}

void read_filled_database(const Artifact& artifact, SlurmSite& site) {
  site.database_known = true;
  std::set<std::uint32_t> literal;
  for (const ConfLine& line : *artifact.lines) literal.insert(line.where.begin);
  for (const ConfLine& line : *artifact.filled) {
    if (line.include || line.pairs.empty() || is_filled_key(line.pairs.front())) {
      site.database_known = false;
      continue;
    }
    if (!literal.contains(line.where.begin)) site.database_open.push_back(to_lower(line.pairs.front().key));
  }
  std::ranges::sort(site.database_open);
}

void read_filled_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings) {
  report_repeated_in_filled(artifact, findings);
  const std::vector<ConfLine>& filled = *artifact.filled;
  const std::vector<Span>& looped = *artifact.looped;
  keep_filled_pairs(artifact, "slurm.conf", site);
  site.is_template = site.of_template = true;
  site.keys_open = artifact.appended;
  bool by_default = false;
  bool beyond = false;
  for (const ConfLine& line : filled) {
    if (line.include || line.pairs.empty() || is_filled_key(line.pairs.front())) {
      site.keys_open = true;
      by_default = by_default || line.include || line.pairs.empty();
      continue;
    }
    std::string key = to_lower(line.pairs.front().key);
    if ((key == "nodename" || key == "partitionname") && lies_in(line.pairs.front().key_where, looped))
      note_repeated(line, site);
    if (key == "nodename") {
      read_node_line(line, site, by_default);
    } else if (key == "partitionname") {
      read_partition_line(line, looped, site);
    } else {
      const bool literal = std::ranges::any_of(site.settings, [&](const SlurmSetting& setting) {
        return setting.where.begin == line.pairs.front().key_where.begin;
      });
      // A record that goes on behind a statement on lines of its own.
      if (key == "realmemory") beyond = site.memory_written = true;
      for (const ConfPair& pair : line.pairs) site.partition_keys.push_back(to_lower(pair.key));
      if (!literal) site.open_keys.push_back(std::move(key));
    }
  }
  for (std::vector<std::string>* keys : {&site.open_keys, &site.partition_keys}) {
    std::ranges::sort(*keys);
    keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
  }
  site.partitions_open = site.partitions_open || site.keys_open;
  if (fills_values_alone(artifact)) read_as_whole(site);
  if (!beyond) return;
  site.memory_unset_lines = 0;
  site.memory_unset = Located<std::string>{};
}

void find_unset_memory(SlurmSite& site) {
  if (site.is_template) return;
  const bool all_known = site.table.known && std::ranges::all_of(site.table.partitions, &SitePartition::known);
  std::vector<bool> placed(site.nodes.size(), !all_known || site.partitions.empty());
  for (const SiteNodes& group : site.table.groups) {
    if (!group.partitions.empty()) placed[group.record] = true;
    if (all_known && group.partitions.empty() && !site.partitions.empty())
      note_outside(group, site.nodes[group.record]);
  }
  for (const SlurmPartition& partition : site.partitions)
    site.shares_nodes = site.shares_nodes || (partition.whole_nodes.known() && !partition.whole_nodes.value);
  const std::vector<Span> slips = misspelt_memory(site);
  const bool whole = site.complete || site.setting("selecttypeparameters") != nullptr;
  for (std::size_t i = 0; i < site.nodes.size(); ++i) {
    SlurmNodes& nodes = site.nodes[i];
    if (nodes.unread || !nodes.real_memory.known() || !nodes.names.is_set()) continue;
    const auto is_here = [&](const Span& slip) {
      return slip.file == nodes.where.file && nodes.where.begin <= slip.begin && slip.end <= nodes.where.end;
    };
    if (std::ranges::any_of(slips, is_here)) continue;
    site.memory_written = site.memory_written || nodes.real_memory.value > 1;
    if (nodes.real_memory.value <= 1 && whole && placed[i] && !is_for_later(nodes.state)) note_unset(site, nodes.names);
  }
  site.single_cpus = site.nodes_known && !site.nodes.empty() &&
                     std::ranges::all_of(site.nodes, [](const SlurmNodes& nodes) { return nodes.cpus_each == 1; });
  constexpr std::int64_t kMany = 32;  // a few may be virtual machines of one CPU
  site.nodes_bare =
      site.memory_unset.is_set() && !site.memory_written && site.node_total >= kMany &&
      std::ranges::none_of(site.nodes, [](const SlurmNodes& nodes) { return nodes.cpu_counts.is_written(); });
}

}  // namespace muster
