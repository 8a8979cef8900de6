// What a rule says where nobody says which release runs.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::contains;

std::string check_conf(const std::string& line, const std::vector<std::string>& more = {}) {
  const muster::test::FakeDisk disk({{"slurm.conf", "ClusterName=lab\nSlurmctldHost=ctl\n" + line + "\n"}});
  std::vector<std::string> words{"check", "slurm.conf"};
  words.insert(words.end(), more.begin(), more.end());
  return muster::test::run_command(words, disk).out;
}

}  // namespace

TEST_CASE("a finding of some releases names them, and is no error", "[lint][releases]") {
  const std::string removed = check_conf("SlurmctldPlugstack=x");
  CHECK(contains(removed,
                 "warning[slurm-key-removed]: `SlurmctldPlugstack` no longer exists: Slurm 23.02 removed it (from "
                 "slurm 23.02 on)\n"));
  CHECK_FALSE(contains(removed, "not decided"));
  const std::string said = check_conf("SlurmctldPlugstack=x", {"--target", "slurm=25.05"});
  CHECK(contains(said, "error[slurm-key-removed]: `SlurmctldPlugstack` no longer exists: Slurm 23.02 removed it\n"));
  CHECK_FALSE(contains(check_conf("SlurmctldPlugstack=x", {"--target", "slurm=22.05"}), "slurm-key-removed"));
}

TEST_CASE("what the newest release takes is worth knowing, no more", "[lint][releases]") {
  const std::string text = check_conf("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core,LL_SHARED_GRES");
  CHECK(contains(text,
                 "info[slurm-value-refused]: `SelectTypeParameters=CR_Core,LL_SHARED_GRES` cannot be: no "
                 "`LL_SHARED_GRES` in 23.02; expected"));
  CHECK(contains(text, "(up to slurm 23.02)\n"));
}

TEST_CASE("what the first known release brought is not said of those before", "[lint][releases]") {
  const muster::test::FakeDisk disk(
      std::map<std::string, std::string>{{"job.sh",
                                          "#!/bin/bash\n#SBATCH --nodes=1 --ntasks=2 --cpus-per-task=8 --time=60\n"
                                          "srun ./solve\n"}});
  const std::string text = muster::test::run_command({"check", "job.sh"}, disk).out;
  CHECK(contains(text, "(with slurm 22.05 to 23.02)\n"));
  const std::string older = muster::test::run_command({"check", "job.sh", "--target", "slurm=21.08"}, disk).out;
  CHECK_FALSE(contains(older, "sbatch-step-cpus-not-inherited"));
}

TEST_CASE("what all releases refuse is an error without a question mark", "[lint][releases]") {
  const std::string text = check_conf("TaskPluginParam=fastest");
  CHECK(contains(text,
                 "error[slurm-value-refused]: `TaskPluginParam=fastest` cannot be: no `fastest` in 26.05; expected"));
  CHECK_FALSE(contains(text, "?"));
  CHECK_FALSE(contains(text, "(from slurm"));
}
