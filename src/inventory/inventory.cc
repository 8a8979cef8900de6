#include "inventory/inventory.h"

#include <algorithm>

#include "inventory/drained_nodes.h"
#include "inventory/read_dumps.h"
#include "inventory/write_fleet.h"

namespace muster {

Inventory take_inventory(const SourceMap& sources, const std::vector<FileContext>& files, const std::string& name) {
  Inventory out;
  const DumpFiles read = read_dumps(sources, files);  // from here on nobody looks at formats
  out.findings = read.findings;
  out.unknown = read.unknown;
  report_one_sided_drains(read.dumps, out.findings);
  const std::vector<MergedNode> nodes = merge_nodes(read.dumps, out.findings);
  const MergedTopology topology = merge_topology(read.dumps, nodes, out.findings);
  std::vector<Pool> pools = make_pools(nodes, read.dumps);
  count_nvlink_domains(pools, nodes, topology);
  out.nodes = nodes.size();
  out.pools = pools.size();
  if (!nodes.empty()) out.fleet = write_fleet({sources, read.dumps, nodes, pools, topology, name});
  sort_findings(out.findings, sources);
  return out;
}

}  // namespace muster
