#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/capped.h"
#include "base/strings.h"
#include "inventory/readers.h"
#include "slurm/records.h"
#include "slurm/site.h"

namespace muster {
namespace {

class SiteReader {
 public:
  SiteReader(const SlurmSite& site, DumpContext& context) : site_(site), context_(context) {}

  void run() {
    if (!site_.nodes.empty() || !site_.partitions.empty() || !site_.node_sets.empty()) read_records();
    if (!site_.gres_lines.empty()) read_gres();
    for (const Topology& topology : site_.topologies) read_topology(topology);
  }

 private:
  Dump begin(Span where, std::string_view format, int rank) const {
    Dump dump;
    dump.file = where.file;
    dump.where = where;
    dump.format = format;
    dump.rank = rank;
    dump.scope = Scope::Slurm;
    dump.plane = "slurm";
    if (site_.name.is_set()) dump.cluster = site_.name.value;
    return dump;
  }

  std::vector<std::string> expand(const Located<std::string>& list) {
    return list.is_set() ? names_of(context_, list.value, list.where) : std::vector<std::string>{};
  }

  void read_records() {
    Dump dump = begin(site_.where, "slurm.conf", 40);
    dump.lists_all_nodes = site_.nodes_known && !site_.nodes.empty();
    std::vector<std::string> future;
    for (const SlurmNodes& nodes : site_.nodes) {
      if (starts_with_ignoring_case(nodes.state.value, "future")) {
        future.push_back(nodes.names.value);
        continue;
      }
      dump.nodes.push_back(read_nodes(nodes));
    }
    if (!future.empty())
      dump.notes.push_back("left out, for State=FUTURE says that they need not exist: " + join(future, ", "));
    bool by_feature = false;
    for (const SlurmNodeSet& set : site_.node_sets) {
      by_feature = by_feature || set.nodes.state == State::Absent;
      sets_.try_emplace(set.name.value, dump.groups.size());
      dump.groups.push_back({set.name.value, expand(set.nodes)});
    }
    if (by_feature) sets_.clear();  // whom they hold nobody knows, nor the partitions that name them
    for (const SlurmPartition& partition : site_.partitions) {
      if (!by_feature) add_partition(partition, dump);
    }
    context_.dumps.push_back(std::move(dump));
  }

  NodeRecord read_nodes(const SlurmNodes& nodes) {
    NodeRecord record;
    record.names = expand(nodes.names);
    record.where = nodes.names.where;
    record.may_be_hidden = starts_with_ignoring_case(nodes.state.value, "cloud");
    if (nodes.gres.unknown())
      leave_open(record, "gpus_per_node", "Gres in slurm.conf is a placeholder; the rendered file decides");
    if (!nodes.gres.unknown())
      say_gres(context_, record, nodes.gres.value, nodes.gres.is_set() ? nodes.gres.where : record.where);
    if (nodes.real_memory.is_set() && nodes.real_memory.value > 1) {
      say(context_, record, "node.memory_mib", std::to_string(nodes.real_memory.value), nodes.real_memory.where);
    }
    say_cpus(record, nodes.cpu_counts);
    say(context_, record, "control_plane", "slurm", record.where);
    return record;
  }

  /// As slurmctld completes what the line leaves out. Source: SchedMD/slurm:src/common/read_config.c, _parse_nodename
  /// (22.05-26.05).
  void say_cpus(NodeRecord& record, const SlurmCpuCounts& counts) {
    const bool sockets = counts.sockets > 0;
    const bool cores = counts.cores_per_socket > 0;
    if (sockets) say(context_, record, "node.sockets", std::to_string(counts.sockets), counts.where);
    if (cores) say(context_, record, "node.cores_per_socket", std::to_string(counts.cores_per_socket), counts.where);
    if (counts.cpus > 0) {
      say(context_, record, "node.cpus", std::to_string(counts.cpus), counts.where);
    } else if (sockets && cores) {
      const std::int64_t threads = multiply_capped(multiply_capped(counts.sockets, counts.cores_per_socket),
                                                   std::max<std::int64_t>(1, counts.threads_per_core));
      say(context_, record, "node.cpus", std::to_string(threads), counts.where);
    }
  }

  /// A partition may name node sets, and ALL.
  void add_partition(const SlurmPartition& partition, Dump& dump) {
    if (!partition.name.is_set() || !partition.nodes.is_set() || equals_ignoring_case(partition.nodes.value, "all"))
      return;
    std::vector<std::string> names;
    for (std::string& name : expand(partition.nodes)) {
      const auto set = sets_.find(name);
      if (set == sets_.end()) {
        names.push_back(std::move(name));
        continue;
      }
      const std::vector<std::string>& members = dump.groups[set->second].nodes;
      if (members.size() > context_.names_left) return;
      context_.names_left -= members.size();
      names.insert(names.end(), members.begin(), members.end());
    }
    dump.groups.push_back({partition.name.value, std::move(names)});
  }

  /// What the lines of gres.conf together say of a node.
  struct Devices {
    std::string gres;
    Span where;
    bool counted = true;
  };

  void read_gres() {
    std::map<std::string, Devices> by_list;
    for (const GresLine& line : site_.gres_lines) {
      if (!line.nodes.is_set() || !line.name.is_set() || !equals_ignoring_case(line.name.value, "gpu")) continue;
      Devices& devices = by_list[line.nodes.value];
      if (devices.gres.empty()) devices.where = line.nodes.where;
      std::int64_t count = line.file_count.value_or(-1);
      if (line.count.is_set()) {
        const std::vector<Gres> read = parse_gres("gpu:" + line.count.value);
        count = read.empty() ? -1 : read.front().count;
      }
      devices.counted = devices.counted && count >= 0;
      devices.gres += (devices.gres.empty() ? "gpu" : ",gpu") + (line.type.is_set() ? ":" + line.type.value : "") +
                      ":" + std::to_string(std::max<std::int64_t>(0, count));
    }
    if (by_list.empty()) return;
    Dump dump = begin(site_.gres_lines.front().where, "gres.conf", 50);
    for (const auto& [list, devices] : by_list) {
      if (!devices.counted) continue;
      NodeRecord record;
      record.names = names_of(context_, list, devices.where);
      record.where = devices.where;
      say_gres(context_, record, devices.gres, devices.where);
      dump.nodes.push_back(std::move(record));
    }
    context_.dumps.push_back(std::move(dump));
  }

  void read_topology(const Topology& topology) {
    Dump dump = begin(topology.where, topology.yaml ? "topology.yaml" : "topology.conf", topology.yaml ? 20 : 30);
    if (topology.shadowed) {
      dump.notes.emplace_back("topology.conf stands beside a topology.yaml and is left out, as slurmctld leaves it");
    } else if (topology.kind == Topology::Kind::Tree) {
      read_tree(topology, dump);
    } else if (topology.kind == Topology::Kind::Block) {
      read_blocks(topology, dump);
    } else if (topology.kind != Topology::Kind::Flat) {
      dump.notes.emplace_back("rings and tori are left out: a fleet file has switches and blocks");
    }
    context_.dumps.push_back(std::move(dump));
  }

  DomainRecord unit(const TopologyUnit& one) {
    DomainRecord domain;
    domain.name = one.name.value;
    domain.where = one.where;
    domain.nodes = expand(one.nodes_text);
    return domain;
  }

  void read_tree(const Topology& topology, Dump& dump) {
    TopologyRecord record;
    record.where = topology.where;
    record.places_all = true;
    std::map<std::string, std::string> parents;
    for (const Switch& one : topology.switches) {
      for (const SwitchChild& child : one.children) parents.try_emplace(child.name, one.name.value);
    }
    for (const Switch& one : topology.switches) {
      DomainRecord domain = unit(one);
      const auto parent = parents.find(domain.name);
      if (parent != parents.end()) domain.parent = parent->second;
      record.domains.push_back(std::move(domain));
    }
    dump.topologies.push_back(std::move(record));
  }

  void read_blocks(const Topology& topology, Dump& dump) {
    TopologyRecord record;
    record.shape = TopologyRecord::Shape::Blocks;
    record.where = topology.where;
    for (const TopologyBlock& one : topology.blocks) record.domains.push_back(unit(one));
    dump.topologies.push_back(std::move(record));
  }

  const SlurmSite& site_;
  DumpContext& context_;
  std::unordered_map<std::string, std::size_t> sets_;  ///< node sets, in Dump::groups
};

}  // namespace

void read_slurm_sites(const std::vector<SlurmFile>& files, DumpContext& context) {
  Model model;
  std::vector<Finding> findings;
  assemble_slurm_sites(files, model, findings);
  // What is wrong with the files is what `muster check` is for; what cannot be read is missing here, too.
  for (Finding& finding : findings) {
    if (finding.rule == "hostlist-invalid" || finding.rule == "slurm-conf-syntax")
      context.findings.push_back(std::move(finding));
  }
  for (const SlurmSite& site : model.slurm_sites) SiteReader(site, context).run();
}

}  // namespace muster
