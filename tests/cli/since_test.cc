// What a change brings, and what was there before it.
#include <filesystem>
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/git.h"
#include "support/json.h"
#include "support/volcano_job.h"

using namespace muster;
using muster::test::Ran;
using muster::test::Repository;
using muster::test::run_command;
using muster::test::volcano_job;
namespace fs = std::filesystem;

namespace {

Ran since(const Repository& repository, const std::string& revision, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"check", repository.path(), "--since", revision});
  Ran ran = run_command(more);
  const std::string shown = fs::relative(fs::canonical(repository.path()), fs::current_path()).string();
  for (std::string* stream : {&ran.out, &ran.err})
    *stream =
        replace_all(replace_all(std::move(*stream), fs::canonical(repository.path()).string(), "DIR"), shown, "DIR");
  return ran;
}

std::string last_line(const Ran& ran) {
  const std::vector<std::string_view> lines = split(ran.out, '\n');
  return std::to_string(ran.code) + " " + (lines.size() < 2 ? ran.err : std::string(lines[lines.size() - 2]));
}

}  // namespace

TEST_CASE("only what a change brings is reported", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  repository.write("b.yaml", volcano_job("b"));
  repository.commit();
  CHECK(last_line(since(repository, "HEAD")) == "0 no new findings, 2 already in HEAD in 2 artifacts");
  repository.write("a.yaml", "# moved\n\n" + volcano_job("a"));
  repository.write("c.yaml", volcano_job("c"));  // not even added
  const Ran ran = since(repository, "main");
  CHECK(last_line(ran) == "1 1 error, 2 already in main in 3 artifacts");
  CHECK(contains(ran.out, "/c.yaml:5:17"));
  const auto json = nlohmann::json::parse(since(repository, "main", {"--format", "json"}).out);
  CHECK(json["compared"]["revision"] == "main");
  CHECK(json["compared"]["commit"].get<std::string>().size() == 40);
  CHECK(json["compared"]["baseline"].is_null());
  CHECK(json["known"][0]["by"] == "revision");
}

TEST_CASE("before a first commit there was nothing", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  CHECK(last_line(since(repository, "HEAD")) == "1 1 error in 1 artifact");
  CHECK(contains(since(repository, "main").err, "no commit"));
}

TEST_CASE("what was open before is counted, and not listed again", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  const std::string open = replace_all(volcano_job("a"), "minAvailable: 9", "minAvailable: $MIN");
  repository.write("a.yaml", open);  // three rules ask for the number
  repository.commit();
  CHECK(last_line(since(repository, "HEAD")) == "0 no new findings, 3 undecided already in HEAD in 1 artifact");
  repository.write("b.yaml", replace_all(open, "name: a", "name: b"));
  CHECK(last_line(since(repository, "HEAD")) ==
        "0 no new findings, 3 undecided already in HEAD, 3 undecided in 2 artifacts");
  const auto json = nlohmann::json::parse(since(repository, "HEAD", {"--format", "json"}).out);
  CHECK(json["compared"]["undecided"] == 3);
}

TEST_CASE("a change that breaks a file it does not touch is found", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  const std::string conf = "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\nNodeName=n[1-4] CPUs=8\nInclude part.conf\n";
  repository.write("slurm.conf", conf);
  repository.write("part.conf", "PartitionName=p Nodes=n[1-4] MaxTime=1-0\n");
  repository.commit();
  REQUIRE(since(repository, "HEAD").code == 0);
  repository.write("slurm.conf", replace_all(conf, "n[1-4]", "n[1-3]"));
  const Ran ran = since(repository, "HEAD");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "/part.conf:1:"));
}

TEST_CASE("renamed files keep their findings, whether or not they change a little", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  const std::string conf =
      "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=n[1-4] Default=YES\n";
  repository.write("old/slurm/slurm.conf", conf);
  repository.write("jobs/a.yaml", volcano_job("a"));
  repository.write("broken.yaml", "apiVersion: v1\nkind: Pod\nspec: [\nmetadata: {name: x}\n");
  repository.commit();
  fs::create_directories(repository.path() + "/new");
  REQUIRE(repository.git("mv old/slurm new/east"));
  REQUIRE(repository.git("mv jobs work"));
  REQUIRE(repository.git("mv broken.yaml still-broken.yaml"));
  repository.write("new/east/slurm.conf", "# said\n" + conf);
  const Ran ran = since(repository, "HEAD", {"--fail-on", "info"});
  CHECK(contains(last_line(ran), "0 no new findings, "));
}

TEST_CASE("what was allowed and is so no more is new", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", replace_all(volcano_job("a"), "minAvailable: 9",
                                         "minAvailable: 9  # muster: allow gang-min-above-size -- lab"));
  repository.commit();
  repository.write("a.yaml", volcano_job("a"));
  CHECK(since(repository, "HEAD").code == 1);
}

TEST_CASE("each side is judged by its own configuration, and everything that is tracked is read", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("muster.yaml", "muster: config/v1\nrules: {severity: {gang-min-above-size: off}}\n");
  repository.write(".gitignore", "gen/\n");
  repository.write("gen/g.yaml", volcano_job("g"));
  repository.write("vendor/v.yaml", volcano_job("v"));
  REQUIRE(repository.git("add -f gen/g.yaml"));
  repository.commit();
  CHECK(since(repository, "HEAD").code == 0);
  repository.write("muster.yaml", "muster: config/v1\n");
  CHECK(last_line(since(repository, "HEAD")) == "1 2 errors in 2 artifacts (2 files skipped)");
  repository.commit();
  CHECK(last_line(since(repository, "HEAD")) ==
        "0 no new findings, 2 already in HEAD in 2 artifacts (2 files skipped)");
}

TEST_CASE("a path that was not there yet has only new findings", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  repository.commit();
  repository.write("sub/b.yaml", volcano_job("b"));
  const Ran ran = run_command({"check", repository.path() + "/sub", "--since", "HEAD"});
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "1 error in 1 artifact\n"));
  CHECK(run_command({"check", repository.path() + "/a.yaml", "--since", "HEAD"}).code == 0);
}

TEST_CASE("an open question is told once", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", replace_all(volcano_job("a"), "minAvailable: 9", "minAvailable: $MIN"));
  repository.commit();
  repository.write("a.yaml", "# moved\n" + repository.read("a.yaml"));
  CHECK(since(repository, "HEAD", {"--fail-on-unknown"}).code == 0);
  repository.write("b.yaml", replace_all(volcano_job("b"), "minAvailable: 9", "minAvailable: $MIN"));
  CHECK(since(repository, "HEAD", {"--fail-on-unknown"}).code == 1);
}

TEST_CASE("a baseline and a revision are held against the same findings", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  const std::string file = repository.path() + "/b.json";
  REQUIRE(run_command({"baseline", "write", repository.path(), "--baseline", file}).code == 0);
  repository.write("b.yaml", volcano_job("b"));
  repository.commit();
  repository.write("c.yaml", volcano_job("c"));
  const Ran ran = since(repository, "HEAD", {"--baseline", file});
  CHECK(last_line(ran) == "1 1 error, 1 in the baseline, 1 already in HEAD in 3 artifacts (1 file skipped)");
  CHECK_FALSE(contains(ran.out, "no more"));
}

TEST_CASE("a revision that cannot be had ends with 2", "[since]") {
  if (!test::has_git()) return;
  const Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  repository.commit();
  const Ran unknown = since(repository, "nowhere");
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err == "muster: --since: `nowhere` is no commit of `DIR`; fetch it first, or name another\n");
  CHECK(since(repository, "--upload-pack=x").code == 2);
  const test::TemporaryFolder outside;
  test::write_file(outside.path() + "/a.yaml", volcano_job("a"));
  const Ran none = run_command({"check", outside.path(), "--since", "HEAD"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "is in no git repository"));
  CHECK(contains(run_command({"check", repository.path(), outside.path(), "--since", "HEAD"}).err,
                 "is not in the repository"));
  CHECK(contains(run_command({"check", "-", "--since", "HEAD"}).err, "standard input has no revision"));
}

/// `inner` with a job of its own as the submodule of that name, beside another job.
static void add_submodule(const Repository& repository, const Repository& inner) {
  inner.write("i.yaml", volcano_job("i"));
  inner.commit();
  repository.write("a.yaml", volcano_job("a"));
  REQUIRE(repository.git("submodule add -q 'file://" + inner.path() + "' inner"));
  repository.commit();
}

TEST_CASE("a submodule is held against the commit that the revision names", "[since]") {
  if (!test::has_git()) return;
  const Repository inner;
  const Repository repository;
  add_submodule(repository, inner);
  CHECK(last_line(since(repository, "main")) == "0 no new findings, 2 already in main in 2 artifacts (1 file skipped)");
  inner.write("j.yaml", volcano_job("j"));
  inner.commit();
  REQUIRE(repository.git("-C inner pull -q"));
  CHECK(last_line(since(repository, "main")) == "1 1 error, 2 already in main in 3 artifacts (1 file skipped)");
}

TEST_CASE("a submodule that cannot be read at the revision is named", "[since]") {
  if (!test::has_git()) return;
  const Repository inner;
  const Repository repository;
  add_submodule(repository, inner);
  REQUIRE(repository.git("update-index --cacheinfo 160000,1234567890123456789012345678901234567890,inner"));
  REQUIRE(repository.git("commit -q -m lost"));
  const Ran ran = since(repository, "main");
  INFO(ran.out);
  CHECK(contains(ran.out, "DIR/inner` changed from `123456789012` to `"));
  CHECK(contains(ran.out, "`, of which `123456789012` is not here: not compared"));
  const auto json = nlohmann::json::parse(since(repository, "main", {"--format", "json"}).out);
  CHECK(json["compared"]["not_compared"].size() == 1);
  // Nothing changed, and nothing is said.
  const Repository other;
  REQUIRE(other.git("submodule add -q 'file://" + inner.path() + "' inner"));
  other.commit();
  REQUIRE(other.git("submodule deinit -q -f inner"));
  fs::remove_all(other.path() + "/.git/modules");
  CHECK_FALSE(contains(since(other, "main").out, "submodule"));
}
