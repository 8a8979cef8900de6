// docs/security.md promises nothing that no test holds.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/strings.h"
#include "support/catch.h"
#include "support/files.h"

using namespace muster;

namespace {

namespace fs = std::filesystem;

/// The sources below a folder.
std::map<std::string, std::string> sources_below(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(test::source_dir() + "/" + folder)) {
    const std::string path = entry.path().string();
    if (path.ends_with(".cc") || path.ends_with(".h"))
      out.emplace(path.substr(test::source_dir().size() + 1), test::read_file(path));
  }
  return out;
}

/// The last cell of each row of each table.
std::vector<std::string> tests_named(const std::string& document) {
  std::vector<std::string> out;
  for (const std::string_view line : split(document, '\n')) {
    if (!line.starts_with("| ") || line.ends_with("| test |")) continue;
    const std::vector<std::string_view> cells = split(line, '|');
    out.emplace_back(trim(cells[cells.size() - 2]));
  }
  return out;
}

}  // namespace

TEST_CASE("every test that docs/security.md names is there", "[docs][security]") {
  const std::map<std::string, std::string> tests = sources_below("tests");
  const std::vector<std::string> named = tests_named(test::read_file(test::source_dir() + "/docs/security.md"));
  CHECK(named.size() > 25);
  for (const std::string& name : named) {
    INFO(name);
    CHECK(std::ranges::any_of(tests, [&](const auto& file) {
      return contains(file.second, "TEST_CASE(\"" + name + "\"") || contains(file.second, "TEST_CASE(\n    \"" + name);
    }));
  }
}

TEST_CASE("only one file starts programs, and none opens a connection", "[architecture][security]") {
  std::set<std::string> starting;
  for (const auto& [path, text] : sources_below("src")) {
    INFO(path);
    for (const char* header : {"<sys/socket.h>", "<netdb.h>", "<netinet/", "<arpa/", "<curl/", "<dlfcn.h>"})
      CHECK_FALSE(contains(text, std::string("#include ") + header));
    for (const char* call : {"posix_spawn", "execv", "execl", "popen(", " fork(", "std::system("}) {
      if (contains(text, call)) starting.insert(path);
    }
    // git, Helm, and the command line, which looks where Helm is.
    const std::set<std::string> users{"src/source/git.h", "src/helm/run_helm.cc", "src/cli/command.cc"};
    if (!users.contains(path) && !path.starts_with("src/base/program."))
      CHECK_FALSE(contains(text, "#include \"base/program.h\""));
  }
  CHECK(starting == std::set<std::string>{"src/base/program.cc"});
}
