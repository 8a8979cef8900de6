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

TEST_CASE("a misspelt key and a misspelt option become the one that is near", "[cli][fix]") {
  const std::string begin = "ClusterName=x\nSlurmctldHost=a\n";
  CHECK(contains(fixed("slurm.conf", begin + "KillWeit=30\n" + kNodes), "\nKillWait=30\n"));
  CHECK(contains(fixed("slurm.conf", begin + "NodeName=n1 CPUs=1 RealMemry=1000\nPartitionName=p Nodes=n1\n"),
                 " RealMemory=1000\n"));
  CHECK(contains(fixed("cgroup.conf", "ConstrainDevice=yes\nConstrainCores=yes\n"), "ConstrainDevices=yes\n"));
  // A key of another file, one that a release does not know yet, and one that is there already.
  for (const std::string line : {"ConstrainCores=yes\n", "KillWait=60\nKillWeit=30\n"})
    CHECK(fixed("slurm.conf", begin + line + kNodes) == begin + line + kNodes);
  const std::string later = begin + "CertmgrTypo=certmgr/script\n" + kNodes;
  CHECK(fixed("slurm.conf", later, {"--target", "slurm=22.05"}) == later);
  CHECK(contains(fixed("slurm.conf", later, {"--target", "slurm=24.11"}), "CertmgrType="));

  const auto job = [](const std::string& option) {
    return "#!/bin/bash\n#SBATCH --" + option + "\n#SBATCH --time=1:00\nsrun a\n";
  };
  const auto mended = [&](const std::string& option) { return fixed("job.sh", job(option), {"--unsafe"}); };
  CHECK(mended("ntasks-per-nodes=1") == job("ntasks-per-node=1"));
  CHECK(mended("gpus-per-nodee=1") == job("gpus-per-node=1"));
  CHECK(mended("cpu-per-task=1") == job("cpus-per-task=1"));
  CHECK(mended("tasks-per-gpu=1") == job("ntasks-per-gpu=1"));
  // What begins several options, and what means CPUs or GPUs that no option is about.
  for (const std::string option : {"cpus=4", "cpus-per-node=4", "ntasks-per-cpu=1", "tier=fast"})
    CHECK(mended(option) == job(option));
}

TEST_CASE("what is only worth knowing holds up no fix", "[cli][fix]") {
  const std::string text = "#!/bin/bash\n#SBTACH --gres=gpu:1\n#SBATCH --nodes=2\nsrun python train.py\n";
  CHECK(contains(fixed("job.sh", text, {"--unsafe"}), "\n#SBATCH --gres=gpu:1\n"));
}

TEST_CASE("a chart that would not be rendered any more keeps its values", "[cli][fix]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/Chart.yaml", "apiVersion: v2\nname: c\nversion: 0.1.0\n");
  write_file(folder.path() + "/values.yaml", "gpu: 1\nmodl: a\n");
  write_file(folder.path() + "/templates/pod.yaml",
             "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: a\n      image: "
             "\"a:1\"\n      env: [{name: A, value: \"{{ if .Values.model }}{{ .Values.model.name.first }}{{ end "
             "}}\"}]\n      resources: {limits: {nvidia.com/gpu: {{ .Values.gpu }}}}\n");
  const muster::test::Ran ran = run_command({"check", folder.path(), "--fix", "--unsafe", "--fail-on", "never"});
  CHECK(contains(ran.out, "helm-value-misspelt"));
  CHECK(read_file(folder.path() + "/values.yaml") == "gpu: 1\nmodl: a\n");
  CHECK(contains(ran.err, "would then not be rendered"));
}

TEST_CASE("findings of a baseline that could be mended are counted, and mended without it", "[cli][fix]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/slurm.conf", std::string("ClusterName=x\nSlurmctldHost=a\nFastSchedule=1\n") + kNodes);
  write_file(folder.path() + "/muster.yaml", "muster: config/v1\nbaseline: known.json\n");
  run_command({"baseline", "write", folder.path(), "--baseline", folder.path() + "/known.json"});
  const muster::test::Ran kept = run_command({"check", folder.path(), "--fix", "--fail-on", "never"});
  CHECK(contains(kept.err, "0 findings fixed in 0 files; 1 that is known already could be, with `--baseline none`"));
  const muster::test::Ran ran =
      run_command({"check", folder.path(), "--fix", "--baseline", "none", "--fail-on", "never"});
  CHECK(contains(ran.err, "1 finding fixed in 1 file"));
  CHECK_FALSE(contains(read_file(folder.path() + "/slurm.conf"), "FastSchedule"));
}

TEST_CASE("nothing is left over where a line goes, and what is kept from before stays", "[cli][fix]") {
  const std::string rest = std::string("ClusterName=x\nSlurmctldHost=a\n") + kNodes;
  CHECK(fixed("slurm.conf", "FastSchedule=1\n\n" + rest) == rest);
  const std::string branch = "{% if old %}\nFastSchedule=1\n{% endif %}\n" + rest;
  CHECK(fixed("slurm.conf.j2", branch) == branch);
  const TemporaryFolder folder;
  write_file(folder.path() + "/slurm.conf", "FastSchedule=1 # since 2015\n" + rest);
  CHECK(contains(run_command({"check", folder.path(), "--fix", "--fail-on", "never"}).err,
                 "slurm-fast-schedule-ignored: something else stands on its line"));
  CHECK(fixed("slurm.conf.bak", "FastSchedule=1\n" + rest) == "FastSchedule=1\n" + rest);
}
