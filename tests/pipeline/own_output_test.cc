// What muster itself wrote is no part of what it judges.
#include "pipeline/own_output.h"

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

using namespace muster;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

namespace {

constexpr const char* kServe =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {MODEL: a}\n---\n"
    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: serve}\nspec:\n  template:\n    spec:\n"
    "      restartPolicy: Never\n      containers:\n        - name: serve\n          image: registry.example/serve:1\n"
    "          envFrom:\n            - configMapRef: {name: model-cache}";

std::string found(const std::string& folder) {
  return run_command(
             {"check", folder, "--select", "named-object-missing,suppression-*", "--fail-on", "never", "--quiet"})
      .out;
}

}  // namespace

TEST_CASE("a report in any format names nothing, where it lies in what is checked", "[pipeline][own-output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/serve.yaml", kServe);
  const std::string before = found(folder.path());
  REQUIRE(contains(before, "named-object-missing"));
  for (const std::string format :
       {"checkstyle", "github", "github-summary", "gitlab", "json", "junit", "markdown", "rdjson", "sarif", "text"}) {
    INFO(format);
    const std::string text = run_command({"check", folder.path(), "--fail-on", "never", "--format", format}).out;
    REQUIRE(contains(text, "model-cache"));
    CHECK(is_own_output(text));
    write_file(folder.path() + "/report.txt", text);
    CHECK(found(folder.path()) == before);
  }
  run_command({"baseline", "write", folder.path(), "--baseline", folder.path() + "/known.json"});
  CHECK(is_own_output(read_file(folder.path() + "/known.json")));
  CHECK(found(folder.path()) == before);
}

TEST_CASE("other reports and manifests are what they are", "[pipeline][own-output]") {
  for (const std::string text :
       {"", "{}", "[]", "{\"version\": \"2.1.0\", \"runs\": [{\"tool\": {\"driver\": {\"name\": \"other\"}}}]}",
        "[{\"description\": \"x\", \"check_name\": \"y\", \"fingerprint\": \"1\"}]", "error[E0308]: a\n  --> b:1:1\n",
        "warning: x\n", "info[x", "### muster\n", "<testsuites name=\"other\"></testsuites>", "# muster: a\n",
        "apiVersion: v1\nkind: Pod\n"}) {
    INFO(text);
    CHECK_FALSE(is_own_output(text));
  }
  CHECK(is_own_output("warning[a-rule]: a\n   --> b:244:9\n     |\n"));  // of a line far down
}

TEST_CASE("a baseline that was just written holds", "[pipeline][own-output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/serve.yaml", kServe);
  const std::string list = folder.path() + "/.muster-baseline.json";
  run_command({"init", folder.path(), "--with-baseline"});
  CHECK(contains(read_file(list), "named-object-missing"));
  CHECK(run_command({"baseline", "check", folder.path(), "--baseline", list}).code == 0);
  const std::string before = read_file(list);
  run_command({"baseline", "write", folder.path(), "--baseline", list});
  CHECK(read_file(list) == before);
}

TEST_CASE("who allows a finding speaks of its name, and makes nothing", "[pipeline][own-output]") {
  const TemporaryFolder folder;
  const std::string allow = "muster: allow named-object-missing -- model-cache is made by the platform team";
  write_file(folder.path() + "/serve.yaml", std::string(kServe) + "   # " + allow + "\n");
  CHECK(found(folder.path()).empty());
  write_file(folder.path() + "/serve.yaml",
             replace_all(kServe, "{name: serve}\nspec:",
                         "\n  name: serve\n  annotations:\n    muster.dev/allow: |\n      named-object-missing -- "
                         "model-cache is made elsewhere\nspec:"));
  CHECK(found(folder.path()).empty());
  write_file(folder.path() + "/serve.yaml", std::string(kServe) + "   # model-cache is made elsewhere\n");
  CHECK(found(folder.path()).empty());
  write_file(folder.path() + "/serve.yaml", kServe);
  write_file(folder.path() + "/muster.yaml",
             "muster: config/v1\nsuppress:\n  - {rule: named-object-missing, path: serve.yaml, reason: model-cache is "
             "made by another}\n");
  CHECK(found(folder.path()).empty());
}
