// What a file is taken for, by what speaks for and against it.
#include "base/strings.h"
#include "pipeline/dump.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/model.h"

using namespace muster;
using Files = std::map<std::string, std::string>;

namespace {

const std::string kJob =
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: [{name: c, image: "
    "x}]}}}\n";
const std::string kConf =
    "ClusterName=c\nSlurmctldHost=ctl\nNodeName=n[1-4] CPUs=8 State=UNKNOWN\nPartitionName=p Nodes=ALL\n";

std::string taken(const Files& files) {
  const Workspace workspace = test::read_files(files);
  return dump_artifacts(workspace.parsed, workspace.inputs.sources);
}

const std::string kShowConfig =
    "Configuration data as of 2026-01-31T10:00:00\n"
    "AccountingStorageBackupHost = (null)\n"
    "AccountingStorageHost   = db\n"
    "BOOT_TIME               = 2026-01-01T00:00:00\n"
    "ClusterName             = c\n"
    "SLURM_CONF              = /etc/slurm/slurm.conf\n"
    "SLURM_VERSION           = 24.05.3\n"
    "SlurmctldPort           = 6817\n"
    "SlurmUser               = slurm(64030)\n"
    "\nCgroup Support Configuration:\nConstrainCores          = yes\n"
    "\nSlurmctld(primary) at ctl is UP\n";

}  // namespace

TEST_CASE("prose and programs that quote configs are none", "[kinds][recognise]") {
  for (const std::string name :
       {"README.md", "a.go", "guide.rst", "page.html", "deploy.sh", "make.py", "Dockerfile", "x.log"}) {
    INFO(name);
    CHECK(taken({{name, kJob}}).empty());
    CHECK(taken({{name, kConf}}).empty());
    CHECK(taken({{name, "apiVersion: batch/v1\nkind: Job\nspec: [\n"}}).empty());
    CHECK(test::summary_of(test::check_files({{name, "apiVersion: batch/v1\nkind: Job\nspec: [\n"}})).empty());
  }
  CHECK(taken({{"README", "# Jobs\n\nWrite this:\n\n```yaml\n" + kJob + "```\nand apply it.\n"}}).empty());
  CHECK(taken({{"notes", "Put this in your config, and restart:\n\n" + kConf +
                             "\nThen go home.\nThat is all.\nReally all.\nSo it is.\n"}})
            .empty());
  CHECK(taken({{"expected", "A file of the daemon\n---\n/etc/slurm/slurm.conf\nquote\n---\n" + kConf}}).empty());
  CHECK_FALSE(taken({{"slurm.conf", "---\n" + kConf}}).empty());
  CHECK(test::summary_of(
            test::check_files({{"setup", "kubectl apply -f - <<EOF\napiVersion: batch/v1\nkind: Job\nspec: [\nEOF\n"}}))
            .empty());
}

TEST_CASE("batch scripts are read in scripts, not in texts about them", "[kinds][recognise]") {
  const std::string script = "#!/bin/bash\n#SBATCH -N 2\nsrun x\n";
  for (const std::string name : {"train.sh", "train", "train.py", "train.sbatch", "train.sh.j2"})
    CHECK(taken({{name, script}}) == name + ":2: sbatch\n");
  for (const std::string name : {"train.md", "train.rst", "train.html"}) CHECK(taken({{name, script}}).empty());
  CHECK(taken({{"job.yaml", "#!/bin/bash\n#SBATCH -N 2\n" + kJob}}) == "job.yaml:3: batch-job\n");
}

TEST_CASE("what Slurm's programs print is no file of Slurm's, whatever it is called", "[kinds][recognise]") {
  const std::string node =
      "NodeName=n1 Arch=x86_64 CoresPerSocket=4\n   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=0.1\n   Version=24.05.3\n";
  const std::string partition =
      "PartitionName=p\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   Nodes=n[1-4]\n   State=UP TotalCPUs=32 "
      "TotalNodes=4\n";
  const std::string detected =
      "NodeName=n1 CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 "
      "RealMemory=1000\nUpTime=1-02:03:04\n";
  const std::string sinfo =
      "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\np*           up   infinite      4   idle n[1-4]\n";
  const std::string log =
      "[2026-01-31T10:00:00.1] error: bad line\nNodeName=n1 CPUs=8 State=UNKNOWN\n[2026-01-31T10:00:01.1] NodeName=n2 "
      "CPUs=8\n";
  for (const std::string& text : {kShowConfig, node, partition, detected, sinfo, log}) {
    INFO(text);
    CHECK(taken({{"dump.txt", text}}).empty());
    CHECK(taken({{"slurm.conf", text}}).empty());
    CHECK(taken({{"slurm.conf", kConf}, {"gres.conf", text}}) == "slurm.conf:1: slurm-conf\n");
  }
  // A piece of one, without heading and telling keys.
  CHECK(taken({{"conf.txt",
                "AccountingStorageHost   = db\nClusterName             = c\nSlurmctldPort           = 6817\n"
                "SlurmdPort              = 6818\nSlurmUser               = slurm(64030)\n"}})
            .empty());
}

TEST_CASE("groups of a partition make no dump of a slurm.conf", "[kinds][recognise]") {
  CHECK(taken({{"slurm.conf", "PartitionName=p Nodes=n1 AllowGroups=g State=UP\nNodeName=n1 CPUs=4\n"}}) ==
        "slurm.conf:1: slurm-conf\n");
  CHECK(taken({{"slurm.conf",
                "ClusterName     = c\nSlurmctldHost   = ctl\nSlurmctldPort   = 6817\nSlurmUser       = "
                "slurm\nSlurmdPort      = 6818\n"}}) == "slurm.conf:1: slurm-conf\n");
}

TEST_CASE("a dump states the version that is checked for", "[kinds][recognise]") {
  CHECK(test::read_files({{"slurm.conf", kConf}, {"config.txt", kShowConfig}}).site.targets.at("slurm").text() ==
        "24.05.3");
  std::string other = kShowConfig;
  other.replace(other.find("24.05.3"), 7, "25.05.1");
  CHECK_FALSE(test::read_files({{"slurm.conf", kConf}, {"config.txt", kShowConfig}, {"other.txt", other}})
                  .site.targets.contains("slurm"));
}

TEST_CASE("templates of Slurm's files are told once", "[kinds][recognise]") {
  const std::string rest = "SlurmctldHost=ctl\nPartitionName=p Nodes=ALL Default=YES\n";
  const std::vector<std::string> texts{
      "ClusterName={{ name }}\n" + rest,
      "ClusterName=c\n{% for n in nodes %}\nNodeName={{ n }} CPUs=8 RealMemory=9000\n{% endfor %}\n" + rest,
      "ClusterName=${NAME}\n" + rest,
      "ClusterName=<%= @name %>\n" + rest,
      "ClusterName=@NAME@\n" + rest,
      "ClusterName=__NAME__\n" + rest,
      "ClusterName={name}\n" + rest,
      "${NODE_LINES}\n" + rest,
      "{nodes}\n" + rest,
      "@NODES@\n" + rest,
      "ClusterName=c\n%{ for n in nodes ~}\nNodeName=${n} CPUs=8 RealMemory=9000\n%{ endfor }\n" + rest,
  };
  for (const std::string& text : texts) {
    for (const std::string name : {"slurm.conf", "slurm.conf.j2", "cluster.tpl"}) {
      INFO(name << "\n" << text);
      const test::Checked checked = test::check_files({{name, text}});
      CHECK(checked.report.summary.templates == 1);
      CHECK(checked.report.findings.empty());
      CHECK(checked.report.summary.artifacts == 1);  // its other lines
    }
  }
  CHECK(taken({{"gres.conf.erb", "<% @gpus.each do |g| -%>\nName=gpu Type=<%= g %> File=/dev/nvidia0\n<% end %>\n"}}) ==
        "gres.conf.erb: ERB template\ngres.conf.erb:1: gres-conf\n");
  CHECK(taken({{"topology.conf.j2", "{{ topology }}\n"}}) == "topology.conf.j2: Helm, Go or Jinja2 template\n");
  CHECK(taken({{"slurm.conf", "# set ${NAME} in {{ x }}\n" + kConf}}) == "slurm.conf:2: slurm-conf\n");
  CHECK(taken({{"slurm.conf", kConf + "PartitionName=q Nodes=feature{x}\n"}}) == "slurm.conf:1: slurm-conf\n");
  CHECK(taken({{"unit.service", "[Service]\nName={{ x }}\nUser=slurm\n"}}).empty());
}

TEST_CASE("of a template the lines are checked that no filling in changes", "[kinds][recognise]") {
  const auto rules = [](const Files& files) {
    std::string out;
    const std::string all = test::summary_of(test::check_files(files));
    for (const std::string_view line : split(all, '\n')) out.append(line.substr(0, line.find(": "))) += '\n';
    return out.substr(0, out.size() - 1);
  };
  const std::string name = "ClusterName={{ name }}\nSlurmctldHost=ctl\n";
  CHECK(rules({{"slurm.conf.j2", name + "SlurmctldHsot=b\n"}}) == "slurm.conf.j2:3:1 slurm-key-unknown\n");
  CHECK(rules({{"slurm.conf.j2", name + "{% if old %}\nSlurmctldHsot=b\n{% endif %}\nTaskPlugni=x\n"}}) ==
        "slurm.conf.j2:6:1 slurm-key-unknown\n");
  CHECK(rules({{"slurm.conf.j2", name + "SlurmctldHsot={{ b }}\n"}}) == "slurm.conf.j2:3:1 slurm-key-unknown\n");
  CHECK(rules({{"slurm.conf.j2", name + "Slurmctld{{ a }}={{ b }}\n"}}).empty());
  CHECK(rules({{"slurm.conf.j2", name + "{% endif %}\nSlurmctldHsot=b\n"}}) ==
        "slurm.conf.j2:3:1 template-block-unpaired\n");
  CHECK(rules({{"cgroup.conf.j2", "ConstrainCores={{ x }}\nConstrainDevcies=yes\n"}}) ==
        "cgroup.conf.j2:2:1 slurm-key-unknown\n");
  // What is filled in may define anything: nodes, further defaults, keys that are not here.
  CHECK(rules({{"slurm.conf.j2",
                name + "GresTypes=gpu\nNodeName=n1 CPUs=4 RealMemory=9 Gres=gpu:4\nPartitionName=DEFAULT State=UP\n"
                       "PartitionName=p Nodes=n[1-9]\nPartitionName=DEFAULT MaxTime=1\n{{ more }}\n"}})
            .empty());
  // It is neither what a slurm.conf includes nor what lies beside one.
  CHECK(rules({{"slurm.conf", kConf + "Include more.conf\n"}, {"more.conf", "MaxJobCount={{ n }}\nTreeWidth=9\n"}}) ==
        rules({{"slurm.conf", kConf + "Include more.conf\n"}}));
  CHECK(rules({{"slurm.conf", kConf},
               {"gres.conf.j2",
                "# {{ x }}\nNodeName=zz Name=gpu File={{ y }}\nNodeName=zz "
                "Name=gpu File=/dev/nvidia0\n"}}) == rules({{"slurm.conf", kConf}}));
}

TEST_CASE("a file that shows little is what its role says", "[kinds][recognise]") {
  CHECK(taken({{"nodes.inc", "NodeNmae=n1 CPUs=4\n"}}).empty());
  CHECK(taken({{"slurm.conf", kConf + "Include nodes.inc\n"}, {"nodes.inc", "NodeNmae=n1 CPUs=4\n"}}) ==
        "nodes.inc:1: slurm-conf\nslurm.conf:1: slurm-conf\n");
  CHECK(taken({{"slurm.conf", kConf + "Include /etc/slurm/a.inc\n"},
               {"a.inc", "include b.inc\n"},
               {"b.inc", "Foo=1\n"}}) == "a.inc:1: slurm-conf\nb.inc:1: slurm-conf\nslurm.conf:1: slurm-conf\n");
  CHECK(taken({{"gres.conf", "nothing of Slurm\nat all\n"}}).empty());
  CHECK(taken({{"slurm.conf", kConf}, {"gres.conf", "Nam=gpu\nat all\n"}}) ==
        "gres.conf:1: gres-conf\nslurm.conf:1: slurm-conf\n");
  CHECK(taken({{"slurm.conf", kConf}, {"topology.conf", "# nothing\n"}}) ==
        "slurm.conf:1: slurm-conf\ntopology.conf:1: topology-conf\n");
  CHECK(taken({{"sysctl.d/slurm.conf", "net.core.somaxconn = 1024\nvm.swappiness = 1\n"}}).empty());
}

const std::string kScale =
    "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: s}\nspec:\n"
    "  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: s}\n  maxReplicas: 2\n";

TEST_CASE("explain tells what a file was taken for, and why", "[cli][recognise]") {
  const test::FakeDisk disk(Files{{"slurm.conf", kConf},
                                  {"dump.txt", kShowConfig},
                                  {"job.yaml", kJob},
                                  {"README.md", kJob},
                                  {"scale.yaml", kScale},
                                  {"t.conf", "NodeName={{ n }} CPUs=4\n"}});
  const auto explain = [&](const std::string& file) {
    return test::run_command({"explain", "--at", file + ":1"}, disk).out;
  };
  CHECK(explain("slurm.conf")
            .starts_with("slurm.conf is taken for slurm-conf\n    for      it has what only slurm-conf has\n"));
  const std::string dump = explain("dump.txt");
  CHECK(dump.starts_with("dump.txt is taken for nothing that muster checks\n"));
  CHECK(dump.find("    against  line 1 is a heading that Slurm's programs print\n") != std::string::npos);
  CHECK(explain("job.yaml").starts_with("job.yaml is taken for batch-job\n    for      line 1: `Job` of `batch/v1`\n"));
  CHECK(explain("scale.yaml").starts_with("scale.yaml is taken for HorizontalPodAutoscaler\n\n"));
  CHECK(explain("README.md") ==
        "README.md is taken for nothing that muster checks\n    against  the name is that of a text for people\n\n");
  const test::FakeDisk site(Files{{"s/slurm.conf", kConf}, {"s/topology.conf", "# nothing\n"}});
  const std::string empty = test::run_command({"explain", "--at", "s/topology.conf:1"}, site).out;
  CHECK(empty.starts_with("s/topology.conf is taken for topology-conf\n"));
  CHECK(empty.find("    for      Slurm opens it by its name beside slurm.conf\n") != std::string::npos);
  CHECK(explain("t.conf").starts_with(
      "t.conf is a template, checked where no mark stands: Helm, Go or Jinja2 template\n"));
}
