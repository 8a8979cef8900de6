// What people try first: words of other programs, places that are not there, packed standard input.
#include "base/strings.h"
#include "cli/usage.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

using muster::contains;
using muster::test::FakeDisk;
using muster::test::run_command;
using Texts = std::map<std::string, std::string>;

TEST_CASE("help and version are understood as other programs take them", "[cli]") {
  CHECK(run_command({"help"}).out == run_command({"--help"}).out);
  CHECK(run_command({"help", "check"}).out == run_command({"check", "--help"}).out);
  CHECK(run_command({"version"}).out == run_command({"--version"}).out);
  CHECK(run_command({"-V"}).out == run_command({"--version"}).out);
  for (const muster::CommandUsage& command : muster::usage_of_commands()) {
    const std::string text = run_command({command.name, "--help"}).out;
    CHECK_FALSE(contains(text, "\n\n\n"));
    CHECK_FALSE(text.ends_with("\n\n"));
    if (command.name == "schema") CHECK(command.operands.front().choices.size() == 14);
  }
}

TEST_CASE("a line that a file does not have is no line of which nothing is said", "[cli][explain]") {
  const FakeDisk disk(Texts{{"slurm.conf", "ClusterName=lab\nSlurmctldHost=ctl\n"}});
  const muster::test::Ran ran = run_command({"explain", "--at", "slurm.conf:99"}, disk);
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "`slurm.conf` has 2 lines, and no line 99"));
}

TEST_CASE("what is found as a file is read is explained at its line, too", "[cli][explain]") {
  const FakeDisk disk(
      Texts{{"job.yaml",
             "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      "
             "restartPolicy: Always\n      containers: [{name: c, image: \"a:1\"}]\n"}});
  CHECK(contains(run_command({"explain", "--at", "job.yaml:7"}, disk).out, "restart-policy-unsupported: fires"));
  CHECK_FALSE(contains(run_command({"explain", "--at", "job.yaml:3"}, disk).out, "restart-policy-unsupported: fires"));
}

TEST_CASE("decide and generate say what they need, whatever else is wrong there", "[cli]") {
  const FakeDisk disk(Texts{{"kustomization.yaml", "resources: [gone.yaml]\n"}, {"job.yaml", "kind: Job\n  a\n: b\n"}});
  CHECK(contains(run_command({"decide"}, disk).err, "`muster init` writes one"));
  CHECK(contains(run_command({"generate", "all"}, disk).err, "needs a fleet file"));
}

TEST_CASE("what can only be lowered in muster.yaml is not to be allowed on the line again", "[cli][suppress]") {
  const FakeDisk disk(Texts{{"pod.yaml",
                             "# muster: allow gang-min-below-size -- it is fine\napiVersion: v1\nkind: Pod\nmetadata: "
                             "{name: a}\nspec: {containers: [{name: c, image: \"a:1\"}]}\n"}});
  const std::string out = run_command({"check", "."}, disk).out;
  CHECK(contains(out, "can only be lowered in muster.yaml"));
  CHECK(contains(out, "give it another severity under `rules:`"));
}

TEST_CASE("a severity that is none is met with what was meant", "[cli][config]") {
  const FakeDisk disk(
      Texts{{"a.yaml", "a: 1\n"}, {"muster.yaml", "muster: config/v1\nrules: {severity: {gang-of-one: warn}}\n"}});
  CHECK(contains(run_command({"check", "."}, disk).err,
                 "expected one of error, warning, info or off; got `warn`; did you mean `warning`?"));
}

TEST_CASE("what is packed on standard input is unpacked, whatever it is called", "[cli][gzip]") {
  // gzip of a batch script with `#SBATCH --nodez=2`.
  constexpr char kPacked[] =
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x53\x56\xd4\x4f\xca\xcc\xd3\x4f\x4a\x2c\xce\xe0"
      "\x52\x0e\x76\x72\x0c\x71\xf6\x50\xd0\xd5\xcd\xcb\x4f\x49\xad\xb2\x35\xe2\x2a\x2e\x2a\xcd"
      "\x53\x48\xe4\x02\x00\xc5\x4f\x4c\x45\x25\x00\x00\x00";
  FakeDisk disk(Texts{});
  disk.standard_input = std::string(kPacked, sizeof kPacked - 1);
  CHECK(contains(run_command({"check", "-"}, disk).out,
                 "sbatch has no option `nodez` of its own; did you mean `nodes`?"));
}
