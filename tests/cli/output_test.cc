// Files that muster writes: reports and generated configuration.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"

namespace {

namespace fs = std::filesystem;
using muster::test::Ran;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

/// The working folder, and back again at the end.
class Standing {
 public:
  explicit Standing(const std::string& folder) : before_(fs::current_path()) { fs::current_path(folder); }
  ~Standing() { fs::current_path(before_); }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  fs::path before_;
};

const char* const kQueue =
    "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: q}\nspec: {weight: 1}\n";

std::string fleet(const std::string& leaf) {
  return "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: p, nodes: \"n[1-2]\", gpus_per_node: 8, control_plane: "
         "slurm}\n"
         "topology:\n  levels: [leaf]\n  domains:\n    - {name: " +
         leaf + ", level: leaf, nodes: \"n[1-2]\"}\n";
}

std::vector<std::string> generate(const TemporaryFolder& folder, const std::string& out) {
  return {"generate", "topology-conf", "--fleet", folder.path() + "/fleet.yaml", "--out", out};
}

}  // namespace

TEST_CASE("several formats are written at once, each to its place", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  const Ran ran = run_command({"check", folder.path() + "/in", "--format", "text", "--format",
                               "json=" + folder.path() + "/a.json", "--format", "sarif=" + folder.path() + "/a.sarif"});
  CHECK(ran.code == 0);
  CHECK(ran.out == "no findings in 1 artifact\n");
  CHECK(nlohmann::json::parse(read_file(folder.path() + "/a.json"))["version"] == "muster.check/v1");
  CHECK(nlohmann::json::parse(read_file(folder.path() + "/a.sarif"))["version"] == "2.1.0");
  // A second run replaces a longer file as a whole.
  write_file(folder.path() + "/a.json", std::string(100000, 'x'));
  CHECK(run_command({"check", folder.path() + "/in", "--format", "json=" + folder.path() + "/a.json"}).out.empty());
  CHECK(nlohmann::json::accept(read_file(folder.path() + "/a.json")));
}

TEST_CASE("a report that cannot be written is exit code 2", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  const auto error = [&](const std::string& path) {
    const Ran ran = run_command({"check", folder.path() + "/in", "--format", "json=" + path});
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(error(folder.path() + "/gone/a.json") ==
        "muster: cannot write `" + folder.path() + "/gone/a.json`: No such file or directory\n");
  CHECK(error(folder.path()) == "muster: cannot write `" + folder.path() + "`: Is a directory\n");
  CHECK(error("/dev/full") == "muster: cannot write `/dev/full`: the disk did not take all of it\n");
}

TEST_CASE("standard output that does not take all of it is exit code 2", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  const auto code = [&](const std::string& words) {
    const int status =
        std::system((std::string(MUSTER_BINARY) + " " + words + " >/dev/full 2>/dev/null").c_str());  // NOLINT
    return WEXITSTATUS(status);
  };
  CHECK(code("check " + folder.path() + "/in") == 2);
  CHECK(code("check " + folder.path() + "/in --format json") == 2);
  CHECK(code("check " + folder.path() + "/in --format json=/dev/full") == 2);
  CHECK(code("generate topology-conf --fleet " + folder.path() + "/fleet.yaml") == 2);
  CHECK(code("generate topology-conf --fleet " + folder.path() + "/fleet.yaml --out -") == 2);
  CHECK(code("generate --list") == 2);
  CHECK(code("explain gang-min-above-size") == 2);
  CHECK(code("schema check") == 2);
  CHECK(code("--help") == 2);
  CHECK(code("--version") == 2);
}

TEST_CASE("a pipe as a configuration is refused and not waited for", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  const std::string pipe = folder.path() + "/pipe.yaml";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string why = "`" + pipe + "`: it is neither a file nor a folder; a pipe is read as `-`\n";
  for (const std::string option : {"--config", "--fleet", "--workloads"}) {
    const Ran ran = run_command({"check", folder.path() + "/in", option, pipe});
    CHECK(ran.code == 2);
    CHECK(ran.err == "muster: cannot read " + why);
  }
}

TEST_CASE("a report is never written through a symbolic link", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  write_file(folder.path() + "/victim", "precious");
  fs::create_symlink(folder.path() + "/victim", folder.path() + "/a.json");
  fs::create_symlink(folder.path() + "/not-there", folder.path() + "/b.json");
  for (const std::string name : {"/a.json", "/b.json"}) {
    const Ran ran = run_command({"check", folder.path() + "/in", "--format", "json=" + folder.path() + name});
    CHECK(ran.code == 2);
    CHECK(ran.err == "muster: cannot write `" + folder.path() + name +
                         "`: it is a symbolic link, and those are not written through\n");
  }
  CHECK(read_file(folder.path() + "/victim") == "precious");
  CHECK_FALSE(fs::exists(folder.path() + "/not-there"));
}

TEST_CASE("a folder of the repository that is a link leads no file out of it", "[cli][output]") {
  const TemporaryFolder outside;
  const TemporaryFolder folder;
  write_file(folder.path() + "/in/q.yaml", kQueue);
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  fs::create_directories(folder.path() + "/real");
  fs::create_symlink(outside.path(), folder.path() + "/out");
  fs::create_symlink("real", folder.path() + "/within");
  const Standing standing(folder.path());
  const Ran ran = run_command({"check", "in", "--format", "json=out/a.json"});
  CHECK(ran.code == 2);
  CHECK(ran.err == "muster: cannot write `out/a.json`: a symbolic link leads out of this folder, to `" +
                       fs::canonical(outside.path()).string() + "`; name that place to write there\n");
  CHECK(run_command(generate(folder, "out")).code == 2);
  CHECK(run_command(generate(folder, "out/deeper")).code == 2);
  CHECK(muster::test::entries(outside.path()).empty());
  // Within the working folder, and where the place itself is named, links are the user's business.
  CHECK(run_command({"check", "in", "--format", "json=within/a.json"}).code == 0);
  CHECK(run_command({"check", "in", "--format", "json=a.json"}).code == 0);
  CHECK(run_command({"check", "in", "--format", "json=" + outside.path() + "/a.json"}).code == 0);
  CHECK(run_command({"check", "in", "--format", "json=../" + fs::path(outside.path()).filename().string() + "/b.json"})
            .code == 0);
}

TEST_CASE("generate makes a folder below the working one, however deep", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  const Standing here(folder.path());
  for (const std::string out : {"new", "other/deep"}) {
    const Ran ran = run_command({"generate", "topology-conf", "--fleet", "fleet.yaml", "--out", out});
    CHECK(ran.err == "wrote " + out + "/topology.conf\n");
    CHECK(ran.code == 0);
    CHECK(read_file(folder.path() + "/" + out + "/topology.conf").find("SwitchName=leaf1 Nodes=n[1-2]") !=
          std::string::npos);
  }
}

TEST_CASE("generate writes into a folder it makes, says so, and replaces nothing without --force", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  const std::string out = folder.path() + "/new/deep";
  const std::string path = out + "/topology.conf";
  const Ran first = run_command(generate(folder, out));
  CHECK(first.code == 0);
  CHECK(first.out.empty());
  CHECK(first.err == "wrote " + path + "\n");
  const std::string text = read_file(path);
  CHECK(text.find("SwitchName=leaf1 Nodes=n[1-2]") != std::string::npos);

  write_file(path, "mine");
  const Ran second = run_command(generate(folder, out));
  CHECK(second.code == 2);
  CHECK(second.err == "muster: `" + path + "` exists; --force replaces it\n");
  CHECK(read_file(path) == "mine");

  std::vector<std::string> forced = generate(folder, out);
  forced.emplace_back("--force");
  forced.emplace_back("--quiet");
  const Ran third = run_command(forced);
  CHECK(third.code == 0);
  CHECK(third.err.empty());
  CHECK(read_file(path) == text);
  CHECK(muster::test::entries(out) == std::vector<std::string>{"topology.conf"});  // and nothing beside it
}

TEST_CASE("generate all writes what is called for, and exit code 2 says that something of it was refused",
          "[cli][output]") {
  const TemporaryFolder folder;
  const std::string example = muster::test::source_dir() + "/examples/generate/";
  const auto all = [&](const std::string& out) {
    return std::vector<std::string>{"generate",    "all",
                                    "--fleet",     folder.path() + "/fleet.yaml",
                                    "--workloads", example + "workloads.yaml",
                                    "--out",       folder.path() + "/" + out};
  };
  CHECK(run_command({"generate", "all", "--workloads", example + "workloads.yaml"}).err.find("needs a fleet file") !=
        std::string::npos);
  std::string text = read_file(example + "fleet.yaml");
  write_file(folder.path() + "/fleet.yaml", text);
  const Ran whole = run_command(all("whole"));
  INFO(whole.err);
  CHECK(whole.code == 0);
  CHECK(whole.err.find("`gpus_per_node` of workload `evaluation` is missing") != std::string::npos);
  CHECK(muster::test::entries(folder.path() + "/whole") == muster::test::entries(example + "written"));

  text.replace(text.find("limit_gpus: 128}"), 16, "limit_gpus: 32}");
  write_file(folder.path() + "/fleet.yaml", text);
  const Ran part = run_command(all("part"));
  INFO(part.err);
  CHECK(part.code == 2);
  CHECK(part.err.find("`kai-queues` is not written:") != std::string::npos);
  CHECK(fs::exists(folder.path() + "/part/pytorchjob.yaml"));
  CHECK_FALSE(fs::exists(folder.path() + "/part/kai-queues.yaml"));
}

TEST_CASE("generate --out - prints, as it does without", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  const Standing standing(folder.path());
  const Ran ran = run_command({"generate", "topology-conf", "--fleet", "fleet.yaml", "--out", "-"});
  CHECK(ran.code == 0);
  CHECK(ran.out == run_command({"generate", "topology-conf", "--fleet", "fleet.yaml"}).out);
  CHECK(ran.out.find("SwitchName=leaf1") != std::string::npos);
  CHECK_FALSE(fs::exists("-"));
}

TEST_CASE("generate without --out writes to standard output", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  const Ran ran = run_command({"generate", "topology-conf", "--fleet", folder.path() + "/fleet.yaml"});
  CHECK(ran.code == 0);
  CHECK(ran.out.find("SwitchName=leaf1 Nodes=n[1-2]\n") != std::string::npos);
}

TEST_CASE("generate replaces a link, dangling or not, and never what it leads to", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1"));
  write_file(folder.path() + "/victim", "precious");
  for (const std::string target : {"/victim", "/not-there"}) {
    const std::string out = folder.path() + "/out" + muster::replace_all(target, "/", "-");
    fs::create_directories(out);
    fs::create_symlink(folder.path() + target, out + "/topology.conf");
    CHECK(run_command(generate(folder, out)).err ==
          "muster: `" + out + "/topology.conf` exists; --force replaces it\n");
    std::vector<std::string> forced = generate(folder, out);
    forced.emplace_back("--force");
    CHECK(run_command(forced).code == 0);
    CHECK(fs::is_regular_file(fs::symlink_status(out + "/topology.conf")));
  }
  CHECK(read_file(folder.path() + "/victim") == "precious");
  CHECK_FALSE(fs::exists(folder.path() + "/not-there"));
  // --out itself may not be a link to nowhere or a file.
  fs::create_symlink(folder.path() + "/not-there", folder.path() + "/dangling");
  CHECK(run_command(generate(folder, folder.path() + "/dangling")).code == 2);
  CHECK(run_command(generate(folder, folder.path() + "/victim")).code == 2);
  CHECK_FALSE(fs::exists(folder.path() + "/not-there"));
}

TEST_CASE("no name in a fleet or workloads file gets out of its value", "[cli][output]") {
  const TemporaryFolder folder;
  const std::vector<std::string> hostile{
      "\"../../evil\"", "\"/etc/evil\"", "\"leaf\\nSwitchName=evil Nodes=n1\"", "\"a b=c\"", "\"a#b\"",
      "\"a\\u0000b\"",  "\"\""};
  for (const std::string& name : hostile) {
    INFO(name);
    write_file(folder.path() + "/fleet.yaml", fleet(name));
    const Ran ran = run_command(generate(folder, folder.path() + "/out"));
    CHECK(ran.code == 2);
    CHECK(ran.err.starts_with("muster: "));
    CHECK_FALSE(fs::exists(folder.path() + "/out"));
  }
  write_file(folder.path() + "/fleet.yaml",
             "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-16]\", gpus_per_node: 8, "
             "control_plane: kubernetes}\n");
  for (const std::string& name : hostile) {
    INFO(name);
    write_file(folder.path() + "/w.yaml", "muster: workloads/v1\nworkloads:\n  - {name: " + name +
                                              ", nodes: 2, gpus_per_node: 8, tightly_coupled: true, bare_metal: false, "
                                              "python_native_pipeline: false, edge_or_dev: false}\n");
    const Ran ran = run_command({"generate", "volcano-job", "--fleet", folder.path() + "/fleet.yaml", "--workloads",
                                 folder.path() + "/w.yaml", "--out", folder.path() + "/jobs"});
    CHECK(ran.code == 2);
    CHECK_FALSE(fs::exists(folder.path() + "/jobs"));
  }
  CHECK(muster::test::entries(folder.path()) == std::vector<std::string>{"fleet.yaml", "w.yaml"});
}

TEST_CASE("nothing is generated from files with mistakes in them", "[cli][output]") {
  const TemporaryFolder folder;
  write_file(folder.path() + "/fleet.yaml", fleet("leaf1") + "nonsense: 1\n");
  const Ran ran = run_command(generate(folder, folder.path() + "/out"));
  CHECK(ran.code == 2);
  CHECK(ran.err.find("fleet.yaml:9:1: ") != std::string::npos);
  CHECK(ran.err.ends_with("muster: nothing is written from files with mistakes in them\n"));
  CHECK_FALSE(fs::exists(folder.path() + "/out"));
}
