#include "prove/slurm_world.h"

#include "support/model.h"

namespace muster::test {

World world_of(const LabCluster& cluster, const LabRound& round, std::optional<std::size_t> only,
               std::vector<std::string>& wrong) {
  std::string text = "muster: world/v1\nname: w\npools:\n  - name: p\n    nodes:\n";
  for (const std::string& node : cluster.nodes) text += "      - " + node + "\n";
  text += "gangs:\n";
  for (std::size_t j = 0; j < round.jobs.size(); ++j) {
    const std::string& gang = round.jobs[j].gang;
    if (gang.empty() || (only && *only != j)) continue;
    text += "  - {name: j" + std::to_string(j) + (gang.starts_with("mechanism") ? ", " : ", mechanism: atomic, ") +
            gang + ", one_per_node: true}\n";
  }
  const Workspace workspace = read_files({{"world.yaml", text}});
  for (const Finding& finding : workspace.findings) wrong.push_back("world file: " + finding.message);
  return workspace.model.worlds.empty() ? World{} : workspace.model.worlds.front();
}

std::int64_t pods_of(const WorldGang& gang) {
  std::int64_t pods = 0;
  for (const WorldRole& role : gang.roles) pods += role.pods;
  return pods;
}

ProofCounterexample as_steps(const World& world, const std::vector<PlacedPod>& pods) {
  ProofCounterexample out;
  std::int64_t commit = 0;
  for (std::size_t g = 0; g < world.gangs.size(); ++g) {
    std::int64_t placed = 0;
    for (const PlacedPod& pod : pods) {
      if (pod.gang != g) continue;
      const bool in_order = world.gangs[g].mechanism == Mechanism::OrderedAtomic;
      if (placed == 0 || (!in_order && placed >= world.gangs[g].guaranteed.value)) ++commit;
      out.steps.push_back({commit, g, pod.role, 0, pod.node, 1});
      ++placed;
    }
    if (placed > 0) out.holds.push_back({g, placed, pods_of(world.gangs[g])});
  }
  return out;
}

}  // namespace muster::test
