// Sites as slurmctld has them: the table of nodes by itself, and held against the real one.
#include "base/strings.h"
#include "report/site_json.h"
#include "support/catch.h"
#include "support/json.h"
#include "support/model.h"
#include "support/skip.h"
#include "support/slurm_daemon.h"

using namespace muster;

namespace {

using Texts = std::map<std::string, std::string>;

/// `nodes of n: loss count/configured ...` for each group of the only site.
std::string groups_of(const Texts& files) {
  const Workspace workspace = test::read_files(files);
  REQUIRE(workspace.model.slurm_sites.size() == 1);
  const SlurmSite& site = workspace.model.slurm_sites.front();
  std::string out;
  for (const SiteNodes& group : site.table.groups) {
    out += group.names + " " + std::to_string(group.cpus.cpus) + " CPUs";
    for (const NodeDevices& one : group.devices) {
      out += ", " + one.name + (one.type.empty() ? "" : ":" + one.type) + " " + std::to_string(one.count) + " of " +
             std::to_string(one.configured);
      if (one.loss != DeviceLoss::None) out += " (" + std::string(name_of(one.loss)) + ")";
    }
    for (const std::size_t p : group.partitions) out += ", in " + site.partitions[p].name.value;
    if (!group.units.empty()) out += ", below " + join(group.units, "+");
    out += "\n";
  }
  return out;
}

const std::string kHead = "ClusterName=lab\nSlurmctldHost=ctl\nGresTypes=gpu\n";

}  // namespace

TEST_CASE("files that an Include names are found below an absolute path, too", "[slurm][site]") {
  const MemoryFileSystem disk(
      {{"/srv/etc/slurm.conf", kHead + "Include nodes.conf\n"},
       {"/srv/etc/nodes.conf", "NodeName=n1 CPUs=4 RealMemory=1000\nPartitionName=p Nodes=n1\n"}});
  for (const char* folder : {"/srv/etc", "/srv"}) {
    Options options;
    options.paths = {folder};
    const Result<Workspace> workspace = read_workspace(options, disk);
    REQUIRE(workspace);
    REQUIRE(workspace->model.slurm_sites.size() == 1);
    CHECK(workspace->model.slurm_sites.front().unfollowed.empty());
    CHECK(workspace->model.slurm_sites.front().nodes.size() == 1);
  }
}

TEST_CASE("nodes of one line are told apart by gres.conf, partitions and DownNodes", "[slurm][site]") {
  CHECK(groups_of({{"slurm.conf", kHead + "NodeName=n[1-8] Sockets=2 CoresPerSocket=4 Gres=gpu:8\n"
                                          "PartitionName=all Nodes=ALL\nPartitionName=some Nodes=n[5-6]\n"},
                   {"gres.conf",
                    "NodeName=n[1-6] Name=gpu File=/dev/nvidia[0-7]\n"
                    "NodeName=n7 Name=gpu File=/dev/nvidia[0-3]\n"}}) ==
        "n[1-4] 8 CPUs, gpu 8 of 8, in all\n"
        "n[5-6] 8 CPUs, gpu 8 of 8, in all, in some\n"
        "n7 8 CPUs, gpu 4 of 8 (fewer), in all\n"
        "n8 8 CPUs, gpu 0 of 8 (no-line), in all\n");
}

TEST_CASE("a line of gres.conf whose nodes somebody fills in may be of any node", "[slurm][site]") {
  CHECK(groups_of({{"slurm.conf", kHead + "NodeName=n[1-2] CPUs=4 Gres=gpu:8\n"},
                   {"gres.conf",
                    "NodeName=NODE Name=gpu File=/dev/nvidia[0-7]\n"
                    "NodeName=n1 Name=gpu File=/dev/nvidia[0-7]\n"}}) ==
        "n1 4 CPUs, gpu 8 of 8\nn2 4 CPUs, gpu 8 of 8\n");
}

TEST_CASE("partitions take nodes from sets by list and by feature", "[slurm][site]") {
  CHECK(groups_of({{"slurm.conf", kHead + "NodeName=a[1-2] CPUs=4 Feature=big,fast\nNodeName=b[1-2] CPUs=2\n"
                                          "NodeSet=fast Feature=fast\nNodeSet=two Nodes=b2\n"
                                          "PartitionName=p Nodes=fast,two\n"}}) ==
        "a[1-2] 4 CPUs, in p\nb1 2 CPUs\nb2 2 CPUs, in p\n");
}

TEST_CASE("leaf switches and blocks are named beside the nodes that they have", "[slurm][site]") {
  CHECK(groups_of({{"slurm.conf", kHead + "TopologyPlugin=topology/tree\nNodeName=n[1-4] CPUs=4\n"
                                          "PartitionName=p Nodes=ALL\n"},
                   {"topology.conf",
                    "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n"
                    "SwitchName=top Switches=a,b\n"}}) == "n[1-4] 4 CPUs, in p, below a+b\n");
}

TEST_CASE("the file that includes is the site, whatever its parts hold", "[slurm][site]") {
  const Texts files{{"etc/a.conf", "ClusterName=lab\nSlurmctldHost=ctl\n"},
                    {"etc/nodes.conf", "NodeName=n[1-2] CPUs=4\n"},
                    {"etc/slurm.conf", "Include a.conf\nInclude nodes.conf\nPartitionName=p Nodes=n[1-2]\n"}};
  const Workspace workspace = test::read_files(files);
  REQUIRE(workspace.model.slurm_sites.size() == 1);
  const SlurmSite& site = workspace.model.slurm_sites.front();
  CHECK(site.file == "etc/slurm.conf");
  CHECK(site.name.value == "lab");
  CHECK(site.table.known);
  CHECK(groups_of(files) == "n[1-2] 4 CPUs, in p\n");
}

TEST_CASE("a part that two sites include is read in each, and what is wrong with it is said once", "[slurm][site]") {
  const Texts files{{"east.conf", "ClusterName=east\nSlurmctldHost=a\nInclude parts.conf\n"},
                    {"parts.conf", "NodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=n[1-3]\n"},
                    {"west.conf", "ClusterName=west\nSlurmctldHost=b\nInclude parts.conf\n"}};
  const Workspace workspace = test::read_files(files);
  REQUIRE(workspace.model.slurm_sites.size() == 2);
  for (const SlurmSite& site : workspace.model.slurm_sites) {
    CHECK(site.complete);
    CHECK(site.table.groups.size() == 1);
  }
  const test::Checked checked = test::check_files(files);
  CHECK(std::ranges::count(checked.report.findings, "slurm-partition-node-unknown", &Finding::rule) == 1);
}

TEST_CASE("files that include each other end, however often", "[slurm][site]") {
  const test::Checked circle = test::check_files(
      {{"a/slurm.conf", "ClusterName=lab\nSlurmctldHost=c\nInclude b.conf\n"}, {"a/b.conf", "Include slurm.conf\n"}});
  CHECK(circle.workspace.model.slurm_sites.size() == 1);
  Texts files{{"slurm.conf", "ClusterName=lab\nSlurmctldHost=c\nInclude p0.conf\n"}};
  for (int i = 0; i < 16; ++i) {
    const std::string line = "Include p" + std::to_string(i + 1) + ".conf\n";
    files["p" + std::to_string(i) + ".conf"] = "NodeName=n" + std::to_string(i) + "\n" + line + line + line + line;
  }
  CHECK(test::read_files(files).model.slurm_sites.size() >= 1);
}

TEST_CASE("a site of 65,000 nodes stays a few groups", "[slurm][site]") {
  const std::string groups =
      groups_of({{"slurm.conf", kHead + "NodeName=n[1-65000] CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=ALL\n"
                                        "PartitionName=q Nodes=n[1-30000]\n"},
                 {"gres.conf", "NodeName=n[1-65000] Name=gpu File=/dev/nvidia[0-7]\n"}});
  CHECK(groups == "n[1-30000] 8 CPUs, gpu 8 of 8, in p, in q\nn[30001-65000] 8 CPUs, gpu 8 of 8, in p\n");
}

namespace {

const char* const kNone =
    "MUSTER_SLURM_CHROOTS names no folder of chroots, or this is not root: scripts/slurm-versions makes them";

/// Records of a slurm.conf, and its gres.conf.
struct PlayedSite {
  std::string records;
  std::string gres;
};

/// Odd CPUs, odd devices: each node is a case of its own.
std::vector<PlayedSite> played_sites() {
  PlayedSite cpus;
  int next = 0;
  for (const char* text : {"CPUs=8",
                           "CPUs=96 CoresPerSocket=24",
                           "CPUs=96 CoresPerSocket=24 ThreadsPerCore=2",
                           "CPUs=96 ThreadsPerCore=2",
                           "CPUs=97 CoresPerSocket=24 ThreadsPerCore=2",
                           "Sockets=2 CoresPerSocket=24 ThreadsPerCore=2",
                           "CPUs=48 Sockets=2 CoresPerSocket=24 ThreadsPerCore=2",
                           "CPUs=50 Sockets=2 CoresPerSocket=24 ThreadsPerCore=2",
                           "CPUs=96 Boards=2 SocketsPerBoard=1 CoresPerSocket=24 ThreadsPerCore=2",
                           "CPUs=96 Boards=2 CoresPerSocket=24",
                           "Boards=2 CoresPerSocket=24",
                           "Procs=16",
                           "Procs=16 CPUs=8",
                           "ThreadsPerCore=2",
                           "CPUs=0 Sockets=2",
                           "CPUs=8 Sockets=0",
                           "CPUs=8 Boards=0",
                           "CPUs=8 SocketsPerBoard=2 Sockets=4",
                           "CPUs=16 Sockets=2 CoresPerSocket=4",
                           "CPUs=8 RealMemory=2000 TmpDisk=5 Weight=7 Feature=a,b,c",
                           "CPUs=8 Features=x Feature=y"})
    cpus.records += "NodeName=n" + std::to_string(++next) + " " + text + " State=CLOUD\n";
  cpus.records += "PartitionName=p Nodes=n[1-10] Default=YES\nPartitionName=q Nodes=ALL\n";
  PlayedSite devices{"GresTypes=gpu,license,shard\n", ""};
  const std::pair<const char*, const char*> gres[] = {
      {"gpu:8", "Name=gpu File=/dev/nvidia[0-7]"},
      {"gpu:8", "Name=gpu File=/dev/nvidia[0-3]"},
      {"gpu:h100:8", "Name=gpu Type=h100 File=/dev/nvidia[0-7]"},
      {"gpu:h100:8", "Name=gpu Type=h100 File=/dev/nvidia[0-3]"},
      {"gpu:h100:4", "Name=gpu Type=h100 File=/dev/nvidia[0-7]"},
      {"gpu:h100:8", "Name=gpu Type=a100 File=/dev/nvidia[0-7]"},
      {"gpu:h100:8", "Name=gpu Type=H100 File=/dev/nvidia[0-7]"},
      {"gpu:h100:8", "Name=gpu File=/dev/nvidia[0-7]"},
      {"gpu:8", "Name=gpu Type=h100 File=/dev/nvidia[0-7]"},
      {"gpu:h100:8", ""},
      {"gpu:h100:8", "Name=gpu Type=h100 Count=8"},
      {"gpu:h100:4,gpu:a100:4", "Name=gpu Type=h100 File=/dev/nvidia[0-3]"},
      {"gpu:h100:4,gpu:h100:4", "Name=gpu Type=h100 File=/dev/nvidia[0-7]"},
      {"license:5", "Name=license Count=3"},
      {"gpu:8,shard:16", "Name=gpu File=/dev/nvidia[0-7]"},
      {"gpu", "Name=gpu File=/dev/nvidia[0-3]"},
      {"gpu:1,nogres:2", "Name=gpu File=/dev/nvidia0"},
  };
  next = 0;
  for (const auto& [configured, line] : gres) {
    const std::string name = "n" + std::to_string(++next);
    devices.records += "NodeName=" + name + " CPUs=8 Gres=" + configured + " State=CLOUD\n";
    if (*line != '\0') devices.gres += "NodeName=" + name + " " + line + "\n";
  }
  devices.records += "PartitionName=p Nodes=ALL Default=YES\n";
  return {cpus, devices};
}

/// `n1 CPUTot=8 ...` by node, as scontrol says it.
std::map<std::string, std::string> shown_nodes(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> out;
  for (const std::string& line : lines) {
    std::map<std::string, std::string> words;
    for (const std::string_view word : split_blanks(line)) {
      if (const std::size_t sign = word.find('='); sign != word.npos)
        words.try_emplace(std::string(word.substr(0, sign)), word.substr(sign + 1));
    }
    if (!words.contains("NodeName")) continue;
    const std::string gres = words["Gres"].substr(0, words["Gres"].find('('));
    out[words["NodeName"]] = words["CPUTot"] + " " + words["Boards"] + " " + words["Sockets"] + " " +
                             words["CoresPerSocket"] + " " + words["ThreadsPerCore"] + " " + words["RealMemory"] + " " +
                             words["Weight"] + " " + words["AvailableFeatures"] + " " +
                             (gres.empty() ? "(null)" : gres) + " " + words["Partitions"];
  }
  return out;
}

/// The same by the table.
std::map<std::string, std::string> table_nodes(const Texts& files) {
  const Workspace workspace = test::read_files(files);
  std::map<std::string, std::string> out;
  const nlohmann::json json = nlohmann::json::parse(site_json(workspace.model, workspace.inputs.sources));
  REQUIRE(json["sites"].size() == 1);
  for (const nlohmann::json& group : json["sites"][0]["nodes"]) {
    const auto number = [&](const char* key) { return std::to_string(group[key].get<std::int64_t>()); };
    const auto words = [&](const char* key) { return join(group[key].get<std::vector<std::string>>(), ","); };
    const std::string text = number("cpus") + " " + number("boards") + " " + number("sockets") + " " +
                             number("cores_per_socket") + " " + number("threads_per_core") + " " +
                             number("real_memory") + " " + number("weight") + " " +
                             (group["features"].empty() ? "(null)" : words("features")) + " " +
                             group["gres"].get<std::string>() + " " + words("partitions");
    const Result<Hostlist> names = Hostlist::parse(group["nodes"].get<std::string>());
    REQUIRE(names);
    names->each([&](const std::string& name) { out[name] = text; });
  }
  return out;
}

void hold_against(const test::SlurmInstall& install) {
  for (const PlayedSite& site : played_sites()) {
    Texts files{{"slurm.conf", test::slurm_conf(site.records)}};
    if (!site.gres.empty()) files["gres.conf"] = site.gres;
    test::SlurmDaemon daemon(files, install);
    INFO(install.release << "\n" << site.records);
    REQUIRE(daemon.wait_until_up());
    const std::map<std::string, std::string> shown = shown_nodes(daemon.ask("scontrol show nodes -o"));
    const std::map<std::string, std::string> table = table_nodes(files);
    CHECK(shown.size() > 10);
    for (const auto& [name, text] : shown) {
      INFO(name);
      CHECK((table.contains(name) ? table.at(name) : "") == text);
    }
    CHECK(table.size() == shown.size());
  }
}

}  // namespace

TEST_CASE("the table of nodes is what scontrol show nodes says", "[slurm][site][slurmctld]") {
  const std::optional<test::SlurmInstall> here = test::slurm_here();
  if (!here) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  hold_against(*here);
}

TEST_CASE("the table of nodes is what scontrol of newer releases says", "[slurm-versions]") {
  const std::vector<test::SlurmInstall> installs = test::slurm_chroots();
  if (installs.empty()) return test::skip("slurm versions", kNone);
  for (const test::SlurmInstall& install : installs) hold_against(install);
}

TEST_CASE("jobs that are too many for the nodes of their site are left out, and the first of them says so",
          "[slurm][site]") {
  const std::string job = "#!/bin/bash\n#SBATCH -p p\n#SBATCH --gres=gpu:9\nsrun ./a\n";
  Workspace workspace = test::read_files(
      {{"slurm.conf", kHead + "NodeName=n1 CPUs=4 RealMemory=1000 Gres=gpu:8\nPartitionName=p Nodes=n1 Default=YES\n"},
       {"a.sbatch", job},
       {"b.sbatch", job},
       {"c.sbatch", job}});
  const auto said = [&](std::uint64_t looks) {
    find_request_problems(workspace.model, looks);
    std::string out;
    for (const SbatchJob& one : workspace.model.sbatch_jobs) {
      for (const RequestProblem& problem : one.problems) out += std::string(name_of(problem.what)) + " ";
      out += "; ";
    }
    return out;
  };
  CHECK(said(1'000) == "count ; count ; count ; ");
  CHECK(said(3) == "count ; left-out ; ; ");
}
