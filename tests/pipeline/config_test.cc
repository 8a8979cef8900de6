#include "pipeline/config.h"

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;

/// A Volcano Job whose minimum is above its size, on line 5 of its file.
const char* const kConfiguredJob =
    "apiVersion: batch.volcano.sh/v1alpha1\n"
    "kind: Job\n"
    "metadata: {name: ddp, namespace: ml}\n"
    "spec:\n"
    "  minAvailable: 9\n"
    "  plugins: {pytorch: [\"--master=master\"]}\n"
    "  policies: [{event: PodEvicted, action: RestartJob}]\n"
    "  tasks:\n"
    "    - name: worker\n"
    "      replicas: 8\n"
    "      template:\n"
    "        spec:\n"
    "          restartPolicy: Never\n"
    "          containers:\n"
    "            - {name: c, image: example.com/train:1, command: [python, train.py], resources: {limits: "
    "{nvidia.com/gpu: 8}}}\n";

Ran check_with(const std::string& config, const std::vector<std::string>& more = {}, const std::string& path = "repo") {
  const FakeDisk disk({{"repo/muster.yaml", "muster: config/v1\n" + config}, {"repo/jobs/job.yaml", kConfiguredJob}});
  std::vector<std::string> words{"check", path};
  words.insert(words.end(), more.begin(), more.end());
  return muster::test::run_command(words, disk);
}

/// The first lines of the findings, without their snippets.
std::string heads(const std::string& text) {
  std::string out;
  bool place = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const bool head = line.starts_with("error[") || line.starts_with("warning[") || line.starts_with("info[");
    if (head || (place && line.find("-->") != std::string::npos)) out += line + "\n";
    place = head;
    at = end + 1;
  }
  return out;
}

const std::string kFinding =
    "error[gang-min-above-size]: `ddp` wants 9 pods placed together but has only 8\n  --> repo/jobs/job.yaml:5:17\n";

}  // namespace

TEST_CASE("every mistake of muster.yaml is told with its place, each on a line", "[config]") {
  const Ran ran = check_with(
      "targts: {}\nexclude: {a: b}\ncomplete: maybe\nrules: {severity: {gang-without-restart-policy: eror}, parms: "
      "{}}\ntargets: [slurm]\n"
      "suppress:\n  - {rule: gang-without-restart-policy}\n  - {rule: gang-without-restart-policy, reason: x, until: "
      "2027-13-01, why: y}\n  - text\n");
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  CHECK(
      ran.err ==
      "muster: the configuration cannot be used:\n"
      "muster: /repo/muster.yaml:2:1: unknown key `targts`; did you mean `targets`?\n"
      "muster: /repo/muster.yaml:6:10: expected `key: value` lines\n"
      "muster: /repo/muster.yaml:3:10: expected a list, got a mapping\n"
      "muster: /repo/muster.yaml:4:11: expected true or false, got `maybe`\n"
      "muster: /repo/muster.yaml:5:56: unknown key `parms`; did you mean `params`?\n"
      "muster: /repo/muster.yaml:5:49: expected one of error, warning, info or off; got `eror`; did you mean `error`?\n"
      "muster: /repo/muster.yaml:8:5: a suppression needs a reason\n"
      "muster: /repo/muster.yaml:9:71: unknown key `why`\n"
      "muster: /repo/muster.yaml:9:59: expected a date such as 2027-01-31\n"
      "muster: /repo/muster.yaml:10:5: expected `key: value` lines\n");
}

TEST_CASE("a value of muster.yaml of the wrong kind is told with its place, an empty one is as good as none",
          "[config]") {
  const Ran ran = check_with(
      "fleet: [a]\nexclude: [b, {c: d}]\ncomplete: \"true\"\nrules:\n  params: {gang-min-below-size: {most: [4]}}\n"
      "  rows: {control-plane: [x]}\n");
  CHECK(ran.code == 2);
  CHECK(ran.err ==
        "muster: the configuration cannot be used:\n"
        "muster: /repo/muster.yaml:2:8: expected a text, got a list\n"
        "muster: /repo/muster.yaml:3:14: expected a text, got a mapping\n"
        "muster: /repo/muster.yaml:4:11: expected true or false, got the text `true`\n"
        "muster: /repo/muster.yaml:6:40: expected a text, got a list\n"
        "muster: /repo/muster.yaml:7:25: expected `key: value` lines\n");
  const Ran empty =
      check_with("targets: {slurm: }\nfleet:\nexclude:\ncomplete:\nrules: {severity: , rows: }\nsuppress:\n");
  CHECK(empty.err == "");
  CHECK(heads(empty.out) == kFinding);
}

TEST_CASE("muster.yaml must be a configuration and hold one document", "[config]") {
  const auto message = [](const std::string& text) {
    const FakeDisk disk({{"muster.yaml", text}, {"a.yaml", "a: 1\n"}});
    const Ran ran = muster::test::run_command({"check", "."}, disk);
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(message("targets: {}\n").find("expected `muster: config/v1`") != std::string::npos);
  CHECK(message("muster: fleet/v1\n").find("expected `muster: config/v1`") != std::string::npos);
  CHECK(message("- muster: config/v1\n").find("expected") != std::string::npos);
  CHECK(message("muster: config/v1\n---\nmuster: config/v1\n").find("expected one YAML document") != std::string::npos);
  CHECK(message("muster: [\n").find("/muster.yaml:") != std::string::npos);
  CHECK(message("muster: config/v1\ntargets: {slrm: 1}\n").find("no target is called `slrm`; did you mean `slurm`?") !=
        std::string::npos);
  CHECK(message("muster: config/v1\ntargets: {slurm: new}\n").find("`new` is not a version of slurm") !=
        std::string::npos);
  CHECK(message("muster: config/v1\nrules: {severity: {gang-without-restart-polic: off}}\n")
            .find("gang-without-restart-polic") != std::string::npos);
  CHECK(message("muster: config/v1\nsuppress: [{rule: gang-without-restart-polic, reason: x}]\n") ==
        "muster: /muster.yaml: suppress: there is no rule `gang-without-restart-polic`; did you mean "
        "`gang-without-restart-policy`?\n");
}

TEST_CASE("a severity of muster.yaml counts, and off is silent", "[config]") {
  CHECK(check_with("").code == 1);
  const Ran lowered = check_with("rules: {severity: {gang-min-above-size: warning}}\n");
  CHECK(lowered.code == 0);
  CHECK(heads(lowered.out).starts_with("warning[gang-min-above-size]"));
  for (const char* off : {"off", "\"off\"", "false"})
    CHECK(heads(check_with(std::string("rules: {severity: {gang-min-above-size: ") + off + "}}\n").out).empty());
}

TEST_CASE("a suppression of muster.yaml covers by rule, by path from its folder, by condition, and by all of them",
          "[config]") {
  const auto covered = [](const std::string& entry) {
    const Ran ran =
        check_with("suppress:\n  - {rule: gang-min-above-size, reason: r" + entry + "}\n", {"--show-suppressed"});
    const bool shown = ran.out.starts_with(
        "suppressed[gang-min-above-size]: `ddp` wants 9 pods placed together but has only 8\n  --> "
        "repo/jobs/job.yaml:5\n   = reason: r\n");
    CHECK(shown == (ran.code == 0));
    return shown;
  };
  CHECK(covered(""));
  CHECK(covered(", path: \"jobs/**\""));
  CHECK_FALSE(covered(", path: \"repo/jobs/**\""));
  CHECK(covered(", where: 'g.name == \"ddp\"'"));
  CHECK_FALSE(covered(", where: 'g.name == \"other\"'"));
  CHECK(covered(", path: \"jobs/*.yaml\", where: 'g.name == \"ddp\"'"));
  CHECK_FALSE(covered(", path: \"other/**\", where: 'g.name == \"ddp\"'"));
  CHECK_FALSE(covered(", path: \"jobs/**\", where: 'g.name == \"other\"'"));
  CHECK(covered(", until: 2026-06-01"));
  CHECK_FALSE(covered(", until: 2026-05-31"));
  CHECK_FALSE(covered(", until: 2026-05-31, where: 'g.name == \"ddp\"'"));
}

TEST_CASE("a suppression of muster.yaml that has expired is a finding there, and what it allowed is one again",
          "[config]") {
  for (const char* where : {"", ", where: 'g.name == \"ddp\"'"}) {
    const Ran ran = check_with(std::string("suppress:\n  - {rule: gang-min-above-size, reason: r, until: 2026-05-31") +
                               where + "}\n");
    CHECK(heads(ran.out) == kFinding +
                                "warning[suppression-expired]: the permission for `gang-min-above-size` has expired\n  "
                                "--> repo/muster.yaml:3:5\n");
  }
}

TEST_CASE("a suppression of muster.yaml that matches nothing is a finding, where the whole repository was read",
          "[config]") {
  const std::string unused = "suppress:\n  - {rule: gang-without-restart-policy, reason: r}\n";
  CHECK(heads(check_with(unused).out) == kFinding +
                                             "warning[suppression-unused]: nothing here breaks "
                                             "`gang-without-restart-policy`\n  --> repo/muster.yaml:3:5\n");
  CHECK(heads(check_with(unused, {"--config", "repo/muster.yaml"}, "/").out).find("suppression-unused") !=
        std::string::npos);
  CHECK(heads(check_with(unused, {}, "repo/jobs").out) == kFinding);
  CHECK(heads(check_with("suppress:\n  - {rule: gang-min-above-size, where: 'g.name == \"gone\"', reason: r}\n").out) ==
        kFinding +
            "warning[suppression-unused]: nothing here breaks `gang-min-above-size`\n  --> repo/muster.yaml:3:5\n");
}

TEST_CASE("a condition of muster.yaml that does not compile is an error", "[config]") {
  const Ran ran = check_with("suppress: [{rule: gang-min-above-size, where: 'g.nam == \"x\"', reason: r}]\n");
  CHECK(ran.code == 2);
  CHECK(ran.err.find("/repo/muster.yaml: suppress: g.nam == \"x\": ") != std::string::npos);
  CHECK(check_with("suppress: [{rule: unreadable-file, where: 'true', reason: r}]\n")
            .err.find("`unreadable-file` has no objects; use `path`") != std::string::npos);
}

TEST_CASE("the nearest muster.yaml at or above the path counts, for standard input that of the working folder",
          "[config]") {
  FakeDisk disk({{"repo/muster.yaml", "muster: config/v1\nrules: {severity: {gang-min-above-size: off}}\n"},
                 {"repo/a/b/job.yaml", kConfiguredJob},
                 {"repo/strict/muster.yaml", "muster: config/v1\n"},
                 {"repo/strict/job.yaml", kConfiguredJob}});
  CHECK(muster::test::run_command({"check", "repo/a/b/job.yaml"}, disk).code == 0);
  CHECK(muster::test::run_command({"check", "repo/strict"}, disk).code == 1);
  CHECK(muster::test::run_command({"check", "repo/strict", "--config", "repo/muster.yaml"}, disk).code == 0);
  CHECK(muster::test::run_command({"check", "repo/a", "--config", "repo/gone.yaml"}, disk).code == 2);
  disk.standard_input = kConfiguredJob;
  CHECK(muster::test::run_command({"check", "-"}, disk).code == 1);
  disk.working_folder = "/repo/a";
  CHECK(muster::test::run_command({"check", "-"}, disk).code == 0);
}
