// A real API server as the judge of the cases. scripts/kubernetes builds it.
#include <filesystem>
#include <iostream>
#include <sstream>

#include "pipeline/check.h"
#include "support/api_server.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/skip.h"

using namespace muster;
using test::ApiServer;
using test::ServerVerdict;

namespace {

namespace fs = std::filesystem;

/// Lines of a file with a finding that says the object is refused, with the rules.
using Refusals = std::map<std::string, std::multimap<int, std::string>>;

Refusals refusals_of(const std::string& path) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {path};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  REQUIRE(report);
  Refusals out;
  for (const Finding& finding : report->findings) {
    if (finding.effect != Effect::Rejected) continue;
    const SourceFile& file = workspace.inputs.sources.file(finding.where.file);
    const std::string absolute = fs::absolute(file.path()).lexically_normal().string();
    out[absolute].emplace(file.position(finding.where.begin).line, finding.rule);
  }
  return out;
}

std::vector<std::string> manifest_files(const std::string& path) {
  std::vector<std::string> out;
  const auto add = [&](const fs::path& file) {
    if (file.extension() == ".yaml" || file.extension() == ".yml" || file.extension() == ".json")
      out.push_back(file.string());
  };
  if (!fs::is_directory(path))
    add(path);
  else
    for (const auto& entry : fs::recursive_directory_iterator(path)) add(entry.path());
  std::ranges::sort(out);
  return out;
}

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

ApiServer* plane_with_custom_kinds() {
  ApiServer* plane = ApiServer::shared();
  REQUIRE(plane != nullptr);
  static const bool kOnce = [&] {
    const std::optional<std::string> reference = test::reference_dir();
    if (!reference) return false;
    for (const std::string& refused : plane->add_custom_kinds(*reference + "/crds")) std::cout << refused << "\n";
    return true;
  }();
  if (!kOnce) test::skip("reference material", "there are no ../shared/crds: custom kinds are not judged");
  return plane;
}

}  // namespace

TEST_CASE("the API server refuses the objects of cases that are said to be rejected, and no others", "[kubernetes]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  const ApiServer& plane = *plane_with_custom_kinds();
  std::map<std::string, std::string> excepted = exceptions();
  std::set<std::string> used;
  std::size_t judged = 0;
  std::size_t refused = 0;
  for (const test::Case& one : test::cases_in("rules")) {
    std::vector<std::string> files = manifest_files(one.path);
    std::optional<Refusals> refusals;
    for (const std::string& file : files) {
      const std::vector<test::ManifestAt> found = test::manifests_in(test::read_file(file));
      if (found.empty()) continue;
      if (!refusals) refusals = refusals_of(one.path);
      std::vector<test::ManifestText> manifests;
      for (const test::ManifestAt& at : found) manifests.push_back(at.manifest);
      const std::vector<ServerVerdict> verdicts = plane.judge(manifests);
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::string rules;
        bool counts = verdicts[i].says != ServerVerdict::Says::NoSuchKind;
        const auto& lines = (*refusals)[file];
        for (auto at = lines.lower_bound(found[i].first_line); at != lines.end() && at->first <= found[i].last_line;
             ++at) {
          if (excepted.contains(at->second)) {
            used.insert(at->second);
            counts = false;
          }
          rules += at->second + " ";
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
    Refusals refusals = refusals_of(one.path);
    const std::vector<std::string> files = manifest_files(one.path);
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
        for (auto it = refusals[file].lower_bound(at.first_line);
             it != refusals[file].end() && it->first <= at.last_line; ++it)
          rules += it->second + " ";
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
