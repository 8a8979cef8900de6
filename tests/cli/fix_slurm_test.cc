// What --fix makes of Slurm's files, and what it leaves to their owner.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

namespace {

using muster::contains;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

constexpr const char* kNodes = "NodeName=n1 CPUs=1 RealMemory=1000\nPartitionName=p Nodes=n1\n";

/// The file after --fix.
std::string fixed(const std::string& name, const std::string& text, const std::vector<std::string>& options = {}) {
  const TemporaryFolder folder;
  write_file(folder.path() + "/" + name, text);
  std::vector<std::string> words{"check", folder.path(), "--fix", "--fail-on", "never"};
  words.insert(words.end(), options.begin(), options.end());
  run_command(words);
  return read_file(folder.path() + "/" + name);
}

}  // namespace

TEST_CASE("a controller keeps its old key where another old key stands beside it", "[cli][fix]") {
  const std::string alone = std::string("ClusterName=x\nControlMachine={{ a }}\n") + kNodes;
  CHECK(contains(fixed("slurm.conf.j2", alone), "SlurmctldHost={{ a }}\n"));
  CHECK(contains(fixed("slurm.conf.j2", "#ControlAddr=\n#BackupController=\n" + alone), "SlurmctldHost={{ a }}\n"));
  for (const std::string more : {"ControlAddr={{ b }}\n", "BackupAddr=10.0.0.2\n",
                                 "{% if b is defined %}\nBackupController={{ b }}\n{% endif %}\n",
                                 "{% if b is defined %}\nBackupAddr={{ b }}\n{% endif %}\n"}) {
    INFO(more);
    CHECK(contains(fixed("slurm.conf.j2", alone + more), "ControlMachine={{ a }}\n"));
  }
  const std::string code =
      "ClusterName=x\nControlMachine=<%= @a %>\n"
      "<%= @b.nil? ? '#BackupController=' : ('BackupController=' + @b) %>\nSlurmdPort=6818\n";
  CHECK(fixed("slurm.conf.erb", code) == code);
}

TEST_CASE("of a release that nobody read nothing is rewritten", "[cli][fix]") {
  const std::string text =
      std::string("ClusterName=x\nControlMachine=a\nSelectType=select/cons_res\nFastSchedule=2\nCacheGroups=1\n") +
      kNodes;
  CHECK(fixed("slurm.conf", text, {"--unsafe", "--target", "slurm=18.08.8"}) == text);
  CHECK(fixed("slurm.conf", "# slurm.conf for Slurm 17.02.6\n" + text, {"--unsafe", "--target", "slurm=14.11"}) ==
        "# slurm.conf for Slurm 17.02.6\n" + text);
  const TemporaryFolder folder;
  write_file(folder.path() + "/roles/slurm/vars/main.yml", "slurm_version: 14.11.8\n");
  write_file(folder.path() + "/roles/slurm/templates/slurm.conf.j2", text);
  write_file(folder.path() + "/roles/slurm/templates/cgroup.conf.j2", "CgroupAutomount=yes\nConstrainCores=yes\n");
  run_command({"check", folder.path(), "--fix", "--unsafe", "--fail-on", "never"});
  CHECK(read_file(folder.path() + "/roles/slurm/templates/slurm.conf.j2") == text);
  CHECK(contains(read_file(folder.path() + "/roles/slurm/templates/cgroup.conf.j2"), "CgroupAutomount=yes"));
}

TEST_CASE("a key that the daemons name a successor of becomes that, or stays", "[cli][fix]") {
  const std::string begin = "ClusterName=x\nSlurmctldHost=a\n";
  const std::vector<std::string> now{"--target", "slurm=22.05"};
  CHECK(contains(fixed("slurm.conf", begin + "AccountingStoreJobComment=YES\n" + kNodes, now),
                 "\nAccountingStoreFlags=job_comment\n"));
  CHECK(
      contains(fixed("slurm.conf", begin + "FastSchedule=2\n" + kNodes, now), "\nSlurmdParameters=config_overrides\n"));
  CHECK(contains(fixed("slurm.conf", begin + "MemLimitEnforce=yes\n" + kNodes, now),
                 "\nJobAcctGatherParams=OverMemoryKill\n"));
  CHECK(fixed("slurm.conf", begin + "MemLimitEnforce=no\nAccountingStoreJobComment=no\n" + kNodes, now) ==
        begin + kNodes);
  const std::string taken =
      begin + "SallocDefaultCommand=x\nFastSchedule=2\nSlurmdParameters=l3cache_as_socket\n" + kNodes;
  CHECK(fixed("slurm.conf", taken, now) == taken);
}
