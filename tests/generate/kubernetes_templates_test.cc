// Templates for Kubernetes: whatever the fleet and the decisions are, what is written passes the check, is whole gangs,
// and is legal.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/strings.h"
#include "generate/generate.h"
#include "pipeline/check_generated.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"
#include "support/skip.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

using Files = std::map<std::string, std::string>;

const std::vector<TemplateDef>& shipped_templates() {
  static const Result<std::vector<TemplateDef>> result = embedded_templates();
  INFO((result ? "" : result.error().message));
  REQUIRE(result);
  return *result;
}

// What leads to each scheduler: requirements of the fleet, whether its tenants are a tree, feature gates.
struct Leads {
  std::string scheduler;
  std::string requirements;
  bool tree;
  std::string gates;
};
const std::vector<Leads> kLeads{
    {"volcano", "keep_default_scheduler: false, support_contract: false, vendor_neutral: true", true, ""},
    {"kai", "keep_default_scheduler: false, support_contract: false, vendor_neutral: false", true, ""},
    {"kueue-topology", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", true, ""},
    {"coscheduling", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", false,
     ", feature_gates: {GenericWorkload: false}"},
    {"native-podgroup", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", false,
     ", feature_gates: {GenericWorkload: true}"},
};
const Leads& leads_to(const std::string& scheduler) { return *std::ranges::find(kLeads, scheduler, &Leads::scheduler); }

constexpr const char* kPool =
    "  - {name: h100, nodes: \"n[1-32]\", gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: H100}}\n";
constexpr const char* kTree =
    "  - {name: org, guaranteed_gpus: 128, limit_gpus: 256}\n"
    "  - {name: Team_Vision 2, parent: org, guaranteed_gpus: 64, limit_gpus: 128}\n"
    "  - {name: nlp, parent: org, guaranteed_gpus: 64, limit_gpus: 128}\n";
constexpr const char* kFlat = "  - {name: nlp, guaranteed_gpus: 64, limit_gpus: 128}\n";
constexpr const char* kDomains =
    "    - {name: spine1, level: spine}\n    - {name: leaf1, level: leaf, parent: spine1, nodes: \"n[1-16]\"}\n"
    "    - {name: leaf2, level: leaf, parent: spine1, nodes: \"n[17-32]\"}\n";

std::string fleet_of(const Leads& leads, const std::string& tenants, const std::string& pools = kPool,
                     const std::string& domains = kDomains) {
  return "muster: fleet/v1\nname: east-1\ncontrol_planes: [{kind: kubernetes, version: \"1.37\"" + leads.gates +
         "}]\nnode_pools:\n" + pools + "requirements: {" + leads.requirements + "}\n" +
         (domains.empty() ? "" : "topology:\n  levels: [spine, leaf]\n  domains:\n" + domains) +
         (tenants.empty() ? "tenants: []\n" : "tenants:\n" + tenants);
}
std::string fleet_for(const std::string& scheduler) {
  const Leads& leads = leads_to(scheduler);
  return fleet_of(leads, leads.tree ? kTree : kFlat);
}

/// A gang of four nodes; `more` comes last and may say a key again that it leaves out with `without`.
std::string work(const std::string& name, const std::string& more) {
  return "  - {name: " + name +
         ", tenant: nlp, nodes: 4, gpus_per_node: 8, tightly_coupled: true, bare_metal: false, edge_or_dev: false, "
         "fractional_gpu: false, multi_tenant: true, " +
         more + "}\n";
}
constexpr const char* kBatch = "long_lived_services: false, python_native_pipeline: false";
constexpr const char* kServer = "long_lived_services: true, python_native_pipeline: false";
std::string workloads_of(const std::string& list) { return "muster: workloads/v1\nworkloads:\n" + list; }
std::string every_kind() {
  std::string list;
  for (const char* kind : {"job", "jobset", "mpi-job", "pytorch-job", "train-job"})
    list += work("run-" + std::string(kind), std::string("kind: ") + kind + ", " + kBatch);
  list += work("Big Ray", "kind: ray, long_lived_services: false, python_native_pipeline: true");
  list += work("serve", std::string("kind: leader-worker-set, serving: {min_replicas: 2}, ") + kServer);
  return workloads_of(list);
}

struct Written {
  GeneratedAll all;
  std::vector<std::string> findings;
  Files files() const {
    Files out;
    for (const GeneratedFile& file : all.generated.files) out["generated/" + file.path] = file.text;
    return out;
  }
  std::string text(const std::string& path) const {
    const auto found = std::ranges::find(all.generated.files, path, &GeneratedFile::path);
    return found == all.generated.files.end() ? "" : found->text;
  }
  bool wrote(const std::string& id) const { return std::ranges::find(all.templates, id) != all.templates.end(); }
};

Written generate_everything(const std::string& fleet, const std::string& workloads) {
  const Workspace workspace = test::read_files({{"fleet.yaml", fleet}, {"w.yaml", workloads}});
  CHECK(workspace.findings.empty());
  Written out;
  out.all = generate_all(shipped_templates(),
                         {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  Result<std::vector<std::string>> findings = check_generated(out.all.generated.files, workspace);
  REQUIRE(findings);
  out.findings = *findings;
  return out;
}

Result<Generated> generate_one(const std::string& id, const std::string& fleet,
                               const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Workspace workspace = test::read_files({{"fleet.yaml", fleet}, {"w.yaml", workloads}});
  CHECK(workspace.findings.empty());
  const auto def = std::ranges::find(shipped_templates(), id, &TemplateDef::id);
  REQUIRE(def != shipped_templates().end());
  return generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
}
std::string text_of(const std::string& id, const std::string& fleet,
                    const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Result<Generated> generated = generate_one(id, fleet, workloads);
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  return generated->files.at(0).text;
}
std::string refusal_of(const std::string& id, const std::string& fleet,
                       const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Result<Generated> generated = generate_one(id, fleet, workloads);
  REQUIRE_FALSE(generated);
  return generated.error().message;
}

bool has(const std::string& text, const std::string& piece) { return text.find(piece) != text.npos; }
std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

/// API version, kind, namespace and name of every object.
std::vector<std::string> objects_in(const Written& written) {
  std::vector<std::string> out;
  for (const GeneratedFile& file : written.all.generated.files) {
    if (!file.path.ends_with(".yaml")) continue;
    for (const Span& where : split_yaml_documents(FileId{0}, file.text)) {
      Document document;
      std::vector<Finding> findings;
      REQUIRE(read_yaml(file.text, where, document, findings));
      const Node root = document.root();
      if (!root.is_mapping()) continue;
      out.push_back(std::string(root["apiVersion"].text()) + " " + std::string(root["kind"].text()) + " " +
                    std::string(root["metadata"]["namespace"].text()) + "/" +
                    std::string(root["metadata"]["name"].text()));
    }
  }
  return out;
}

}  // namespace

TEST_CASE("what the decisions call for passes the check and is whole gangs, whoever places them", "[generate]") {
  std::set<std::string> written_ids;
  for (const Leads& leads : kLeads) {
    const Written written = generate_everything(fleet_for(leads.scheduler), every_kind());
    INFO(leads.scheduler << " " << join(written.all.refused, "\n") << join(written.findings, "\n"));
    CHECK(written.all.refused.empty());
    CHECK(written.findings.empty());
    written_ids.insert(written.all.templates.begin(), written.all.templates.end());
    Files files = written.files();
    files["fleet.yaml"] = fleet_for(leads.scheduler);
    const test::Checked checked = test::check_files(files);
    CHECK(test::summary_of(checked) == "");
    std::set<std::string> gangs;
    for (const Gang& gang : checked.workspace.model.gangs) {
      if (gang.gpus.value == 0) continue;
      INFO(gang.id);
      CHECK(gang.path.value == Path::In);
      // Kueue guarantees a gang by its quota and Topology; the PodGroup of Kubernetes itself hangs on a gate.
      const bool native = leads.scheduler == "native-podgroup" && gang.kind == "Job";
      if (leads.scheduler != "kueue-topology" && !native) CHECK(gang.guaranteed.value == gang.size.value);
      CHECK(gang.gpus.value % 32 == 0);
      gangs.insert(gang.id);
    }
    CHECK(gangs.size() >= 5);
  }
  for (const char* id :
       {"volcano-queues", "volcano-hypernodes", "volcano-scheduler-config", "volcano-job", "kai-queues", "kai-topology",
        "kai-podgroup", "kueue-queues", "kueue-topology", "coscheduling-podgroup", "native-podgroup", "kuberay-cluster",
        "jobset", "lws", "trainjob", "pytorchjob", "mpijob", "node-labels"}) {
    INFO(id);
    CHECK(written_ids.contains(id));
  }
}

TEST_CASE("no object is written twice", "[generate]") {
  for (const Leads& leads : kLeads) {
    const std::vector<std::string> objects = objects_in(generate_everything(fleet_for(leads.scheduler), every_kind()));
    INFO(leads.scheduler);
    CHECK(objects.size() > 8);
    CHECK(std::set<std::string>(objects.begin(), objects.end()).size() == objects.size());
  }
}

TEST_CASE("generated objects are valid by their CustomResourceDefinitions", "[generate]") {
  const std::optional<std::string> reference = test::reference_dir();
  if (!reference || !std::filesystem::exists(*reference + "/crds"))
    return test::skip("reference material", "there is no folder of CustomResourceDefinitions");
  for (const Leads& leads : kLeads) {
    const Written written = generate_everything(fleet_for(leads.scheduler), every_kind());
    const test::TemporaryFolder folder;
    for (const GeneratedFile& file : written.all.generated.files)
      test::write_file(folder.path() + "/" + file.path, file.text);
    FILE* pipe =
        popen(("python3 " + *reference + "/tools/validate_crd.py --all " + folder.path() + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string said;
    std::array<char, 512> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) said += line.data();
    const int status = pclose(pipe);
    INFO(leads.scheduler << "\n" << said);
    CHECK(status == 0);
    CHECK(has(said, " 0 invalid"));
  }
}

TEST_CASE("what the example's decisions call for", "[generate][docs]") {
  const std::string folder = test::source_dir() + "/examples/generate/";
  const Written written =
      generate_everything(test::read_file(folder + "fleet.yaml"), test::read_file(folder + "workloads.yaml"));
  CHECK(written.findings.empty());
  CHECK(written.all.refused.empty());
  for (const GeneratedFile& file : written.all.generated.files)
    test::check_golden(folder + "written/" + file.path, file.text);
  CHECK(test::entries(folder + "written").size() == written.all.generated.files.size());
}

TEST_CASE("GPUs stand under requests and limits", "[generate]") {
  for (const Leads& leads : kLeads) {
    for (const auto& [path, text] : generate_everything(fleet_for(leads.scheduler), every_kind()).files()) {
      INFO(path);
      CHECK(count_of(text, "requests:\n") == count_of(text, "limits:\n"));
    }
  }
}

TEST_CASE("the tenant above becomes the queue above", "[generate]") {
  const std::string fleet = fleet_for("volcano");
  CHECK(has(text_of("volcano-queues", fleet), "  name: team-vision-2\nspec:\n  weight: 1\n  parent: org\n"));
  CHECK(has(text_of("kai-queues", fleet), "  name: team-vision-2\nspec:\n  parentQueue: org\n"));
  CHECK(has(text_of("kai-queues", fleet), "  name: org\nspec:\n  parentQueue: east-1\n"));
  CHECK(has(text_of("kueue-queues", fleet), "kind: Cohort\nmetadata:\n  name: org\nspec:\n  parentName: east-1\n"));
  CHECK(has(text_of("kueue-queues", fleet), "  name: nlp\nspec:\n  cohortName: org\n"));
  const std::string yunikorn = text_of("yunikorn-queues", fleet);
  CHECK(has(yunikorn, "              - name: org\n                parent: true\n"));
  CHECK(has(yunikorn, "                  - name: team-vision-2\n"));
  CHECK(has(yunikorn, "max:\n                        nvidia.com/gpu: 128\n"));
  const std::string config = text_of("volcano-scheduler-config", fleet);
  CHECK(has(config, "- name: capacity\n        enableHierarchy: true\n"));
  CHECK(has(text_of("volcano-scheduler-config", fleet_of(leads_to("volcano"), "")), "- name: proportion\n"));
  CHECK(has(refusal_of("volcano-job", fleet,
                       workloads_of("  - {name: w, tenant: org, nodes: 4, gpus_per_node: 8, tightly_coupled: true, "
                                    "bare_metal: false, edge_or_dev: false, " +
                                    std::string(kBatch) + "}\n")),
            "only the lowest queues take work"));
}

TEST_CASE("a name becomes a legal one or is refused", "[generate]") {
  for (const char* id : {"volcano-queues", "kai-queues", "kueue-queues", "yunikorn-queues"}) {
    INFO(id);
    const auto with = [](const std::string& names) { return fleet_of(leads_to("volcano"), names); };
    CHECK(has(refusal_of(id, with("  - {name: Root, guaranteed_gpus: 8}\n")), "must not be called `Root`"));
    CHECK(has(refusal_of(id, with("  - {name: default, guaranteed_gpus: 8}\n")), "must not be called `default`"));
    CHECK(has(refusal_of(id, with("  - {name: \"___\", guaranteed_gpus: 8}\n")), "`___` cannot name a queue"));
    CHECK(has(refusal_of(id, with("  - {name: " + std::string(64, 'a') + ", guaranteed_gpus: 8}\n")),
              "cannot name a queue"));
    CHECK(has(refusal_of(id, with("  - {name: a b, guaranteed_gpus: 8}\n  - {name: a_b, guaranteed_gpus: 8}\n")),
              "queue of the same name"));
    CHECK(has(refusal_of(id, with("")), "`tenants` of the fleet file is empty"));
    const Result<Generated> generated = generate_one(id, with("  - {name: Team_Vision 2, guaranteed_gpus: 8}\n"));
    REQUIRE(generated);
    CHECK(has(generated->files.at(0).text, "name: team-vision-2\n"));
    CHECK(has(join(generated->notes, "\n"), "tenant `Team_Vision 2` becomes"));
  }
  const std::string job =
      text_of("volcano-job", fleet_for("volcano"), workloads_of(work("\"Pre: train\\n#1\"", kBatch)));
  CHECK(has(job, "  name: pre-train-1\n"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("\"--\"", kBatch))),
            "`--` cannot name an object"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("a b", kBatch) + work("a.b", kBatch))),
            "objects of the same name"));
}

TEST_CASE("numbers that a webhook refuses are refused, with the tenant", "[generate]") {
  for (const char* id : {"volcano-queues", "kai-queues", "kueue-queues", "yunikorn-queues"}) {
    INFO(id);
    const auto with = [](const std::string& tenants) { return fleet_of(leads_to("volcano"), tenants); };
    CHECK(has(refusal_of(id, with("  - {name: a, guaranteed_gpus: 9, limit_gpus: 8}\n")),
              "`a` is promised more GPUs than its limit: guaranteed_gpus 9, limit_gpus 8"));
    CHECK(has(refusal_of(id, with("  - {name: p, guaranteed_gpus: 8, limit_gpus: 8}\n  - {name: a, parent: p, "
                                  "guaranteed_gpus: 4}\n  - {name: b, parent: p, guaranteed_gpus: 5}\n")),
              "the tenants below `p` are promised more GPUs together"));
    CHECK(has(refusal_of(id, with("  - {name: p, limit_gpus: 8}\n  - {name: a, parent: p, limit_gpus: 9}\n")),
              "a tenant below `p` has a higher limit_gpus"));
    CHECK(has(refusal_of(id, with("  - {name: a, parent: b, limit_gpus: 9}\n  - {name: b, parent: a, limit_gpus: "
                                  "9}\n")),
              "their parents form a cycle"));
  }
  CHECK(has(refusal_of("kueue-queues", fleet_of(leads_to("volcano"), "  - {name: a, guaranteed_gpus: 257}\n")),
            "promised 257 GPUs, and the Kubernetes pools have 256"));
}

TEST_CASE("a missing fact is named, and only what depends on it is left out", "[generate]") {
  const std::string whole = work("whole", std::string("kind: job, ") + kBatch);
  std::string torn = work("torn", std::string("kind: job, ") + kBatch);
  torn.replace(torn.find(" gpus_per_node: 8,"), 18, "");
  const Written written = generate_everything(fleet_for("volcano"), workloads_of(torn + whole));
  CHECK(has(written.text("volcano-job.yaml"), "name: whole\n"));
  CHECK_FALSE(has(written.text("volcano-job.yaml"), "torn"));
  CHECK(has(join(written.all.generated.notes, "\n"), "`gpus_per_node` of workload `torn` is missing (w.yaml:"));
  CHECK(written.wrote("volcano-queues"));

  // The one fact that would settle who places it: nothing is guessed, and nothing else suffers.
  Leads open = leads_to("volcano");
  open.requirements = "keep_default_scheduler: false, support_contract: false";
  const Written undecided = generate_everything(fleet_of(open, kTree), workloads_of(whole));
  CHECK(undecided.all.generated.files.empty());
  CHECK(has(join(undecided.all.generated.notes, "\n"), "`requirements.vendor_neutral` of the fleet"));
  CHECK(has(text_of("volcano-job", fleet_of(open, kTree), workloads_of(whole)), "minAvailable: 4\n"));

  const Result<Generated> queues =
      generate_one("volcano-queues", fleet_of(leads_to("volcano"),
                                              "  - {name: a, guaranteed_gpus: 8}\n  - {name: b, limit_gpus: "
                                              "8}\n"));
  REQUIRE(queues);
  CHECK(count_of(queues->files.at(0).text, "capability:") == 1);
  CHECK(count_of(queues->files.at(0).text, "deserved:") == 1);
  CHECK(has(join(queues->notes, "\n"), "`limit_gpus` of tenant `a` is missing"));
  CHECK(has(join(queues->notes, "\n"), "`guaranteed_gpus` of tenant `b` is missing"));
}

TEST_CASE("a server never becomes a training job, and nothing is made of a purpose nobody told", "[generate]") {
  for (const Leads& leads : kLeads) {
    INFO(leads.scheduler);
    const Written written = generate_everything(
        fleet_for(leads.scheduler), workloads_of(work("chat", std::string("kind: leader-worker-set, ") + kServer)));
    CHECK(written.wrote("lws"));
    for (const std::string& object : objects_in(written)) {
      INFO(object);
      CHECK_FALSE(has(object, "Job "));
      CHECK_FALSE(has(object, "JobSet "));
    }
    for (const char* id : {"volcano-job", "kai-podgroup", "jobset", "trainjob", "pytorchjob", "mpijob"}) {
      INFO(id);
      CHECK(has(refusal_of(id, fleet_for(leads.scheduler),
                           workloads_of(work("chat", std::string("kind: leader-worker-set, ") + kServer))),
                "for which this is the way to run it"));
    }
  }
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), workloads_of(work("x", "python_native_pipeline: false"))),
            "`long_lived_services` of workload `x` is missing"));
}

TEST_CASE("replicas of a server are gangs of their own", "[generate]") {
  const std::string servers =
      workloads_of(work("chat", std::string("kind: leader-worker-set, serving: {min_replicas: 3}, ") + kServer));
  const std::string volcano = generate_everything(fleet_for("volcano"), servers).text("lws.yaml");
  CHECK(count_of(volcano, "kind: LeaderWorkerSet") == 3);
  CHECK(count_of(volcano, "minMember: 4\n") == 3);
  const std::string kai = generate_everything(fleet_for("kai"), servers).text("lws.yaml");
  CHECK(count_of(kai, "kind: LeaderWorkerSet") == 1);
  CHECK(has(kai, "replicas: 3\n"));
  CHECK(has(refusal_of("lws", fleet_for("kai"),
                       workloads_of(work(
                           "chat", std::string("kind: leader-worker-set, serving: {min_replicas: 9}, ") + kServer))),
            "room for all replicas of `chat`"));
}

TEST_CASE("pools without a topology, two kinds of GPUs, and work larger than a pool", "[generate]") {
  const std::string two = std::string(kPool) +
                          "  - {name: A_100, nodes: \"m[1-4]\", gpus_per_node: 4, control_plane: kubernetes, "
                          "accelerator: {model: A100}}\n";
  const Written kueue = generate_everything(fleet_of(leads_to("kueue-topology"), kTree, two),
                                            workloads_of(work("w", std::string("kind: jobset, ") + kBatch)));
  CHECK(kueue.findings.empty());
  CHECK(kueue.all.refused.empty());
  const std::string queues = kueue.text("kueue-queues.yaml");
  CHECK(has(queues, "muster.dev/pool: a-100\n"));
  CHECK(count_of(queues, "topologyName: east-1\n") == 1);
  CHECK(count_of(queues, "topologyName: east-1-hosts\n") == 1);
  CHECK(has(kueue.text("kueue-topology.yaml"), "name: east-1-hosts\n"));
  // 64 GPUs over pools of 256 and 16: 60 and 4.
  CHECK(count_of(queues, "nominalQuota: 60\n") == 2);
  CHECK(count_of(queues, "nominalQuota: 4\n") == 2);
  const Written volcano = generate_everything(fleet_of(leads_to("volcano"), kTree, two),
                                              workloads_of(work("w", std::string("kind: job, ") + kBatch)));
  CHECK(volcano.findings.empty());
  CHECK(has(volcano.text("volcano-job.yaml"), "nodeSelector:\n            muster.dev/pool: h100\n"));
  CHECK(has(volcano.text("node-labels.sh"), "nodes muster.dev/pool=a-100 m1 m2 m3 m4\n"));

  const Written flat = generate_everything(fleet_of(leads_to("kueue-topology"), kTree, kPool, ""),
                                           workloads_of(work("w", std::string("kind: jobset, ") + kBatch)));
  CHECK(flat.findings.empty());
  CHECK(has(flat.text("jobset.yaml"), "kueue.x-k8s.io/podset-unconstrained-topology: \"true\"\n"));
  CHECK(has(refusal_of("volcano-hypernodes", fleet_of(leads_to("volcano"), kTree, kPool, "")),
            "places no node of a Kubernetes pool"));

  std::string large = work("large", std::string("kind: job, ") + kBatch);
  large.replace(large.find("nodes: 4"), 8, "nodes: 33");
  const Written too_large = generate_everything(fleet_for("volcano"), workloads_of(large));
  CHECK_FALSE(too_large.wrote("volcano-job"));
  CHECK(has(join(too_large.all.refused, "\n"), "no Kubernetes pool of the fleet has 33 nodes of 8 GPUs for `large`"));
  CHECK(too_large.wrote("volcano-queues"));

  const std::string amd = text_of(
      "volcano-job",
      fleet_of(leads_to("volcano"), kTree, std::string(kPool).replace(std::string(kPool).find("H100"), 4, "MI300X")),
      workloads_of(work("w", std::string("kind: job, ") + kBatch)));
  CHECK(has(amd, "amd.com/gpu"));
  CHECK_FALSE(has(amd, "nvidia.com/gpu"));
}

TEST_CASE("nodes without a place are named as one list", "[generate]") {
  std::string domains = kDomains;
  domains.replace(domains.find("n[17-32]"), 8, "n[17-20]");
  const std::string fleet = fleet_of(leads_to("kai"), kFlat, kPool, domains);
  for (const char* id : {"kai-topology", "kueue-topology", "kueue-queues", "node-labels", "volcano-hypernodes"}) {
    INFO(id);
    CHECK(has(refusal_of(id, fleet), "these nodes of pool `h100` have no place in topology.domains: n[21-32]"));
  }
  std::string ragged = kDomains;
  ragged.replace(ragged.find("level: leaf, parent: spine1, nodes: \"n[1-16]\""), 28, "level: leaf, ");
  CHECK(has(refusal_of("kai-topology", fleet_of(leads_to("kai"), kFlat, kPool, ragged)),
            "domain `leaf1` have no place in each of the levels spine, leaf"));
}

TEST_CASE("a fleet of 5,000 nodes", "[generate]") {
  std::string domains = "    - {name: spine, level: spine}\n";
  for (int i = 0; i < 100; ++i) {
    domains += "    - {name: leaf" + std::to_string(i) + ", level: leaf, parent: spine, nodes: \"n[" +
               std::to_string(i * 50 + 1) + "-" + std::to_string(i * 50 + 50) + "]\"}\n";
  }
  const std::string pool = "  - {name: h100, nodes: \"n[1-5000]\", gpus_per_node: 8, control_plane: kubernetes}\n";
  const std::string fleet = fleet_of(leads_to("volcano"), kFlat, pool, domains);
  CHECK(count_of(text_of("volcano-hypernodes", fleet), "type: Node\n") == 5000);
  const std::string labels = text_of("node-labels", fleet);
  CHECK(count_of(labels, "kubectl label") == 150);
  CHECK(has(labels, "topology.muster.dev/leaf=leaf99 topology.muster.dev/spine=spine n4951 n4952"));
  CHECK(count_of(text_of("kueue-topology", fleet), "nodeLabel:") == 3);
}

TEST_CASE("work of Ray that belongs on Slurm becomes a batch script of its own", "[generate]") {
  const std::string fleet =
      "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-16]\", gpus_per_node: 8, "
      "control_plane: slurm}\n";
  const std::string list = workloads_of(
      "  - {name: rl, kind: ray, nodes: 4, gpus_per_node: 8, tightly_coupled: true, bare_metal: true}\n"
      "  - {name: ddp, nodes: 2, gpus_per_node: 8, tightly_coupled: true, bare_metal: true}\n");
  const std::string script = text_of("ray-on-slurm", fleet, list);
  CHECK(has(script, "#SBATCH --nodes=4\n"));
  CHECK(has(script, "ray start --head"));
  const Result<Generated> sbatch = generate_one("sbatch", fleet, list);
  REQUIRE(sbatch);
  REQUIRE(sbatch->files.size() == 1);
  CHECK(sbatch->files.at(0).path == "ddp.sbatch");
}

TEST_CASE("a template may select, share requirements and sections, and use pieces of text", "[generate]") {
  const Files shared{
      {"definitions.yaml",
       "let:\n  ours: {for: w in workloads, when: w.nodes > 1, needs: [w.gpus_per_node]}\n  unused: "
       "{for: w in workloads, needs: [w.edge_or_dev]}\nrequire:\n  some: [{that: ours.size() > 0, message: "
       "none}]\nsections:\n  parts:\n    - {name: PART, when: \"true\", values: {N: w.nodes}}\n    - "
       "{name: OTHER, when: \"true\", values: {M: w.nodes}}\n"},
      {"piece.tpl", "{{#PART}}nodes: {{N}}\n{{/PART}}end: 1\n"}};
  const std::string head =
      "id: t\ndoc: d\nneeds: [workloads]\nrequire: [some]\nfiles:\n  - path: out.yaml\n    format: yaml\n    text: "
      "t.tpl\n    sections:\n      - {name: W, for: w in ours, values: {NAME: w.name}, sections: [parts]}\nsources: "
      "[x]\n";
  const Result<TemplateDef> def = load_template(
      "templates/t", {{"template.yaml", head}, {"t.tpl", "{{#W}}{{NAME}}:\n  {{@piece.tpl}}\n{{/W}}"}}, shared);
  INFO((def ? "" : def.error().message));
  REQUIRE(def);
  const Workspace workspace = test::read_files(
      {{"w.yaml", workloads_of("  - {name: a, nodes: 2, gpus_per_node: 8}\n  - {name: b, nodes: 2}\n  - {name: c, "
                               "nodes: 1}\n")}});
  const Result<Generated> generated =
      generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  CHECK(generated->files.at(0).text == "a:\n  nodes: 2\n  end: 1\n");
  REQUIRE(generated->notes.size() == 1);
  CHECK(generated->notes[0].starts_with("left out for want of a fact: `gpus_per_node` of workload `b` is missing"));

  const auto wrong = [&](const std::string& text, const std::string& tpl) {
    const Result<TemplateDef> bad = load_template("templates/t", {{"template.yaml", text}, {"t.tpl", tpl}}, shared);
    REQUIRE_FALSE(bad);
    return bad.error().message;
  };
  CHECK(has(wrong(head, "{{#W}}{{NAME}}:\n  {{@peice.tpl}}\n{{/W}}"), "no shared piece `peice.tpl`"));
  CHECK(has(wrong(std::string(head).replace(head.find("[some]"), 6, "[smoe]"), "x"), "no shared group `smoe`"));
  CHECK(has(wrong(std::string(head).replace(head.find("[parts]"), 7, "[prats]"), "x"), "no shared group `prats`"));
}
