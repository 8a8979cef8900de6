#include <algorithm>
#include <set>

#include "base/strings.h"
#include "inventory/readers.h"
#include "kinds/dump_kinds.h"

namespace muster {
namespace {

// Sources: SchedMD/slurm:src/plugins/data_parser (v0.0.37-v0.0.45) and its openapi plugins; executed
// with 22.05.8, 24.11.5 and 26.05.5. Numbers that may be unset are mappings since 23.02, and were plain numbers before.

/// A number, or {set, infinite, number}; nothing where it is not set.
Node number_in(const Node& node) {
  if (!node.is_mapping()) return node;
  if (node["set"].text() == "false" || node["infinite"].text() == "true") return {};
  return node["number"];
}

/// {minimum, maximum} of a group of nodes, where all have the same.
Node common_of(const Node& range) {
  return range["minimum"].exists() && range["minimum"].text() == range["maximum"].text() ? range["minimum"] : Node{};
}

class SlurmJsonReader {
 public:
  SlurmJsonReader(const Node& root, FileId file, DumpContext& context) : root_(root), context_(context) {
    dump_.file = file;
  }

  void run() {
    dump_.rank = 10;
    dump_.scope = Scope::Slurm;
    dump_.plane = "slurm";
    dump_.where = {dump_.file, root_.where().begin, root_.where().begin};
    read_meta();
    if (lists_slurm_nodes(root_["nodes"])) read_nodes(root_["nodes"]);
    if (lists_slurm_groups(root_["sinfo"])) read_groups(root_["sinfo"]);
    if (lists_slurm_partitions(root_["partitions"])) read_partitions(root_["partitions"]);
    context_.dumps.push_back(std::move(dump_));
  }

 private:
  void read_meta() {
    const Node now = root_["meta"]["slurm"];
    const Node meta = now.exists() ? now : root_["meta"]["Slurm"];  // up to 23.02
    if (meta["release"].is_scalar() && is_node_name(meta["release"].text())) {
      dump_.release = meta["release"].text();
      dump_.release_where = meta["release"].where();
    }
    if (meta["cluster"].is_scalar()) dump_.cluster = meta["cluster"].text();
  }

  /// What was asked for; a dump of one node says nothing of the others. slurmrestd does not tell.
  bool asked_for_all(std::size_t nodes) const {
    const Node command = root_["meta"]["command"];
    if (!command.is_sequence() || command.size() == 0) return nodes > 1;
    for (std::size_t i = 0; i < command.size(); ++i) {
      const std::string_view word = command.item(i).text();
      if (starts_with_ignoring_case(word, "node"))
        return i + 1 == command.size() || command.item(i + 1).text().starts_with("-");
    }
    return nodes > 1;
  }

  void count(NodeRecord& record, std::string_view fact, const Node& value) {
    const Node number = number_in(value);
    if (number.is_scalar()) say(context_, record, fact, std::string(number.text()), number.where());
  }

  void memory(NodeRecord& record, const Node& value) {
    if (number_in(value).text() != "1")
      count(record, "node.memory_mib", value);  // 1 is what Slurm takes where nobody said
  }

  void read_nodes(const Node& nodes) {
    dump_.format = "Slurm nodes as JSON";
    dump_.lists_all_nodes = asked_for_all(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node node = nodes.item(i);
      const std::string name(node["name"].text());
      if (!is_node_name(name)) {
        unreadable(context_, node["name"].where(), "`" + name + "` cannot be the name of a node");
        continue;
      }
      NodeRecord record;
      record.names = {name};
      record.where = node["name"].where();
      if (node["gres"].is_scalar() || node["gres"].is_null())
        say_gres(context_, record, node["gres"].text(), node["gres"].where());
      count(record, "node.cpus", node["cpus"]);
      count(record, "node.sockets", node["sockets"]);
      count(record, "node.cores_per_socket", node["cores"]);
      memory(record, node["real_memory"]);
      say(context_, record, "control_plane", "slurm", record.where);
      read_service(node, record);
      dump_.nodes.push_back(std::move(record));
    }
  }

  /// Its state is a list since 23.02; before, a word and `state_flags`.
  static void read_service(const Node& node, NodeRecord& record) {
    std::vector<std::string> words;
    for (const Node& list : {node["state"], node["state_flags"]}) {
      if (list.is_scalar() && !list.text().empty()) words.emplace_back(list.text());
      for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) words.emplace_back(list.item(i).text());
    }
    if (words.empty()) return;
    const std::string state = join(words, "+");
    record.service.now = slurm_service(state);
    record.service.says = "`" + state + "`";
    if (!node["reason"].text().empty()) record.service.says += ", " + std::string(node["reason"].text());
    record.service.where = node["state"].where();
    const std::string host = host_in_comment(node["comment"].text());
    if (!host.empty()) record.service.hosts = {host};
  }

  /// sinfo puts nodes together that are alike; one that is in two partitions comes twice.
  void read_groups(const Node& groups) {
    dump_.format = "sinfo --json";
    dump_.lists_all_nodes = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Node group = groups.item(i);
      NodeRecord record;
      record.where = group["nodes"]["nodes"].where();
      for (std::size_t n = 0; n < group["nodes"]["nodes"].size(); ++n) {
        const Node item = group["nodes"]["nodes"].item(n);
        for (std::string& name : names_of(context_, item.text(), item.where())) record.names.push_back(std::move(name));
      }
      const Node gres = group["gres"]["total"];
      if (gres.exists()) say_gres(context_, record, gres.text(), gres.where());
      count(record, "node.cpus", common_of(group["cpus"]));
      count(record, "node.sockets", common_of(group["sockets"]));
      count(record, "node.cores_per_socket", common_of(group["cores"]));
      memory(record, common_of(group["memory"]));
      say(context_, record, "control_plane", "slurm", record.where);
      const Node partition = group["partition"];
      if (partition["name"].is_scalar()) read_partition(partition);
      dump_.nodes.push_back(std::move(record));
    }
  }

  void read_partition(const Node& partition) {
    const Node configured = partition["nodes"]["configured"];
    const std::string name(partition["name"].text());
    if (!configured.text().empty() && partitions_.insert(name).second)
      dump_.groups.push_back({name, names_of(context_, configured.text(), configured.where())});
  }
  void read_partitions(const Node& partitions) {
    if (dump_.format.empty()) dump_.format = "Slurm partitions as JSON";
    for (std::size_t i = 0; i < partitions.size(); ++i) read_partition(partitions.item(i));
  }

  Node root_;
  DumpContext& context_;
  Dump dump_;
  std::set<std::string> partitions_;  ///< whose nodes have been read
};

}  // namespace

void read_slurm_json(const Node& root, FileId file, DumpContext& context) {
  SlurmJsonReader(root, file, context).run();
}

}  // namespace muster
