// Severities that follow what a finding is about; the marks of the rules' cases do not tell them.
#include <map>

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

using muster::contains;
using muster::replace_all;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::source_dir;
using muster::test::TemporaryFolder;
using muster::test::write_file;

namespace {

/// What `muster check` says of a case of a rule.
std::string said_of(const std::string& path) {
  return run_command({"check", source_dir() + "/tests/cases/rules/" + path}).out;
}

}  // namespace

TEST_CASE("a benchmark that a person starts needs no gang scheduler as much as training does", "[lint][severity]") {
  CHECK(contains(said_of("gang-scheduler-missing/fires-benchmark.yaml"), "info[gang-scheduler-missing]"));
  CHECK(contains(said_of("gang-scheduler-missing/fires.yaml"), "warning[gang-scheduler-missing]"));
}

TEST_CASE("a monitor that holds a device weighs more where it need not have one", "[lint][severity]") {
  const std::string said = said_of("release-monitor-holds-device/fires.yaml");
  CHECK(contains(said, "warning[release-monitor-holds-device]: "));
  CHECK(contains(said, "info[release-monitor-holds-device]: "));
}

TEST_CASE("a resource that is no GPU and missing in GresTypes stops fewer jobs", "[lint][severity]") {
  CHECK(contains(said_of("slurm-gres-type-missing/fires.conf"), "error[slurm-gres-type-missing]"));
  CHECK(contains(said_of("slurm-gres-type-missing/fires-other.conf"), "warning[slurm-gres-type-missing]"));
}

TEST_CASE("a list as QOS of a partition ends slurmctld where QOS are enforced, and everywhere from 25.11 on",
          "[lint][severity]") {
  const auto said = [](const std::string& enforced, const std::string& release) {
    const TemporaryFolder folder;
    std::string conf = read_file(source_dir() + "/tests/cases/rules/slurm-partition-qos-list/fires/slurm.conf");
    conf = replace_all(conf, "AccountingStorageEnforce=associations", "AccountingStorageEnforce=" + enforced);
    write_file(folder.path() + "/slurm.conf", conf);
    return run_command({"check", folder.path(), "--target", "slurm=" + release}).out;
  };
  CHECK(contains(said("associations,limits", "24.11"), "warning[slurm-partition-qos-list]"));
  CHECK(contains(said("associations,qos", "24.11"), "error[slurm-partition-qos-list]"));
  CHECK(contains(said("all", "24.11"), "error[slurm-partition-qos-list]"));
  CHECK(contains(said("associations", "25.11"), "error[slurm-partition-qos-list]"));
}

TEST_CASE("what older releases take is an error only where something says which release runs", "[lint][severity]") {
  const auto said = [](const std::string& line, const std::vector<std::string>& more) {
    const TemporaryFolder folder;
    write_file(folder.path() + "/slurm.conf", "ClusterName=lab\nSlurmctldHost=ctl\n" + line +
                                                  "\nNodeName=n1 CPUs=4 RealMemory=1000\nPartitionName=p Nodes=n1\n");
    std::vector<std::string> words{"check", folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words).out;
  };
  const std::vector<std::string> told{"--target", "slurm=24.05"};
  for (const auto& [line, rule] : std::map<std::string, std::string>{
           {"CacheGroups=0", "slurm-key-removed"},
           {"FastSchedule=2", "slurm-key-removed"},
           {"AccountingStorageLoc=slurm", "slurm-key-removed"},
           {"TaskPluginParam=Sched", "slurm-value-refused"},
           {"AccountingStorageType=accounting_storage/filetxt", "slurm-plugin-removed"}}) {
    INFO(line);
    CHECK(contains(said(line, {}), "warning[" + rule + "]"));
    CHECK(contains(said(line, told), "error[" + rule + "]"));
  }
  // What none takes.
  for (const auto& [line, rule] :
       std::map<std::string, std::string>{{"CacheGruops=0", "slurm-key-unknown"},
                                          {"TaskPluginParam=Shed", "slurm-value-refused"},
                                          {"KillWait=99999", "slurm-value-refused"},
                                          {"AccountingStorageType=accounting_storage/file", "slurm-plugin-unknown"}}) {
    INFO(line);
    CHECK(contains(said(line, {}), "error[" + rule + "]"));
  }
}

TEST_CASE("a key that is set twice to one value loses nothing", "[lint][severity]") {
  const std::string twice = said_of("slurm-key-repeated/fires.conf");
  CHECK(contains(twice, "warning[slurm-key-repeated]"));
  const TemporaryFolder folder;
  write_file(folder.path() + "/slurm.conf",
             "ClusterName=lab\nSlurmctldHost=ctl\nKillWait=30\nKillWait=30\nNodeName=n1 CPUs=4 RealMemory=1000\n"
             "PartitionName=p Nodes=n1\n");
  CHECK(contains(run_command({"check", folder.path()}).out, "info[slurm-key-repeated]"));
}

TEST_CASE("what is never reached is named by its command, not by the end of a line that goes on", "[lint][severity]") {
  const std::string said = said_of("container-waits-before-work/fires-goes-on.yaml");
  CHECK(contains(said, "waits for ever before it gets to `torchrun`"));
}

TEST_CASE("what nobody minds in a cluster of containers to try things on is an information", "[lint][severity]") {
  const std::string conf = read_file(source_dir() + "/tests/cases/rules/slurm-user-root/fires-containers/slurm.conf");
  const TemporaryFolder folder;
  write_file(folder.path() + "/etc/slurm.conf", conf);
  const auto severity = [&] {
    const std::string said = run_command({"check", folder.path()}).out;
    for (const std::string rule : {"slurm-auth-none", "slurm-user-root", "slurm-state-in-tmp", "slurm-spool-in-tmp"}) {
      if (contains(said, "warning[" + rule + "]") == contains(said, "info[" + rule + "]")) return "mixed: " + said;
    }
    return std::string(contains(said, "warning[slurm-user-root]") ? "warning" : "info");
  };
  CHECK(severity() == "warning");
  write_file(folder.path() + "/Dockerfile", "FROM debian:12\nRUN apt-get install slurm-wlm\n");
  CHECK(severity() == "warning");  // it does not take the file
  write_file(folder.path() + "/Dockerfile", "FROM debian:12\nRUN apt-get install slurm-wlm\nCOPY etc /etc/slurm\n");
  CHECK(severity() == "info");
}
