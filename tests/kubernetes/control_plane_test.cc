// A real API server as the judge of the cases. scripts/kubernetes builds it.
#include <filesystem>
#include <iostream>
#include <sstream>

#include "pipeline/check.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/control_plane.h"
#include "support/skip.h"

using namespace muster;
using test::ControlPlane;
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
  if (!fs::is_directory(path)) add(path);
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

ControlPlane* plane_with_custom_kinds() {
  ControlPlane* plane = ControlPlane::shared();
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
  const ControlPlane& plane = *plane_with_custom_kinds();
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
