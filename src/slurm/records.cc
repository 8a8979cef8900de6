#include "slurm/records.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/capped.h"
#include "base/strings.h"
#include "slurm/pairs.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// Values that differ from line to line and are judged elsewhere: one of each key is enough to judge the key.
bool is_free_text(std::string_view lower_key) {
  constexpr std::string_view kNames[] = {"nodename",      "nodeaddr", "nodehostname", "bcastaddr", "reason",   "nodes",
                                         "partitionname", "nodeset",  "downnodes",    "feature",   "features", "gres"};
  return std::ranges::find(kNames, lower_key) != std::end(kNames);
}

/// What a record does not take over from its DEFAULT line. Source: SchedMD/slurm:src/common/read_config.c
/// (22.05-26.05).
bool is_inherited(std::string_view scope, std::string_view lower_key) {
  constexpr std::string_view kPartition[] = {"disablerootjobs", "exclusiveuser",        "exclusivetopo",
                                             "powerdownonidle", "selecttypeparameters", "suspendtime"};
  if (scope == "PartitionName") return std::ranges::find(kPartition, lower_key) == std::end(kPartition);
  return lower_key != "gresconf";
}

/// More keys than any record of any release has: what goes beyond is unknown to Slurm, and each record would take it
/// over.
constexpr std::size_t kMaxDefaults = 200;

bool says_default(const ConfLine& line) { return equals_ignoring_case(line.pairs.front().value, "default"); }

}  // namespace

void report_unread_rest(const ConfLine& line, std::vector<Finding>& findings) {
  // Somebody's script puts pairs there before Slurm reads the line.
  const std::string_view word = std::string_view(line.rest).substr(0, line.rest.find_first_of(" \t"));
  if (word.empty() || is_placeholder(word) || contains(word, "REPLACE") || contains(word, "CHANGE_ME")) return;
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
  findings.push_back(
      problem("hostlist-invalid", text.where, "`" + text.value + "` is no node list: " + list.error().message));
  return std::nullopt;
}

SlurmSetting setting_of(const ConfPair& pair, std::string_view scope) {
  SlurmSetting setting;
  setting.scope = scope;
  setting.key = pair.key;
  setting.lower_key = to_lower(pair.key);
  setting.value = located_value(pair, {});
  setting.key_where = pair.key_where;
  setting.where = whole_pair(pair);
  return setting;
}

Located<std::string> RecordReader::take(const ConfLine& line, const Defaults& defaults, FieldName lower_key) const {
  Located<std::string> own = take_pair(line, lower_key);
  if (own.state != State::Absent) return own;
  const auto found = defaults.find(std::string(lower_key));
  return found == defaults.end() ? own : located_value(found->second.pair, lower_key);
}

std::int64_t RecordReader::number(const ConfLine& line, const Defaults& defaults, FieldName lower_key,
                                  std::int64_t fallback) const {
  const Located<std::string> text = take(line, defaults, lower_key);
  return text.is_set() ? parse_int(text.value).value_or(fallback) : fallback;
}

/// `NodeName=nodes`, where a script says `sed -i "s/NodeName=nodes/NodeName=$NODES/"`: what it replaces is not there
/// yet.
const EditedValue* RecordReader::edit_of(const ConfPair& pair) const {
  if (edited_ == nullptr || edited_->empty() || pair.value.empty()) return nullptr;
  const auto found = edited_->find(pair.key);
  if (found == edited_->end()) return nullptr;
  const auto edit = std::ranges::find_if(found->second, [&](const EditedValue& one) {
    return one.extent == EditedValue::Whole ? pair.value == one.text : pair.value.starts_with(one.text);
  });
  return edit == found->second.end() ? nullptr : &*edit;
}

void RecordReader::read(const ConfLine& line) {
  if (line.form && !line.pairs.empty()) {
    site_.nodes_known = site_.complete = false;  // a record that somebody fills in
    const ConfPair& first = line.pairs.front();
    site_.unfilled.push_back(set_to(first.key, first.key_where));
    return;
  }
  if (std::ranges::none_of(line.pairs, [&](const ConfPair& pair) { return edit_of(pair) != nullptr; }))
    return read_line(line);
  const EditedValue* first = edit_of(line.pairs.front());
  const std::string key = to_lower(line.pairs.front().key);
  if (first != nullptr && first->extent == EditedValue::Line && (key == "nodename" || key == "partitionname")) {
    site_.nodes_known = site_.complete = false;  // the script that takes the record out writes others
    return;
  }
  ConfLine open = line;
  bool rest = false;
  for (ConfPair& pair : open.pairs) {
    const EditedValue* edit = edit_of(pair);
    const bool goes_on = edit != nullptr && edit->extent == EditedValue::RestOfLine;
    // A script that writes the line anew, `s/NodeName=node1.*/NodeName=node1 $CPUS/`, keeps the name by which it finds
    // it.
    pair.replaced = rest || (edit != nullptr && !(goes_on && !edit->text.empty()));
    rest = rest || goes_on;
  }
  read_line(open);
}

void RecordReader::read_line(const ConfLine& line) {
  if (line.pairs.empty() && is_filled_by_script(line)) return;
  report_unread_rest(line, findings_);
  if (line.pairs.empty()) return;
  const std::string key = to_lower(line.pairs.front().key);
  if (key == "nodename") return read_nodes(line);
  if (key == "partitionname") return read_partition(line);
  if (key == "nodeset") return read_node_set(line);
  if (key == "downnodes") return read_down_nodes(line);
  if (key == "poweraction") {
    judge_power_action(line);
    return keep_pairs(line, "PowerAction", {});
  }
  if (key == "frontendname") return keep_pairs(line, "FrontendName", {});
  read_setting(line);
}

/// `ControlMachine=`, to which a script adds a name: `sed -i "s/ControlMachine=.*/ControlMachine=$HOST/"`.
bool RecordReader::is_filled_by_script(const ConfLine& line) {
  if (!line.rest.ends_with('=')) return false;
  const std::string name(trim(line.rest.substr(0, line.rest.size() - 1)));
  if (!line.form && (edited_ == nullptr || !edited_->contains(name))) return false;
  SlurmSetting setting;
  setting.key = name;
  setting.lower_key = to_lower(name);
  setting.value = unknown_until<std::string>("a value for `" + name + "`", line.rest_where, {});
  setting.where = setting.key_where = line.rest_where;
  site_.settings.push_back(std::move(setting));
  return true;
}

void RecordReader::finish() {
  // What a missing Include would bring may still use them.
  if (!site_.complete) return;
  if (open_node_default_ && !site_.nodes.empty())
    site_.useless_defaults.push_back({"NodeName", *open_node_default_, 0});
  if (open_partition_default_ && !site_.partitions.empty())
    site_.useless_defaults.push_back({"PartitionName", *open_partition_default_, 0});
}

std::size_t RecordReader::keep(const ConfPair& pair, std::string_view scope, bool in_default) {
  std::string lower = to_lower(pair.key);
  std::string name = std::string(scope) + " " + lower + (in_default ? " default " : " ");
  if (!is_free_text(lower)) name += pair.value;
  if (!kept_.insert(std::move(name)).second && !in_default) return site_.record_pairs.size();
  site_.record_pairs.push_back(setting_of(pair, scope));
  site_.record_pairs.back().in_default = in_default;
  site_.record_pairs.back().used = !in_default;
  return site_.record_pairs.size() - 1;
}

void RecordReader::keep_pairs(const ConfLine& line, std::string_view scope, const Defaults& defaults) {
  // The key that begins the line belongs to slurm.conf itself.
  keep(line.pairs.front(), "slurm.conf", false);
  for (std::size_t i = 1; i < line.pairs.size(); ++i) keep(line.pairs[i], scope, false);
  for (const auto& [key, value] : defaults) {
    if (!site_.record_pairs[value.entry].used && find_pair(line, key) == nullptr)
      site_.record_pairs[value.entry].used = true;
  }
  report_repeated(line, 1, findings_);
}

void RecordReader::read_defaults(const ConfLine& line, std::string_view scope, Defaults& out) {
  keep(line.pairs.front(), "slurm.conf", false);
  for (std::size_t i = 1; i < line.pairs.size(); ++i) {
    const ConfPair& pair = line.pairs[i];
    const std::size_t entry = keep(pair, scope, true);
    const std::string key = to_lower(pair.key);
    if (is_inherited(scope, key)) {
      if (out.size() < kMaxDefaults || out.contains(key)) out[key] = {pair, entry};
    } else {
      findings_.push_back(
          problem("slurm-default-not-inherited", setting_of(pair, scope).where,
                  "`" + std::string(scope) + "=DEFAULT` cannot set `" + pair.key + "`: no record takes it over"));
    }
  }
}

void RecordReader::judge_addresses(const ConfLine& line, SlurmNodes& nodes) const {
  if (!nodes.hosts) return;
  for (const std::string_view key : {"nodeaddr", "nodehostname", "bcastaddr", "port"}) {
    const ConfPair* pair = find_pair(line, key);
    if (pair == nullptr || is_placeholder(pair->value)) continue;
    std::uint64_t count = 0;
    if (key == "port") {
      std::string_view text = pair->value;
      if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
      const std::optional<std::int64_t> low = parse_int(text.substr(0, text.find('-')));
      const std::optional<std::int64_t> high =
          text.find('-') == text.npos ? low : parse_int(text.substr(text.find('-') + 1));
      if (contains(text, "[") || !low || !high || *high < *low) continue;  // a hostlist of digits is allowed, too
      count = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low) + 1;
    } else {
      const Result<Hostlist> list = Hostlist::parse(pair->value);
      if (!list) continue;
      count = list->size();
    }
    if (count <= 1 || count == nodes.hosts->size()) continue;
    nodes.address_problem =
        set_to(pair->key + " names " + std::to_string(count) + ", the record " + std::to_string(nodes.hosts->size()),
               pair->value_where, "NodeAddr");
    return;
  }
}

void RecordReader::read_nodes(const ConfLine& line) {
  if (says_default(line)) {
    read_defaults(line, "NodeName", node_defaults_);
    open_node_default_ = line.where;
    return;
  }
  open_node_default_.reset();
  keep_pairs(line, "NodeName", node_defaults_);
  SlurmNodes nodes;
  nodes.where = line.where;
  nodes.names = take_pair(line, "nodename");
  nodes.unread = !line.rest.empty();
  if (nodes.names.is_set()) {
    Result<Hostlist> list = Hostlist::parse(nodes.names.value);
    nodes.odd_list =
        !list || !list->functions().empty() || !Hostlist::parse(nodes.names.value, HostlistDialect::V22_05);
    if (list) nodes.hosts = std::move(*list);
  }
  nodes.state = take(line, node_defaults_, "state");
  nodes.gres = take(line, node_defaults_, "gres");
  nodes.topology = take(line, node_defaults_, "topology");
  nodes.features = take(line, node_defaults_, "feature");
  if (nodes.features.state == State::Absent) nodes.features = take(line, node_defaults_, "features");
  nodes.core_spec_count = std::max<std::int64_t>(0, number(line, node_defaults_, "corespeccount", 0));
  nodes.memory_spec = std::max<std::int64_t>(0, number(line, node_defaults_, "memspeclimit", 0));
  nodes.gres_items = parse_gres(nodes.gres.value);
  for (const Gres& gres : nodes.gres_items) {
    if (gres.name == "gpu") nodes.gpus_each = add_capped(nodes.gpus_each, gres.count);
  }
  const auto counted = [&](FieldName key, Located<std::int64_t>& out) {
    const Located<std::string> text = take(line, node_defaults_, key);
    const std::optional<std::int64_t> value = text.is_set() ? parse_int(text.value) : std::nullopt;
    out = value ? set_to(*value, text.where, key) : defaulted_to<std::int64_t>(1, nodes.names.where, key);
    if (text.unknown()) out = unknown_until<std::int64_t>(text.needs(), text.where, key);
    if (text.is_set() && !value)
      out = unknown_until<std::int64_t>("a number for `" + std::string(key) + "`", text.where, key);
  };
  counted("weight", nodes.weight);
  counted("realmemory", nodes.real_memory);
  nodes.cpu_spec_list = take(line, node_defaults_, "cpuspeclist");
  nodes.cpu_counts = cpu_counts(line);
  judge_cpus(line, nodes);
  judge_addresses(line, nodes);
  site_.has_cloud_nodes = site_.has_cloud_nodes || starts_with_ignoring_case(nodes.state.value, "cloud");
  site_.nodes.push_back(std::move(nodes));
}

namespace {

/// Of Exclusive=TOPO not even the switch is shared. Source: slurm.schedmd.com/slurm.conf.html, OverSubscribe,
/// Exclusive.
Located<bool> whole_nodes(const SlurmPartition& partition) {
  for (const Located<std::string>* word : {&partition.oversubscribe, &partition.exclusive}) {
    if (word->unknown()) return unknown_until<bool>(word->needs(), word->where, word->field);
  }
  if (starts_with_ignoring_case(partition.oversubscribe.value, "exclusive"))
    return set_to(true, partition.oversubscribe.where, "OverSubscribe");
  const bool alone = equals_ignoring_case(partition.exclusive.value, "node") ||
                     equals_ignoring_case(partition.exclusive.value, "topo");
  return alone ? set_to(true, partition.exclusive.where, "Exclusive") : defaulted_to(false, partition.where);
}

}  // namespace

void RecordReader::read_partition(const ConfLine& line) {
  if (says_default(line)) {
    read_defaults(line, "PartitionName", partition_defaults_);
    open_partition_default_ = line.where;
    return;
  }
  open_partition_default_.reset();
  keep_pairs(line, "PartitionName", partition_defaults_);
  SlurmPartition partition;
  partition.where = line.where;
  partition.name = take_pair(line, "partitionname");
  partition.nodes = take(line, partition_defaults_, "nodes");
  partition.preempt_mode = take(line, partition_defaults_, "preemptmode");
  partition.oversubscribe = take(line, partition_defaults_, "oversubscribe");
  if (partition.oversubscribe.state == State::Absent)
    partition.oversubscribe = take(line, partition_defaults_, "shared");
  partition.exclusive = take(line, partition_defaults_, "exclusive");
  partition.whole_nodes = whole_nodes(partition);
  partition.topology = take(line, partition_defaults_, "topology");
  partition.max_nodes = take(line, partition_defaults_, "maxnodes");
  std::unordered_map<std::string, std::size_t> last;  // of several the last one counts
  for (std::size_t i = 1; i < line.pairs.size(); ++i) last[to_lower(line.pairs[i].key)] = i;
  for (std::size_t i = 1; i < line.pairs.size(); ++i) {
    if (last[to_lower(line.pairs[i].key)] == i)
      partition.settings.push_back(setting_of(line.pairs[i], "PartitionName"));
  }
  for (const auto& [key, value] : partition_defaults_) {
    if (!last.contains(key) && !equals_ignoring_case(line.pairs.front().key, key))
      partition.settings.push_back(setting_of(value.pair, "PartitionName"));
  }
  site_.partitions.push_back(std::move(partition));
}

void RecordReader::read_node_set(const ConfLine& line) {
  keep_pairs(line, "NodeSet", {});
  SlurmNodeSet set;
  set.where = line.where;
  set.name = take_pair(line, "nodeset");
  set.nodes = take_pair(line, "nodes");
  set.feature = take_pair(line, "feature");
  site_.node_sets.push_back(std::move(set));
}

void RecordReader::read_down_nodes(const ConfLine& line) {
  keep_pairs(line, "DownNodes", {});
  SlurmDownNodes down;
  down.where = line.where;
  down.names = take_pair(line, "downnodes");
  down.state = take_pair(line, "state");
  site_.down_nodes.push_back(std::move(down));
}

/// Executed with slurmctld 26.05.5. Earlier releases do not know the record at all.
void RecordReader::judge_power_action(const ConfLine& line) {
  const Located<std::string> program = take_pair(line, "program");
  const Located<std::string> location = take_pair(line, "location");
  const auto report = [&](Span where, std::string message) {
    findings_.push_back(problem("slurm-power-action-incomplete", where, std::move(message)));
  };
  const std::string name = "`" + line.pairs.front().value + "`";
  if (location.state == State::Absent) report(line.where, "the power action " + name + " does not say where it runs");
  if (program.state == State::Absent) report(line.where, "the power action " + name + " names no program");
  if (program.is_set() && !program.value.starts_with('/'))
    report(program.where, "the program of the power action " + name + " is no absolute path");
}

/// host or host(address); every controller once. Source: SchedMD/slurm:src/common/read_config.c (22.05-26.05).
void RecordReader::judge_controller(const SlurmSetting& setting) {
  if (!setting.value.is_set()) return;
  const std::string host = setting.value.value.substr(0, setting.value.value.find('('));
  if (!controllers_.insert(host).second) {
    findings_.push_back(
        problem("slurm-controller-repeated", setting.where, "the controller `" + host + "` is named twice"));
  }
}

void RecordReader::read_setting(const ConfLine& line) {
  if (line.pairs.size() > 1) {
    const ConfPair& second = line.pairs[1];
    findings_.push_back(problem(
        "slurm-conf-syntax", whole_pair(second),
        "`" + second.key + "` stands on the line of `" + line.pairs.front().key + "`: Slurm reads one setting a line"));
  }
  SlurmSetting setting = setting_of(line.pairs.front(), "slurm.conf");
  const auto [last, first_time] = last_setting_.try_emplace(setting.lower_key, site_.settings.size());
  if (!first_time) {
    setting.previous = std::exchange(last->second, site_.settings.size());
    site_.settings[*setting.previous].used = false;
  }
  if (setting.lower_key == "slurmctldhost") judge_controller(setting);
  if (setting.lower_key == "clustername") site_.name = setting.value;
  site_.settings.push_back(std::move(setting));
}

}  // namespace muster
