#include <algorithm>
#include <map>

#include "base/strings.h"
#include "inventory/readers.h"
#include "slurm/scontrol_dump.h"

namespace muster {
namespace {

struct Pair {
  std::string_view value;
  Span where;
};

/// A record: what its first key says it is, and the first value of each key. Free text (Reason, OS, Comment) comes last
/// or has keys of its own that are none of these.
using Record = std::map<std::string_view, Pair>;

class ScontrolReader {
 public:
  ScontrolReader(FileId file, DumpContext& context)
      : file_(file), context_(context), text_(context.sources.file(file).text()) {}

  void run() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      if (!scontrol_record(line).empty()) begin_record(at, line);
      if (trim(line).empty()) end_record();
      if (!kind_.empty()) read_pairs(at, line);
      at = end + 1;
    }
    end_record();
    finish();
  }

 private:
  Span span(std::size_t begin, std::size_t size) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + size)};
  }

  void begin_record(std::size_t at, std::string_view line) {
    end_record();
    kind_ = scontrol_record(line);
    where_ = span(at, std::min(line.find(' '), line.size()));
  }

  void read_pairs(std::size_t at, std::string_view line) {
    for (std::size_t i = 0; i < line.size();) {
      i = std::min(line.find_first_not_of(" \t\r", i), line.size());
      const std::size_t end = std::min(line.find_first_of(" \t\r", i), line.size());
      const std::string_view word = line.substr(i, end - i);
      const std::size_t equals = word.find('=');
      if (equals != word.npos)
        record_.try_emplace(word.substr(0, equals), Pair{word.substr(equals + 1), span(at + i, word.size())});
      if (word.starts_with("Reason=") && reason_.empty()) reason_ = reason_in(line.substr(i + 7));
      i = end;
    }
  }

  const Pair* find(std::string_view key) const {
    const auto found = record_.find(key);
    const bool empty = found == record_.end() || found->second.value.empty() || found->second.value == "(null)" ||
                       found->second.value == "N/A";
    return empty ? nullptr : &found->second;
  }

  void end_record() {
    if (!record_.empty()) {
      if (kind_ == "NodeName") read_node();
      if (kind_ == "PartitionName") read_partition();
      if (kind_ == "SwitchName") read_unit(tree_);
      if (kind_ == "BlockName") read_unit(blocks_);
      if (kind_ == "AggregatedBlock") aggregated_ = true;
      if (kind_ == "RingName" || kind_ == "TorusName") other_ = true;
    }
    record_.clear();
    reason_ = {};
    kind_ = {};
  }

  /// Free text up to who said it, `[root@2026-05-01T10:00:00]`, or the next key.
  static std::string_view reason_in(std::string_view rest) {
    return trim(rest.substr(0, std::min({rest.find(" ["), rest.find(" Comment="), rest.size()})));
  }

  void read_service(NodeRecord& node) {
    const Pair* state = find("State");
    if (state == nullptr) return;
    node.service.now = slurm_service(state->value);
    node.service.says = "`State=" + std::string(state->value) + "`";
    if (!reason_.empty()) node.service.says += ", " + std::string(reason_);
    node.service.where = state->where;
    const Pair* comment = find("Comment");
    const std::string host = comment == nullptr ? "" : host_in_comment(comment->value);
    const Pair* machine = find("NodeHostName");
    if (!host.empty()) node.service.hosts = {host};
    if (host.empty() && machine != nullptr && is_node_name(machine->value) && machine->value != node.names.front())
      node.service.hosts = {node.names.front(), std::string(machine->value)};
  }

  void count(NodeRecord& node, std::string_view fact, std::string_view key) {
    if (const Pair* pair = find(key)) say(context_, node, fact, std::string(pair->value), pair->where);
  }

  void read_node() {
    const std::string name(record_.at("NodeName").value);
    if (!is_node_name(name)) return unreadable(context_, where_, "`" + name + "` cannot be the name of a node");
    NodeRecord node;
    node.names = {name};
    node.where = where_;
    const auto gres = record_.find("Gres");
    if (gres != record_.end()) say_gres(context_, node, gres->second.value, gres->second.where);
    count(node, "node.cpus", "CPUTot");
    count(node, "node.sockets", "Sockets");
    count(node, "node.cores_per_socket", "CoresPerSocket");
    const Pair* memory = find("RealMemory");
    if (memory != nullptr && memory->value != "1")
      count(node, "node.memory_mib", "RealMemory");  // 1 is what Slurm takes where nobody said
    say(context_, node, "control_plane", "slurm", where_);
    read_service(node);
    if (const Pair* version = find("Version")) slurmd_versions_[std::string(version->value)]++;
    nodes_.push_back(std::move(node));
  }

  void read_partition() {
    const Pair* name = find("PartitionName");
    const Pair* list = find("Nodes");
    if (name == nullptr || list == nullptr) return;
    groups_.push_back({std::string(name->value), names_of(context_, list->value, list->where)});
  }

  void read_unit(std::vector<DomainRecord>& out) {
    DomainRecord domain;
    domain.name = record_.at(kind_).value;
    domain.where = where_;
    if (const Pair* children = find("Switches")) {
      for (std::string& child : names_of(context_, children->value, children->where))
        parents_[std::move(child)] = domain.name;
    } else if (const Pair* list = find("Nodes")) {
      domain.nodes = names_of(context_, list->value, list->where);
    }
    out.push_back(std::move(domain));
  }

  void finish() {
    if (nodes_.empty() && groups_.empty() && tree_.empty() && blocks_.empty() && !aggregated_ && !other_) return;
    Dump dump;
    dump.file = file_;
    dump.format = !nodes_.empty()    ? "scontrol show nodes"
                  : !groups_.empty() ? "scontrol show partitions"
                                     : "scontrol show topology";
    dump.rank = 10;
    dump.scope = Scope::Slurm;
    dump.where = span(0, 0);
    dump.plane = "slurm";
    dump.lists_all_nodes = nodes_.size() > 1;
    dump.nodes = std::move(nodes_);
    dump.groups = std::move(groups_);
    for (DomainRecord& domain : tree_) {
      const auto parent = parents_.find(domain.name);
      if (parent != parents_.end()) domain.parent = parent->second;
    }
    if (!tree_.empty()) dump.topologies.push_back(topology(TopologyRecord::Shape::Tree, std::move(tree_)));
    if (!blocks_.empty()) dump.topologies.push_back(topology(TopologyRecord::Shape::Blocks, std::move(blocks_)));
    if (aggregated_)
      dump.notes.emplace_back(
          "aggregated blocks are left out: they follow from BlockSizes; if they are racks or rows, add them above the "
          "blocks");
    if (other_) dump.notes.emplace_back("rings and tori are left out: a fleet file has switches and blocks");
    if (!slurmd_versions_.empty())
      dump.notes.push_back("slurmd of the nodes is " + join_versions() +
                           "; slurmctld is as new or newer: `scontrol version` on its host tells");
    context_.dumps.push_back(std::move(dump));
  }

  static TopologyRecord topology(TopologyRecord::Shape shape, std::vector<DomainRecord> domains) {
    TopologyRecord record;
    record.shape = shape;
    record.where = domains.front().where;
    record.domains = std::move(domains);
    record.places_all = shape == TopologyRecord::Shape::Tree;
    return record;
  }

  std::string join_versions() const {
    std::vector<std::string> versions;
    for (const auto& [version, nodes] : slurmd_versions_) versions.push_back(version);
    return join(versions, ", ");
  }

  FileId file_;
  DumpContext& context_;
  std::string_view text_;
  Record record_;
  std::string_view kind_;
  std::string_view reason_;
  Span where_;
  std::vector<NodeRecord> nodes_;
  std::vector<NodeGroup> groups_;
  std::vector<DomainRecord> tree_;
  std::vector<DomainRecord> blocks_;
  std::map<std::string, std::string> parents_;  ///< of switches, by the child's name
  std::map<std::string, int> slurmd_versions_;
  bool aggregated_ = false;
  bool other_ = false;
};

}  // namespace

void read_scontrol(FileId file, DumpContext& context) { ScontrolReader(file, context).run(); }

}  // namespace muster
