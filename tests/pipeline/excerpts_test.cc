// Batch scripts and manifests that texts for people quote, and that scripts write as here-documents.
#include "pipeline/excerpts.h"

#include <map>

#include "base/strings.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/json.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

using Files = std::map<std::string, std::string>;

test::Ran checked(const Files& files, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"check", "repo"};
  words.insert(words.end(), more.begin(), more.end());
  return test::run_command(words, test::FakeDisk(files));
}

/// `SEVERITY RULE LINE` of each finding.
std::vector<std::string> excerpt_findings(const Files& files) {
  const Json result = Json::parse(checked(files, {"--format", "json"}).out);
  std::vector<std::string> out;
  for (const Json& one : result["findings"])
    out.push_back(one["severity"].get<std::string>() + " " + one["rule"].get<std::string>() + " " +
                  std::to_string(one["location"]["line"].get<int>()));
  return out;
}

std::string fenced(const std::string& text) { return "# Guide\n\n```\n" + text + "```\n"; }

using ExcerptFindings = std::vector<std::string>;

const std::string kPod =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: c\n"
    "    image: e/t:1\n    resources: {requests: {nvidia.com/gpu: 1}}\n";
const std::string kScript = "#!/bin/bash\n#SBATCH --time=1:00:00\n#SBATCH -c=2\nsrun hostname\n";

}  // namespace

TEST_CASE("what a text for people quotes is checked, and is a warning at most", "[excerpts]") {
  CHECK(excerpt_findings({{"repo/README.md", fenced(kScript)}}) ==
        ExcerptFindings{"warning sbatch-value-with-equals 6"});
  CHECK(excerpt_findings({{"repo/README.md", fenced(kPod)}}) ==
        ExcerptFindings{"warning accelerator-request-without-limit 11"});
  CHECK(excerpt_findings({{"repo/doc.rst", "So::\n\n  " + replace_all(kScript, "\n", "\n  ")}}) ==
        ExcerptFindings{"warning sbatch-value-with-equals 5"});
  // The same as a file.
  CHECK(excerpt_findings({{"repo/job.sh", kScript}}) == ExcerptFindings{"error sbatch-value-with-equals 3"});
}

TEST_CASE("a whole slurm.conf that a text for people quotes is checked by itself", "[excerpts]") {
  const std::string whole =
      "ClusterName=a\nSlurmctldHost=h\nAccountingStorageType=accounting_storage/filetxt\nGresTypes=gpu\n"
      "NodeName=n1 CPUs=8 RealMemory=64000 Gres=gpu:1\nPartitionName=p Nodes=n1,n2 Default=YES\n";
  CHECK(excerpt_findings({{"repo/README.md", fenced(whole)}}) ==
        ExcerptFindings{"warning slurm-plugin-removed 6", "warning slurm-partition-node-unknown 9"});
  // A piece leaves out what others may have.
  CHECK(excerpt_findings({{"repo/README.md", fenced(whole.substr(whole.find("Gres")))}}).empty());
}

TEST_CASE("here-documents of scripts are checked as what they write", "[excerpts]") {
  CHECK(excerpt_findings({{"repo/make.sh", "cat > job.sh <<EOF\n" + kScript + "EOF\nsbatch job.sh\n"}}) ==
        ExcerptFindings{"error sbatch-value-with-equals 4"});
  CHECK(excerpt_findings({{"repo/up.sh", "kubectl apply -f - <<'EOF'\n" + kPod + "EOF\n"}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 9"});
  CHECK(excerpt_findings({{"repo/README.md", fenced("kubectl apply -f - <<EOF\n" + kPod + "EOF\n")}}) ==
        ExcerptFindings{"warning accelerator-request-without-limit 12"});
  // What the shell fills in is not known; what it leaves alone is the script's.
  CHECK(excerpt_findings({{"repo/make.sh",
                           "cat > job.sh <<EOF\n#!/bin/bash\n#SBATCH --time=1:00:00 --nodes=$N\n"
                           "srun -n \\$SLURM_NTASKS -c $CPUS hostname\nEOF\n"}})
            .empty());
  CHECK(excerpt_findings({{"repo/make.sh",
                           "cat > job.sh <<EOF\n#!/bin/bash\n#SBATCH --time=00:${minutes}:${seconds}\n"
                           "srun hostname\nEOF\n"}})
            .empty());
}

TEST_CASE("manifests that Terraform hands on are checked, `${...}` and all", "[excerpts]") {
  const std::string body = "    " + replace_all(kPod.substr(0, kPod.size() - 1), "\n", "\n    ") + "\n";
  const auto resource = [](const std::string& text) {
    return "resource \"kubectl_manifest\" \"a\" {\n  yaml_body = <<-YAML\n" + text + "  YAML\n}\n";
  };
  CHECK(excerpt_findings({{"repo/main.tf", resource(body)}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 10"});
  CHECK(excerpt_findings({{"repo/main.tf", resource(replace_all(body, "e/t:1", "${var.images[\"a\"]}:1"))}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 10"});
  // One that is not closed hides no other line.
  CHECK(excerpt_findings({{"repo/main.tf", resource(replace_all(body, "e/t:1", "${"))}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 10"});
  // Some of its lines are there, or not.
  CHECK(excerpt_findings({{"repo/main.tf", resource("    %{ if var.on }\n" + body + "    %{ endif }\n")}}).empty());
}

TEST_CASE("objects in Terraform's own language are checked, what it works out left open", "[excerpts]") {
  const std::string pod =
      "  apiVersion = \"v1\" # of the core\n  kind = \"Pod\"\n  metadata = { name = var.name, labels = { \"a.b/c\" = "
      "\"${var.x}\" } }\n"
      "  spec = {\n    containers = [{\n      name = \"a\"\n      image = \"e/t:1\"\n"
      "      resources = {\n        requests = { \"nvidia.com/gpu\" = 1 }\n      }\n    }]\n  }\n";
  const auto manifest = [](const std::string& body) {
    return "resource \"kubernetes_manifest\" \"a\" {\n  manifest = {\n" + body + "  }\n}\n";
  };
  CHECK(excerpt_findings({{"repo/main.tf", manifest(pod)}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 11"});
  CHECK(excerpt_findings({{"repo/main.tf", "x = yamlencode({\n" + pod + "})\n"}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 10"});
  CHECK(excerpt_findings({{"repo/main.tf", manifest(replace_all(replace_all(pod, "apiVersion =", "\"apiVersion\" ="),
                                                                "kind =", "\"kind\" ="))}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 11"});
  // What only Terraform works out is open, be it a list of containers or how many GPUs there are.
  CHECK(excerpt_findings({{"repo/main.tf", manifest(replace_all(pod, "[{", "[for c in var.all : {"))}}).empty());
  CHECK(
      excerpt_findings({{"repo/main.tf", manifest(replace_all(pod, "{ \"nvidia.com/gpu\" = 1 }", "merge(var.a, {})"))}})
          .empty());
  // A key that is worked out may be any.
  CHECK(excerpt_findings({{"repo/main.tf", manifest(replace_all(pod, "requests =", "(var.key) ="))}}).empty());
  // One that is not closed hides no other line.
  CHECK(excerpt_findings({{"repo/main.tf", manifest(replace_all(pod, "name = \"a\"", "name = \"a"))}}) ==
        ExcerptFindings{"error accelerator-request-without-limit 11"});
}

TEST_CASE("a file of Terraform that never ends is given up", "[excerpts][security]") {
  for (const std::string piece : {"x = yamlencode({", "resource \"helm_release\" \"x\" {\n", "yamlencode({ a = <<E\n",
                                  "resource \"kubernetes_pod\" \"x\" {\n  spec {\n    container {\n",
                                  "resource \"kubernetes_pod\" \"x\" {\nspec { a {"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += piece;
    CHECK(excerpt_findings({{"repo/main.tf", text}}).empty());
  }
}

TEST_CASE("a release that Terraform installs says what a HelmRelease would", "[excerpts]") {
  const auto release = [](const std::string& more) {
    return "resource \"helm_release\" \"gpu\" {\n  name = \"gpu-operator\"\n  repository = "
           "\"https://helm.ngc.nvidia.com/nvidia\"\n"
           "  chart = \"gpu-operator\"\n  version = \"v24.9.0\"\n" +
           more + "}\n";
  };
  const ExcerptFindings ended{"info gpu-operator-release-ended 5"};
  CHECK(excerpt_findings({{"repo/main.tf", release("")}}) == ended);
  CHECK(excerpt_findings({{"repo/main.tf", release("  values = [yamlencode({ driver = { enabled = false } })]\n")}}) ==
        ended);
  CHECK(excerpt_findings({{"repo/main.tf",
                           release("  values = [<<-EOT\n    driver:\n      enabled: false\n  EOT\n  ]\n")}}) == ended);
  CHECK(excerpt_findings(
            {{"repo/main.tf", release("  set {\n    name = \"driver.enabled\"\n    value = \"false\"\n  }\n")}}) ==
        ExcerptFindings{"info gpu-operator-release-ended 5", "warning terraform-helm-of-other-release 6"});
  CHECK(excerpt_findings({{"repo/main.tf", release("  values = [yamlencode({ nfd = {} }), file(\"more.yaml\")]\n")}}) ==
        ended);
  // A chart of the repository's own says more in its folder.
  CHECK(excerpt_findings(
            {{"repo/main.tf", replace_all(release(""), "\"gpu-operator\"\n  version", "\"./charts/own\"\n  version")}})
            .empty());
}

TEST_CASE("an excerpt may hold kinds that are rules' alone", "[excerpts]") {
  const std::string scaler =
      "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec:\n  scaleTargetRef: {name: a}\n"
      "  triggers:\n  - {type: prometheus, metadata: {serverAddress: \"http://p\", query: avg(x), threshold: \"8\"}}\n";
  CHECK(excerpt_findings({{"repo/up.sh", "kubectl apply -f - <<'EOF'\n" + scaler + "EOF\n"}}) ==
        ExcerptFindings{"warning scaler-average-of-average 8"});
  // A guide has its other policies in other steps.
  CHECK(excerpt_findings({{"repo/README.md", fenced("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n"
                                                    "metadata: {name: a, namespace: b}\n"
                                                    "spec: {podSelector: {}, policyTypes: [Egress]}\n")}})
            .empty());
}

TEST_CASE("directives without a first line are judged by themselves", "[excerpts]") {
  CHECK(excerpt_findings({{"repo/README.md", fenced("#SBATCH --nodes=2\n#SBATCH -n=4\n")}}) ==
        ExcerptFindings{"warning sbatch-value-with-equals 5"});
  CHECK(excerpt_findings({{"repo/README.md", fenced("module load x\n#SBATCH --nodes=2 --gres=gpu:2\n")}}).empty());
  CHECK(excerpt_findings({{"repo/README.md", fenced("#SBATCH --gpus-per-node=<number of GPUs>\n")}}).empty());
  CHECK(excerpt_findings({{"repo/README.md", fenced("#SBATCH --nodes=2 <- how many\n")}}).empty());
}

TEST_CASE("an excerpt knows nothing of the rest, and the rest nothing of it", "[excerpts]") {
  const std::string claim =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
      "  containers: [{name: c, image: \"e/t:1\"}]\n";
  CHECK(excerpt_findings({{"repo/README.md", fenced(claim) + fenced(claim)}, {"repo/pod.yaml", claim}}).empty());
  const test::Ran dumped = test::run_command(
      {"dump", "model", "repo"}, test::FakeDisk(Files{{"repo/README.md", fenced(kPod)}, {"repo/pod.yaml", claim}}));
  CHECK_FALSE(contains(dumped.out, "README"));
}

TEST_CASE("what is left out, planned or past is passed over", "[excerpts]") {
  CHECK(excerpt_findings({{"repo/README.md", fenced(kPod + "# ...\n")}}).empty());
  CHECK(excerpt_findings({{"repo/proposals/a.md", fenced(kPod)}}).empty());
  CHECK(excerpt_findings({{"repo/tests/up.sh", "cat > pod.yaml <<EOF\n" + kPod + "EOF\n"}}).empty());
  CHECK(excerpt_findings({{"repo/CHANGELOG-1.0.md", fenced(kPod)}}).empty());
  const std::string restore =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: restore-APP}\nspec:\n  template:\n"
      "    spec: {restartPolicy: Never, containers: [{name: a, image: \"e/a:1\"}]}\n";
  CHECK(excerpt_findings({{"repo/README.md", fenced(restore)}}).empty());
  CHECK(excerpt_findings({{"repo/README.md", fenced(replace_all(restore, "-APP", "_ID_"))}}).empty());
  CHECK(excerpt_findings({{"repo/README.md", fenced(replace_all(restore, "APP", "App"))}}).size() == 1);
  CHECK(excerpt_findings({{"repo/README.md", "```diff\n" + kPod + "```\n"}}).empty());
  CHECK(excerpt_findings({{"repo/README.md", fenced("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n")}})
            .empty());
}

TEST_CASE("a kind of an excerpt is as the input defines it", "[excerpts]") {
  const std::string object = "apiVersion: acme.io/v1\nkind: Run\nmetadata: {name: a}\nspec: {gpu: 1}\n";
  const std::string definition =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: runs.acme.io}\n"
      "spec:\n  group: acme.io\n  scope: Namespaced\n  names: {kind: Run, plural: runs}\n  versions:\n"
      "  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n"
      "        properties:\n          spec: {type: object, properties: {gpus: {type: integer}}}\n";
  CHECK(excerpt_findings({{"repo/README.md", fenced(object)}}).empty());
  const Json result = Json::parse(
      checked({{"repo/README.md", fenced(object)}, {"repo/crd.yaml", definition}}, {"--format", "json"}).out);
  CHECK(result["findings"][0]["related"][0]["location"]["file"] == "repo/crd.yaml");
  CHECK(excerpt_findings({{"repo/README.md", fenced(object)}, {"repo/crd.yaml", definition}}) ==
        ExcerptFindings{"warning custom-field-unknown 7"});
}

TEST_CASE("a value of the wrong type in an excerpt is said once", "[excerpts]") {
  const std::string service =
      "apiVersion: ray.io/v1\nkind: RayService\nmetadata: {name: a}\nspec:\n  rayClusterConfig:\n"
      "    headGroupSpec:\n      template: {spec: {containers: [{name: h, image: rayproject/ray:2.40.0}]}}\n"
      "  serveConfigV2:\n    applications:\n    - name: hello\n";
  CHECK(excerpt_findings({{"repo/README.md", fenced(service)}}) == ExcerptFindings{"warning field-type 11"});
}

TEST_CASE("excerpts are counted, and a run that read only them checked something", "[excerpts]") {
  const Json result =
      Json::parse(checked({{"repo/README.md", fenced(kPod)}, {"repo/a.md", "# A\n"}}, {"--format", "json"}).out);
  CHECK(result["coverage"]["quoted"] == 1);
  CHECK(result["coverage"]["foreign"] == 1);
  CHECK(result["summary"]["skipped"] == 1);
  const test::Ran clean = checked({{"repo/README.md", fenced("#!/bin/bash\n#SBATCH --time=1:00:00\nsrun hostname\n")}});
  CHECK(clean.code == 0);
  CHECK_FALSE(contains(clean.out, "nothing was checked"));
}

TEST_CASE("explain says what rules make of a line that is quoted", "[excerpts]") {
  const test::FakeDisk disk(Files{{"repo/README.md", fenced(kScript)}});
  const test::Ran said = test::run_command({"explain", "--at", "repo/README.md:6", "sbatch-value-with-equals"}, disk);
  CHECK(contains(said.out, "sbatch-value-with-equals fires for sbatch/README.md#1"));
  CHECK_FALSE(contains(test::run_command({"explain", "--at", "repo/README.md:1"}, disk).out, "excerpt"));
}

TEST_CASE("rules that say nothing of excerpts exist", "[excerpts]") {
  const Result<RuleBook> book = RuleBook::embedded();
  REQUIRE(book);
  for (const std::string_view rule : rules_of_what_is_left_out()) {
    INFO(rule);
    CHECK(book->find(rule) != nullptr);
  }
}
