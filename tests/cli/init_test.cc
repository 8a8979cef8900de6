// The muster.yaml to begin with: what it says, that it is one, and what it leaves alone.
#include <filesystem>
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/volcano_job.h"

namespace {

namespace fs = std::filesystem;
using muster::contains;
using muster::test::Ran;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

/// A gang that rests on how mpi-operator is set, and a site whose release nobody states.
class Repository {
 public:
  Repository() {
    write("jobs/mpi.yaml",
          "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: nccl}\nspec:\n  slotsPerWorker: 8\n"
          "  mpiReplicaSpecs:\n"
          "    Launcher: {replicas: 1, template: {spec: {containers: [{name: l, image: \"e/t:1\"}]}}}\n"
          "    Worker: {replicas: 4, template: {spec: {containers: [{name: w, image: \"e/t:1\", "
          "resources: {limits: {nvidia.com/gpu: 8}}}]}}}\n");
    write("slurm/slurm.conf", "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-2] CPUs=8\nPartitionName=p Nodes=n[1-2]\n");
  }
  void write(const std::string& name, const std::string& text) const { write_file(path(name), text); }
  /// A file that says which Slurm it installs.
  void install_slurm(const std::string& dockerfile) const {
    write(dockerfile,
          "FROM debian:12\nARG SLURM_VERSION=24.05.3\nRUN wget "
          "https://download.schedmd.com/slurm/slurm-${SLURM_VERSION}.tar.bz2\n");
  }
  std::string path(const std::string& name = "") const { return folder_.path() + (name.empty() ? "" : "/" + name); }
  std::string config() const { return read_file(path("muster.yaml")); }
  Ran run(const std::string& command, std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {command, path()});
    return run_command(options);
  }

 private:
  TemporaryFolder folder_;
};

/// With the lines in comments below a key taken in.
std::string taken_in(std::string text, const std::string& key) {
  const std::size_t begin = text.find("# " + key + ":");
  REQUIRE(begin != text.npos);
  std::string out = text.substr(0, begin);
  bool inside = true;
  for (const std::string_view line : muster::split(std::string_view(text).substr(begin), '\n')) {
    inside = inside && line.starts_with("# ");
    out += std::string(inside ? line.substr(2) : line) + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("init writes a muster.yaml that changes nothing until somebody says so", "[cli][init]") {
  const Repository repository;
  const Ran before = repository.run("check", {"--quiet", "--format", "rdjson"});
  CHECK(contains(before.out, "gang-scheduler-missing"));
  const Ran ran = repository.run("init");
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "/muster.yaml: "));
  CHECK(repository.run("check", {"--quiet", "--format", "rdjson"}).out == before.out);
  const std::string config = repository.config();
  CHECK(contains(config, "\n# targets:\n#   slurm: \"...\"  # no file states it; `scontrol --version` does\n"));
  CHECK(contains(config, "\n# operators:\n#   mpi-operator:\n#     gang-scheduling: \"\"  # 1 finding: runs without"));
  // Taken in and set right, the finding goes.
  repository.write("muster.yaml", muster::replace_all(taken_in(config, "operators"), "gang-scheduling: \"\"",
                                                      "gang-scheduling: volcano"));
  const Ran after = repository.run("check");
  CHECK(!contains(after.out, "gang-scheduler-missing"));
  CHECK(after.code == 0);
}

TEST_CASE("init tells which file states a release", "[cli][init]") {
  const Repository repository;
  repository.install_slurm("image/Dockerfile");
  CHECK(repository.run("init").code == 0);
  CHECK(contains(repository.config(), "#   slurm: \"24.05.3\"  # as " + repository.path("image/Dockerfile") + ":"));
  repository.write("muster.yaml", taken_in(repository.config(), "targets"));
  const Ran refused = repository.run("check");
  CHECK(refused.code == 2);  // `kubernetes: "..."` is still to be filled in
  CHECK(contains(refused.err, "..."));
}

TEST_CASE("init lets pass what is there already only when asked", "[cli][init]") {
  const Repository repository;
  repository.write("jobs/job.yaml", muster::test::volcano_job("a"));
  CHECK(repository.run("check").code == 1);
  CHECK(contains(repository.run("init").out, "muster init --with-baseline --force"));
  CHECK(repository.run("check").code == 1);
  CHECK(repository.run("init", {"--with-baseline", "--force"}).code == 0);
  CHECK(fs::exists(repository.path(".muster-baseline.json")));
  const Ran held = repository.run("check");
  CHECK(held.code == 0);
  CHECK(contains(held.out, "no new findings"));
}

TEST_CASE("init replaces nothing unasked and wants one folder", "[cli][init]") {
  const Repository repository;
  repository.write("muster.yaml", "muster: config/v1\ncomplete: true\n");
  const Ran ran = repository.run("init");
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "--force"));
  CHECK(repository.config() == "muster: config/v1\ncomplete: true\n");
  CHECK(run_command({"init", repository.path("slurm")}).code == 2);  // one above it counts there
  CHECK(run_command({"init", repository.path("slurm/slurm.conf")}).code == 2);
  CHECK(run_command({"init", repository.path(), repository.path("slurm")}).code == 2);
}

TEST_CASE("init gives the lines for the CI that a repository has", "[cli][init]") {
  const Repository repository;
  CHECK(!contains(repository.run("init").out, "For "));
  repository.write(".gitlab-ci.yml", "stages: [test]\n");
  const Ran ran = repository.run("init", {"--force"});
  CHECK(contains(ran.out, "\nFor .gitlab-ci.yml:\n\nmuster:\n"));
  CHECK(!contains(ran.out, ".github"));
}

TEST_CASE("names of files stay within their comment", "[cli][init]") {
  const Repository repository;
  repository.install_slurm("a\nrules: {severity: {gang-scheduler-missing: off}}\n#/Dockerfile");
  CHECK(repository.run("init").code == 0);
  CHECK(contains(repository.config(), "24.05.3"));
  CHECK(contains(repository.run("check").out, "gang-scheduler-missing"));
}
