#include "inventory/write_fleet.h"

#include <algorithm>
#include <set>

#include "base/hostlist.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "model/device_platforms.h"
#include "model/fact.h"
#include "syntax/write_yaml.h"

namespace muster {
namespace {

/// Words of a comment: one line, nothing that ends it.
std::string comment(const std::string& text) { return printable(replace_all(text, "\n", " ")); }

class Writer {
 public:
  explicit Writer(const FleetParts& parts) : parts_(parts) {}

  std::string run() {
    write_head();
    write_control_planes();
    write_slurm_hosts();
    out_ += "node_pools:\n";
    for (const Pool& pool : parts_.pools) write_pool(pool);
    write_topology();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }

  void write_head() {
    line("# Made by `muster inventory`. What no dump says is left out; comments name what would decide it.");
    std::string before;
    for (const Dump& dump : parts_.dumps) {
      const std::string source =
          "#   " + comment(parts_.sources.file(dump.file).path()) + ": " + std::string(dump.format);
      if (source != before) line(source);
      before = source;
    }
    line("muster: fleet/v1");
    std::set<std::string> names;
    for (const Dump& dump : parts_.dumps) {
      if (!dump.cluster.empty()) names.insert(dump.cluster);
    }
    if (!parts_.name.empty()) names = {parts_.name};
    if (names.size() == 1) return line("name: " + yaml_text(*names.begin()));
    // Templates print the name: a fleet file without one would be of little use.
    if (names.empty()) return line("name: unnamed  # no dump says how the fleet is called; --name NAME does");
    line("name: unnamed  # the dumps are of several clusters: " +
         comment(join(std::vector<std::string>(names.begin(), names.end()), ", ")) + "; --name NAME decides");
  }

  void write_control_planes() {
    std::map<std::string, std::set<std::string>> releases;
    std::set<std::string_view> platforms;
    for (const Dump& dump : parts_.dumps) {
      if (dump.plane == "kubernetes") platforms.insert(dump.platforms.begin(), dump.platforms.end());
      if (dump.plane.empty()) continue;
      std::set<std::string>& of_plane = releases[dump.plane];
      if (!dump.release.empty()) of_plane.insert(dump.release);
    }
    if (releases.contains("k3s")) releases.erase("kubernetes");  // what ResourceSlices and HyperNodes cannot tell apart
    if (!releases.empty()) line("control_planes:");
    for (const auto& [plane, of_plane] : releases) {
      const std::string platform(plane == "kubernetes" ? common_platform(platforms) : "");
      if (of_plane.size() == 1) {
        line("  - {kind: " + plane + ", version: \"" + *of_plane.begin() + "\"" +
             (platform.empty() ? "" : ", platform: " + platform) + "}");
        continue;
      }
      line("  - kind: " + plane);
      if (!platform.empty()) line("    platform: " + platform);
      const std::vector<std::string> several(of_plane.begin(), of_plane.end());
      line((of_plane.empty() ? std::string("    # version: no dump says; `")
                             : "    # version: the dumps differ: " + join(several, ", ") + "; `") +
           (plane == "slurm" ? "scontrol version" : "kubectl version") + "` does");
    }
    std::set<std::string> notes;
    for (const Dump& dump : parts_.dumps) notes.insert(dump.notes.begin(), dump.notes.end());
    for (const std::string& note : notes) line("# " + comment(note));
  }

  /// Hosts of Slurm's daemons, where the dumps agree.
  void write_slurm_hosts() {
    std::vector<std::string> items;
    for (const auto& [key, host] :
         {std::pair{"controller", &Dump::controller}, std::pair{"database", &Dump::database}}) {
      std::set<std::string> hosts;
      for (const Dump& dump : parts_.dumps) {
        if (!(dump.*host).empty()) hosts.insert(dump.*host);
      }
      if (hosts.size() == 1) items.push_back(std::string(key) + ": " + yaml_text(*hosts.begin()));
      if (hosts.size() > 1)
        line("# slurm." + std::string(key) +
             ": the dumps differ: " + comment(join(std::vector<std::string>(hosts.begin(), hosts.end()), ", ")));
    }
    if (!items.empty()) line("slurm: {" + join(items, ", ") + "}");
  }

  /// Facts of one mapping of the pool, such as accelerator; "" is the pool itself.
  void write_facts(const Pool& pool, std::string_view mapping) {
    std::vector<std::string> items;
    std::vector<std::string> missing;
    for (std::size_t fact = 0; fact < pool_facts().size(); ++fact) {
      const FactDef& def = pool_facts()[fact];
      const std::size_t dot = def.name.find('.');
      if ((dot == def.name.npos ? std::string_view{} : def.name.substr(0, dot)) != mapping) continue;
      const std::string key(dot == def.name.npos ? def.name : def.name.substr(dot + 1));
      const auto value = pool.facts.find(fact);
      if (value != pool.facts.end())
        items.push_back(key + ": " +
                        (def.type == FactType::String && def.words.empty() && mapping == "runtime"
                             ? quoted_yaml_text(value->second)
                         : def.type == FactType::Int ? value->second
                                                     : yaml_text(value->second)));
      const auto open = pool.missing.find(fact);
      if (value == pool.facts.end() && open != pool.missing.end())
        missing.push_back("    # " + std::string(def.name) + ": " + comment(open->second));
    }
    if (mapping.empty()) {
      for (const std::string& item : items) line("    " + item);
    } else if (!items.empty()) {
      line("    " + std::string(mapping) + ": {" + join(items, ", ") + "}");
    }
    for (const std::string& words : missing) line(words);
  }

  void write_pool(const Pool& pool) {
    line("  - name: " + yaml_text(pool.name));
    std::vector<std::string> names;
    for (const std::size_t i : pool.nodes) names.push_back(parts_.nodes[i].name);
    line("    nodes: " + yaml_text(compress_hostlist(names)));
    for (const std::string_view mapping : {"", "accelerator", "fabric", "node", "runtime"}) write_facts(pool, mapping);
  }

  void write_topology() {
    const MergedTopology& topology = parts_.topology;
    for (const std::string& note : topology.notes) line("# " + comment(note));
    if (topology.domains.empty()) {
      line(
          "# topology: no dump says; topology.conf, `scontrol show topology`, ibnetdiscover or topology labels of "
          "nodes do");
      return;
    }
    line("topology:");
    std::vector<std::string> levels;
    for (const std::string& level : topology.levels) levels.push_back(yaml_text(level));
    line("  levels: [" + join(levels, ", ") + "]");
    line("  domains:");
    for (const MergedDomain& domain : topology.domains) {
      if (!domain.note.empty()) line("    # " + comment(domain.note));
      line("    - {name: " + yaml_text(domain.name) + ", level: " + yaml_text(domain.level) +
           (domain.parent.empty() ? "" : ", parent: " + yaml_text(domain.parent)) +
           (domain.nodes.empty() ? "" : ", nodes: " + yaml_text(compress_hostlist(domain.nodes))) + "}");
    }
    write_unplaced();
  }

  void write_unplaced() {
    std::set<std::string> placed;
    for (const MergedDomain& domain : parts_.topology.domains) placed.insert(domain.nodes.begin(), domain.nodes.end());
    std::vector<std::string> left;
    for (const MergedNode& node : parts_.nodes) {
      if (!placed.contains(node.name)) left.push_back(node.name);
    }
    if (!left.empty()) line("# without a place in the topology, for no dump says: " + comment(show_nodes(left)));
  }

  const FleetParts& parts_;
  std::string out_;
};

}  // namespace

std::string write_fleet(const FleetParts& parts) { return Writer(parts).run(); }

}  // namespace muster
