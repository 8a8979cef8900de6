// What each kind turns into, as `muster dump model` prints it.
#include "pipeline/check.h"
#include "pipeline/dump.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

std::string dump_of(const std::string& path) {
  const muster::DiskFileSystem disk;
  muster::Options options;
  options.paths = {path};
  const muster::Result<muster::Workspace> workspace = muster::read_workspace(options, disk);
  INFO(path);
  REQUIRE(workspace);
  for (const muster::Finding& finding : workspace->findings)
    CHECK(finding.rule == "custom-api-version-deprecated");  // old versions are read, too
  REQUIRE_FALSE(workspace->parsed.empty());
  return muster::dump_artifacts(workspace->parsed, workspace->inputs.sources) + "\n" +
         muster::dump_model(workspace->model, workspace->inputs.sources);
}

/// `# vary: A => B` in the file itself.
std::pair<std::string, std::string> variation_of(const std::string& text) {
  const std::size_t at = text.find("# vary: ");
  if (at == std::string::npos) return {};
  const std::string line = text.substr(at + 8, text.find('\n', at) - at - 8);
  const std::size_t arrow = line.find(" => ");
  return {line.substr(0, arrow), line.substr(arrow + 4)};
}

std::string only_file(const std::string& path) {
  if (!muster::test::is_folder(path)) return path;
  for (const std::string& name : muster::test::entries(path)) {
    if (!variation_of(muster::test::read_file(path + "/" + name)).first.empty()) return path + "/" + name;
  }
  return "";
}

}  // namespace

TEST_CASE("every kind is normalised as its golden dump says", "[kinds]") {
  for (const muster::test::Case& test_case : muster::test::cases_in("kinds")) {
    INFO(test_case.name);
    muster::test::check_golden(test_case.path + ".model.txt", dump_of(test_case.path));
  }
}

TEST_CASE("a number changed in the input changes the dump", "[kinds]") {
  int varied = 0;
  for (const muster::test::Case& test_case : muster::test::cases_in("kinds")) {
    const std::string file = only_file(test_case.path);
    if (file.empty()) continue;
    const std::string text = muster::test::read_file(file);
    const auto [from, to] = variation_of(text);
    if (from.empty()) continue;
    INFO(test_case.name << ": " << from << " => " << to);
    const std::size_t at = text.find(from, text.find("# vary: ") + 8 + from.size() + to.size() + 4);
    REQUIRE(at != std::string::npos);
    const muster::test::TemporaryFolder folder;
    std::string changed = text;
    changed.replace(at, from.size(), to);
    const auto copy_with = [&](const std::string& root, const std::string& content) {
      if (muster::test::is_folder(test_case.path)) {
        for (const std::string& name : muster::test::entries(test_case.path))
          muster::test::write_file(root + "/" + name, muster::test::read_file(test_case.path + "/" + name));
      }
      muster::test::write_file(root + "/" + file.substr(file.rfind('/') + 1), content);
    };
    copy_with(folder.path() + "/a", text);
    copy_with(folder.path() + "/b", changed);
    const std::string before = dump_of(folder.path() + "/a");
    std::string after = dump_of(folder.path() + "/b");
    CHECK(before != after);
    ++varied;
  }
  CHECK(varied >= 20);
}
