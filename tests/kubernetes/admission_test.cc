// Admission policies on a real API server: it takes them, and judges the objects of the cases by them as muster does.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "base/strings.h"
#include "support/api_server.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/node_json.h"
#include "support/policy_cases.h"
#include "support/skip.h"
#include "syntax/yaml_reader.h"

using namespace muster;
using test::ApiServer;
using test::ServerVerdict;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kGroup = "/apis/admissionregistration.k8s.io/v1/";

std::vector<Json> documents_of(const std::string& text) {
  std::vector<Json> out;
  for (const Span& where : split_yaml_documents(FileId{0}, text)) {
    Document document;
    std::vector<Finding> ignored;
    REQUIRE(read_yaml(text, where, document, ignored));
    if (document.root().is_mapping()) out.push_back(test::to_json(document.root()));
  }
  return out;
}

/// What `muster generate admission-policy` writes.
std::vector<Json> generated() {
  const test::Ran ran = test::run_command({"generate", "admission-policy"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return documents_of(ran.out);
}

/// Until `holds`, for two minutes.
template <class Holds>
bool comes(Holds holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return true;
}

/// The policies that warn: `... ValidatingAdmissionPolicy 'muster-RULE' with binding ...`.
std::map<std::string, std::string> rules_of(const std::vector<std::string>& warnings) {
  constexpr std::string_view kBefore = "ValidatingAdmissionPolicy 'muster-";
  std::map<std::string, std::string> out;
  for (const std::string& warning : warnings) {
    const std::size_t at = warning.find(kBefore);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + kBefore.size();
    const std::size_t colon = warning.find(": ", begin);
    out[warning.substr(begin, warning.find('\'', begin) - begin)] =
        replace_all(warning.substr(colon + 2), "\\\"", "\"");
  }
  return out;
}

/// What the API server takes for an object of many pods with GPUs, in milliseconds: the median of dry runs.
double milliseconds_of(const ApiServer& server) {
  const std::string job =
      R"({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"parallelism": 8, "template": {"spec":
          {"restartPolicy": "Never", "containers": [{"name": "main", "image": "a/b:1", "command": ["torchrun", "--nnodes=8", "a.py"],
          "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}}}})";
  std::vector<double> took;
  for (int i = 0; i < 31; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const int code = server.ask("POST", "/apis/batch/v1/namespaces/default/jobs?dryRun=All", job).first;
    took.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    if (code != 201) return -1;
  }
  std::ranges::sort(took);
  return took[took.size() / 2];
}

const std::string kPod =
    R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "NAME"}, "spec": {"containers": [{"name": "main", "image": "a/b:1",
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "0"}], "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}})";

std::string pod_called(const std::string& name) { return replace_all(kPod, "NAME", name); }

}  // namespace

TEST_CASE("an API server takes the admission policies and says what their rules say", "[kubernetes]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver", "kube-controller-manager"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  ApiServer server;
  REQUIRE(server.come_up());
  const std::optional<std::string> reference = test::reference_dir();
  if (reference) server.add_custom_kinds(*reference + "/crds");
  const double without = milliseconds_of(server);
  std::set<std::string> rules;
  for (Json object : generated()) {
    const bool binding = object["kind"] == "ValidatingAdmissionPolicyBinding";
    // Every verdict is to be seen, of what is denied and in kube-system, too.
    if (binding) {
      object["spec"]["validationActions"] = {"Warn"};
      object["spec"].erase("matchResources");
    }
    if (!binding) rules.insert(object["metadata"]["name"].get<std::string>().substr(7));
    const auto [code, answer] =
        server.ask("POST", kGroup + (binding ? "validatingadmissionpolicybindings" : "validatingadmissionpolicies"),
                   object.dump());
    INFO(object["metadata"]["name"] << ": " << answer.dump());
    CHECK(code == 201);
  }
  server.start_controller("validatingadmissionpolicy-status-controller");
  for (const std::string& rule : rules) {
    Json policy;
    CHECK(comes([&] {
      policy = server.ask("GET", kGroup + "validatingadmissionpolicies/muster-" + rule).second;
      return policy.contains("status") && policy["status"].contains("observedGeneration");
    }));
    INFO(rule << ": " << policy["status"].dump());
    CHECK(!policy["status"].value("typeChecking", Json::object()).contains("expressionWarnings"));
  }
  std::set<std::string> spaces;
  std::size_t judged = 0;
  std::set<std::string> speaking;
  for (const test::Case& one : test::cases_in("rules")) {
    const std::vector<test::PolicyCase> objects = test::policy_cases(one);
    std::vector<test::ManifestText> manifests;
    for (const test::PolicyCase& object : objects) {
      const std::string& space = object.manifest.name_space;
      if (!space.empty() && spaces.insert(space).second)
        server.ask("POST", "/api/v1/namespaces", Json{{"metadata", {{"name", space}}}}.dump());
      manifests.push_back(object.manifest);
    }
    const std::vector<ServerVerdict> verdicts = server.judge(manifests);
    std::optional<test::RuleSayings> sayings;
    const std::string own = fs::path(one.name).parent_path().filename().string();
    for (std::size_t i = 0; i < objects.size(); ++i) {
      if (verdicts[i].says != ServerVerdict::Says::Accepted) continue;
      ++judged;
      const std::map<std::string, std::string> said = rules_of(verdicts[i].warnings);
      std::set<std::string> compared{own};
      for (const auto& [rule, message] : said) compared.insert(rule);
      for (const std::string& rule : compared) {
        if (!rules.contains(rule)) continue;
        if (!sayings) sayings = test::sayings_of(one);
        const test::Saying saying = sayings->of(rule, objects[i]);
        if (objects[i].is_excepted(rule)) continue;
        const bool speaks = said.contains(rule);
        INFO(objects[i].place << " " << rule << "\nserver: " << (speaks ? said.at(rule) : "")
                              << "\nrule: " << saying.message);
        // What a rule does not decide nobody may be denied.
        CHECK(speaks == (saying.speaks && !saying.open));
        if (speaks) speaking.insert(rule);
      }
    }
  }
  std::cout << "admission policies: " << rules.size() << " taken, " << judged << " objects judged, " << speaking.size()
            << " policies spoke; a Job takes " << milliseconds_of(server) << " ms with them and " << without
            << " ms without\n";
  CHECK(speaking.size() > (reference ? rules.size() / 2 : 20));
}

TEST_CASE("bindings of admission policies deny errors, and leave alone what they should", "[kubernetes]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  ApiServer server;
  REQUIRE(server.come_up());
  const std::string pods = "/api/v1/namespaces/default/pods";
  REQUIRE(server.ask("POST", pods, pod_called("before")).first == 201);
  for (Json object : generated()) {
    if (object["metadata"]["name"] != "muster-container-pins-device") continue;
    const bool binding = object["kind"] == "ValidatingAdmissionPolicyBinding";
    if (binding) object["spec"]["validationActions"] = {"Deny"};
    REQUIRE(server
                .ask("POST", kGroup + (binding ? "validatingadmissionpolicybindings" : "validatingadmissionpolicies"),
                     object.dump())
                .first == 201);
  }
  CHECK(comes([&] { return server.ask("POST", pods + "?dryRun=All", pod_called("a")).first == 422; }));
  const auto refused = server.ask("POST", pods + "?dryRun=All", pod_called("a")).second;
  CHECK(contains(refused.value("message", ""), "sets NVIDIA_VISIBLE_DEVICES to `0`"));
  CHECK(server
            .ask("PATCH", pods + "/before", R"({"metadata": {"finalizers": ["muster.dev/a"]}})",
                 "application/merge-patch+json")
            .first == 200);
  CHECK(server.ask("POST", "/api/v1/namespaces/kube-system/pods?dryRun=All", pod_called("a")).first == 201);
  Json made = Json::parse(pod_called("made"));
  made["metadata"]["ownerReferences"] = Json::parse(
      R"([{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "0b3d4a52-6a63-4a29-8d6f-6a1f6e3f8c11", "controller": true}])");
  CHECK(server.ask("POST", pods + "?dryRun=All", made.dump()).first == 201);
  REQUIRE(server
              .ask("PATCH", "/api/v1/namespaces/default",
                   R"({"metadata": {"labels": {"muster.dev/admission": "off"}}})", "application/merge-patch+json")
              .first == 200);
  CHECK(comes([&] { return server.ask("POST", pods + "?dryRun=All", pod_called("a")).first == 201; }));
}
