// A new Slurm site, whole: its slurm.conf, what stands beside it, and the real slurmctld on it.
#include <algorithm>
#include <array>
#include <filesystem>

#include "base/strings.h"
#include "generate/generate.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"
#include "support/skip.h"
#include "support/slurm_daemon.h"
#include "support/slurmctld.h"

using namespace muster;

namespace {

const std::vector<TemplateDef>& site_templates() {
  static const Result<std::vector<TemplateDef>> result = embedded_templates();
  INFO((result ? "" : result.error().message));
  REQUIRE(result);
  return *result;
}

Result<Generated> site_from(const std::string& id, const std::map<std::string, std::string>& files) {
  const Workspace workspace = test::read_files(files);
  CHECK(workspace.findings.empty());
  const auto def = std::ranges::find(site_templates(), id, &TemplateDef::id);
  REQUIRE(def != site_templates().end());
  return generate_whole(site_templates(), *def,
                        {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
}

std::map<std::string, std::string> texts_of(const Result<Generated>& generated) {
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  std::map<std::string, std::string> out;
  for (const GeneratedFile& file : generated->files) out[file.path] = file.text;
  return out;
}

std::string site_fleet(const std::string& slurm = "slurm: {controller: ctl1}\n") {
  return "muster: fleet/v1\nname: East\ncontrol_planes: [{kind: slurm, version: \"22.05\"}]\n" + slurm +
         "node_pools:\n"
         "  - {name: h100, nodes: \"h[001-016]\", gpus_per_node: 8, control_plane: slurm, accelerator: {model: H100}, "
         "fabric: {kind: infiniband, rails: 8}, node: {cpus: 192, sockets: 2, cores_per_socket: 48, memory_mib: "
         "2000000}}\n"
         "  - {name: a100, nodes: \"a[1-4]\", gpus_per_node: 4, control_plane: slurm, accelerator: {model: A100}, "
         "node: "
         "{cpus: 64, sockets: 2, cores_per_socket: 32, memory_mib: 500000}}\n"
         "  - {name: cpu, nodes: \"c[1-4]\", gpus_per_node: 0, control_plane: slurm, node: {cpus: 64, sockets: 2, "
         "cores_per_socket: 32, memory_mib: 500000}}\n"
         "topology:\n  levels: [spine, leaf]\n  domains:\n    - {name: spine, level: spine}\n"
         "    - {name: l1, level: leaf, parent: spine, nodes: \"h[001-016]\"}\n"
         "    - {name: l2, level: leaf, parent: spine, nodes: \"a[1-4],c[1-4]\"}\n";
}

/// Two racks of 18 nodes that share NVLink each.
std::string rack_fleet(const std::string& release) {
  return "muster: fleet/v1\nname: rack\ncontrol_planes: [{kind: slurm, version: \"" + release +
         "\"}]\nslurm: {controller: ctl1}\nnode_pools:\n"
         "  - {name: gb200, nodes: \"g[01-36]\", gpus_per_node: 4, control_plane: slurm, accelerator: {model: GB200}, "
         "fabric: {nvlink_domain_nodes: 18}, node: {cpus: 144, sockets: 2, cores_per_socket: 72, memory_mib: 900000}}\n"
         "topology:\n  levels: [block]\n  domains:\n    - {name: b1, level: block, nodes: \"g[01-18]\"}\n"
         "    - {name: b2, level: block, nodes: \"g[19-36]\"}\n";
}

std::string gang_of(int nodes) {
  return "muster: workloads/v1\nworkloads:\n  - {name: pretrain, tightly_coupled: true, nodes: " +
         std::to_string(nodes) +
         ", gpus_per_node: 4, bare_metal: true, python_native_pipeline: false, edge_or_dev: false, multi_tenant: "
         "false, long_lived_services: false}\n";
}

void set_line(std::string& text, const std::string& key, const std::string& line) {
  const std::size_t at = text.find("\n" + key);
  REQUIRE(at != std::string::npos);
  text.replace(at + 1, text.find('\n', at + 1) - at - 1, line);
}

/// The site on this machine: without munge, users and hosts that are not here. CLOUD nodes need no names or slurmd.
std::map<std::string, std::string> at_home(std::map<std::string, std::string> files, bool with_lua) {
  std::string& conf = files.at("slurm.conf");
  set_line(conf, "SlurmctldHost=",
           "SlurmctldHost=localhost\nAuthType=auth/none\nCredType=cred/none\nSlurmctldPort=$PORT\nSlurmdPort=$AGENT\n"
           "SlurmctldPidFile=$D/slurmctld.pid\nSlurmctldLogFile=$D/slurmctld.log\nMpiDefault=none\n"
           "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=-1\nPrivateData=cloud");
  set_line(conf, "SlurmUser=", "SlurmUser=root");
  set_line(conf, "StateSaveLocation=", "StateSaveLocation=$D/state");
  set_line(conf, "SlurmdSpoolDir=", "SlurmdSpoolDir=$D/spool");
  if (with_lua) set_line(conf, "# JobSubmitPlugins=", "JobSubmitPlugins=lua");
  std::string& nodes = files.at("nodes.conf");
  for (std::size_t at = nodes.find("State=UNKNOWN"); at != nodes.npos; at = nodes.find("State=UNKNOWN", at + 1))
    nodes.replace(at, 13, "State=CLOUD");
  return files;
}

std::vector<test::SlurmInstall> installs() {
  std::vector<test::SlurmInstall> out = test::slurm_chroots();
  if (const std::optional<test::SlurmInstall> here = test::slurm_here()) out.insert(out.begin(), *here);
  return out;
}

/// Complaints that are about the files: not about mail, MPI libraries or a state that a first start cannot have.
std::string complaints_about_files(const test::SlurmDaemon& daemon) {
  std::string out;
  for (const std::string& line : daemon.complaints()) {
    const bool of_machine = contains(line, "MailProg") || contains(line, "pmi") || contains(line, "MPI") ||
                            contains(line, "state file") || contains(line, "_state") ||
                            contains(line, "backup state save");
    if (!of_machine) out += line + "\n";
  }
  return out;
}

std::string answer_to(const test::SlurmDaemon& daemon, const std::string& command) {
  return join(daemon.ask(command), "\n");
}

}  // namespace

TEST_CASE("slurm-conf writes a whole site that passes the check", "[generate]") {
  const std::map<std::string, std::string> files = texts_of(site_from("slurm-conf", {{"fleet.yaml", site_fleet()}}));
  std::string names;
  std::map<std::string, std::string> placed;
  for (const auto& [name, text] : files) {
    names += name + " ";
    placed["etc/" + name] = text;
  }
  CHECK(names == "cgroup.conf gres.conf health-check.sh nodes.conf prolog.sh slurm.conf topology.conf ");
  const test::Checked checked = test::check_files(placed);
  CHECK(test::summary_of(checked) == "");
  CHECK(files.at("slurm.conf").find("ClusterName=east\nSlurmctldHost=ctl1\n") != std::string::npos);
}

TEST_CASE("slurm-conf names what is missing and leaves out only what hangs on it", "[generate]") {
  const Result<Generated> without = site_from("slurm-conf", {{"fleet.yaml", site_fleet("")}});
  REQUIRE_FALSE(without);
  CHECK(without.error().message.find("`slurm.controller` of fleet `East` is missing") != std::string::npos);
  const Result<Generated> alone = site_from("slurm-conf", {{"fleet.yaml", site_fleet()}});
  REQUIRE(alone);
  CHECK(join(alone->notes, "\n").find("`slurm.database` of fleet `East` is missing") != std::string::npos);
  CHECK(texts_of(alone).at("slurm.conf").find("AccountingStorage") == std::string::npos);
  const auto accounted =
      texts_of(site_from("slurm-conf", {{"fleet.yaml", site_fleet("slurm: {controller: ctl1, database: db1}\n")}}));
  CHECK(accounted.at("slurm.conf").find("AccountingStorageHost=db1\nAccountingStorageTRES=gres/gpu\n") !=
        std::string::npos);
  const Result<Generated> strange = site_from("slurm-conf", {{"fleet.yaml", site_fleet("slurm: {controller: a b}\n")}});
  REQUIRE_FALSE(strange);
  CHECK(strange.error().message.find("cannot be the name of a host: a b") != std::string::npos);
}

TEST_CASE("a template that refuses keeps slurm.conf from naming files that are not there", "[generate]") {
  std::string fleet = site_fleet();
  fleet.replace(fleet.find("model: A100"), 11, "model: MI300X");
  const Result<Generated> generated = site_from("slurm-conf", {{"fleet.yaml", fleet}});
  REQUIRE_FALSE(generated);
  CHECK(generated.error().message.find("`slurm-conf` is not written without this:\n`gres-conf`") != std::string::npos);
}

TEST_CASE("every slurmctld that is there starts on a generated site without a complaint",
          "[generate][slurmctld][slurm-versions]") {
  if (installs().empty()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  const std::map<std::string, std::string> files = texts_of(site_from("slurm-conf", {{"fleet.yaml", site_fleet()}}));
  for (const test::SlurmInstall& install : installs()) {
    INFO(install.release);
    test::SlurmDaemon daemon(at_home(files, false), install);
    const bool up = daemon.wait_until_up();
    CHECK(complaints_about_files(daemon) == "");
    REQUIRE(up);
    const std::string node = answer_to(daemon, "scontrol -o show node h001");
    CHECK(node.find("Gres=gpu:h100:8") != std::string::npos);
    CHECK(node.find("CPUTot=192") != std::string::npos);
    CHECK(answer_to(daemon, "scontrol show topology").find("SwitchName=spine Level=1") != std::string::npos);
  }
}

TEST_CASE("job_submit.lua refuses what would run differently, and nothing else",
          "[generate][slurmctld][slurm-versions]") {
  struct Request {
    const char* words;
    const char* refused;  // empty: it may run
  };
  constexpr std::array kRequests{
      Request{"-N2 --gpus-per-node=8 --exclusive -t 10", ""},
      Request{"-N2 --gpus-per-node=8 --exclusive", "a job of 2 nodes needs a time limit"},
      Request{"-n16 --ntasks-per-node=8 -p cpu", "a job of 2 nodes needs a time limit"},
      Request{"-n16 --ntasks-per-node=8 -p cpu -t 10", ""},
      Request{"-N1 --gpus-per-node=8", "1 CPUs for 8 GPUs"},
      Request{"-N1 --gres=gpu:h100:8", "1 CPUs for 8 GPUs"},
      Request{"-N1 --gpus-per-node=8 --cpus-per-gpu=12", ""},
      Request{"-N1 --gres=gpu:8 --cpus-per-task=16", ""},
      Request{"-n2 --gpus-per-task=4", "1 CPUs for 4 GPUs"},
      Request{"-n2 --gpus-per-task=1", ""},
      Request{"-N1 --gpus=h100:4 -n 4", ""},
      Request{"-N1 -p h100,a100 --gpus-per-node=4 --exclusive", "the partitions have different GPUs (h100, a100)"},
      Request{"-N1 -p a100 --gpus-per-node=4 --exclusive", ""},
      Request{"-N1 -p a100 --gpus-per-node=8 --exclusive", "no node of the partition has 8 GPUs; the most is 4"},
      Request{"-N1 -p a100 --gres=gpu:h100:4 --exclusive", "no node of the partition has GPUs of type h100"},
      Request{"-N5 -p cpu -t 10", "no partition that was named has 5 nodes"},
      Request{"-p cpu -n 4", ""},
  };
  if (installs().empty()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  std::map<std::string, std::string> files = texts_of(site_from("slurm-conf", {{"fleet.yaml", site_fleet()}}));
  files.merge(texts_of(site_from("job-submit-lua", {{"fleet.yaml", site_fleet()}})));
  bool any = false;
  for (const test::SlurmInstall& install : installs()) {
    if (!std::filesystem::exists(install.root + "/usr/lib/x86_64-linux-gnu/slurm-wlm/job_submit_lua.so")) continue;
    any = true;
    INFO(install.release);
    test::SlurmDaemon daemon(at_home(files, true), install);
    REQUIRE(daemon.wait_until_up());
    for (const Request& request : kRequests) {
      const std::string said = answer_to(daemon, "sbatch --test-only " + std::string(request.words) + " --wrap=true");
      INFO(request.words << "\n" << said);
      const bool starts = said.find(" to start at ") != std::string::npos;
      CHECK(starts == (request.refused[0] == '\0'));
      CHECK(said.find(request.refused) != std::string::npos);
    }
  }
  if (!any) return test::skip("job_submit.lua", "no slurmctld has the plugin job_submit/lua");
}

TEST_CASE("on NVLink domains the nodes have IMEX channels and jobs come in segments of a block", "[generate]") {
  const std::string old = texts_of(site_from("slurm-nodes", {{"fleet.yaml", site_fleet()}})).at("nodes.conf");
  CHECK(old.find("SwitchType") == std::string::npos);
  const auto racks = site_from("slurm-nodes", {{"fleet.yaml", rack_fleet("24.11")}});
  CHECK(texts_of(racks).at("nodes.conf").find("\nSwitchType=switch/nvidia_imex\n") != std::string::npos);
  CHECK(texts_of(racks).at("nodes.conf").find("\nTopologyPlugin=topology/block\n") != std::string::npos);
  const auto too_old = site_from("slurm-nodes", {{"fleet.yaml", rack_fleet("23.11")}});
  CHECK(texts_of(too_old).at("nodes.conf").find("SwitchType=") == std::string::npos);
  CHECK(join(too_old->notes, "\n").find("switch/nvidia_imex came with Slurm 24.05") != std::string::npos);
  const auto script = [](int nodes) {
    const std::map<std::string, std::string> input{{"fleet.yaml", rack_fleet("24.11")}, {"w.yaml", gang_of(nodes)}};
    return texts_of(site_from("sbatch", input)).at("pretrain.sbatch");
  };
  CHECK(script(32).find("#SBATCH --segment=16\n") != std::string::npos);
  CHECK(script(36).find("#SBATCH --segment=18\n") != std::string::npos);
  CHECK(script(8).find("#SBATCH --segment=8\n") != std::string::npos);
  CHECK(script(23).find("--segment") == std::string::npos);
}

TEST_CASE("newer releases of Slurm place generated segments in one block each", "[generate][slurm-versions]") {
  if (test::slurm_chroots().empty())
    return test::skip("slurm versions", "MUSTER_SLURM_CHROOTS names no folder of chroots");
  for (const test::SlurmInstall& install : test::slurm_chroots()) {
    INFO(install.release);
    const std::string release = install.release.substr(0, 5);
    const std::string fleet = rack_fleet(release);
    const auto files = texts_of(site_from("slurm-conf", {{"fleet.yaml", fleet}}));
    std::string script =
        texts_of(site_from("sbatch", {{"fleet.yaml", fleet}, {"w.yaml", gang_of(32)}})).at("pretrain.sbatch");
    std::map<std::string, std::string> all = at_home(files, false);
    all["pretrain.sbatch"] = script;
    test::SlurmDaemon daemon(all, install);
    const bool up = daemon.wait_until_up();
    CHECK(complaints_about_files(daemon) == "");
    REQUIRE(up);
    std::string words;
    for (const std::string_view line : split(script, '\n')) {
      if (line.starts_with("#SBATCH ")) words += std::string(line.substr(7));
    }
    const std::string said = answer_to(daemon, "sbatch --test-only" + words + " --wrap=true");
    INFO(said);
    CHECK(said.find("g[01-16,19-34]") != std::string::npos);
  }
}
