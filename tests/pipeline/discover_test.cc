#include "pipeline/discover.h"

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::test::FakeDisk;

/// `path|bundle` for each file that was read, then the findings and, after `!`, the error.
std::string found_with(const FakeDisk& disk, const muster::DiscoverOptions& options) {
  std::vector<muster::Finding> findings;
  const muster::Result<muster::Inputs> inputs = muster::discover(options, disk, findings);
  if (!inputs) return "!" + inputs.error().message;
  std::string out;
  for (const muster::InputFile& file : inputs->files) out += file.context.path + "|" + file.context.bundle + "\n";
  for (const muster::Finding& finding : findings)
    out += inputs->sources.file(finding.where.file).path() + " " + finding.rule + ": " + finding.message + "\n";
  if (inputs->skipped > 0) out += "skipped " + std::to_string(inputs->skipped) + "\n";
  return out;
}

std::string found_in(const FakeDisk& disk, const std::vector<std::string>& paths) {
  return found_with(disk, {paths, {}, {}, {}});
}

}  // namespace

TEST_CASE("an unreadable file or folder within a path is a finding while work continues", "[pipeline]") {
  FakeDisk disk({{"r/a.yaml", "a: 1\n"}, {"r/locked.yaml", "b: 1\n"}, {"r/z.yaml", "c: 1\n"}});
  disk.unreadable = {"r/locked.yaml", "r/private"};
  CHECK(found_in(disk, {"/r"}) ==
        "r/a.yaml|/r\nr/locked.yaml|/r\nr/private|/r\nr/z.yaml|/r\n"
        "r/locked.yaml unreadable-file: cannot read `r/locked.yaml`: permission denied\n"
        "r/private unreadable-file: cannot read `r/private`: permission denied\n");
}

TEST_CASE("an unreadable file shows as a placed warning of the check, and its neighbours are checked", "[pipeline]") {
  FakeDisk disk({{"r/queue.yaml",
                  "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\nspec: {weight: 1}\n"},
                 {"r/locked.yaml", "b: 1\n"}});
  disk.unreadable = {"r/locked.yaml"};
  const muster::test::Ran ran = muster::test::run_command({"check", "r"}, disk);
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with(
      "warning[unreadable-file]: cannot read `r/locked.yaml`: permission denied\n  --> r/locked.yaml:1:1\n"));
  CHECK(ran.out.ends_with("1 warning in 1 artifact (1 file skipped)\n"));
  CHECK(muster::test::run_command({"check", "r", "--fail-on", "warning"}, disk).code == 1);
}

TEST_CASE("a path that was named and cannot be read is an error", "[pipeline]") {
  FakeDisk disk({{"locked.yaml", "b: 1\n"}, {"a.yaml", "a: 1\n"}});
  disk.unreadable = {"locked.yaml", "private"};
  disk.pipes = {"pipe"};
  CHECK(found_in(disk, {"locked.yaml"}) == "!cannot read `locked.yaml`: permission denied");
  CHECK(found_in(disk, {"private"}) == "!cannot read `private`: permission denied");
  CHECK(found_in(disk, {"a.yaml", "gone"}) == "!cannot read `gone`: no such file or folder");
  CHECK(found_in(disk, {"pipe"}) == "!cannot read `pipe`: it is neither a file nor a folder; a pipe is read as `-`");
  CHECK(found_with(disk, {{"a.yaml"}, {"locked.yaml"}, {}, {}}) == "!cannot read `locked.yaml`: permission denied");
}

TEST_CASE("files go by the path by which they can be opened from where one stands", "[pipeline]") {
  FakeDisk disk({{"home/repo/a/x.yaml", "a: 1\n"}, {"home/repo/y.yaml", "a: 1\n"}});
  disk.working_folder = "/home/repo";
  CHECK(found_in(disk, {"."}) == "a/x.yaml|/home/repo\ny.yaml|/home/repo\n");
  CHECK(found_in(disk, {"a"}) == "a/x.yaml|/home/repo/a\n");
  CHECK(found_in(disk, {"/home/repo/a/../a/x.yaml"}) == "a/x.yaml|/home/repo/a\n");
  disk.working_folder = "/elsewhere";
  CHECK(found_in(disk, {"/home/repo"}) == "/home/repo/a/x.yaml|/home/repo\n/home/repo/y.yaml|/home/repo\n");
  CHECK(found_in(disk, {"../home/repo/a"}) == "../home/repo/a/x.yaml|/home/repo/a\n");
  CHECK(found_in(disk, {"../home/./x/../repo/a/x.yaml"}) == "../home/repo/a/x.yaml|/home/repo/a\n");
  CHECK(found_in(disk, {"/home/repo/a/x.yaml"}) == "/home/repo/a/x.yaml|/home/repo/a\n");
  // Below the working folder nothing has `..`, wherever the walk began.
  disk.working_folder = "/home/repo/a";
  CHECK(found_in(disk, {".."}) == "../y.yaml|/home/repo\nx.yaml|/home/repo\n");
  CHECK(found_in(disk, {"/home"}) == "/home/repo/y.yaml|/home\nx.yaml|/home\n");
}

TEST_CASE("two paths with files of the same names stay apart, and one file has one name", "[pipeline]") {
  FakeDisk disk({{"one/x.yaml", "a: 1\n"}, {"two/x.yaml", "a: 1\n"}});
  disk.working_folder = "/elsewhere";
  CHECK(found_in(disk, {"../one", "../two"}) == "../one/x.yaml|/one\n../two/x.yaml|/two\n");
  CHECK(found_in(disk, {"/two", "/one"}) == "/one/x.yaml|/one\n/two/x.yaml|/two\n");
  CHECK(found_in(disk, {"/one", "../one"}) == found_in(disk, {"../one", "/one"}));
}

TEST_CASE("fingerprints do not depend on where one stands outside of the input", "[pipeline]") {
  FakeDisk disk(std::map<std::string, std::string>{{"home/repo/a/x.yaml", "a: 1\n"}});
  const auto name = [&](const std::string& folder, const std::string& path) {
    disk.working_folder = folder;
    std::vector<muster::Finding> findings;
    const muster::Result<muster::Inputs> inputs = muster::discover({{path}, {}, {}, {}}, disk, findings);
    return inputs->sources.file(static_cast<muster::FileId>(0)).name();
  };
  CHECK(name("/home/repo", ".") == "a/x.yaml");
  CHECK(name("/elsewhere", "/home/repo") == "a/x.yaml");
  CHECK(name("/else/where", "../../home/repo") == "a/x.yaml");
}

TEST_CASE("a file that is reached twice is read once", "[pipeline]") {
  const FakeDisk disk({{"r/a/x.yaml", "a: 1\n"}, {"r/y.yaml", "a: 1\n"}});
  const std::string once = "r/a/x.yaml|/r\nr/y.yaml|/r\n";
  CHECK(found_in(disk, {"r", "r"}) == once);
  CHECK(found_in(disk, {"r", "./r/", "/r", "r/a", "r/a/x.yaml"}) == once);
}

TEST_CASE("the order of the arguments does not show", "[pipeline]") {
  const FakeDisk disk({{"a.yaml", "a: 1\n"}, {"b.yaml", "a: 1\n"}, {"c/d.yaml", "a: 1\n"}});
  CHECK(found_in(disk, {"c", "b.yaml", "a.yaml"}) == found_in(disk, {"a.yaml", "b.yaml", "c"}));
}

TEST_CASE("links lead to other folders of the same path and nowhere else", "[pipeline]") {
  FakeDisk disk({{"r/common/gres.conf", "Name=gpu File=/dev/nvidia0\n"},
                 {"r/one/slurm.conf", "ClusterName=one\n"},
                 {"outside/secret.yaml", "a: 1\n"}});
  disk.links = {{"r/one/gres.conf", "r/common/gres.conf"},
                {"r/one/second-name.conf", "r/one/slurm.conf"},
                {"r/one/secret.yaml", "outside/secret.yaml"},
                {"r/one/dangling.yaml", "r/one/gone.yaml"}};
  CHECK(found_in(disk, {"r"}) == "r/common/gres.conf|/r\nr/one/gres.conf|/r\nr/one/slurm.conf|/r\n");
}

TEST_CASE("hidden folders are read, .git is not", "[pipeline]") {
  const FakeDisk disk({{"r/.git/config", "a"},
                       {"r/.github/x.yaml", "a: 1\n"},
                       {"r/.hidden.yaml", "a: 1\n"},
                       {"r/sub/.git/HEAD", "ref"}});
  CHECK(found_in(disk, {"r"}) == "r/.github/x.yaml|/r\nr/.hidden.yaml|/r\n");
}

TEST_CASE("globs of exclude count from the folder of muster.yaml, wherever one stands", "[pipeline]") {
  FakeDisk disk({{"repo/third/a.yaml", "a: 1\n"},
                 {"repo/third/deep/b.yaml", "a: 1\n"},
                 {"repo/src/third/c.yaml", "a: 1\n"},
                 {"repo/src/d.tmp.yaml", "a: 1\n"},
                 {"repo/e.yaml", "a: 1\n"}});
  const auto found = [&](const std::string& folder, const std::string& path, const std::vector<std::string>& excludes) {
    disk.working_folder = folder;
    const std::string all = found_with(disk, {{path}, {}, excludes, "/repo"});
    return muster::replace_all(all, "|/repo", "");
  };
  CHECK(found("/repo", ".", {"third/**"}) == "e.yaml\nsrc/d.tmp.yaml\nsrc/third/c.yaml\n");
  CHECK(found("/", "/repo", {"third/**"}) == "repo/e.yaml\nrepo/src/d.tmp.yaml\nrepo/src/third/c.yaml\n");
  CHECK(found("/elsewhere", "/repo", {"third"}) == "/repo/e.yaml\n/repo/src/d.tmp.yaml\n/repo/src/third/c.yaml\n");
  CHECK(found("/repo/src", "..", {"**/third/**"}) == "../e.yaml\nd.tmp.yaml\n");
  CHECK(found("/repo", ".", {"third/*"}) == "e.yaml\nsrc/d.tmp.yaml\nsrc/third/c.yaml\n");
  CHECK(found("/repo", ".", {"**/*.tmp.yaml", "e.yaml"}) == "src/third/c.yaml\nthird/a.yaml\nthird/deep/b.yaml\n");
  CHECK(found("/repo", ".", {"/repo/e.yaml", ""}).starts_with("e.yaml\n"));
}

TEST_CASE("an editor's backup is left out and what a chart has below its templates is its own", "[pipeline]") {
  const FakeDisk disk(
      {{"repo/slurm.conf", "A=1\n"}, {"repo/slurm.conf~", "A=2\n"}, {"repo/chart/templates/vendor/a.yaml", "a: 1\n"}});
  CHECK(found_in(disk, {"repo"}) == "repo/chart/templates/vendor/a.yaml|/repo\nrepo/slurm.conf|/repo\n");
  CHECK(found_in(disk, {"repo/slurm.conf~"}) == "repo/slurm.conf~|/repo\n");
}

TEST_CASE("what is named is read even where exclude names it, too", "[pipeline]") {
  const FakeDisk disk({{"repo/vendor/a.yaml", "a: 1\n"}, {"repo/fleet.yaml", "muster: fleet/v1\nname: x\n"}});
  CHECK(found_with(disk, {{"repo/vendor/a.yaml"}, {}, {"vendor/**"}, "/repo"}) == "repo/vendor/a.yaml|/repo/vendor\n");
  CHECK(found_with(disk, {{"repo/vendor/a.yaml"}, {"repo/fleet.yaml"}, {"**"}, "/repo"}) ==
        "repo/fleet.yaml|\nrepo/vendor/a.yaml|/repo/vendor\n");
  CHECK(found_with(disk, {{"repo"}, {}, {"**"}, "/repo"}) == "!there is not one file in `repo` that no glob excludes");
}

TEST_CASE("empty, binary and huge files are counted and not read", "[pipeline]") {
  FakeDisk disk({{"r/empty.txt", ""}, {"r/binary", std::string("a\0b", 3)}, {"r/x.yaml", "a: 1\n"}});
  disk.files["r/huge.yaml"] = std::string(muster::kMaxFileSize + 1, '#');
  disk.files["r/model.bin"] = std::string(muster::kMaxFileSize + 1, 'x');
  disk.files["r/jobs"] = "#!/bin/sh\n#SBATCH -N 2\n" + std::string(muster::kMaxFileSize, '#');
  CHECK(found_in(disk, {"r"}) ==
        "r/huge.yaml|/r\nr/jobs|/r\nr/x.yaml|/r\n"
        "r/huge.yaml unreadable-file: cannot read `r/huge.yaml`: larger than 32 MiB\n"
        "r/jobs unreadable-file: cannot read `r/jobs`: larger than 32 MiB\nskipped 3\n");
}

TEST_CASE("folders nested too deep are told, not passed over", "[pipeline]") {
  std::string path = "r";
  for (int i = 0; i < 210; ++i) path += "/d";
  const FakeDisk disk(std::map<std::string, std::string>{{path + "/a.yaml", "a: 1\n"}, {"r/x.yaml", "a: 1\n"}});
  std::vector<muster::Finding> findings;
  const muster::Result<muster::Inputs> inputs = muster::discover({{"r"}, {}, {}, {}}, disk, findings);
  REQUIRE(inputs);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message.ends_with("`: more than 200 folders lie around it"));
  CHECK(inputs->too_large.size() == 1);
}

TEST_CASE("vendor and node_modules are no part of a repository, unless they are named", "[pipeline]") {
  const FakeDisk disk(
      {{"r/vendor/a.yaml", "a: 1\n"}, {"r/deep/node_modules/b.yaml", "a: 1\n"}, {"r/vendor.yaml", "a: 1\n"}});
  CHECK(found_in(disk, {"r"}) == "r/vendor.yaml|/r\n");
  CHECK(found_in(disk, {"r/vendor"}) == "r/vendor/a.yaml|/r/vendor\n");
  muster::DiscoverOptions all{{"r"}, {}, {}, {}, muster::DiscoverOptions::Ignored::Read};
  CHECK(found_with(disk, all) == "r/deep/node_modules/b.yaml|/r\nr/vendor.yaml|/r\nr/vendor/a.yaml|/r\n");
  CHECK(found_in(disk, {"r/deep"}) ==
        "!there is not one file in `r/deep` that git does not ignore; --no-ignore reads all");
}

TEST_CASE("a bundle begins at the nearest folder with a mark", "[pipeline]") {
  const FakeDisk disk({{"r/a/kustomization.yaml", "resources: []\n"},
                       {"r/a/deep/x.yaml", "a: 1\n"},
                       {"r/b/Chart.yaml", "name: b\n"},
                       {"r/b/templates/y.yaml", "a: 1\n"},
                       {"r/c/z.yaml", "a: 1\n"},
                       {"r/a/b2/muster.yaml", "muster: config/v1\n"}});
  CHECK(found_in(disk, {"r"}) ==
        "r/a/b2/muster.yaml|/r/a/b2\nr/a/deep/x.yaml|/r/a\nr/a/kustomization.yaml|/r/a\nr/b/Chart.yaml|/r/b\nr/b/"
        "templates/y.yaml|/r/b\nr/c/z.yaml|/r\n");
  CHECK(found_in(disk, {"r/a/deep"}) == "r/a/deep/x.yaml|/r/a\n");
  CHECK(found_in(disk, {"r/c/z.yaml"}) == "r/c/z.yaml|/r/c\n");
}

TEST_CASE("standard input is a file like any other", "[pipeline]") {
  FakeDisk disk(std::map<std::string, std::string>{{"r/a.yaml", "a: 1\n"}});
  disk.standard_input = "b: 1\n";
  CHECK(found_in(disk, {"-", "-"}) == "stdin|stdin\n");
  CHECK(found_in(disk, {"r/a.yaml", "-"}) == "r/a.yaml|/r\nstdin|stdin\n");
}
