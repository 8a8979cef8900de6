// A real API server as the judge of other people's manifests: the corpus, or a folder that MUSTER_MANIFESTS names.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "support/api_server.h"
#include "support/catch.h"
#include "support/refusals.h"
#include "support/skip.h"

using namespace muster;
using test::ServerVerdict;

namespace {

namespace fs = std::filesystem;

/// What a program fills in before any server sees it.
bool is_unfinished(const std::string& text) {
  for (const char* mark : {"{{", "<%", "${", "$(", "{%", "@@", "<<"})
    if (text.find(mark) != std::string::npos) return true;
  return false;
}

std::string first_line_of(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), std::size_t{300}));
}

/// The parts of paths that tests/kubernetes/manifests.open lists, with why muster and the server differ there.
std::vector<std::string> explained() {
  std::vector<std::string> out;
  std::istringstream lines(test::read_file(test::source_dir() + "/tests/kubernetes/manifests.open"));
  for (std::string line; std::getline(lines, line);) {
    REQUIRE((line.empty() || line.front() == '#' || line.find("  ") > 3));  // nothing would explain everything
    if (!line.empty() && line.front() != '#') out.push_back(line.substr(0, line.find("  ")));
  }
  return out;
}

struct Tally {
  std::vector<std::string> explained;
  std::size_t accepted = 0;
  std::size_t refused = 0;
  std::size_t differ = 0;
  std::size_t open = 0;  ///< of those, without an explanation
};

void make_namespaces(const test::ApiServer& server, const std::vector<test::ManifestText>& manifests) {
  static std::set<std::string> made;
  for (const test::ManifestText& manifest : manifests) {
    if (manifest.name_space.empty() || !made.insert(manifest.name_space).second) continue;
    const nlohmann::json object = {
        {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", manifest.name_space}}}};
    server.ask("POST", "/api/v1/namespaces", object.dump());
  }
}

bool is_refusal(const ServerVerdict& verdict) {
  return verdict.says == ServerVerdict::Says::Refused && verdict.message.find("already exists") == std::string::npos;
}

void judge_input(const test::ApiServer& server, const std::string& folder, Tally& tally) {
  test::Refusals refusals = test::refusals_of(folder);
  for (const std::string& file : test::manifest_files(folder)) {
    if (!fs::is_regular_file(file) || fs::file_size(file) > 1'000'000) continue;
    const std::string text = test::read_file(file);
    if (is_unfinished(text)) continue;
    const std::vector<test::ManifestAt> found = test::manifests_in(text);
    std::vector<test::ManifestText> manifests;
    for (const test::ManifestAt& at : found) manifests.push_back(at.manifest);
    make_namespaces(server, manifests);
    const std::vector<ServerVerdict> verdicts = server.judge(manifests);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (verdicts[i].says == ServerVerdict::Says::NoSuchKind) continue;
      const std::vector<std::string> rules =
          test::rules_between(refusals[file], found[i].first_line, found[i].last_line);
      const bool refused = is_refusal(verdicts[i]);
      ++(refused ? tally.refused : tally.accepted);
      if (rules.empty() != refused) continue;
      ++tally.differ;
      const std::string said = file + ": " + (refused ? first_line_of(verdicts[i].message) : rules.front());
      if (std::ranges::any_of(tally.explained, [&](const std::string& part) { return contains(said, part); })) continue;
      ++tally.open;
      std::cout << (refused ? "missed: " : "false: ") << file << ':' << found[i].first_line << ": "
                << found[i].manifest.kind << ": " << (refused ? first_line_of(verdicts[i].message) : rules.front())
                << "\n";
    }
  }
}

}  // namespace

TEST_CASE("what the API server refuses in manifests is a finding, and what it takes is not said to be refused",
          "[kubernetes][manifests]") {
  const std::string missing = test::missing_programs({"etcd", "kube-apiserver"});
  if (!missing.empty()) return test::skip("kubernetes", missing);
  const char* given = std::getenv("MUSTER_MANIFESTS");
  const std::optional<std::string> reference = test::reference_dir();
  if (given == nullptr && !reference) return test::skip("reference material", "there is no ../shared/corpus");
  const std::string folder =
      fs::absolute(given != nullptr ? given : *reference + "/corpus").lexically_normal().string();

  const test::ApiServer& server = *test::ApiServer::shared_with_custom_kinds();
  Tally tally{.explained = explained()};
  for (const auto& entry : fs::directory_iterator(folder))  // each an input of its own, as a repository is
    if (entry.is_directory()) judge_input(server, fs::canonical(entry.path()).string(), tally);
  std::cout << "API server: " << tally.accepted << " manifests accepted, " << tally.refused << " refused, "
            << tally.differ << " said otherwise, " << tally.open << " without an explanation\n";
  CHECK(tally.accepted > 0);
  CHECK((given != nullptr || tally.open == 0));
}
