// A real API server as the judge of the cases. scripts/kubernetes builds it.
#include <filesystem>
#include <iostream>
#include <sstream>

#include "support/api_server.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/refusals.h"
#include "support/skip.h"

using namespace muster;
using test::ApiServer;
using test::Refusals;
using test::ServerVerdict;

namespace {

namespace fs = std::filesystem;

/// What tests/kubernetes/exceptions.txt lists: a rule, or a case with its line, and why the API server alone does not
/// see it so.
std::map<std::string, std::string> exceptions() {
  std::map<std::string, std::string> out;
  std::istringstream lines(test::read_file(test::source_dir() + "/tests/kubernetes/exceptions.txt"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.empty() && line.front() != '#' && colon != std::string::npos)
      out[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return out;
}

}  // namespace

TEST_CASE("the API server refuses the objects of cases that are said to be rejected, and no others", "[kubernetes]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  const ApiServer& plane = *ApiServer::shared_with_custom_kinds();
  std::map<std::string, std::string> excepted = exceptions();
  std::set<std::string> used;
  std::size_t judged = 0;
  std::size_t refused = 0;
  for (const test::Case& one : test::cases_in("rules")) {
    std::vector<std::string> files = test::manifest_files(one.path);
    std::optional<Refusals> refusals;
    for (const std::string& file : files) {
      const std::vector<test::ManifestAt> found = test::manifests_in(test::read_file(file));
      if (found.empty()) continue;
      if (!refusals) refusals = test::refusals_of(one.path);
      std::vector<test::ManifestText> manifests;
      for (const test::ManifestAt& at : found) manifests.push_back(at.manifest);
      const std::vector<ServerVerdict> verdicts = plane.judge(manifests);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::string rules;
        bool counts = verdicts[i].says != ServerVerdict::Says::NoSuchKind;
        for (const std::string& rule :
             test::rules_between((*refusals)[file], found[i].first_line, found[i].last_line)) {
          if (excepted.contains(rule)) {
            used.insert(rule);
            counts = false;
          }
          rules += rule + " ";
        }
        const std::string place = one.name + (files.size() > 1 ? "/" + fs::path(file).filename().string() : "") + ":" +
                                  std::to_string(found[i].first_line);
        if (excepted.contains(place)) {
          used.insert(place);
          counts = false;
        }
        if (!counts) continue;
        ++judged;
        refused += verdicts[i].says == ServerVerdict::Says::Refused;
        INFO(place << ": " << found[i].manifest.kind << "\nmuster: " << rules << "\nserver: " << verdicts[i].message);
        CHECK(!rules.empty() == (verdicts[i].says == ServerVerdict::Says::Refused));
      }
    }
  }
  std::cout << "API server: " << judged << " objects of cases judged, " << refused << " of them refused\n";
  CHECK(refused > 20);
  for (const auto& [name, why] : excepted) {
    INFO("an exception that is none: " << name << ": " << why);
    CHECK(used.contains(name));
  }
}

TEST_CASE("the webhook of Volcano refuses the objects of cases that are said to be rejected, and no others",
          "[kubernetes]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver", "vc-webhook-manager"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  const std::optional<std::string> reference = test::reference_dir();
  if (!reference) return test::skip("reference material", "there are no ../shared/crds");
  ApiServer server;
  REQUIRE(server.come_up());
  CHECK(server.add_custom_kinds(*reference + "/crds/volcano").empty());
  REQUIRE(server.start_volcano_webhook());
  const std::string queues = "/apis/scheduling.volcano.sh/v1beta1/queues";
  const auto open_queue = [&](const std::string& name) {
    server.ask("POST", queues,
               R"({"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": {"name": ")" + name +
                   R"("}, "spec": {"weight": 1}})");
    server.ask("PATCH", queues + "/" + name + "/status", R"({"status": {"state": "Open"}})",
               "application/merge-patch+json");
  };
  open_queue("default");
  std::size_t refused = 0;
  std::size_t accepted = 0;
  const std::map<std::string, std::string> excepted = exceptions();
  for (const test::Case& one : test::cases_in("rules")) {
    const std::string rule = fs::path(one.name).parent_path().filename().string();
    const auto why = excepted.find(rule);
    if (why == excepted.end() || why->second != "the webhook of Volcano") continue;
    Refusals refusals = test::refusals_of(one.path);
    const std::vector<std::string> files = test::manifest_files(one.path);
    for (const std::string& file : files) {
      for (const test::ManifestAt& at : test::manifests_in(test::read_file(file))) {
        if (at.manifest.kind == "Queue" && refusals[file].empty()) open_queue(at.manifest.name);
      }
    }
    for (const std::string& file : files) {
      for (const test::ManifestAt& at : test::manifests_in(test::read_file(file))) {
        const test::ManifestText& object = at.manifest;
        if (object.api_version != "batch.volcano.sh/v1alpha1" && object.api_version != "scheduling.volcano.sh/v1beta1")
          continue;
        if (excepted.contains(one.name + ":" + std::to_string(at.first_line))) continue;
        std::string rules;
        for (const std::string& said : test::rules_between(refusals[file], at.first_line, at.last_line))
          rules += said + " ";
        const ServerVerdict verdict = server.judge({object}).front();
        // That it stands there already is found last.
        const bool is_refused =
            verdict.says == ServerVerdict::Says::Refused && verdict.message.find("already exists") == std::string::npos;
        INFO(one.name << ":" << at.first_line << ": " << object.kind << "\nmuster: " << rules
                      << "\nserver: " << verdict.message);
        CHECK(!rules.empty() == is_refused);
        ++(is_refused ? refused : accepted);
      }
    }
  }
  std::cout << "webhook of Volcano: " << refused << " objects refused, " << accepted << " accepted\n";
  CHECK(refused > 4);
  CHECK(accepted > 4);
}
