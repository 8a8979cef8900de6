// Any text as topology.conf and as topology.yaml of each plugin.
// Reads: src/slurm/topology.cc src/slurm/topology_yaml.cc src/slurm/topology_settings.cc src/slurm/topology_grammar.cc
// Reads: src/slurm/torus.cc src/model/topology.cc src/model/topology_block.cc src/model/topology_tree.cc
// Seeds: tests/cases/rules/topology*/*.conf tests/cases/rules/topology*/*.yaml tests/cases/kinds/topology-*/*
// Seeds: tests/cases/rules/topology*/*/topology.*
#include <array>

#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  static constexpr std::array<const char*, 3> kSettings{
      "TopologyPlugin=topology/tree\nTopologyParam=TopoOptional,RouteTree\n",
      "TopologyPlugin=topology/block\nTopologyParam=BlockAsNodeRank,SwitchAsNodeRank=2\n",
      "TopologyPlugin=topology/3d_torus\n"};
  const std::string nodes =
      "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-16] Topology=t:a:b\nPartitionName=p Nodes=ALL Topology=t\n";
  for (const char* settings : kSettings) {
    fuzz::ReadFiles({{"slurm.conf", nodes + settings}, {"topology.conf", text}});
    if (text.find("BlockName") == text.npos && text.find("SwitchName") == text.npos) break;  // it is YAML
  }
  fuzz::ReadFiles({{"slurm.conf", nodes + "TopologyPlugin=topology/flat\n"}, {"topology.yaml", text}});
  return 0;
}
