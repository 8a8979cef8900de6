// Comments and annotations that allow a finding; the rules about them have cases, this is what they reach.
#include <chrono>

#include "base/strings.h"
#include "support/catch.h"
#include "support/model.h"

namespace {

const char* const kTasks =
    "  plugins: {pytorch: [\"--master=master\"]}\n"
    "  policies: [{event: PodEvicted, action: RestartJob}]\n"
    "  tasks: [{name: worker, replicas: 8, template: {spec: {containers: [{name: c, image: e/t:1, command: [python, "
    "t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}}]\n";

std::string job_with(const std::string& name, const std::string& annotation, const std::string& minimum) {
  return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: " + name + annotation + "}\nspec:\n" +
         minimum + kTasks;
}

/// What is left of a Job whose minimum line is this, and how many findings were suppressed.
std::string left_of(const std::string& minimum) {
  const muster::test::Checked checked = muster::test::check_files({{"j.yaml", job_with("ddp", "", minimum)}});
  std::string out;
  for (const muster::Finding& finding : checked.report.findings)
    out += finding.rule + "@" + std::to_string(checked.report.sources->begin_of(finding.where).line) + " ";
  return out + std::to_string(checked.report.summary.suppressed);
}

}  // namespace

TEST_CASE("a comment allows a finding on its own line or the next, and no other", "[suppress]") {
  CHECK(left_of("  minAvailable: 9\n") == "gang-min-above-size@5 0");
  CHECK(left_of("  minAvailable: 9 # muster: allow gang-min-above-size -- r\n") == "1");
  CHECK(left_of("  # muster: allow gang-min-above-size -- r\n  minAvailable: 9\n") == "1");
  CHECK(left_of("  #muster:allow gang-min-above-size -- r\r\n  minAvailable: 9\r\n") == "1");
  CHECK(left_of("  # muster: allow gang-min-above-size until=2026-06-01 -- r\n  minAvailable: 9\n") == "1");
  CHECK(left_of("  # muster: allow gang-min-above-size -- r\n\n  minAvailable: 9\n") ==
        "suppression-unused@5 gang-min-above-size@7 0");
  CHECK(left_of("  minAvailable: 9\n  # muster: allow gang-min-above-size -- r\n") ==
        "gang-min-above-size@5 suppression-unused@6 0");
  // A comment behind a value speaks of that line alone.
  CHECK(left_of("  ttlSecondsAfterFinished: 1 # muster: allow gang-min-above-size -- r\n  minAvailable: 9\n") ==
        "suppression-unused@5 gang-min-above-size@6 0");
}

TEST_CASE("comments that allow can be stacked above a line", "[suppress]") {
  CHECK(left_of("  # muster: allow gang-min-above-size -- r\n  # muster: allow gang-without-restart-policy -- r\n  "
                "minAvailable: 9\n") == "suppression-unused@6 1");
  CHECK(left_of("  # muster: allow gang-without-restart-policy -- r\n  # muster: allow gang-min-above-size -- r\n  "
                "minAvailable: 9\n") == "suppression-unused@5 1");
  // An ordinary comment is a line like any other: in batch scripts findings stand on comments.
  CHECK(left_of("  # muster: allow gang-min-above-size -- r\n  # why\n  minAvailable: 9\n") ==
        "suppression-unused@5 gang-min-above-size@7 0");
}

TEST_CASE("a comment that allows nothing in particular is told so, one that only looks like it is left alone",
          "[suppress]") {
  CHECK(left_of("  minAvailable: 9 # muster: allow\n") == "gang-min-above-size@5 suppression-invalid@5 0");
  CHECK(left_of("  minAvailable: 9 # muster: allow -- r\n") == "gang-min-above-size@5 suppression-invalid@5 0");
  CHECK(left_of("  minAvailable: 9 # muster: allow gang-min-above-size until=soon -- r\n") ==
        "gang-min-above-size@5 suppression-invalid@5 0");
  CHECK(left_of("  minAvailable: 9 # muster: allow gang-min-above-size gang-without-restart-policy -- r\n") ==
        "gang-min-above-size@5 suppression-invalid@5 0");
  CHECK(left_of("  minAvailable: 9 # muster: allowed once\n") == "gang-min-above-size@5 0");
  CHECK(left_of("  minAvailable: 9 # see muster: allow gang-min-above-size -- r\n") == "gang-min-above-size@5 0");
}

TEST_CASE("words in strings and block scalars allow nothing", "[suppress]") {
  const std::string bad = "  minAvailable: 9\n";
  CHECK(left_of("  priorityClassName: \"x # muster: allow gang-min-above-size -- r\"\n" + bad) ==
        "gang-min-above-size@6 0");
  CHECK(left_of("  priorityClassName: |\n    # muster: allow gang-min-above-size -- r\n" + bad) ==
        "gang-min-above-size@7 0");
  CHECK(left_of("  priorityClassName: '\n    # muster: allow gang-min-above-size -- r\n    '\n" + bad) ==
        "gang-min-above-size@8 0");
  CHECK(left_of("  priorityClassName: x # muster: allow gang-min-above-size -- r\n" + bad) ==
        "suppression-unused@5 gang-min-above-size@6 0");
  CHECK(left_of("  priorityClassName: \"x\" # y # muster: allow gang-min-above-size -- r\n" + bad) ==
        "suppression-unused@5 gang-min-above-size@6 0");
  // A comment behind a block scalar, or behind its indicator, is one.
  CHECK(left_of("  priorityClassName: |\n    text\n  # muster: allow gang-min-above-size -- r\n" + bad) == "1");
  CHECK(left_of("  minAvailable: 9\n  priorityClassName: | # muster: allow gang-min-above-size -- r\n    text\n") ==
        "gang-min-above-size@5 suppression-unused@6 0");
  CHECK(left_of("  // muster: allow gang-min-above-size -- r\n" + bad).find(" 1") == std::string::npos);
}

TEST_CASE("words in quotes and here-documents of a script allow nothing", "[suppress]") {
  const auto left = [](const std::string& lines) {
    const muster::test::Checked checked = muster::test::check_files(
        {{"j.sh", "#!/bin/bash\n#SBATCH --nodes=2 --gpus-per-node=8\n" + lines + "#SBATCH -nope=1\nsrun x\n"}});
    return std::to_string(checked.report.summary.suppressed);
  };
  const auto unused = [](const std::string& lines) {
    const muster::test::Checked checked =
        muster::test::check_files({{"j.sh", "#!/bin/bash\n#SBATCH --nodes=2 --gpus-per-node=8\nsrun x\n" + lines}});
    std::size_t count = 0;
    for (const muster::Finding& finding : checked.report.findings)
      count += finding.rule == "suppression-unused" ? 1 : 0;
    return count;
  };
  CHECK(left("") == "0");
  CHECK(unused("# muster: allow gang-min-above-size -- r\n") == 1);
  CHECK(unused("echo x # muster: allow gang-min-above-size -- r\n") == 1);
  CHECK(unused("echo \"x # muster: allow gang-min-above-size -- r\"\n") == 0);
  CHECK(unused("cat <<EOF\n# muster: allow gang-min-above-size -- r\nEOF\n") == 0);
  CHECK(unused("cat <<EOF\nx\nEOF\n# muster: allow gang-min-above-size -- r\n") == 1);
  CHECK(unused("echo '\n# muster: allow gang-min-above-size -- r\n'\n") == 0);
}

TEST_CASE("permissions cost as much as there are of them", "[suppress]") {
  std::string lines = "  minAvailable: 9\n";
  for (int i = 0; i < 20'000; ++i)
    lines += "  # muster: allow gang-min-above-size -- r\n  k" + std::to_string(i) + ": 1\n";
  const auto start = std::chrono::steady_clock::now();
  const std::string left = left_of(lines);
  CHECK(left.starts_with("gang-min-above-size@5 suppression-unused@6 "));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("an annotation allows what is found in its object, and no namesake's", "[suppress]") {
  const std::string allow = ", annotations: {muster.dev/allow: gang-min-above-size -- r}";
  const std::string allowed = job_with("ddp", allow, "  minAvailable: 9\n");
  const auto rules = [](const std::string& text) {
    std::string out;
    const muster::test::Checked checked = muster::test::check_files({{"j.yaml", text}});
    for (const muster::Finding& finding : checked.report.findings) out += finding.rule + " ";
    return out + std::to_string(checked.report.summary.suppressed);
  };
  CHECK(rules(allowed) == "1");
  CHECK(rules(allowed + "---\n" + job_with("other", "", "  minAvailable: 9\n")) == "gang-min-above-size 1");
  CHECK(rules(allowed + "---\n" + job_with("ddp", ", namespace: elsewhere", "  minAvailable: 9\n")) ==
        "gang-min-above-size 1");
  CHECK(rules(job_with("ddp", allow, "  minAvailable: 8\n")) == "suppression-unused 0");
  // An object without a name of its own has one all the same.
  CHECK(rules(muster::replace_all(allowed, "name: ddp", "generateName: ddp-")) == "1");
}

TEST_CASE("each permission that covers a finding counts as used", "[suppress]") {
  const std::string allow = ", annotations: {muster.dev/allow: gang-min-above-size -- r}";
  const muster::test::Checked checked = muster::test::check_files(
      {{"j.yaml", job_with("ddp", allow, "  minAvailable: 9 # muster: allow gang-min-above-size -- r\n")}});
  CHECK(muster::test::summary_of(checked).empty());
}

TEST_CASE("a permission for what is not decided is not called unused", "[suppress]") {
  const muster::test::Checked checked = muster::test::check_files(
      {{"j.yaml", job_with("ddp", "", "  minAvailable: $MIN # muster: allow gang-min-above-size -- r\n")}});
  CHECK(muster::test::summary_of(checked).empty());
  bool open = false;
  for (const muster::Undecided& undecided : checked.report.undecided)
    open = open || undecided.rule == "gang-min-above-size";
  CHECK(open);
}
