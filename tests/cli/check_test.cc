// The command line as an interface: exit codes, streams, messages.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/files.h"
#include "support/json.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using Files = std::map<std::string, std::string>;

const std::string kError =  // the minimum is above the size
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: e}\nspec:\n  minAvailable: 9\n  plugins: "
    "{pytorch: [\"--master=master\"]}\n"
    "  policies: [{event: PodEvicted, action: RestartJob}]\n"
    "  tasks: [{name: worker, replicas: 8, template: {spec: {containers: [{name: c, image: e/t:1, command: [python, "
    "t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}}]\n";
const std::string kWarning = muster::replace_all(muster::replace_all(kError, "minAvailable: 9", "minAvailable: 7"),
                                                 "python, t.py", "torchrun, t.py");
const std::string kClean = muster::replace_all(kError, "minAvailable: 9", "minAvailable: 8");
const std::string kUnknown = muster::replace_all(kError, "minAvailable: 9", "minAvailable: $MIN");

int code(const std::string& text, const std::vector<std::string>& more) {
  const FakeDisk disk(Files{{"r/j.yaml", text}});
  std::vector<std::string> words{"check", "r"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words, disk).code;
}

std::string complaint(const std::vector<std::string>& words) {
  const FakeDisk disk(Files{{"r/j.yaml", kClean}});
  const Ran ran = run_command(words, disk);
  CHECK(ran.code == 2);
  CHECK(ran.out.empty());
  return ran.err;
}

}  // namespace

TEST_CASE("the exit code is 1 from the level of --fail-on upwards", "[cli]") {
  for (const auto& [level, on_error, on_warning] : std::vector<std::tuple<std::string, int, int>>{
           {"error", 1, 0}, {"warning", 1, 1}, {"info", 1, 1}, {"never", 0, 0}}) {
    INFO(level);
    CHECK(code(kError, {"--fail-on", level}) == on_error);
    CHECK(code(kWarning, {"--fail-on", level}) == on_warning);
    CHECK(code(kClean, {"--fail-on", level}) == 0);
  }
  CHECK(code(kError, {}) == 1);
  CHECK(code(kWarning, {}) == 0);
}

TEST_CASE("an info fails only --fail-on info", "[cli]") {
  const FakeDisk disk(Files{{"r/muster.yaml", "muster: config/v1\nrules: {severity: {gang-min-above-size: info}}\n"},
                            {"r/j.yaml", kError}});
  CHECK(run_command({"check", "r", "--fail-on", "warning"}, disk).code == 0);
  CHECK(run_command({"check", "r", "--fail-on", "info"}, disk).code == 1);
}

TEST_CASE("what is undecided fails with --fail-on-unknown alone", "[cli]") {
  CHECK(code(kUnknown, {}) == 0);
  CHECK(code(kUnknown, {"--fail-on-unknown"}) == 1);
  CHECK(code(kUnknown, {"--fail-on-unknown", "--fail-on", "never"}) == 1);
  CHECK(code(kClean, {"--fail-on-unknown"}) == 0);
}

TEST_CASE("a command line that cannot be meant is told what was", "[cli]") {
  CHECK(complaint({}) ==
        "muster: name a command: check, merge, init, baseline, decide, diff, generate, prove, review, inventory, "
        "explain, rules, lsp, dump, completion, schema\nmuster: try `muster --help`\n");
  CHECK(complaint({"chekc"}) ==
        "muster: there is no command `chekc`; did you mean `check`?; known are check, merge, init, baseline, decide, "
        "diff, generate, prove, review, inventory, explain, rules, lsp, dump, completion, schema\nmuster: try `muster "
        "--help`\n");
  CHECK(complaint({"check", "--fromat", "json"}) ==
        "muster: there is no option `--fromat`; did you mean `--format`?\nmuster: try `muster check --help`\n");
  CHECK(complaint({"check", "--quite=1"}) ==
        "muster: there is no option `--quite`; did you mean `--quiet`?\nmuster: try `muster check --help`\n");
  CHECK(complaint({"check", "-j", "many"}) == "muster: not a number: -j = many\nmuster: try `muster check --help`\n");
  CHECK(complaint({"check", "r", "--fail-on", "eror"}) ==
        "muster: --fail-on: expected error, warning, info or never, got `eror`\n");
  CHECK(complaint({"check", "r", "--color", "blue"}) ==
        "muster: --color: expected auto, always or never, got `blue`\n");
  CHECK(complaint({"check", "r", "--now", "tomorrow"}) ==
        "muster: --now: expected a date such as 2027-01-31, got `tomorrow`\n");
  CHECK(complaint({"check", "r", "--format", "jsn"}) ==
        "muster: there is no format `jsn`; did you mean `json`?; known are "
        "checkstyle, github, github-summary, gitlab, json, junit, markdown, rdjson, sarif, text\n");
  CHECK(complaint({"check", "r", "--format", "json="}) == "muster: --format json=: the path is empty\n");
  CHECK(complaint({"check", "r", "--format", "json", "--format", "text"}) ==
        "muster: only one format can go to standard output; give the others a path: --format sarif=muster.sarif\n");
  CHECK(complaint({"check", "--bad\x1b[31m"}).find('\x1b') == std::string::npos);
}

TEST_CASE("--target names what it does not know", "[cli]") {
  CHECK(complaint({"check", "r", "--target", "slrm=25.11"}) ==
        "muster: no target is called `slrm`; did you mean `slurm`?; known are kai, kubernetes, kuberay, kueue, slurm, "
        "volcano\n");
  CHECK(complaint({"check", "r", "--target", "slurm=new"}) ==
        "muster: `new` is not a version of slurm; write for example slurm=25.11\n");
  CHECK(complaint({"check", "r", "--target", "slurm"}) ==
        "muster: expected NAME=VERSION, got `slurm`; for example slurm=25.11\n");
  CHECK(complaint({"check", "r", "--target", "slurm=25.11,,"}) ==
        "muster: expected NAME=VERSION, got ``; for example slurm=25.11\n");
  CHECK(code(kClean, {"--target", "slurm=25.11,kubernetes=1.37", "--target", "volcano=v1.15.0"}) == 0);
}

TEST_CASE("a target newer than what the rules know is said to be", "[cli]") {
  const FakeDisk disk(Files{{"r/j.yaml", kClean}});
  const Ran newer = run_command({"check", "r", "--target", "slurm=99.9"}, disk);
  CHECK(newer.code == 0);
  CHECK(contains(newer.err, "muster: slurm 99.9 is newer than 26.05, the newest that the rules know"));
  CHECK(run_command({"check", "r", "--target", "slurm=26.05.5"}, disk).err.empty());
  CHECK(run_command({"check", "r", "--target", "slurm=99.9", "--quiet"}, disk).err.empty());
}

TEST_CASE("a repeatable option leaves the paths behind it alone", "[cli]") {
  const FakeDisk disk(Files{{"r/j.yaml", kError}});
  CHECK(run_command({"check", "--target", "slurm=25.11", "r"}, disk).code == 1);
  CHECK(run_command({"check", "--format", "json", "r"}, disk).out.starts_with("{"));
}

TEST_CASE("what cannot be read, and what is nothing at all, is no clean result", "[cli]") {
  CHECK(complaint({"check", "gone"}) == "muster: cannot read `gone`: no such file or folder\n");
  CHECK(complaint({"check", "r", "--fleet", "gone.yaml"}) ==
        "muster: cannot read `gone.yaml`: no such file or folder\n");
  CHECK(complaint({"check", "r", "--rules", "gone"}).starts_with("muster: cannot read `gone`"));
  const muster::test::TemporaryFolder folder;
  const Ran empty = run_command({"check", folder.path()});
  CHECK(empty.code == 2);
  CHECK(empty.err == "muster: there is not one file in `" + folder.path() + "`\n");
}

TEST_CASE("files that are none of ours are clean, with a note", "[cli]") {
  const FakeDisk disk(Files{{"r/a.txt", "hello\n"}, {"r/b.py", "print(1)\n"}});
  const Ran ran = run_command({"check", "r"}, disk);
  CHECK(ran.code == 0);
  CHECK(ran.out ==
        "nothing was checked: none of these files is of a kind that muster knows\nno findings in 0 artifacts (2 files "
        "skipped)\n");
  const Ran held = run_command({"check", "r", "--fail-on-nothing"}, disk);
  CHECK(held.code == 2);
  CHECK(held.err == "muster: nothing was checked: none of these files is of a kind that muster knows\n");
  CHECK(run_command({"check", "r", "--quiet"}, disk).out.empty());
}

TEST_CASE("broken input is a finding, not a failure", "[cli]") {
  const FakeDisk disk(Files{{"r/j.yaml", "apiVersion: batch/v1\nkind: Job\nspec: [\n"}});
  const Ran ran = run_command({"check", "r"}, disk);
  CHECK(ran.code == 1);
  CHECK(ran.out.starts_with("error[yaml-syntax]"));
}

TEST_CASE("standard output has the answer and nothing else", "[cli]") {
  const FakeDisk disk(Files{{"r/j.yaml", kError}});
  const Ran ran = run_command({"check", "r", "--format", "json", "--stats"}, disk);
  CHECK(nlohmann::json::accept(ran.out));
  CHECK(ran.err.starts_with("1 files, 1 artifacts, 1 gangs, "));
  CHECK(run_command({"check", "r"}, disk).err.empty());
}

TEST_CASE("standard input is checked where - is named", "[cli]") {
  FakeDisk disk(Files{{"r/j.yaml", kClean}});
  disk.standard_input = kError;
  CHECK(run_command({"check", "-"}, disk).code == 1);
  CHECK(run_command({"check", "-"}, disk).out.find("--> stdin:5:17") != std::string::npos);
  CHECK(run_command({"check", "r"}, disk).code == 0);
}

TEST_CASE("color follows --color, then NO_COLOR, then the terminal", "[cli]") {
  const FakeDisk disk(Files{{"r/j.yaml", kError}});
  const auto colored = [&](const std::vector<std::string>& more, bool terminal, const std::string& no_color) {
    std::vector<std::string> words{"check", "r"};
    words.insert(words.end(), more.begin(), more.end());
    muster::test::Surroundings around;
    around.terminal = terminal;
    around.no_color = no_color;
    return run_command(words, disk, around).out.find('\x1b') != std::string::npos;
  };
  CHECK(colored({}, true, ""));
  CHECK_FALSE(colored({}, false, ""));
  CHECK_FALSE(colored({}, true, "1"));
  CHECK(colored({"--color", "always"}, false, "1"));
  CHECK_FALSE(colored({"--color", "never"}, true, ""));
  // Files are no terminal, but --color always is asked for; machines' formats have none.
  CHECK_FALSE(colored({"--format", "json", "--color", "always"}, true, ""));
}

TEST_CASE("the date comes from --now, then SOURCE_DATE_EPOCH", "[cli]") {
  const FakeDisk disk(Files{
      {"r/j.yaml", muster::replace_all(kError, "minAvailable: 9",
                                       "minAvailable: 9 # muster: allow gang-min-above-size until=2026-06-30 -- r")}});
  muster::test::Surroundings around;
  const auto exit_code = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"check", "r"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words, disk, around).code;
  };
  CHECK(exit_code({}) == 0);
  CHECK(exit_code({"--now", "2026-06-30"}) == 0);
  CHECK(exit_code({"--now", "2026-07-01"}) == 1);
  around.source_date_epoch = "1782864000";  // 2026-07-01
  CHECK(exit_code({}) == 1);
  for (const char* bad : {"soon", "-1", "99999999999999"}) {
    around.source_date_epoch = bad;
    CHECK(exit_code({}) == 2);
  }
}

TEST_CASE("--show-suppressed lists what somebody allowed, with the reason", "[cli]") {
  const FakeDisk disk(
      Files{{"r/j.yaml", muster::replace_all(kError, "minAvailable: 9",
                                             "minAvailable: 9 # muster: allow gang-min-above-size -- a reason")}});
  const Ran ran = run_command({"check", "r", "--show-suppressed"}, disk);
  CHECK(ran.out ==
        "suppressed[gang-min-above-size]: `e` wants 9 pods placed together but has only 8\n  --> r/j.yaml:5\n   = "
        "reason: a reason\n\n"
        "no findings, 1 suppressed in 1 artifact\n");
  CHECK(run_command({"check", "r"}, disk).out == "no findings, 1 suppressed in 1 artifact\n");
}
