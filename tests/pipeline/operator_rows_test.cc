// Every setting of rules/operators: what is printed without it, and that stating it, wherever it can stand, takes
// exactly that away and gives findings their full severity.
#include <set>

#include "base/strings.h"
#include "gang/scheduler.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/json.h"

using namespace muster;

namespace {

using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

constexpr std::string_view kMissing = "gang-scheduler-missing";

/// What is printed where nobody states the setting.
enum class Unstated {
  Assumed,  ///< as shipped: `off`
  Asked,    ///< "not decided"
  Silent,   ///< it decides only where somebody states it
};

struct SettingCase {
  std::string name;
  std::string workload;
  std::string off;  ///< nothing places the pods together
  std::string on;   ///< something does
  Unstated unstated = Unstated::Assumed;
  bool assumed_on = false;                   ///< what is assumed is `on`
  std::string rule = std::string(kMissing);  ///< what `off` comes to
  std::string full = "error";                ///< how severe that is where nothing is assumed
};

std::string pods(const std::string& indent, const std::string& more = "") {
  return indent + "spec:\n" + more + indent + "  containers:\n" + indent +
         "    - {name: c, image: \"example.com/a:1\", command: [torchrun, --nnodes=8, t.py], resources: {limits: "
         "{nvidia.com/gpu: 8}}}\n";
}

std::string job(const std::string& spec, const std::string& labels, const std::string& pod_spec) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: ddp}\nspec:\n  completionMode: Indexed\n  completions: "
         "8\n  parallelism: 8\n" +
         spec + "  template:\n    metadata: {labels: {" + labels + "}}\n" +
         pods("    ", "      restartPolicy: Never\n" + pod_spec);
}

std::string kubeflow(const std::string& kind, const std::string& version, const std::string& replicas,
                     const std::string& labels = "") {
  return "apiVersion: kubeflow.org/" + version + "\nkind: " + kind + "\nmetadata: {name: ddp, labels: {" + labels +
         "}}\nspec:\n  " + replicas + ":\n    Worker:\n      replicas: 8\n      template:\n" + pods("        ");
}

std::string pod_group(const std::string& version, const std::string& spec) {
  return "---\napiVersion: " + version + "\nkind: PodGroup\nmetadata: {name: pg}\nspec: {" + spec + "}\n";
}

const std::string kKueue =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\nspec: {clusterQueue: c}\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: c}\nspec: {namespaceSelector: {}, "
    "resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu, "
    "nominalQuota: 32}]}]}]}\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n";

std::vector<SettingCase> setting_cases() {
  const std::string cliques =
      "apiVersion: grove.io/v1alpha1\nkind: PodCliqueSet\nmetadata: {name: ddp}\nspec:\n  replicas: 1\n  template:\n"
      "    cliques:\n      - name: w\n        spec:\n          roleName: w\n          replicas: 8\n          "
      "minAvailable: "
      "8\n          podSpec:\n            containers:\n              - {name: c, image: \"example.com/a:1\", command: "
      "[torchrun, --nnodes=8, t.py], resources: {limits: {nvidia.com/gpu: 8}}}\n";
  const std::string ray =
      "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: ddp}\nspec:\n  headGroupSpec:\n    rayStartParams: "
      "{}\n    template: {spec: {containers: [{name: head, image: \"example.com/a:1\"}]}}\n  workerGroupSpecs:\n"
      "    - groupName: w\n      replicas: 8\n      minReplicas: 8\n      maxReplicas: 8\n      rayStartParams: {}\n"
      "      template:\n" +
      pods("        ");
  const std::string leader =
      "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: ddp}\nspec:\n  replicas: 1\n"
      "  leaderWorkerTemplate:\n    size: 8\n    workerTemplate:\n" +
      pods("      ");
  const std::string spark =
      "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: ddp}\nspec:\n  type: Scala\n"
      "  sparkVersion: \"3.5.5\"\n  mainApplicationFile: local:///opt/a.jar\n  batchScheduler: volcano\n"
      "  driver: {cores: 1, memory: 2g}\n"
      "  executor: {instances: 4, cores: 4, memory: 8g, gpu: {name: nvidia.com/gpu, quantity: 1}}\n";
  const std::string train =
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: ddp}\nspec:\n  runtimeRef: {name: "
      "torch-distributed}\n  trainer:\n    numNodes: 8\n    image: example.com/a:1\n    command: [torchrun, "
      "--nnodes=8, "
      "t.py]\n    resourcesPerNode: {limits: {nvidia.com/gpu: 8}}\n";
  const std::string in_group = "      schedulingGroup: {podGroupName: pg}\n";
  const std::string asked = "  scheduling: {schedulingPolicy: {gang: {minCount: 8}}}\n";
  return {
      {"operators.grove.default-profile", cliques, "", "kai-scheduler"},
      {"operators.kai.queue-label", job("", "runai/queue: default-queue", "      schedulerName: kai-scheduler\n"),
       "kai.scheduler/queue", "runai/queue", Unstated::Silent, false, "kai-queue-label-old", "warning"},
      {"operators.koordinator.as-default-scheduler",
       job("", "pod-group.scheduling.sigs.k8s.io: pg", "") +
           pod_group("scheduling.sigs.k8s.io/v1alpha1", "minMember: 8"),
       "false", "true", Unstated::Asked},
      {"operators.kuberay.batch-scheduler", ray, "", "volcano"},
      {"operators.kubernetes.generic-workload",
       job("", "", in_group) + pod_group("scheduling.k8s.io/v1beta1", "schedulingPolicy: {gang: {minCount: 8}}"),
       "false", "true", Unstated::Asked},
      {"operators.kubernetes.jobs-as-gangs", job("", "", ""), "false", "true", Unstated::Silent},
      {"operators.kubernetes.workload-with-job", job(asked, "", ""), "false", "true", Unstated::Asked},
      {"operators.kueue.integrations.frameworks",
       kubeflow("PyTorchJob", "v1", "pytorchReplicaSpecs", "kueue.x-k8s.io/queue-name: q") + kKueue, "batch/job",
       "batch/job,kubeflow.org/pytorchjob", Unstated::Assumed, true},
      {"operators.lws.gang-scheduling", leader, "", "volcano"},
      {"operators.mpi-operator.gang-scheduling", kubeflow("MPIJob", "v2beta1", "mpiReplicaSpecs"), "", "volcano"},
      {"operators.scheduler-plugins.as-default-scheduler",
       job("", "scheduling.x-k8s.io/pod-group: pg", "") + pod_group("scheduling.x-k8s.io/v1alpha1", "minMember: 8"),
       "false", "true", Unstated::Asked},
      {"operators.spark-operator.batch-scheduler", spark, "false", "true", Unstated::Silent, false,
       "spark-batch-scheduler-off", "warning"},
      {"operators.trainer.runtime-gang-scheduler", train, "", "volcano"},
      {"operators.training-operator.gang-scheduler-name", kubeflow("PyTorchJob", "v1", "pytorchReplicaSpecs"), "",
       "volcano"},
  };
}

const Operator& operator_of(const SettingCase& one, const OperatorOption*& option) {
  for (const Operator& which : SchedulerBook::shipped().operators) {
    for (const OperatorOption& setting : which.settings) {
      if (setting_name(which.id, setting.name) != one.name) continue;
      option = &setting;
      return which;
    }
  }
  FAIL("no operator has the setting " << one.name);
  std::abort();
}

/// `a.b.c` as nested mappings in flow style.
std::string nested(const std::string& path, const std::string& value) {
  std::string out;
  std::string close;
  for (const std::string_view step : split(path, '.')) {
    out += (out.empty() ? "" : "{") + std::string(step) + ": ";
    close += "}";
  }
  if (!close.empty()) close.pop_back();
  return out + value + close;
}

std::string yaml_value(const OperatorOption& option, const std::string& value) {
  return option.list.empty() ? "\"" + value + "\"" : "[" + replace_all(value, ",", ", ") + "]";
}

/// A way to state a setting: a file more, or words of the command line.
struct Stated {
  std::string how;
  std::string file;
  std::string text;
  std::vector<std::string> words;
};

/// Everywhere the row says that the setting can be read from, and where muster's own files take it.
std::vector<Stated> places_of(const SettingCase& one, const std::string& value) {
  const OperatorOption* option = nullptr;
  const Operator& which = operator_of(one, option);
  const std::string quoted = yaml_value(*option, value);
  const std::string own = "{" + which.id + ": {" + option->name + ": " + quoted + "}}\n";
  std::vector<Stated> out{{"--set", "", "", {"--set", one.name + "=" + value}},
                          {"muster.yaml", "repo/muster.yaml", "muster: config/v1\noperators: " + own, {}},
                          {"fleet file", "repo/fleet.yaml", "muster: fleet/v1\nname: f\noperators: " + own, {}}};
  const std::string image = "example.com/" + join(which.image, "/") + ":v1";
  const auto deployment = [&](const std::string& flag) {
    return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o}\nspec: {selector: {matchLabels: {a: o}}, "
           "template: {metadata: {labels: {a: o}}, spec: {containers: [{name: o, image: \"" +
           image + "\", args: [\"" + flag + "\"]}]}}}\n";
  };
  if (!option->flag.empty()) {
    out.push_back({"flag", "repo/o.yaml", deployment(option->flag + "=" + value), {}});
    if (value.empty()) out.push_back({"no flag", "repo/o.yaml", deployment("--other=1"), {}});
  }
  if (!option->legacy_flag.empty() && value == option->legacy_means)
    out.push_back({"older flag", "repo/o.yaml", deployment(option->legacy_flag + "=true"), {}});
  const std::string config = "apiVersion: " + which.config.api + "/" +
                             which.config.versions.substr(0, which.config.versions.find(' ')) +
                             "\nkind: " + which.config.kind + "\n";
  if (!option->config.empty()) {
    const std::string text = config + nested(option->config, quoted) + "\n";
    out.push_back({"configuration", "repo/c.yaml", text, {}});
    out.push_back({"ConfigMap",
                   "repo/c.yaml",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  c.yaml: |\n    " +
                       replace_all(text.substr(0, text.size() - 1), "\n", "\n    ") + "\n",
                   {}});
  }
  if (!option->legacy_config.empty() && value == option->legacy_means)
    out.push_back({"older configuration", "repo/c.yaml", config + nested(option->legacy_config, "true") + "\n", {}});
  const std::string values = which.chart + ":\n  ";
  if (!option->helm.empty())
    out.push_back({"Helm values", "repo/values.yaml", values + nested(option->helm, quoted) + "\n", {}});
  if (!option->legacy_helm.empty() && value == option->legacy_means)
    out.push_back({"older Helm values", "repo/values.yaml", values + nested(option->legacy_helm, "true") + "\n", {}});
  if (!option->gate.empty()) {
    const std::string release = option->gate_before.empty() ? "1.37" : "1.36";
    out.push_back({"feature gate",
                   "repo/fleet.yaml",
                   "muster: fleet/v1\nname: f\ncontrol_planes: [{kind: kubernetes, version: \"" + release +
                       "\", feature_gates: {" + option->gate + ": " + value + "}}]\n",
                   {}});
  }
  return out;
}

/// What a run says: what it takes as given or asks for, and its findings with their severities.
struct Said {
  std::set<std::string> rests_on;
  std::map<std::string, std::string> severity;  ///< by rule
  std::map<std::string, std::set<std::string>> of_rule;
};

/// `strict`: what nothing places together is an error, unless it rests on what is assumed.
Said check(const SettingCase& one, const Stated* stated, bool is_strict) {
  Files files{{"repo/job.yaml", one.workload}, {"repo/fleet.yaml", "muster: fleet/v1\nname: f\n"}};
  const std::string strict = is_strict ? "rules: {params: {" + std::string(kMissing) + ": {error_from: 16}}}\n" : "";
  files["repo/muster.yaml"] = "muster: config/v1\n" + strict;
  std::vector<std::string> words{"check", "repo", "--format", "json"};
  if (stated != nullptr) {
    if (!stated->file.empty()) files[stated->file] = stated->text;
    if (stated->file == "repo/muster.yaml") files[stated->file] += strict;
    words.insert(words.end(), stated->words.begin(), stated->words.end());
  }
  const test::Ran ran = test::run_command(words, test::FakeDisk(files));
  INFO(ran.err);
  REQUIRE(ran.code < 2);
  const Json answer = Json::parse(ran.out);
  Said out;
  for (const Json& finding : answer["findings"]) {
    const std::string rule = finding["rule"];
    out.severity[rule] = finding["severity"];
    for (const Json& text : finding.value("assumes", Json::array())) {
      out.rests_on.insert(text.get<std::string>());
      out.of_rule[rule].insert(text.get<std::string>());
    }
  }
  for (const Json& open : answer["undecided"]) {
    for (const Json& text : open["needs"]) out.rests_on.insert(text.get<std::string>());
  }
  return out;
}

/// What the one says and the other does not.
std::vector<std::string> without(const std::set<std::string>& one, const std::set<std::string>& other) {
  std::vector<std::string> out;
  std::ranges::set_difference(one, other, std::back_inserter(out));
  return out;
}

}  // namespace

TEST_CASE("every setting of the rows has a case", "[stated]") {
  std::set<std::string> cases;
  for (const SettingCase& one : setting_cases()) cases.insert(one.name);
  std::set<std::string> rows;
  for (const Operator& which : SchedulerBook::shipped().operators) {
    for (const OperatorOption& option : which.settings) rows.insert(setting_name(which.id, option.name));
  }
  CHECK(cases == rows);
  for (const Scheduler& row : SchedulerBook::shipped().schedulers) {
    INFO(row.id);
    const SettingName& reads = row.group_under_default;
    if (!reads.empty()) CHECK(rows.contains(setting_name(reads.of, reads.setting)));
    if (row.manages) CHECK(rows.contains(setting_name(row.manages->of, row.manages->setting)));
  }
}

TEST_CASE("taking out a setting changes exactly what is printed of it, and stating it restores the severity",
          "[stated]") {
  for (const SettingCase& one : setting_cases()) {
    INFO(one.name);
    const Said open = check(one, nullptr, true);
    const auto speaks_of_it = [&](const std::string& text) { return contains(text, "`" + one.name + "`"); };
    if (one.unstated != Unstated::Silent) {
      CHECK(std::ranges::count_if(open.rests_on, speaks_of_it) == 1);
      CHECK((!open.severity.contains(one.rule) || open.severity.at(one.rule) == "warning"));
    }
    for (const std::string& value : {one.off, one.on}) {
      for (const Stated& stated : places_of(one, value)) {
        INFO("`" << value << "` by " << stated.how << "\n" << stated.text);
        const bool off = value == one.off;
        const Said said = check(one, &stated, off || one.assumed_on);
        // With the assumption goes what else rests on it; nothing new is asked for.
        const std::vector<std::string> gone = without(open.rests_on, said.rests_on);
        CHECK(std::ranges::none_of(said.rests_on, speaks_of_it));
        CHECK(without(said.rests_on, open.rests_on).empty());
        CHECK(gone.size() == (one.unstated == Unstated::Silent ? 0 : 1));
        CHECK(said.severity.contains(one.rule) == off);
        if (off) CHECK(said.severity.at(one.rule) == one.full);
        if (one.unstated != Unstated::Assumed || off == one.assumed_on) continue;
        // As shipped, and said: the same findings, those that rested on it no weaker.
        for (const auto& [rule, severity] : open.severity) {
          INFO(rule);
          REQUIRE(said.severity.contains(rule));
          const bool rested = open.of_rule.contains(rule);
          CHECK((!rested || severity == "warning"));
          CHECK(said.severity.at(rule) == (rested ? one.full : severity));
        }
      }
    }
  }
}
