#include "support/fleets.h"

namespace muster::test {

std::string two_leaf_fleet(int nodes_of_a_leaf) {
  const std::string last = std::to_string(nodes_of_a_leaf);
  return "muster: fleet/v1\nname: lab\nnode_pools: [{name: gpu, nodes: 'a[1-" + last + "],b[1-" + last +
         "]', gpus_per_node: 8}]\ntopology:\n  levels: [spine, leaf]\n  domains:\n    - {name: s, level: spine}\n    - "
         "{name: la, level: leaf, parent: s, nodes: 'a[1-" +
         last + "]'}\n    - {name: lb, level: leaf, parent: s, nodes: 'b[1-" + last + "]'}\n";
}

}  // namespace muster::test
