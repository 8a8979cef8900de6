// Twice the input takes about twice the time. Held against the processor's time of this thread and with room for noise:
// what grows as the square of its input takes 64 times as long here, and 24 times as long fails. bench/growth.py asks
// more.
#include <ctime>

#include <algorithm>

#include "support/catch.h"
#include "support/model.h"
#include "support/share.h"

using namespace muster::test;

namespace {

using Files = std::map<std::string, std::string>;

constexpr int kTimesAsLarge = 8;
constexpr double kTimesAsLong = 24;

double seconds_for(const Files& files) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  };
  const double start = now();
  check_files(files);
  return now() - start;
}

/// The time for nothing is taken away; of three attempts the best counts.
void check_growth(const std::string& what, int size, Files (*make)(int)) {
  if (kSanitised) size /= 4;
  check_files(make(1));  // rules are compiled once
  double best = 1e9;
  for (int attempt = 0; attempt < 3 && best > kTimesAsLong; ++attempt) {
    const double nothing = seconds_for(make(1));
    const double small = std::max(seconds_for(make(size)) - nothing, 0.005);
    best = std::min(best, (seconds_for(make(size * kTimesAsLarge)) - nothing) / small);
  }
  INFO(what);
  CHECK(best <= kTimesAsLong);
}

std::string slurm(const std::string& lines) { return "ClusterName=c\nSlurmctldHost=h\n" + lines; }

std::string times(int count, const std::function<std::string(const std::string&)>& text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text(std::to_string(i));
  return out;
}

std::string job(const std::string& name, const std::string& labels = "", const std::string& space = "ml") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job-" + name + ", namespace: " + space + ", labels: {a: b" +
         labels + "}}\nspec:\n  parallelism: 2\n" + "  template:\n    metadata: {labels: {a: b" + labels +
         "}}\n    spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 8}}}]}\n---\n";
}

std::string volcano_job(const std::string& name, const std::string& queue) {
  return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: job-" + name +
         "}\nspec: {schedulerName: volcano, queue: " + queue +
         ", minAvailable: 2, tasks: [{name: w, replicas: 2, template: {spec: {containers: [{name: c, image: "
         "i}]}}}]}\n---\n";
}

}  // namespace

TEST_CASE("lists of nodes are read in time that grows as they do", "[growth]") {
  check_growth("single names", 1000, [](int n) {
    return Files{
        {"slurm.conf", slurm("NodeName=" + times(n, [](const std::string& i) { return "h" + i + ","; }) + "\n")}};
  });
  check_growth("single numbers in brackets", 1000, [](int n) {
    return Files{
        {"slurm.conf", slurm("NodeName=h[" + times(n, [](const std::string& i) { return i + "0,"; }) + "1]\n")}};
  });
  check_growth("pairs on one line", 300, [](int n) {
    return Files{{"slurm.conf", slurm("NodeName=n1\nPartitionName=p Nodes=n1 " +
                                      times(n, [](const std::string& i) { return " Key" + i + "=v"; }) + "\n")}};
  });
  check_growth("lines of gres.conf for the same nodes", 300, [](int n) {
    return Files{{"slurm.conf", slurm("NodeName=n1 Gres=gpu:8\n")},
                 {"gres.conf", times(n, [](const std::string&) {
                    return std::string("NodeName=n1 Name=gpu Type=a File=/dev/a\n");
                  })}};
  });
}

TEST_CASE("directives of YAML are read in time that grows as they do", "[growth]") {
  check_growth("tags", 2000, [](int n) {
    return Files{{"a.yaml", times(n, [](const std::string& i) { return "%TAG !e" + i + "! tag:a," + i + ":\n"; }) +
                                "---\nkind: Job\n"}};
  });
}

TEST_CASE("networks are looked at in time that grows as they do", "[growth]") {
  check_growth("a chain of domains", 500, [](int n) {
    return Files{{"fleet.yaml",
                  "muster: fleet/v1\nname: c\nnode_pools: [{name: p, nodes: n1}]\ntopology:\n  levels: [l]\n  "
                  "domains:\n    - {name: d0, level: l}\n" +
                      times(n, [](const std::string& i) {
                        return "    - {name: d" + i + "x, level: l, parent: d" + i.substr(0, i.size() - 1) + "x}\n";
                      })}};
  });
  check_growth("switches above a chain", 200, [](int n) {
    return Files{{"slurm.conf", slurm("NodeName=n1\nTopologyPlugin=topology/tree\n")},
                 {"topology.conf", times(n,
                                         [](const std::string& i) {
                                           return "SwitchName=r" + i + " Switches=s0\nSwitchName=s" + i +
                                                  " Switches=s" + std::to_string(std::stoi(i) + 1) + "\n";
                                         }) +
                                       "SwitchName=s" + std::to_string(n) + " Nodes=n1\n"}};
  });
  check_growth("switches below a cycle", 200, [](int n) {
    return Files{{"slurm.conf", slurm("NodeName=n1\nTopologyPlugin=topology/tree\n")},
                 {"topology.conf", times(n,
                                         [](const std::string& i) {
                                           return "SwitchName=s" + i + " Switches=s" +
                                                  std::to_string(std::stoi(i) + 1) + "\n";
                                         }) +
                                       "SwitchName=s" + std::to_string(n) +
                                       " Nodes=n1\nSwitchName=a Switches=b\nSwitchName=b Switches=a,s0\n"}};
  });
}

TEST_CASE("what objects name is found in time that grows as they do", "[growth]") {
  check_growth("queues of one name in many namespaces", 60, [](int n) {
    return Files{{"a.yaml", times(n, [](const std::string& i) {
                    return "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: q, namespace: n" +
                           i + "}\nspec: {clusterQueue: c}\n---\n" + job(i, ", kueue.x-k8s.io/queue-name: q", "n" + i);
                  })}};
  });
  check_growth("queues that are missing", 60, [](int n) {
    return Files{{"a.yaml", times(n, [](const std::string& i) {
                    return "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: queue" + i +
                           "}\nspec: {}\n---\n" + volcano_job(i, "team" + i);
                  })}};
  });
  check_growth("jobs on a fleet", 60, [](int n) {
    return Files{{"fleet.yaml",
                  "muster: fleet/v1\nname: c\nnode_pools: [{name: p, nodes: \"n[1-64]\", control_plane: kubernetes, "
                  "gpus_per_node: 8}]\n"},
                 {"a.yaml", times(n, [](const std::string& i) { return job(i); })}};
  });
}

TEST_CASE("values that somebody describes are looked for in time that grows as the line does", "[growth]") {
  check_growth("values that begin with <", 100'000, [](int n) {
    return Files{
        {"slurm.conf", slurm("NodeName=n1 Features=" + times(n, [](const std::string&) { return "=<a"; }) + "\n")}};
  });
}

TEST_CASE("words of a command are read in time that grows as they do", "[growth]") {
  check_growth("substitutions that do not end", 60'000, [](int n) {
    return Files{{"a.yaml",
                  "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, "
                  "command: [train], args: [\"" +
                      times(n, [](const std::string&) { return "$("; }) + ")\"]}]}\n"}};
  });
}

TEST_CASE("gangs of many pod sets are read in time that grows as they do", "[growth]") {
  check_growth("tasks with partitions", 100, [](int n) {
    return Files{
        {"a.yaml",
         "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {schedulerName: volcano, "
         "tasks: [" +
             times(n,
                   [](const std::string& i) {
                     return "{name: t" + i +
                            ", replicas: 4, partitionPolicy: {totalPartitions: 2, partitionSize: 2}, template: "
                            "{spec: {containers: [{name: c, image: i}]}}},";
                   }) +
             "]}\n"}};
  });
  check_growth("sub-groups of a PodGroup", 60, [](int n) {
    const std::string group =
        "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: g}\nspec: "
        "{subGroups: [" +
        times(n, [](const std::string& i) { return "{name: s" + i + "},"; }) + "]}\n---\n";
    return Files{{"a.yaml", group + times(n, [](const std::string& i) {
                              return "apiVersion: v1\nkind: Pod\nmetadata: {name: p" + i +
                                     ", labels: {kai.scheduler/subgroup-name: s" + i +
                                     "}, annotations: {pod-group-name: g}}\nspec: {schedulerName: kai-scheduler, "
                                     "containers: [{name: c, image: i}]}\n---\n";
                            })}};
  });
  check_growth("plugins of Volcano's scheduler", 300, [](int n) {
    return Files{
        {"a.yaml",
         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  volcano-scheduler.conf: |\n    actions: "
         "\"allocate\"\n    tiers: [{plugins: [" +
             times(n, [](const std::string& i) { return "{\"name\": p" + i + "},"; }) + "]}]\n"}};
  });
}

TEST_CASE("partitions, files and classes are looked up in time that grows as they do", "[growth]") {
  check_growth("partitions of a job", 1500, [](int n) {
    return Files{
        {"slurm.conf",
         slurm("NodeName=n1 CPUs=4\n" +
               times(n, [](const std::string& i) { return "PartitionName=p" + i + " Nodes=n1 State=DOWN\n"; }))},
        {"j.sh", "#!/bin/bash\n#SBATCH --time=1 -p " + times(n, [](const std::string& i) { return "p" + i + ","; }) +
                     "p0\nsrun a\n"}};
  });
  check_growth("files that include a chain of files", 40, [](int n) {
    Files files;
    for (int i = 0; i < n; ++i) {
      const std::string next = "Include p" + std::to_string(i + 1) + ".conf\n";
      files["p" + std::to_string(i) + ".conf"] = "NodeName=p" + std::to_string(i) + " CPUs=4\n" + next;
      files["r" + std::to_string(i) + ".conf"] = "NodeName=r" + std::to_string(i) + " CPUs=4\nInclude p0.conf\n";
    }
    return files;
  });
}

TEST_CASE("Terraform of many folders is read in time that grows as it does", "[growth]") {
  check_growth("a chain of modules with providers", 150, [](int n) {
    Files files;
    for (int i = 0; i < n; ++i) {
      files["d" + std::to_string(i) + "/main.tf"] =
          "terraform {\n  required_providers {\n    aws = {\n      source  = \"hashicorp/aws\"\n      version = \">= "
          "5.0\"\n    }\n  }\n}\nmodule \"a\" {\n  source = \"../d" +
          std::to_string(i + 1) + "\"\n}\n";
    }
    return files;
  });
  check_growth("clusters of Azure by a provider that nobody keeps", 150, [](int n) {
    Files files;
    for (int i = 0; i < n; ++i) {
      files["d" + std::to_string(i) + "/main.tf"] =
          "terraform {\n  required_providers {\n    azurerm = {\n      version = \">= 3.0\"\n    }\n  }\n}\nresource "
          "\"azurerm_kubernetes_cluster\" \"a\" {\n  name = \"a\"\n}\n";
    }
    return files;
  });
  check_growth("providers by other names", 1000, [](int n) {
    return Files{
        {"main.tf", "resource \"helm_release\" \"a\" {\n  name = \"a\"\n}\n" + times(n, [](const std::string& i) {
                      return "provider \"helm\" {\n  alias = \"a" + i + "\"\n}\n";
                    })}};
  });
}

TEST_CASE("programs that give their parsers back are read in time that grows as they do", "[growth]") {
  check_growth("returns of groups", 100, [](int n) {
    const int groups = std::max(n / 10, 1);
    return Files{
        {"run.sbatch", "#!/bin/bash\n#SBATCH -N 1\npython train.py --x 1\n"},
        {"train.py",
         "import argparse\ndef build_parser():\n    parser = argparse.ArgumentParser()\n" +
             times(groups,
                   [](const std::string& i) { return "    g" + i + " = parser.add_argument_group(\"" + i + "\")\n"; }) +
             times(
                 n * 16,
                 [&](const std::string& i) { return "    return g" + std::to_string(std::stoi(i) % groups) + "\n"; }) +
             "args = build_parser().parse_args()\n"}};
  });
}

TEST_CASE("short texts do not become gigabytes of names", "[growth]") {
  const Files files{
      {"slurm.conf", slurm("NodeName=n[1-10]\nNodeName=" + std::string(100'000, 'x') + "[1-65000]\nNodeName=[" +
                           std::string(100'000, '0') + "1-65000]\nPartitionName=p Nodes=" + std::string(100'000, 'x') +
                           "[1-65000]\n")}};
  CHECK(seconds_for(files) < 20);
}
