#include "kinds/slurm_records.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/capped.h"
#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::uint64_t kMaxCompared = 4 * Hostlist::kMaxExpanded;  // names of partitions that are looked up in a site

/// The nodes of a site by name: whether they have GPUs.
class NodeIndex {
 public:
  explicit NodeIndex(const SlurmSite& site) {
    std::uint64_t room = Hostlist::kMaxExpanded;
    for (const SlurmNodes& nodes : site.nodes) {
      const bool gpus = nodes.gpus_each > 0;
      without_gpus_ = without_gpus_ && !gpus;
      if (!nodes.hosts || nodes.hosts->size() > room) continue;
      room -= nodes.hosts->size();
      nodes.hosts->each([&](std::string name) { gpus_[std::move(name)] |= gpus; });
    }
  }

  bool without_gpus() const { return without_gpus_; }

  struct Answer {
    bool gpus = false;         ///< some have them
    bool all_defined = true;
  };
  Answer look_up(const Hostlist& list) const {
    Answer answer;
    list.each([&](const std::string& name) {
      const auto found = gpus_.find(name);
      answer.all_defined = answer.all_defined && found != gpus_.end();
      answer.gpus = answer.gpus || (found != gpus_.end() && found->second);
    });
    return answer;
  }

 private:
  std::unordered_map<std::string, bool> gpus_;
  bool without_gpus_ = true;
};

Located<std::string> located(const ConfPair& pair, std::string_view field) {
  if (is_placeholder(pair.value)) {
    return unknown_until<std::string>("a value for `" + pair.key + "`", pair.value_where, field);
  }
  return set_to(pair.value, pair.value_where, field);
}

Located<std::string> take_pair(const ConfLine& line, std::string_view lower_key) {
  // The last one counts when a record names a key twice.
  for (auto pair = line.pairs.rbegin(); pair != line.pairs.rend(); ++pair) {
    if (equals_ignoring_case(pair->key, lower_key)) return located(*pair, lower_key);
  }
  Located<std::string> absent;
  absent.where = line.where;
  absent.field = lower_key;
  return absent;
}

bool is_record(std::string_view lower_key) {
  constexpr std::string_view kRecords[] = {"nodename", "partitionname", "nodeset", "downnodes", "frontendname", "poweraction"};
  return std::ranges::find(kRecords, lower_key) != std::end(kRecords);
}

}  // namespace

void report_unread_rest(const ConfLine& line, std::vector<Finding>& findings) {
  if (line.rest.empty()) return;
  const bool spaced_list = !line.pairs.empty() && line.pairs.back().value.ends_with(',');
  findings.push_back(problem("slurm-conf-syntax", line.rest_where,
                             spaced_list ? "a list must not have blanks: Slurm cannot read `" + line.rest + "`"
                                         : "Slurm cannot read `" + line.rest + "`: it expects `Key=Value`"));
}

std::vector<Gres> parse_gres(std::string_view text) {
  std::vector<Gres> out;
  for (std::string_view item : split(text, ',')) {
    item = trim(item.substr(0, item.find('(')));  // gpu:8(S:0-1)
    if (item.empty()) continue;
    std::vector<std::string_view> parts = split(item, ':');
    Gres gres;
    gres.name = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
      std::string_view digits = parts[i];
      std::int64_t scale = 1;
      if (!digits.empty() && std::string_view("kKmMgG").find(digits.back()) != std::string_view::npos) {
        const char unit = digits.back();
        scale = unit == 'k' || unit == 'K' ? 1024 : unit == 'm' || unit == 'M' ? 1048576 : 1073741824;
        digits.remove_suffix(1);
      }
      if (const std::optional<std::int64_t> count = parse_int(digits)) {
        gres.count = multiply_capped(*count, scale);
      } else if (parts[i] != "no_consume") {
        gres.type = parts[i];
      }
    }
    out.push_back(std::move(gres));
  }
  return out;
}

std::optional<Hostlist> read_hostlist(const Located<std::string>& text, std::vector<Finding>& findings) {
  if (!text.is_set()) return std::nullopt;
  Result<Hostlist> list = Hostlist::parse(text.value);
  if (list) return std::move(*list);
  findings.push_back(problem("hostlist-invalid", text.where, "`" + text.value + "` is no node list: " + list.error().message));
  return std::nullopt;
}

Located<std::string> RecordReader::take(const ConfLine& line, const Defaults& defaults, std::string_view lower_key) {
  Located<std::string> own = take_pair(line, lower_key);
  if (own.state != State::Absent) return own;
  const auto found = defaults.find(std::string(lower_key));
  return found == defaults.end() ? own : located(found->second, lower_key);
}

void RecordReader::read(const ConfLine& line) {
  report_unread_rest(line, findings_);
  if (line.pairs.empty()) return;
  const std::string key = to_lower(line.pairs.front().key);
  if (key == "nodename") return read_nodes(line);
  if (key == "partitionname") return read_partition(line);
  if (!is_record(key)) read_setting(line);
}

void RecordReader::finish() {
  // What a missing Include would bring may still use them.
  if (!site_.complete) return;
  if (open_node_default_ && !site_.nodes.empty()) site_.useless_defaults.push_back({"NodeName", *open_node_default_, 0});
  if (open_partition_default_ && !site_.partitions.empty()) site_.useless_defaults.push_back({"PartitionName", *open_partition_default_, 0});
}

void RecordReader::read_nodes(const ConfLine& line) {
  if (equals_ignoring_case(line.pairs.front().value, "default")) {
    for (const ConfPair& pair : line.pairs) node_defaults_[to_lower(pair.key)] = pair;
    open_node_default_ = line.where;
    return;
  }
  open_node_default_.reset();
  SlurmNodes nodes;
  nodes.where = line.where;
  nodes.names = take(line, {}, "nodename");
  nodes.hosts = read_hostlist(nodes.names, findings_);
  nodes.gres = take(line, node_defaults_, "gres");
  nodes.topology = take(line, node_defaults_, "topology");
  nodes.gres_items = parse_gres(nodes.gres.value);
  for (const Gres& gres : nodes.gres_items) {
    if (gres.name == "gpu") nodes.gpus_each = add_capped(nodes.gpus_each, gres.count);
  }
  site_.nodes.push_back(std::move(nodes));
}

void RecordReader::read_partition(const ConfLine& line) {
  if (equals_ignoring_case(line.pairs.front().value, "default")) {
    for (const ConfPair& pair : line.pairs) partition_defaults_[to_lower(pair.key)] = pair;
    open_partition_default_ = line.where;
    return;
  }
  open_partition_default_.reset();
  SlurmPartition partition;
  partition.where = line.where;
  partition.name = take(line, {}, "partitionname");
  partition.nodes = take(line, partition_defaults_, "nodes");
  partition.preempt_mode = take(line, partition_defaults_, "preemptmode");
  partition.oversubscribe = take(line, partition_defaults_, "oversubscribe");
  if (partition.oversubscribe.state == State::Absent) partition.oversubscribe = take(line, partition_defaults_, "shared");
  partition.exclusive = take(line, partition_defaults_, "exclusive");
  partition.topology = take(line, partition_defaults_, "topology");
  partition.max_nodes = take(line, partition_defaults_, "maxnodes");
  site_.partitions.push_back(std::move(partition));
}

void RecordReader::read_setting(const ConfLine& line) {
  if (line.pairs.size() > 1) {
    const ConfPair& second = line.pairs[1];
    findings_.push_back(problem("slurm-conf-syntax", {second.key_where.file, second.key_where.begin, second.value_where.end},
                                "`" + second.key + "` stands on the line of `" + line.pairs.front().key +
                                    "`: Slurm reads one setting a line"));
  }
  const ConfPair& pair = line.pairs.front();
  SlurmSetting setting;
  setting.key = pair.key;
  setting.lower_key = to_lower(pair.key);
  setting.value = located(pair, {});
  setting.key_where = pair.key_where;
  setting.where = {pair.key_where.file, pair.key_where.begin, pair.value_where.end};
  const auto [last, first_time] = last_setting_.try_emplace(setting.lower_key, site_.settings.size());
  if (!first_time) setting.previous = std::exchange(last->second, site_.settings.size());
  if (setting.lower_key == "clustername") site_.name = setting.value;
  site_.settings.push_back(std::move(setting));
}

void read_gres_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings) {
  for (const ConfLine& line : *artifact.lines) {
    report_unread_rest(line, findings);
    if (line.pairs.empty()) continue;
    GresLine gres;
    gres.where = line.where;
    gres.nodes = take_pair(line, "nodename");
    gres.name = take_pair(line, "name");
    gres.hosts = read_hostlist(gres.nodes, findings);
    site.gres_lines.push_back(std::move(gres));
  }
}

void fill_partition_gpus(SlurmSite& site) {
  const NodeIndex index(site);
  std::uint64_t budget = kMaxCompared;
  for (SlurmPartition& partition : site.partitions) {
    const Span where = partition.name.where;
    if (index.without_gpus() && site.nodes_known) {
      partition.has_gpus = set_to(false, where);
      continue;
    }
    partition.has_gpus = unknown_until<bool>("the nodes of partition `" + partition.name.value + "`", where);
    if (!partition.nodes.is_set()) continue;
    if (equals_ignoring_case(partition.nodes.value, "all")) {
      if (!index.without_gpus() || site.nodes_known) partition.has_gpus = set_to(!index.without_gpus(), where);
      continue;
    }
    const Result<Hostlist> list = Hostlist::parse(partition.nodes.value);
    if (!list || list->size() > budget) continue;
    budget -= list->size();
    // A NodeSet or a node defined elsewhere may still have them; only names that are all known settle it.
    const auto [gpus, all_defined] = index.look_up(*list);
    if (gpus) partition.has_gpus = set_to(true, where);
    if (!gpus && all_defined && site.nodes_known && list->functions().empty()) partition.has_gpus = set_to(false, where);
  }
}

}  // namespace muster
