// What muster explain says of the data it works with.
#include <sstream>

#include "base/strings.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "kinds/knowledge.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::contains;

std::string explain(const std::string& name) {
  const muster::test::Ran ran =
      muster::test::run_command({"explain", name}, muster::test::FakeDisk(std::map<std::string, std::string>{}));
  INFO(name << ": " << ran.err);
  CHECK(ran.code == 0);
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(muster::count_code_points(line) <= muster::kLineWidth);
    CHECK_FALSE(line.ends_with(' '));
  }
  return ran.out;
}

std::string complaint(const std::string& name) {
  const muster::test::Ran ran =
      muster::test::run_command({"explain", name}, muster::test::FakeDisk(std::map<std::string, std::string>{}));
  CHECK(ran.code == 2);
  return ran.err;
}

}  // namespace

TEST_CASE("a decision table is explained with every row, its conditions and its answer", "[explain]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  for (const muster::Table& table : book->tables()) {
    const std::string text = explain(table.id);
    for (const muster::TableRow& row : table.rows) {
      INFO(table.id << " " << row.id);
      const std::size_t at = text.find("\n  " + row.id + "\n    when     ");
      REQUIRE(at != std::string::npos);
      const std::size_t next = text.find("\n    because", at);
      const std::string shown = muster::replace_all(text.substr(at, next - at), "\n             ", " ");
      for (const auto& [input, cell] : row.when) CHECK(contains(shown, input + " "));
      for (const auto& [output, word] : row.then) CHECK(contains(shown, output + " = " + word));
    }
  }
  CHECK(contains(explain("gang-scheduler"),
                 "  one-node\n"
                 "    when     runs_on in [kubernetes, k3s] and nodes < 2\n"
                 "    then     scheduler = none\n"
                 "    because  what fits one node is one pod, and one pod cannot be placed in part\n"));
}

TEST_CASE("every kind, scheduler and operator is explained", "[explain]") {
  const muster::Knowledge& knowledge = muster::Knowledge::shipped();
  for (const muster::KindFile* kind : knowledge.described()) {
    const std::string text = explain(kind->id);
    for (const muster::KindField& field : kind->fields) CHECK(contains(text, "\n  " + field.name + " "));
    for (const auto& [scheduler, choices] : kind->together) CHECK(contains(text, "\n  " + scheduler + " "));
    if (kind->operator_setting) CHECK(contains(text, kind->operator_setting->option));
    for (const std::string& source : kind->sources) CHECK(contains(text, source.substr(0, 80)));
  }
  for (const muster::Scheduler& row : knowledge.schedulers().schedulers) {
    const std::string text = explain(row.id);
    CHECK(contains(text, "scheduler " + row.id + ": "));
    for (const muster::Mark& mark : row.membership) CHECK(contains(text, mark.key));
    for (const muster::Mark& mark : row.queue) CHECK(contains(text, mark.key));
    for (const std::string& name : row.names) CHECK(contains(explain(name), "scheduler " + row.id + ": "));
  }
  for (const muster::Operator& which : knowledge.schedulers().operators) {
    const std::string text = explain(which.id);
    CHECK(contains(text, "operator " + which.id + ": "));
    for (const muster::OperatorOption& option : which.settings) {
      CHECK(contains(text, "operators." + which.id + "." + option.name));
      for (const std::string& place : {option.flag, option.helm, option.config}) {
        if (!place.empty()) CHECK(contains(text, place));
      }
    }
  }
}

TEST_CASE("what a site writes about its rules is printed without what a terminal obeys", "[explain]") {
  const muster::test::FakeDisk disk(std::map<std::string, std::string>{
      {"site/gang/my-rule.yaml",
       "id: my-rule\nsince: \"0.1\"\nseverity: info\nplane: workload\nreversibility: reversible\neffect: "
       "degraded\nfor: g "
       "in gangs\nwhen: [g.size > 1]\nat: g.size\nmessage: \"x\"\nhelp: \"do \\e[31mred\"\nwhy: \"because "
       "\\e]0;owned\\a of this, which is a text that is long enough to explain something\\nand goes on\"\nsources: "
       "[\"here "
       "\\e[1m\"]\n"}});
  const muster::test::Ran ran = muster::test::run_command({"explain", "my-rule", "--rules", "site"}, disk);
  INFO(ran.out << ran.err);
  CHECK(contains(ran.out, "do \\x1b[31mred"));
  CHECK(contains(ran.out, "something\nand goes on\n"));
  CHECK(ran.out.find('\x1b') == std::string::npos);
  CHECK(ran.out.find('\a') == std::string::npos);
}

TEST_CASE("an explanation leaves no field of a kind or a scheduler out", "[explain]") {
  const std::string kind = explain("pod-clique-set");
  CHECK(contains(kind, "podCliqueScalingGroups"));
  CHECK(contains(kind, "placed later, each as a gang of its own"));
  CHECK(contains(explain("volcano-job"), "also if evicted"));
  CHECK(contains(explain("pytorch-job"), "training.kubeflow.org/job-name"));
  CHECK(contains(explain("default"), "room before"));
  CHECK(contains(explain("kai"), "kai.scheduler/subgroup-name"));
  CHECK(contains(explain("kueue"), "within one kueue.x-k8s.io/podset-required-topology"));
  CHECK_FALSE(contains(explain("volcano-job-flow"), "the sum of their counts"));
}

TEST_CASE("a kind is known by its own name and by that of its file", "[explain]") {
  const std::string text = explain("LeaderWorkerSet");
  CHECK(text == explain("leader-worker-set"));
  CHECK(contains(text, "kind leader-worker-set: LeaderWorkerSet of leaderworkerset.x-k8s.io/v1\n"));
  CHECK(contains(text, "int at leaderWorkerTemplate.size, else 1"));
  CHECK(contains(text, "1 where order == \"LeaderReady\", else size"));
  CHECK(contains(text, "operators.lws.gang-scheduling"));
  CHECK(contains(explain("Queue"), "kai-queue"));
  CHECK(contains(explain("Queue"), "volcano-queue"));
  CHECK(contains(explain("volcano"), "leader-worker-set"));
}

TEST_CASE("a near miss of a name that explain knows is told", "[explain]") {
  CHECK(contains(complaint("LeaderWorkerSets"), "did you mean `LeaderWorkerSet`?"));
  CHECK(contains(complaint("volcanoo"), "did you mean `volcano`?"));
  CHECK(contains(complaint("training-operatr"), "did you mean `training-operator`?"));
  CHECK(contains(complaint("gang-schedulerr"), "did you mean `gang-scheduler`?"));
}

TEST_CASE("lines for people are wrapped between words, and words that are too long are cut", "[explain]") {
  CHECK(muster::wrapped("  a: ", "b c", 5) == "  a: b c\n");
  CHECK(muster::wrapped("  a: ", "", 5) == "  a:\n");
  const std::string word(70, 'x');
  CHECK(muster::wrapped("  ", word + " " + word, 4) == "  " + word + "\n    " + word + "\n");
  CHECK(muster::wrapped("", std::string(130, 'x'), 2) == std::string(120, 'x') + "\n  " + std::string(10, 'x') + "\n");
}
