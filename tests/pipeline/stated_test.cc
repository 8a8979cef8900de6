// Who may say how an operator is set and which release runs, and who is believed.
#include "base/strings.h"
#include "rulebook/rule_book.h"
#include "slurm/stated_release.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::contains;
using muster::replace_all;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;

const std::string kStatedJob =
    "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: ddp}\nspec:\n  pytorchReplicaSpecs:\n    Worker:\n"
    "      replicas: 8\n      template: {spec: {containers: [{name: c, image: \"example.com/a:1\", resources: {limits: "
    "{nvidia.com/gpu: 8}}}]}}\n";

std::string operator_with(const std::string& scheduler) {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o}\nspec:\n  template:\n    spec:\n      "
         "containers:\n"
         "        - {name: o, image: \"kubeflow/training-operator:v1.9.4\", command: [/manager, "
         "--gang-scheduler-name=" +
         scheduler + "]}\n";
}

std::string fleet_with(const std::string& scheduler) {
  return "muster: fleet/v1\nname: f\noperators: {training-operator: {gang-scheduler-name: " + scheduler + "}}\n";
}

std::string config_with(const std::string& scheduler) {
  return "muster: config/v1\noperators: {training-operator: {gang-scheduler-name: " + scheduler + "}}\n";
}

/// The scheduler of `ddp` where the files are there.
std::string scheduler_of(std::map<std::string, std::string> files, const std::vector<std::string>& more = {}) {
  files.emplace("repo/job.yaml", kStatedJob);
  std::vector<std::string> words{"dump", "model", "repo"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_command(words, FakeDisk(files));
  INFO(ran.err);
  CHECK(ran.code == 0);
  const std::string gang = ran.out.substr(std::min(ran.out.find("PyTorchJob/ddp\n"), ran.out.size()));
  const std::size_t at = gang.find("\n  scheduler: ");
  REQUIRE(at != std::string::npos);
  const std::string line = gang.substr(at + 14, gang.find('\n', at + 1) - at - 14);
  return line;
}

Ran check_stated(const std::map<std::string, std::string>& files, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"check", "repo"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words, FakeDisk(files));
}

const std::vector<std::string> kSet{"--set", "operators.training-operator.gang-scheduler-name=kai-scheduler"};

}  // namespace

TEST_CASE("--set counts before muster.yaml, that before the fleet file, that before the bundle", "[stated]") {
  std::map<std::string, std::string> files;
  CHECK(scheduler_of(files).starts_with("default (assumed"));
  files["repo/operator.yaml"] = operator_with("volcano");
  CHECK(scheduler_of(files).starts_with("volcano"));
  files["repo/fleet.yaml"] = fleet_with("koord-scheduler");
  CHECK(scheduler_of(files).starts_with("koordinator"));
  files["repo/muster.yaml"] = config_with("scheduler-plugins");
  CHECK(scheduler_of(files).starts_with("coscheduling"));
  CHECK(scheduler_of(files, kSet).starts_with("kai"));
}

TEST_CASE("who is not believed is told where he stands", "[stated]") {
  const Ran ran = check_stated({{"repo/job.yaml", kStatedJob},
                                {"repo/operator.yaml", operator_with("kai-scheduler")},
                                {"repo/fleet.yaml", fleet_with("volcano")},
                                {"repo/muster.yaml", config_with("volcano")}});
  CHECK(contains(ran.out,
                 "info[setting-contradicted]: `operators.training-operator.gang-scheduler-name` is "
                 "`kai-scheduler` here and `volcano` by muster.yaml, which counts\n  --> repo/operator.yaml:8:"));
  CHECK_FALSE(contains(ran.out, "--> repo/fleet.yaml"));
  CHECK(contains(check_stated({{"repo/job.yaml", kStatedJob}, {"repo/muster.yaml", config_with("volcano")}}, kSet).out,
                 "`volcano` here and `kai-scheduler` by the command line, which counts\n  --> repo/muster.yaml:2:"));
}

TEST_CASE("of two operators of one bundle that differ none counts", "[stated]") {
  CHECK(contains(
      scheduler_of({{"repo/a.yaml", operator_with("volcano")}, {"repo/b.yaml", operator_with("kai-scheduler")}}),
      "which value of `operators.training-operator.gang-scheduler-name` counts"));
  CHECK(scheduler_of({{"repo/a.yaml", operator_with("volcano")}, {"repo/b.yaml", operator_with("volcano")}})
            .starts_with("volcano"));
}

TEST_CASE("settings join only within their bundle, but one of another bundle leaves open what is shipped", "[stated]") {
  CHECK(contains(
      scheduler_of({{"repo/other/Chart.yaml", "name: a\n"}, {"repo/other/operator.yaml", operator_with("volcano")}}),
      "whether `operators.training-operator.gang-scheduler-name` of repo/other/operator.yaml counts here"));
  CHECK(
      contains(scheduler_of({{"repo/other/Chart.yaml", "name: a\n"}, {"repo/other/fleet.yaml", fleet_with("volcano")}}),
               "of repo/other/fleet.yaml counts here"));
  CHECK(scheduler_of({{"repo/other/Chart.yaml", "name: a\n"}, {"repo/other/operator.yaml", operator_with("")}})
            .starts_with("default (assumed"));
  CHECK(scheduler_of({{"elsewhere/fleet.yaml", fleet_with("volcano")}}, {"--fleet", "elsewhere/fleet.yaml"})
            .starts_with("volcano"));
}

TEST_CASE("--set is checked with did you mean", "[stated]") {
  const auto refused = [](const std::string& set, const std::string& complaint) {
    const Ran ran = check_stated({{"repo/job.yaml", kStatedJob}}, {"--set", set});
    INFO(set << ": " << ran.err);
    CHECK(ran.code == 2);
    CHECK(contains(ran.err, complaint));
  };
  refused("operators.training-operatr.gang-scheduler-name=volcano", "did you mean `training-operator`?");
  refused("operators.training-operator.gang-scheduler-nam=volcano", "did you mean `gang-scheduler-name`?");
  refused("operators.training-operator.gang-scheduler-name", "expected NAME=VALUE");
  refused("targets.slrum=25.05", "did you mean `slurm`?");
  refused("targets.slurm=new", "is not a version");
  refused("nodes=4", "expected operators.ID.SETTING=VALUE or targets.NAME=VERSION");
  CHECK(
      check_stated({{"repo/job.yaml", kStatedJob}}, {"--set", "targets.slurm=25.05", "--target", "slurm=24.05"}).code ==
      2);
}

TEST_CASE("releases are stated by --set, muster.yaml and the fleet file, in this order", "[stated]") {
  std::map<std::string, std::string> files{
      {"repo/fleet.yaml", "muster: fleet/v1\nname: f\ntargets: {volcano: \"1.12\"}\n"}};
  const auto volcano = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"rules", "eval", "string(target.volcano)", "--on", "repo"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words, FakeDisk(files)).out;
  };
  CHECK(contains(volcano({}), "1.12"));
  files["repo/muster.yaml"] = "muster: config/v1\ntargets: {volcano: \"1.13\"}\n";
  CHECK(contains(volcano({}), "1.13"));
  CHECK(contains(volcano({"--target", "volcano=1.14"}), "1.14"));
  CHECK(contains(check_stated(files, {"--set", "targets.volcano=1.15"}).out,
                 "`targets.volcano` is 1.13 here and 1.15 by the command line, which counts"));
}

TEST_CASE("of fleet files of two bundles that differ neither says which release runs", "[stated]") {
  const auto fleet = [](const std::string& release) {
    return "muster: fleet/v1\nname: f\ntargets: {slurm: \"" + release + "\"}\n";
  };
  const auto slurm = [&](const std::string& other, const std::vector<std::string>& more) {
    std::vector<std::string> words{"rules", "eval", "string(target.slurm)", "--on", "repo"};
    words.insert(words.end(), more.begin(), more.end());
    const FakeDisk disk(std::map<std::string, std::string>{{"repo/a/Chart.yaml", "name: a\n"},
                                                           {"repo/a/fleet.yaml", fleet("22.05")},
                                                           {"repo/b/Chart.yaml", "name: b\n"},
                                                           {"repo/b/fleet.yaml", fleet(other)}});
    return run_command(words, disk).out;
  };
  CHECK(contains(slurm("22.05", {}), "22.05"));
  CHECK_FALSE(contains(slurm("26.05", {}), "22.05"));
  CHECK_FALSE(contains(slurm("26.05", {}), "\"26.05"));
  CHECK(contains(slurm("26.05", {"--target", "slurm=24.05"}), "24.05"));
  const Ran ran = check_stated({{"repo/a/Chart.yaml", "name: a\n"},
                                {"repo/a/fleet.yaml", fleet("22.05")},
                                {"repo/b/Chart.yaml", "name: b\n"},
                                {"repo/b/fleet.yaml", fleet("26.05")}});
  CHECK(contains(ran.out, "`targets.slurm` is 26.05 here and 22.05 by another fleet file: which one counts"));
}

TEST_CASE("versions that differ are never dropped without a word", "[stated]") {
  const auto dump = [](const std::string& release) {
    return "Configuration data as of 2025-01-01T00:00:00\nAccountingStorageHost   = localhost\nClusterName             "
           "= lab\nSLURM_VERSION           = " +
           release +
           "\nSlurmctldHost[0]        = ctl\nSlurmctldPort           = 6817\nSelectType              = "
           "select/cons_tres\n";
  };
  const std::map<std::string, std::string> files{{"repo/conf.txt", dump("24.11.5")},
                                                 {"repo/conf2.txt", dump("25.05.1")}};
  CHECK(contains(check_stated(files).out, "`targets.slurm` is 25.05.1 here and 24.11.5 by another dump of scontrol"));
  CHECK(contains(check_stated({{"repo/conf.txt", dump("24.11.5")}}, {"--target", "slurm=25.05"}).out,
                 "`targets.slurm` is 24.11.5 here and 25.05 by the command line, which counts"));
  CHECK_FALSE(
      contains(check_stated({{"repo/conf.txt", dump("24.11.5")}}, {"--target", "slurm=24.11"}).out, "24.11.5 here"));
  CHECK(contains(check_stated({{"repo/fleet.yaml",
                                "muster: fleet/v1\nname: f\ncontrol_planes: [{kind: slurm, version: banana}]\n"}})
                     .out,
                 "`banana` is not a version"));
}

TEST_CASE("what another file decides is not as shipped", "[stated]") {
  const std::string job =
      "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: r}\nspec:\n  headGroupSpec: {template: {spec: "
      "{containers: [{name: c, image: x}]}}}\n  workerGroupSpecs:\n  - {groupName: w, replicas: 4, minReplicas: 4, "
      "maxReplicas: 4, template: {spec: {containers: [{name: c, image: x}]}}}\n";
  const auto path_with = [&](std::map<std::string, std::string> files) {
    files["repo/job.yaml"] = job;
    const std::string out = run_command({"dump", "model", "repo"}, FakeDisk(files)).out;
    const std::size_t at = out.find("\n  path: ");
    return at == std::string::npos ? out : out.substr(at + 9, out.find('\n', at + 1) - at - 9);
  };
  const std::string open = "unknown until which value of `operators.kuberay.batch-scheduler` counts";
  const std::string deployment =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o}\nspec: {template: {spec: {containers: [{name: o, "
      "image: \"quay.io/kuberay/operator:v1.7.0\", command: [/manager, --config=/config/config.yaml]}]}}}\n";
  CHECK(path_with({}).starts_with("out (assumed"));
  CHECK(path_with({{"repo/o.yaml", deployment}}) == open);
  CHECK(
      path_with({{"repo/o.yaml", deployment},
                 {"repo/c.yaml", "apiVersion: config.ray.io/v1alpha1\nkind: Configuration\nbatchScheduler: volcano\n"}})
          .starts_with("in"));
  const std::string values = "image: {repository: quay.io/kuberay/operator}\nbatchScheduler: {name: \"\"}\n";
  CHECK(path_with({{"repo/values.yaml", values}}).starts_with("out"));
  CHECK(path_with({{"repo/values.yaml", values + "configuration: {enabled: true}\n"}}) == open);
}

TEST_CASE("what Kueue does not manage goes out one by one", "[stated]") {
  const std::string label = "metadata: {name: ddp, labels: {kueue.x-k8s.io/queue-name: q}}";
  std::map<std::string, std::string> files{
      {"repo/job.yaml", muster::replace_all(kStatedJob, "metadata: {name: ddp}", label)}};
  const auto kueue = [&](const std::string& frameworks) {
    files["repo/kueue.yaml"] =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config}\ndata:\n  c.yaml: |\n    apiVersion: "
        "config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n    integrations:\n      frameworks: " +
        frameworks + "\n";
    return scheduler_of(files);
  };
  CHECK(kueue("[batch/job]").starts_with("default"));
  CHECK(kueue("[batch/job, kubeflow.org/pytorchjob]").starts_with("kueue"));
  CHECK(kueue("[pod]").starts_with("kueue"));
}

TEST_CASE("what installs Slurm states its release", "[stated]") {
  const auto stated = [](const std::string& text) {
    std::string out;
    for (const muster::Located<std::string>& one : muster::slurm_releases_stated_in(muster::FileId{}, text))
      out += one.value + "@" + std::to_string(one.where.begin) + " ";
    return out;
  };
  CHECK(stated("FROM rocky\nARG SLURM_TAG=slurm-21-08-6-1\n") == "21.08.6@15 ");
  CHECK(stated("ENV SLURM_VERSION 23.02.7\n") == "23.02.7@4 ");
  CHECK(stated("slurm_version: \"24.05.4\"  # latest\n") == "24.05.4@0 ");
  CHECK(stated("{\"configuration_slurm_version\" : \"19.05.8-1\"}") == "19.05.8@16 ");
  CHECK(stated("SLURM_VER := 22.05\nslurm-release='v25.11.2'") == "22.05@0 25.11.2@19 ");
  CHECK(stated("SLURM_VERSION=${SLURM_VERSION:-19.05.5}\n") == "19.05.5@0 ");
  CHECK(stated("url: https://download.schedmd.com/slurm/slurm-20.11.0.tar.bz2\n") == "20.11.0@40 ");
  CHECK(stated("git clone -b slurm-21-08-6-1 --depth=1 https://github.com/SchedMD/slurm.git\n") == "21.08.6@13 ");
  CHECK(stated("tar xf slurm-21.08.8-2.tar.bz2\n") == "21.08.8@7 ");
  CHECK(stated("export VER=20.02.6  # old\nexport VER=21.08.6\nwget https://x/slurm-$VER.tar.bz2\n") == "21.08.6@33 ");
  CHECK(stated("if a; then V=23.02.1\nelse\n  V=23.11.0\nfi\ntar xf slurm-${V}.tar.gz\n") == "23.11.0@28 ");
  CHECK(stated("# VER=21.08.6\nVERY=22.05.1\nVER=$1\ntar xf slurm-$VER.tar.gz slurm-$VER-x.tar\n").empty());
  CHECK(stated("VER=21.08.6\ntar xf slurm-$VER-1.spec munge-$VER.tar.gz\n").empty());
  CHECK(stated("v=19.05.2-1.el7 # to install\nrpm -i ${dir}/slurm-${v}.x86_64.rpm\n") == "19.05.2@0 ");
  CHECK(stated("filename: slurm-17-11-7-1.tar.gz\n") == "17.11.7@10 ");
  CHECK(stated("- slurm-wlm=17.11.2-1build1\n- slurmdbd=23.11.4-1.2ubuntu5\n") == "17.11.2@2 23.11.4@30 ");
  CHECK(stated("slurmctld=17\nslurm-user=64030\nslurmd -N=17.11\nslurm-wlm==22.05\nslurm-wlmx=22.05").empty());
  CHECK(stated("# tar xf slurm-21.08.8-2.tar.bz2\ntar xf slurm-20.11-latest.tar.bz2\n").empty());
  CHECK(stated("SLURM_VERSION=${SLURM_VERSION} # :-19.05\n").empty());
  CHECK(stated("# slurm_version: 23.02\n  // slurm_version = 23.02\n").empty());
  CHECK(stated("slurm_version == \"21.08.5\" or slurm_versions: 21.08; slurm_version: {{ x }}\n").empty());
  CHECK(stated("slurm_version is version('23.11.0', '<')\nslurm_tag: 1.2.3\nslurm_version: 23.13\nslurm_version\n23.02")
            .empty());
  CHECK(stated("slurm_version").empty());
  std::string line;
  for (int i = 0; i < 200'000; ++i) line += "slurm ";
  CHECK(stated(line).empty());
}

TEST_CASE("a name of a file, an image and the folders of packages state the release of Slurm", "[stated]") {
  CHECK(muster::release_in_path("roles/slurm/slurm.conf.20.11.8-1.el7") == "20.11.8");
  CHECK(muster::release_in_path("cgroup-23.02.conf") == "23.02");
  for (const char* none :
       {"slurm.conf", "slurm.conf.2024.05.02", "slurm.conf.19.07", "20.11/slurm.conf", "x-20.11.txt"})
    CHECK(muster::release_in_path(none).empty());
  const auto stated = [](const std::string& text) {
    return muster::common_release(muster::slurm_releases_stated_in(muster::FileId{}, text)).value;
  };
  const std::string packages = "RUN apt-get update && apt-get install -y slurm-wlm munge\n";
  CHECK(stated("FROM ubuntu:20.04\n" + packages) == "19.05.5");
  CHECK(stated("# base\nFROM --platform=amd64 nvidia/cuda:11.0-ubuntu22.04 AS b\n" + packages) == "21.08.5");
  for (const char* image : {"ubuntu:jammy", "registry.example/ubuntu22.04:1", "rocm/dev-ubuntu-22.04", "Ubuntu:22.04"})
    CHECK(stated("FROM " + std::string(image) + "\n" + packages) == "21.08.5");
  for (const char* other : {"nobleman/base:1", "ubuntu:latest", "debian:120", "alpine:3.20"})
    CHECK(stated("FROM " + std::string(other) + "\n" + packages).empty());
  CHECK(stated("FROM ubuntu:22.04\n" + packages + "RUN curl -O slurm-23.11.4.tar.bz2\n") == "23.11.4");
  CHECK(stated("FROM ubuntu:20.04\n" + packages + "FROM ubuntu:22.04\n").empty());
  CHECK(stated("FROM ubuntu:20.04\nRUN add-apt-repository ppa:x/slurm\n" + packages).empty());
  CHECK(stated("FROM ubuntu:20.04\nRUN apt-get install -y munge\n").empty());
  CHECK(stated("COPY slurm-21.08.6 /build\n") == "21.08.6");
  CHECK(stated("cp slurm.conf /etc/slurm-llnl/\n") == "19.05");
  CHECK(stated("cp slurm.conf /etc/slurm-llnl/ || cp slurm.conf /etc/slurm/\n").empty());
  CHECK(stated("# /etc/slurm-llnl\n").empty());
  CHECK(stated("yum install http://example.com/ohpc-release-1.3-1.el7.x86_64.rpm\n") == "18.08.8");
  CHECK(stated("dnf install http://example.com/ohpc-release-3-1.el9.x86_64.rpm\n").empty());
}

TEST_CASE("each site is judged by the release that its own files state", "[stated]") {
  const std::string conf =
      "ClusterName=a\nSlurmctldHost=c\nCacheGroups=0\nNodeName=n CPUs=2 RealMemory=999\nPartitionName=p Nodes=n\n";
  const auto says = [&](const std::map<std::string, std::string>& files, const std::vector<std::string>& more = {}) {
    const std::string out = check_stated(files, more).out;
    const std::size_t at = out.find("[slurm-key-");
    return at == std::string::npos ? "" : out.substr(out.rfind('\n', at) + 1, at - out.rfind('\n', at) - 1);
  };
  CHECK(says({{"repo/slurm.conf", conf}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/Dockerfile", "ENV SLURM_VERSION 20.11.9\n"}}) == "info");
  CHECK(says({{"repo/slurm.conf.20.11.9", conf}}) == "info");
  CHECK(says({{"repo/etc/20.11.9/slurm.conf", conf}}) == "info");
  CHECK(says({{"repo/etc/slurm-24.05/slurm.conf", conf}}) == "error");
  CHECK(says({{"repo/etc/24.13/slurm.conf", conf}}) == "warning");
  // A README counts where nothing else does, and with what it installs alone.
  const std::string readme = "Build it:\n\n    wget https://download.schedmd.com/slurm/slurm-20.11.9.tar.bz2\n";
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/README.md", readme}}) == "info");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/README.md", "slurm_version: 20.11.9\n"}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/README.md", readme}, {"repo/vars.yml", "slurm_version: 24.05.4\n"}}) ==
        "error");
  CHECK(says({{"repo/slurm.conf.23.02.7", conf}}) == "error");
  CHECK(says({{"repo/slurm.conf.20.11.9", conf}}, {"--target", "slurm=24.05"}) == "error");
  CHECK(says({{"repo/slurm.conf", conf + "StateSaveLocation=/var/lib/slurm-llnl/slurmctld\n"}}) == "info");
  CHECK(says({{"repo/slurm.conf", replace_all(conf, "CacheGroups", "CacheGruops") +
                                      "StateSaveLocation=/var/lib/slurm-llnl/slurmctld\n"}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf + "StateSaveLocation=/var/lib/slurm-llnl/slurmctld\n"},
              {"repo/tasks/main.yml", "- apt: {name: slurm-wlm=17.11.2-1build1}\n"}}) == "info");
  // The packages of machines whose images another file names; what only a README states is no ground for an error.
  const std::string apt = "- apt:\n    name:\n      - slurm-wlm\n";
  const std::string machines = "filter { values = [\"ubuntu/images/hvm-ssd/ubuntu-jammy-22.04-arm64-server*\"] }\n";
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/play.yml", apt}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/play.yml", apt}, {"repo/main.tf", machines}}) == "info");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/main.tf", machines}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf},
              {"repo/play.yml", apt},
              {"repo/main.tf", machines + "image = \"ubuntu-noble-24.04\"\n"}}) == "warning");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/README.md", replace_all(readme, "20.11.9", "24.11.0")}}) == "warning");
  const std::string script = "apt-get install -y slurmd\n";
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/make.sh", "IMAGE_FAMILY=ubuntu-2204-lts\n" + script}}) == "info");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/make.sh", "docker run --image ubuntu:22.04\n" + script}}) == "warning");
  // A role states it among its defaults.
  CHECK(says({{"repo/roles/slurm/templates/slurm.conf", conf},
              {"repo/roles/slurm/defaults/main.yml", "slurm_version: 20.11.9\n"},
              {"repo/roles/single/defaults/main.yml", "slurm_version: 24.05.3\n"}}) == "info");
  CHECK(says({{"repo/roles/slurm/templates/slurm.conf", conf},
              {"repo/roles/other/defaults/main.yml", "slurm_version: 20.11.9\n"},
              {"repo/roles/single/defaults/main.yml", "slurm_version: 24.05.3\n"}}) == "warning");
  // What a branch says instead counts less.
  const std::string build = "VER=24.05.1\nif [ -z \"$VER\" ]; then\n  VER=20.11.9\nfi\nwget slurm-$VER.tar.bz2\n";
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/build.sh", build}}) == "error");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/build.sh", build.substr(12)}}) == "info");
  CHECK(says({{"repo/old/slurm.conf", conf},
              {"repo/install.sh", "cp old/slurm.conf /etc/slurm-llnl\n"},
              {"repo/build.sh", "SLURM_VERSION=25.11.0\n"}}) == "info");
  CHECK(says({{"repo/new/slurm.conf", conf},
              {"repo/install.sh", "cp old/slurm.conf /etc/slurm-llnl\n"},
              {"repo/build.sh", "SLURM_VERSION=25.11.0\n"}}) == "error");
  CHECK(says({{"repo/slurm.conf", conf}, {"repo/Dockerfile", "FROM ubuntu:20.04\nRUN apt install -y slurmctld\n"}}) ==
        "info");
}

TEST_CASE("of releases that are all too old to be known the newest counts", "[stated]") {
  const auto common = [](const std::vector<std::string>& texts) {
    std::vector<muster::Located<std::string>> stated;
    for (const std::string& text : texts) stated.push_back(muster::set_to(text, muster::Span{}, "version"));
    return muster::common_release(stated).value;
  };
  CHECK(common({"24.05.2", "24.05"}) == "24.05.2");
  CHECK(common({"17.11.9", "18.08.8", "18.08"}) == "18.08.8");
  CHECK(common({"20.11", "23.02"}).empty());
  CHECK(common({"24.05", "24.11"}).empty());
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  REQUIRE(book->known_since("slurm") != nullptr);
  CHECK(book->known_since("slurm")->text() == muster::kFirstKnownSlurm);
}

TEST_CASE("the release that is installed counts where nobody says another", "[stated]") {
  const std::string conf =
      "ClusterName=c\nSlurmctldHost=ctl\nNodeName=n[1-4] CPUs=8 State=UNKNOWN\nPartitionName=p Nodes=ALL\n";
  const auto told = [&](std::map<std::string, std::string> files, const std::vector<std::string>& options = {}) {
    files["repo/slurm.conf"] = conf + "SelectType=select/cons_res\n";
    return check_stated(files, options).out;
  };
  CHECK(contains(told({}), "(from slurm 23.11 on)"));
  CHECK(contains(told({{"repo/Dockerfile", "ARG SLURM_TAG=slurm-24-11-5-1\n"}}),
                 "judged for Slurm 24.11.5, as repo/Dockerfile:1:5 says"));
  CHECK(contains(told({{"repo/Dockerfile", "ARG SLURM_TAG=slurm-24-11-5-1\n"}}), "error[slurm-plugin-removed]"));
  CHECK_FALSE(contains(told({{"repo/Dockerfile", "ARG SLURM_TAG=slurm-23-02-7-1\n"}}), "slurm-plugin-removed"));
  // Texts for people, two that differ, and what the user says.
  CHECK(contains(told({{"repo/README.md", "SLURM_TAG=slurm-23-02-7-1\n"}}), "(from slurm 23.11 on)"));
  CHECK(contains(told({{"repo/a.yml", "slurm_version: 23.02.7\n"}, {"repo/b.yml", "slurm_version: 24.05.1\n"}}),
                 "(from slurm 23.11 on)"));
  // What is downloaded counts where no name says another.
  CHECK(contains(told({{"repo/a.sh", "curl -O slurm-24.11.5.tar.bz2\n"}}), "error[slurm-plugin-removed]"));
  CHECK_FALSE(contains(told({{"repo/a.sh", "curl -O slurm-24.11.5.tar.bz2\nSLURM_VERSION=23.02.7\n"}}),
                       "slurm-plugin-removed"));
  CHECK_FALSE(
      contains(told({{"repo/a.yml", "slurm_version: 24.11.5\n"}}, {"--target", "slurm=23.02"}), "slurm-plugin"));
}

TEST_CASE("the release of Kubernetes is that of what installs the cluster", "[stated]") {
  const auto told = [&](std::map<std::string, std::string> files, const std::vector<std::string>& options = {}) {
    files["repo/crd.yaml"] =
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: t.example.com}\n";
    return check_stated(files, options).out;
  };
  const auto object = [](const std::string& group, const std::string& kind, const std::string& rest) {
    return "apiVersion: " + group + "/v1beta1\nkind: " + kind + "\n" + rest + "\n";
  };
  const std::string error = "error[api-version-removed]";
  const std::string kubeadm = "controlplane.cluster.x-k8s.io";
  CHECK(contains(told({}), error));
  const std::string old = told({{"repo/c.yaml", object(kubeadm, "KubeadmControlPlane", "spec: {version: v1.17.3}")}});
  CHECK_FALSE(contains(old, "api-version-removed"));
  CHECK(contains(old, "judged for Kubernetes 1.17.3, as repo/c.yaml:3:17 says; `--target kubernetes=VERSION`"));
  // Everywhere where one of them has it, and nowhere else.
  const std::vector<std::string> all{
      object(kubeadm, "KubeadmControlPlane", "spec: {version: v1.17.3}"),
      object(kubeadm, "RKE2ControlPlane", "spec: {version: v1.17.3+rke2r1}"),
      object(kubeadm, "KThreesControlPlane", "spec: {version: v1.17.3+k3s1}"),
      object(kubeadm, "AWSManagedControlPlane", "spec: {version: v1.17.3}"),
      object("infrastructure.cluster.x-k8s.io", "AzureManagedControlPlane", "spec: {version: v1.17.3}"),
      object("infrastructure.cluster.x-k8s.io", "GCPManagedControlPlane", "spec: {controlPlaneVersion: 1.17.3}"),
      object("cluster.x-k8s.io", "Cluster", "spec: {topology: {class: c, version: v1.17.3}}"),
      object("kubeadm.k8s.io", "ClusterConfiguration", "kubernetesVersion: v1.17.3"),
      object("eksctl.io", "ClusterConfig", "metadata: {name: c, version: \"1.17\"}"),
      object("kops.k8s.io", "Cluster", "metadata: {name: c}\nspec: {kubernetesVersion: 1.17.3}"),
  };
  for (const std::string& one : all) {
    INFO(one);
    CHECK(contains(told({{"repo/c.yaml", one}}), "judged for Kubernetes 1.17"));
  }
  CHECK(contains(told({{"repo/c.yaml", object("example.com", "Cluster", "spec: {version: v1.17.3}")}}), error));
  // Variables of a playbook, at the begin of a line of a file that holds such.
  for (const std::string line :
       {"kube_version: v1.17.3", "k3s_version: v1.17.3+k3s1", "kubernetes_version: \"1.17\""}) {
    INFO(line);
    CHECK(contains(told({{"repo/group_vars/k8s.yml", "a: b\n" + line + "\n"}}), "judged for Kubernetes 1.17"));
    CHECK(contains(told({{"repo/roles/x/defaults/main.yaml", line}}), "judged for Kubernetes 1.17"));
    CHECK(contains(told({{"repo/k8s.yml", line + "\n"}}), error));
    CHECK(contains(told({{"repo/group_vars/k8s.yml", "a:\n  " + line + "\n"}}), error));
  }
  CHECK(contains(told({{"repo/vars/a.yml", "kube_version: \"{{ x }}\"\nkube_version_old: v1.17.3\n"}}), error));
  // Of one minor release the most exact; two that differ and placeholders say nothing; the user says more.
  CHECK(contains(told({{"repo/a.yaml", all[8]}, {"repo/b.yaml", all[0]}}), "judged for Kubernetes 1.17.3, as repo/b"));
  const std::string other = object(kubeadm, "KubeadmControlPlane", "spec: {version: v1.18.2}");
  CHECK(contains(told({{"repo/a.yaml", all[0]}, {"repo/b.yaml", other}}), error));
  for (const std::string text : {"stable-1", "\"${KUBERNETES_VERSION}\"", "\"\"", "v1", "\"{{ x }}\""}) {
    const std::string unclear = object(kubeadm, "KubeadmControlPlane", "spec: {version: " + text + "}");
    INFO(unclear);
    CHECK_FALSE(contains(told({{"repo/a.yaml", unclear}}), "judged for Kubernetes"));
    CHECK(contains(told({{"repo/a.yaml", unclear}, {"repo/b.yaml", all[0]}}), "judged for Kubernetes 1.17.3"));
  }
  CHECK(contains(told({{"repo/a.yaml", all[0]}}, {"--target", "kubernetes=1.31"}), error));
  const std::string json = told({{"repo/c.yaml", all[0]}}, {"--format", "json"});
  CHECK(contains(json, "\"installed_kubernetes\": {\n    \"version\": \"1.17.3\""));
}

TEST_CASE("a release from before what muster knows is told what came", "[stated]") {
  const std::string conf =
      "ClusterName=c\nSlurmctldHost=ctl\nNodeName=n[1-4] CPUs=8 State=UNKNOWN\nPartitionName=p "
      "Nodes=ALL\nCacheGroups=0\n";
  CHECK(contains(check_stated({{"repo/slurm.conf", conf}}).out, "warning[slurm-key-removed]"));
  CHECK(contains(
      check_stated({{"repo/slurm.conf", conf}}, {"--target", "slurm=16.05"}).out,
      "info[slurm-key-removed]: `CacheGroups` no longer exists: Slurm 21.08 removed it (from slurm 22.05 on)"));
}
