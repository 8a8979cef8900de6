// Templates for Kubernetes: whatever the decisions are, what is written passes the check, is whole gangs, and is legal.
#include <set>

#include "generate/kubernetes_fleets.h"
#include "support/skip.h"
#include "syntax/yaml_reader.h"

using namespace muster;
using namespace muster::test;

namespace {

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
      if (!root.is_mapping() || !root["kind"].exists()) continue;  // values of a chart
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
  // A cluster has one gang scheduler, and the PodGroup of Kubernetes itself is for Jobs alone.
  const Written jobs = generate_everything(fleet_for("native-podgroup"),
                                           workloads_of(work("train", std::string("kind: job, ") + kBatch)));
  INFO(join(jobs.all.refused, "\n") << join(jobs.findings, "\n"));
  CHECK(jobs.findings.empty());
  written_ids.insert(jobs.all.templates.begin(), jobs.all.templates.end());
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
  for (const Leads& leads : kLeads) {
    const Written written = generate_everything(fleet_for(leads.scheduler), every_kind());
    const std::optional<std::string> said = said_by_definitions(written.all.generated.files);
    if (!said) return test::skip("reference material", "there is no folder of CustomResourceDefinitions");
    INFO(leads.scheduler << "\n" << *said);
    CHECK(has(*said, " 0 invalid"));
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

TEST_CASE("for Run:ai, jobs name its scheduler and stand in the namespace of a Project", "[generate]") {
  const test::Leads runai{"runai", "keep_default_scheduler: false, support_contract: true, vendor_neutral: false",
                          false, ""};
  const std::string fleet = fleet_of(runai, test::kFlat);
  const std::string batch = std::string(", ") + kBatch;
  const Written written = generate_everything(
      fleet, workloads_of(work("train", "kind: pytorch-job" + batch) + work("untold", kBatch) +
                          work("mpi", "kind: mpi-job" + batch) + work("other", "kind: jobset" + batch)));
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  CHECK(written.wrote("pytorchjob"));
  CHECK(written.wrote("mpijob"));
  CHECK_FALSE(written.wrote("jobset"));
  CHECK_FALSE(written.wrote("kai-queues"));
  const std::string text = written.text("pytorchjob.yaml");
  INFO(text);
  CHECK(has(text, "  name: train\n  namespace: runai-nlp\n"));
  CHECK(has(text, "  name: untold\n  namespace: runai-nlp\n"));
  CHECK(has(text, "schedulerName: runai-scheduler\n"));
  CHECK_FALSE(has(text, "kai.scheduler/"));
  const std::string notes = join(written.all.generated.notes, "\n");
  INFO(notes);
  CHECK(has(notes, "`train` runs in Project `nlp` of Run:ai"));
  CHECK(has(notes, "`other` is left out: for Run:ai only PyTorchJobs and MPIJobs are written"));
  Files files = written.files();
  files["fleet.yaml"] = fleet;
  const test::Checked checked = test::check_files(files);
  CHECK(test::summary_of(checked) == "");
  for (const Gang& gang : checked.workspace.model.gangs) {
    if (gang.gpus.value == 0) continue;
    INFO(gang.id);
    CHECK(gang.scheduler.value == "runai");
    CHECK(gang.guaranteed.value == gang.size.value);
  }
  CHECK(has(refusal_of("pytorchjob", fleet,
                       workloads_of("  - {name: w, nodes: 4, gpus_per_node: 8, tightly_coupled: true, bare_metal: "
                                    "false, edge_or_dev: false, kind: pytorch-job, " +
                                    std::string(kBatch) + "}\n")),
            "Run:ai takes work in the namespace of a Project"));
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
  const std::string untold = workloads_of(work("x", "python_native_pipeline: false"));
  const Written nothing = generate_everything(fleet_for("volcano"), untold);
  CHECK_FALSE(nothing.wrote("volcano-job"));
  CHECK_FALSE(nothing.wrote("lws"));
  CHECK(has(join(nothing.all.generated.notes, "\n"), "`long_lived_services` of workload `x` is missing"));
  // Who asks for a job by name means one, and is told what was taken for granted.
  const Result<Generated> job = generate_one("volcano-job", fleet_for("volcano"), untold);
  REQUIRE(job);
  CHECK(
      has(join(job->notes, "\n"), "`long_lived_services` of workload `x` is missing: it is taken for work that ends"));
  const std::string hinted = workloads_of(work("x", "serving: {user_facing: true}, python_native_pipeline: false"));
  CHECK(has(refusal_of("volcano-job", fleet_for("volcano"), hinted), "for which this is the way to run it"));
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
