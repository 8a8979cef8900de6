// A site's own kinds, schedulers and operators, from its folders of rules.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/files.h"

namespace {

using muster::contains;
using Files = std::map<std::string, std::string>;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;

const std::string kExample = muster::test::source_dir() + "/examples/own-kinds";

std::string example(const std::string& file) { return muster::test::read_file(kExample + "/" + file); }

/// `text` with `from` replaced, which has to be there.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  INFO(from);
  REQUIRE(contains(text, from));
  return muster::replace_all(std::move(text), from, to);
}

Files files_with_kind(const std::string& kind) {
  return {{"repo/runs.yaml", example("training-runs.yaml")},
          {"repo/fleet.yaml", example("fleet.yaml")},
          {"site/kinds/training-run.yaml", kind}};
}

Ran with_kind(const std::vector<std::string>& words, const std::string& kind) {
  return run_command(words, FakeDisk(files_with_kind(kind)));
}

const std::string kScheduler =
    "id: night\ndoc: the company's fork of Volcano\nlike: volcano\nnames: [night-scheduler]\nsources: [\"docs (1)\"]\n";
const std::string kOperator =
    "id: run-operator\ndoc: the controller of TrainingRuns\nsettings:\n  gang: {flag: --gang, default: \"\", says: "
    "\"runs "
    "without --gang, as shipped (1.4)\"}\nsources: [\"docs (1)\"]\n";

/// What `rules check` says of a site of one file.
Ran check_site(const std::string& path, const std::string& text) {
  return run_command({"rules", "check", "--rules", "site"}, FakeDisk(Files{{"site/" + path, text}}));
}

}  // namespace

TEST_CASE("a kind of the site's own gets findings", "[own-kinds]") {
  const Ran ran = with_kind({"check", "repo", "--rules", "site"}, example("rules/kinds/training-run.yaml"));
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "warning[gang-scheduler-missing]: `finetune` spans 8 pods with 64 GPUs"));
  CHECK(contains(ran.out, "--> repo/runs.yaml:8:5"));
  CHECK(contains(ran.out, "[gang-min-below-size]: `pretrain`"));
  CHECK(contains(ran.out, "repo/runs.yaml:18:15"));
  CHECK_FALSE(contains(ran.out, "does not know"));
}

TEST_CASE("without its file a kind is listed as unknown, with its GPUs", "[own-kinds]") {
  const Ran ran = with_kind({"check", "repo", "--fail-on-unknown"}, "");
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "TrainingRun"));
  CHECK_FALSE(contains(ran.out, "gang-"));
}

TEST_CASE("a kind of the site's own is proved about, dumped and explained", "[own-kinds]") {
  const std::string kind = example("rules/kinds/training-run.yaml");
  const Ran proved = with_kind({"prove", "repo", "--rules", "site", "--property", "placeable"}, kind);
  CHECK(contains(proved.out, "gangs finetune, pretrain"));
  const Ran dumped = with_kind({"dump", "model", "repo", "--rules", "site"}, kind);
  CHECK(contains(dumped.out, "gang ml.example.com/v1/TrainingRun/ml/pretrain"));
  CHECK(contains(dumped.out, "guaranteed: 6 (18:15)"));
  for (const std::string name : {"TrainingRun", "trainingrun", "training-run"}) {
    const Ran explained = with_kind({"explain", name, "--rules", "site"}, kind);
    CHECK(contains(explained.out, "kind training-run: TrainingRun of ml.example.com/v1"));
  }
  CHECK(contains(with_kind({"explain", "volcano", "--rules", "site"}, kind).out, "training-run"));
}

TEST_CASE("muster.yaml names folders of rules, from its own folder", "[own-kinds][config]") {
  Files files = files_with_kind(example("rules/kinds/training-run.yaml"));
  files["repo/muster.yaml"] = "muster: config/v1\nrules: {folders: [../site]}\n";
  const Ran ran = run_command({"check", "repo"}, FakeDisk(files));
  CHECK(contains(ran.out, "gang-scheduler-missing"));
  CHECK(contains(ran.out, "repo/muster.yaml sets rules.folders=../site"));
  files["repo/muster.yaml"] = "muster: config/v1\nrules: {folders: [nowhere]}\n";
  CHECK(run_command({"check", "repo"}, FakeDisk(files)).code == 2);
}

TEST_CASE("what is wrong with a site's kind is refused with its place", "[own-kinds]") {
  struct Bad {
    std::string from;
    std::string to;
    std::string complaint;
  };
  const std::vector<Bad> all{
      {"count: workers}", "count: wokers}", ":13:43: undeclared reference to `wokers`; did you mean `workers`?"},
      {"collective: workers > 1", "collective: workers", ":14:13: expected true or false"},
      {"count: workers}", "count: workers > 1}", ":13:43: expected int, got bool"},
      {"queue: queue_name", "queue: workers", ":16:8: expected string, got int"},
      {"type: int, default: 1}", "type: itn, default: 1}",
       "expected one of int, count, text, bool, any; got `itn`; did you mean `int`?"},
      {"  volcano: least", "  volcanoo: least", ":18:3: there is no scheduler `volcanoo`; did you mean `volcano`?"},
      {"collective:", "colective:", ":14:1: unknown key `colective`; did you mean `collective`?"},
      {"id: training-run", "id: batch-job2\noperator: {id: lsw, setting: gang-scheduling}",
       "there is no operator `lsw`; did you mean `lws`?"},
      {"id: training-run", "id: x\noperator: {id: lws, setting: gang-schedulin}",
       "lws has no setting `gang-schedulin`; did you mean `gang-scheduling`?"},
      {"api: ml.example.com\nversions: [v1]\nkind: TrainingRun", "api: batch\nversions: [v1]\nkind: Job",
       ":5:7: `batch/v1 Job` is the kind `batch-job`"},
      {"id: training-run", "id: volcano-queue", ":2:5: `volcano-queue` is a kind with a reader of its own"},
      {"id: training-run", "id: Training Run", ":2:5: an `id` has small letters"},
      {"  least:", "  workers:", "twice"},
      {"  least:", "  has_least:", ":10:3: `has_least` is no name of a field"},
      {"versions: [v1]", "versions: []", "a kind needs `versions`"},
  };
  for (const Bad& bad : all) {
    INFO(bad.to);
    const std::string text = changed(example("rules/kinds/training-run.yaml"), bad.from, bad.to);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"check", "repo", "--rules", "site"}, {"rules", "check", "--rules", "site"}}) {
      const Ran ran = with_kind(words, text);
      CHECK(ran.code == 2);
      INFO(ran.out << ran.err);
      const bool placed = bad.complaint.starts_with(':') && words.front() == "check";
      const std::string what = bad.complaint.substr(bad.complaint.starts_with(':') ? bad.complaint.find(": ") + 2 : 0);
      CHECK(contains(ran.out + ran.err, placed ? "site/kinds/training-run.yaml" + bad.complaint : what));
    }
  }
}

TEST_CASE("a site may lay any shipped kind over itself", "[own-kinds]") {
  const std::string folder = muster::test::source_dir() + "/rules/kinds";
  for (const std::string& name : muster::test::entries(folder)) {
    const Ran ran = with_kind({"explain", name.substr(0, name.rfind('.')), "--rules", "site"},
                              muster::test::read_file(folder + "/" + name));
    INFO(name << "\n" << ran.err);
    CHECK(ran.code == 0);
  }
}

TEST_CASE("one id twice in one folder is refused, a later folder replaces", "[own-kinds]") {
  const std::string kind = example("rules/kinds/training-run.yaml");
  Files files = files_with_kind(kind);
  files["site/kinds/zz/copy.yaml"] = kind;
  const Ran twice = run_command({"check", "repo", "--rules", "site"}, FakeDisk(files));
  CHECK(twice.code == 2);
  CHECK(contains(twice.err,
                 "site/kinds/zz/copy.yaml:2:5: there are two kinds called `training-run`: the other stands in "
                 "site/kinds/training-run.yaml"));
  files.erase("site/kinds/zz/copy.yaml");
  files["more/kinds/a.yaml"] = changed(kind, "count: workers}", "count: workers + 1}");
  const Ran replaced = run_command({"dump", "model", "repo", "--rules", "site", "--rules", "more"}, FakeDisk(files));
  CHECK(contains(replaced.out, "size: 9 "));
}

TEST_CASE("a site's kind of a shipped id replaces the shipped one", "[own-kinds]") {
  const FakeDisk disk(Files{
      {"job.yaml", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {parallelism: 2, template: {}}\n"},
      {"site/kinds/job.yaml",
       "id: batch-job\napi: batch\nversions: [v1]\nkind: Job\ndoc: ours\nbase: spec\nfields: {n: {path: parallelism, "
       "type: "
       "int}}\nroles: [{name: p, pods: template, count: n * 10}]\nsources: [\"here\"]\n"}});
  CHECK(contains(run_command({"dump", "model", "job.yaml", "--rules", "site"}, disk).out, "size: 20 "));
}

TEST_CASE("a site's scheduler takes over from the one it is like", "[own-kinds]") {
  Files files = files_with_kind(example("rules/kinds/training-run.yaml"));
  files["site/schedulers/night.yaml"] = kScheduler;
  files["repo/runs.yaml"] =
      changed(files["repo/runs.yaml"], "schedulerName: volcano", "schedulerName: night-scheduler");
  const Ran ran = run_command({"dump", "model", "repo", "--rules", "site"}, FakeDisk(files));
  CHECK(contains(ran.out, "scheduler: night"));
  CHECK(contains(ran.out, "mechanism: atomic"));
  CHECK(contains(ran.out, "guaranteed: 6 (18:15)"));
}

TEST_CASE("a site's scheduler says where pods ask for a place of their own", "[own-kinds]") {
  const FakeDisk disk(Files{
      {"job.yaml",
       "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelism: 4\n  template:\n    metadata: "
       "{annotations: {night/level: rack, night/slices: \"${LEVEL}\"}}\n    spec: {schedulerName: night-scheduler, "
       "containers: [{name: c, image: i}]}\n"},
      {"site/schedulers/night.yaml",
       "id: night\ndoc: ours\nnames: [night-scheduler]\nmechanism: atomic\ntemplate_topology: {required: night/level, "
       "slices: night/slices}\nsources: [here]\n"}});
  const std::string model = run_command({"dump", "model", "job.yaml", "--rules", "site"}, disk).out;
  CHECK(contains(model, "required-topology: rack (7:"));
  CHECK(contains(model, "within one unknown until a value for `night/slices`"));
}

TEST_CASE("what is wrong with a site's scheduler or operator is refused", "[own-kinds]") {
  const auto refused = [](const std::string& path, const std::string& text, const std::string& complaint) {
    const Ran ran = check_site(path, text);
    INFO(ran.out << ran.err);
    CHECK(ran.code == 2);
    CHECK(contains(ran.out, complaint));
  };
  CHECK(check_site("schedulers/a.yaml", kScheduler).code == 0);
  CHECK(check_site("operators/a.yaml", kOperator).code == 0);
  refused("schedulers/a.yaml", changed(kScheduler, "like: volcano", "like: volcanno"), "did you mean `volcano`?");
  refused("schedulers/a.yaml", changed(kScheduler, "like: volcano", "like: runai"), "write `like: kai`");
  refused("schedulers/a.yaml", kScheduler + "mechanism: quota\n", "unknown key `mechanism`");
  refused("schedulers/a.yaml", changed(kScheduler, "night-scheduler", "kai-scheduler"),
          "is the schedulerName of scheduler `kai`");
  refused("schedulers/a.yaml", changed(kScheduler, "like: volcano", "mechanism: atomik"), "atomic");
  refused("schedulers/a.yaml", changed(kScheduler, "like: volcano", "queue: {object: Queue, scope: cluster}"),
          "muster reads no queues of `night`");
  refused("operators/a.yaml", changed(kOperator, "flag: --gang", "flagg: --gang"), "did you mean `flag`?");
  refused("operators/a.yaml", changed(kOperator, "id: run-operator", "id: lws"),
          "must keep its setting `gang-scheduling`");
  refused("kinds/a.yaml", "- a\n", "expected `key: value` lines");
  const std::string whole = "id: night\ndoc: ours\nnames: [night-scheduler]\nmechanism: atomic\nsources: [here]\n";
  CHECK(check_site("schedulers/a.yaml", whole + "admits: {label: a/q, on: object}\n").code == 0);
  refused("schedulers/a.yaml", whole + "admits: {label: a/q, onn: object}\n", "did you mean `on`?");
  refused("schedulers/a.yaml", whole + "queue: {scope: namspace, read: []}\n", "did you mean `namespace`?");
  refused("schedulers/a.yaml", whole + "min: [{label: a/q, stray: harmles}]\n", "did you mean `harmless`?");
  refused("schedulers/a.yaml", whole + "min: {label: a/q}\n", "expected a list");
  const std::string kind = example("rules/kinds/training-run.yaml");
  CHECK(check_site("kinds/a.yaml", kind + "pods: {ends: \"no\", makes: [batch-job]}\n").code == 0);
  refused("kinds/a.yaml", kind + "pods: {ends: \"no\", makes: [bacth-job]}\n", "did you mean `batch-job`?");
  refused("kinds/a.yaml", kind + "sets: {for: x}\n", "expected a list");
  refused("kinds/a.yaml", changed(kind, "together:\n  volcano: least\n", "together: [volcano]\n"),
          "expected `key: value` lines");
  refused("kinds/a.yaml", "a: [\n", "site/kinds/a.yaml:");
}

TEST_CASE("an operator of the site's own can be stated, and is assumed as shipped else", "[own-kinds]") {
  Files files = files_with_kind(changed(example("rules/kinds/training-run.yaml"), "together:\n  volcano: least\n",
                                        "operator: {id: run-operator, setting: gang, together: least}\n"));
  files["site/operators/run-operator.yaml"] = kOperator;
  const auto path_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"dump", "model", "repo/runs.yaml", "--rules", "site"};
    words.insert(words.end(), more.begin(), more.end());
    return run_command(words, FakeDisk(files)).out;
  };
  CHECK(contains(path_with({}), "run-operator runs without --gang, as shipped (1.4)"));
  const std::string stated = path_with({"--set", "operators.run-operator.gang=volcano"});
  CHECK(contains(stated, "scheduler: volcano"));
  CHECK_FALSE(contains(stated, "runs without --gang"));
}

TEST_CASE("an operator of the site's own is read wherever it is configured", "[own-kinds]") {
  const std::string settings =
      "id: run-operator\ndoc: ours\nimage: run-controller\nconfig: {api: runs.example.com, versions: [v1], kind: "
      "RunConfig}\nhelm: {chart: run-chart, image: image.repository}\nsettings:\n  gang: {flag: --gang, helm: "
      "runs.gang, config: gang, default: \"\", says: \"runs without --gang, as shipped (1.4)\"}\nsources: [here]\n";
  const auto scheduler_with = [&](const std::string& text) {
    Files files = files_with_kind(changed(example("rules/kinds/training-run.yaml"), "together:\n  volcano: least\n",
                                          "operator: {id: run-operator, setting: gang, together: least}\n"));
    files["site/operators/run-operator.yaml"] = settings;
    files["repo/more.yaml"] = text;
    return run_command({"dump", "model", "repo", "--rules", "site"}, FakeDisk(files)).out;
  };
  const std::string config = "apiVersion: runs.example.com/v1\nkind: RunConfig\ngang: kai-scheduler\n";
  CHECK_FALSE(contains(scheduler_with("a: 1\n"), "scheduler: kai"));
  CHECK(contains(scheduler_with(config), "scheduler: kai"));
  CHECK(contains(scheduler_with("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  c.yaml: |\n    " +
                                muster::replace_all(config, "\n", "\n    ") + "\n"),
                 "scheduler: kai"));
  CHECK(contains(scheduler_with("image: {repository: example.com/run-controller}\nruns: {gang: kai-scheduler}\n"),
                 "scheduler: kai"));
  CHECK(contains(scheduler_with("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o}\nspec: {template: {spec: "
                                "{containers: [{name: o, image: \"run-controller:1\", args: "
                                "[--gang=kai-scheduler]}]}}}\n"),
                 "scheduler: kai"));
}

TEST_CASE("pods of a site's kind are known in a dump of its cluster", "[own-kinds]") {
  Files files = files_with_kind(example("rules/kinds/training-run.yaml") +
                                "pods: {label: ml.example.com/run, ends: \"yes\", needs_all: true}\n");
  const auto pod = [](const std::string& name, const std::string& node) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name +
           "\",\"namespace\":\"ml\",\"labels\":{\"ml.example.com/run\":\"night\"}},\"spec\":{" + node +
           "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"nvidia.com/gpu\":\"8\"}}}]},\"status\":{"
           "\"phase\":\"" +
           (node.empty() ? "Pending" : "Running") + "\"}}";
  };
  files["dump.json"] = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[" + pod("a", "\"nodeName\":\"n1\",") + "," +
                       pod("b", "") + "]}";
  const std::vector<std::string> words{"prove", "--observed", "dump.json"};
  CHECK_FALSE(contains(run_command(words, FakeDisk(files)).out, "TrainingRun"));
  CHECK(contains(run_command({"prove", "--observed", "dump.json", "--rules", "site"}, FakeDisk(files)).out,
                 "TrainingRun"));
}

TEST_CASE("folders of rules are bounded", "[own-kinds]") {
  std::string deep = "site";
  for (int i = 0; i < 30; ++i) deep += "/d";
  const Ran bottomless =
      run_command({"rules", "list", "--rules", "site"}, FakeDisk(Files{{deep + "/a.yaml", "id: a\n"}}));
  CHECK(bottomless.code == 2);
  CHECK(contains(bottomless.err, "is nested too deep for rules"));
  const std::string large(5u << 20, '#');
  const Ran ran = run_command({"rules", "list", "--rules", "site"}, FakeDisk(Files{{"site/kinds/a.yaml", large}}));
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "larger than 4 MiB"));
}
