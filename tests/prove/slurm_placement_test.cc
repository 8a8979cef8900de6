// Jobs given to the real slurmctld, and the same jobs in the prover's model of commits.
#include "prove/slurm_model.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"

using namespace muster;

namespace {

void compare(const test::SlurmInstall& install) {
  const std::vector<test::LabCluster> clusters = test::lab_clusters();
  const auto outcomes = test::play(clusters, install);
  for (const test::LabCluster& cluster : clusters) {
    const auto played = outcomes.find(cluster.name);
    if (played == outcomes.end()) continue;
    for (std::size_t i = 0; i < cluster.rounds.size(); ++i) {
      INFO(install.release << ", " << cluster.name << ": " << cluster.rounds[i].what);
      REQUIRE(played->second[i]);
      CHECK(test::disagreements(cluster, cluster.rounds[i], *played->second[i]) == std::vector<std::string>{});
    }
  }
}

}  // namespace

TEST_CASE("docs/prover.md counts the rounds that are played with slurmctld", "[prove]") {
  std::size_t rounds = 0;
  for (const test::LabCluster& cluster : test::lab_clusters()) rounds += cluster.rounds.size();
  const std::string counted =
      std::to_string(rounds) + " rounds of jobs on " + std::to_string(test::lab_clusters().size()) + " small clusters";
  CHECK(test::read_file(test::source_dir() + "/docs/prover.md").find(counted) != std::string::npos);
}

TEST_CASE("what slurmctld does with jobs and what the prover says of them is the same", "[prove][slurmctld]") {
  const std::optional<test::SlurmInstall> here = test::slurm_here();
  if (!here) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  compare(*here);
}

TEST_CASE("what the slurmctld of newer releases does with jobs and what the prover says of them is the same",
          "[slurm-versions]") {
  const std::vector<test::SlurmInstall> installs = test::slurm_chroots();
  if (installs.empty())
    return test::skip(
        "slurm versions",
        "MUSTER_SLURM_CHROOTS names no folder of chroots, or this is not root: scripts/slurm-versions makes them");
  for (const test::SlurmInstall& install : installs) compare(install);
}
