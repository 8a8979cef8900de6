// What a rule book is refused or warned for, each with its place and its case.
#include <algorithm>

#include "pipeline/check.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"

namespace {

/// `severity check line:column message [witness]`, one a line, of a site's table.
std::string problems_of(const muster::BookCheck& checked) {
  std::string out;
  for (const muster::BookProblem& problem : checked.problems) {
    out += std::string(muster::name_of(problem.severity)) + " " + problem.check + " " +
           std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) + " " + problem.message;
    out += problem.witness.empty() ? "\n" : " [" + to_text(problem.witness) + "]\n";
  }
  return out;
}

muster::BookCheck check_table(const std::string& text) {
  return muster::RuleBook::check({{"site/decide/t.yaml", text}}, {}, muster::BookOrigin::Site);
}

std::string table(const std::string& hit, const std::string& rows, const std::string& rest = "") {
  return "id: t\nhit: " + hit +
         "\ninputs:\n  nodes: {type: int}\n  fractional_gpu: {type: bool}\noutputs:\n  out: {type: enum, values: [a, "
         "b]}\nrows:\n" +
         rows + rest;
}

}  // namespace

TEST_CASE("a gap is shown at the rows with a case that no row takes", "[rulebook]") {
  CHECK(problems_of(
            check_table(table("unique",
                              "  - {id: small, when: {nodes: \"< 4\"}, then: {out: a}}\n"
                              "  - {id: large, when: {nodes: \">= 5\", fractional_gpu: true}, then: {out: b}}\n"
                              "  - {id: whole, when: {nodes: \">= 4\", fractional_gpu: false}, then: {out: a}}\n"))) ==
        "error gap 8:1 no row of `t` takes this case [nodes=4, fractional_gpu=true]\n");
}

TEST_CASE("rows of a unique table that overlap and disagree are shown with a case that both take", "[rulebook]") {
  CHECK(problems_of(
            check_table(table("unique",
                              "  - {id: small, when: {nodes: \"1..4\"}, then: {out: a}}\n"
                              "  - {id: large, when: {nodes: \">= 4\", fractional_gpu: true}, then: {out: b}}\n"
                              "  - {id: whole, when: {nodes: \">= 4\", fractional_gpu: false}, then: {out: a}}\n"))) ==
        "error overlap 10:10 row `large` and row `small` (line 9) both take this case and decide differently [nodes=4, "
        "fractional_gpu=true]\n");
}

TEST_CASE("rows that never take a case are shown with the row that takes it", "[rulebook]") {
  CHECK(
      problems_of(check_table(table("first",
                                    "  - {id: small, when: {nodes: \"< 4\"}, then: {out: a}}\n"
                                    "  - {id: two, when: {nodes: 2, fractional_gpu: true}, then: {out: b}}\n"
                                    "  - {id: small-again, when: {nodes: \"<= 3\"}, then: {out: a}}\n"
                                    "  - {id: none, when: {nodes: \"< 1\"}, then: {out: b}}\n"
                                    "  - {id: shared, when: {fractional_gpu: true}, then: {out: b}}\n"
                                    "  - {id: rest, when: {fractional_gpu: false}, then: {out: a}}\n"
                                    "  - {id: last, then: {out: b}}\n"))) ==
      "error shadowed 10:10 row `two` never takes a case: row `small` (line 9) takes all of them, such as this one "
      "[nodes=2, fractional_gpu=true]\n"
      "error identical 11:10 row `small-again` is identical with row `small` (line 9) [nodes=1, fractional_gpu=false]\n"
      "error shadowed 12:10 row `none` never matches: `nodes` is never < 1\n"
      "error shadowed 15:10 row `last` never takes a case: the rows before it take all of them together, such as this "
      "one [nodes=1, fractional_gpu=false]\n");
}

TEST_CASE("inputs that never matter and words that no row gives are shown where they are declared", "[rulebook]") {
  CHECK(problems_of(check_table(table("unique",
                                      "  - {id: one, when: {nodes: \"< 4\"}, then: {out: a}}\n  - {id: two, when: "
                                      "{nodes: \">= 4\"}, then: {out: a}}\n"))) ==
        "warning never-produced 7:3 no row gives `out: b`\n"
        "warning irrelevant 4:3 the input `nodes` never matters: rows read it, but no case is decided by it\n"
        "error irrelevant 5:3 the input `fractional_gpu` never matters: no row reads it\n");
}

TEST_CASE("an invariant over a table that feeds another is shown with the facts that lead to its end", "[rulebook]") {
  const std::string text =
      "id: t\nhit: unique\ninputs:\n  host: {from: control-plane, type: enum, values: [slurm, kubernetes, "
      "k3s]}\noutputs:\n  out: {type: enum, values: [a, b]}\nrows:\n"
      "  - {id: one, when: {host: \"!k3s\"}, then: {out: a}}\n  - {id: two, when: {host: k3s}, then: {out: b}}\n"
      "invariants:\n  - {if: out == \"b\", then: python_native_pipeline}\n  - {if: out == \"b\", then: edge_or_dev}\n  "
      "- {then: control_plane.host != \"k3s\" || t.out == \"b\"}\n";
  CHECK(
      problems_of(check_table(text)) ==
      "error invariant 11:28 the invariant does not hold: if out == \"b\" then python_native_pipeline [nodes=1, "
      "tightly_coupled=false, bare_metal=false, "
      "python_native_pipeline=false, edge_or_dev=true, control-plane.host=k3s, control-plane.primary=k3s, t.out=b]\n");
}

TEST_CASE("tables that feed each other are refused with the way around", "[rulebook]") {
  const auto feeding = [](const std::string& id, const std::string& from) {
    return muster::RuleSource{"site/decide/" + id + ".yaml",
                              "id: " + id + "\ninputs:\n  x: {from: " + from +
                                  ", type: enum, values: [a]}\noutputs:\n  x: {type: enum, values: [a]}\nrows:\n  - "
                                  "{id: r, when: {x: a}, then: {x: a}}\n"};
  };
  CHECK(problems_of(
            muster::RuleBook::check({feeding("one", "two"), feeding("two", "one")}, {}, muster::BookOrigin::Site)) ==
        "error cycle 3:3 the tables feed each other: one -> two -> one\n");
}

TEST_CASE("a misspelt name is answered with the nearest one", "[rulebook]") {
  CHECK(problems_of(check_table(
            table("first", "  - {id: one, when: {node: 4}, then: {out: a}}\n  - {id: two, then: {aut: b}}\n"))) ==
        "error syntax 9:22 the table has no input `node`; did you mean `nodes`?\n"
        "error syntax 10:22 the table has no output `aut`; did you mean `out`?\n"
        "error syntax 10:21 row `two` does not say what `out` is\n");
  CHECK(problems_of(check_table(
            table("first",
                  "  - {id: one, when: {nodes: 4}, then: {out: a}}\n  - {id: two, when: {fractional_gpu: true}, then: "
                  "{out: b}}\n  - {id: three, then: {out: a}}\n",
                  "invariants:\n  - {then: nodez > 3}\n  - {then: out != \"other\"}\n  - {then: nodes + 1 > 1}\n"))) ==
        "error syntax 13:12 undeclared reference to `nodez`; did you mean `nodes`?\n"
        "error syntax 14:12 `other` is none of a, b\n"
        "error syntax 15:12 `nodes` may only be compared with literals here, so that every case can be looked at\n");
}

TEST_CASE("what a site lays over the book is merged by id and proved again", "[rulebook]") {
  const muster::RowOverride no_k3s{
      "control-plane", "k3s-small",   false, {}, {{"primary", "kubernetes"}, {"host", "kubernetes"}},
      "no k3s here",   "muster.yaml", {4, 7}};
  const muster::RowOverride no_ray_on_k3s{"control-plane",          "ray-on-k3s",  false,         {},
                                          {{"host", "kubernetes"}}, "no k3s here", "muster.yaml", {5, 7}};
  const muster::BookCheck merged =
      muster::RuleBook::check({}, {{}, {}, {no_k3s, no_ray_on_k3s}}, muster::BookOrigin::Site);
  REQUIRE(merged.book);
  CHECK(merged.book->rules().size() == muster::RuleBook::embedded()->rules().size());
  CHECK(problems_of(merged) ==
        "warning never-produced 16:3 no row gives `primary: k3s`\n"
        "warning never-produced 17:3 no row gives `host: k3s`\n"
        "warning irrelevant 14:3 the input `edge_or_dev` never matters: rows read it, but no case is decided by it\n"
        "warning unreachable 51:9 no facts lead to row `k3s-is-there`: the tables before `placement` never decide so\n"
        "warning unreachable 79:9 no facts lead to row `batch-beside-services`: the tables before `placement` never "
        "decide so\n"
        "warning unreachable 83:9 no facts lead to row `k3s-for-edge`: the tables before `placement` never decide "
        "so\n");

  const muster::RowOverride off{"control-plane", "kubernetes-platform", true, {}, {}, "never", "muster.yaml", {4, 7}};
  const muster::BookCheck holes = muster::RuleBook::check({}, {{}, {}, {off}}, muster::BookOrigin::Site);
  CHECK_FALSE(holes.book);
  CHECK(holes.problems.front().check == "gap");

  const muster::RowOverride misspelt{"control-plane", "k3s-smal", true, {}, {}, "never", "muster.yaml", {4, 7}};
  CHECK(problems_of(muster::RuleBook::check({}, {{}, {}, {misspelt}}, muster::BookOrigin::Site)) ==
        "error syntax 4:7 the table `control-plane` has no row `k3s-smal`; did you mean `k3s-small`?\n");
}

TEST_CASE("a book has the same problems in the same order on any number of threads", "[rulebook]") {
  const std::vector<muster::RuleSource> site{
      {"site/decide/z.yaml",
       table("first",
             "  - {id: one, when: {nodes: 4}, then: {out: a}}\n  - {id: two, when: {nodes: 4}, then: {out: b}}\n")},
      {"site/gang/broken.yaml", "id: broken\nfor: g in gangs\nwhen: [g.sise > 1]\n"},
      {"site/decide/y.yaml", "id: y\n  rows: ["},
      {"site/gang/other.yaml", "id: another\nfor: g in gang\n"}};
  const auto told = [&](std::vector<muster::RuleSource> sources, unsigned threads) {
    return problems_of(muster::RuleBook::check(sources, {}, muster::BookOrigin::Site, muster::Proof::Run, threads));
  };
  const std::string one = told(site, 1);
  CHECK(std::ranges::count(one, '\n') > 8);
  for (int i = 0; i < 10; ++i) CHECK(told(site, 5) == one);
  // Proofs, too, whatever table is done first.
  std::vector<muster::RuleSource> tables{site.front(), site.front()};
  tables.back().text.replace(4, 1, "u");
  const std::string gaps = told(tables, 1);
  CHECK(gaps.find("of `t` takes") < gaps.find("of `u` takes"));
  CHECK(gaps.find("of `u` takes") != std::string::npos);
  for (int i = 0; i < 10; ++i) CHECK(told(tables, 5) == gaps);
}

TEST_CASE("muster.yaml overrides rows of tables with a reason", "[rulebook]") {
  const std::string workloads =
      "muster: workloads/v1\nworkloads: [{name: w, nodes: 1, tightly_coupled: false, edge_or_dev: true, "
      "python_native_pipeline: false}]\n";
  const std::string config =
      "muster: config/v1\nrules:\n  rows:\n    control-plane:\n      k3s-small: {then: {primary: kubernetes, host: "
      "kubernetes}, reason: no k3s here}\n"
      "      ray-on-k3s: {then: {host: kubernetes}, reason: no k3s here}\n";
  const muster::MemoryFileSystem disk({{"muster.yaml", config}, {"workloads.yaml", workloads}});
  muster::Options options;
  options.paths = {"."};
  options.config = "muster.yaml";
  const muster::Result<muster::Workspace> workspace = muster::read_workspace(options, disk);
  REQUIRE(workspace);
  REQUIRE(workspace->decisions.size() == 1);
  CHECK(workspace->decisions.front().primary.value == "kubernetes");
  CHECK(workspace->decisions.front().primary.because == "no k3s here");
}

TEST_CASE("a table that would take too long to prove is refused with what to do", "[rulebook]") {
  // Eight pigeons in seven holes: the rows take every case, but a search has to count to see it.
  const auto sits = [](int pigeon, int hole) {
    return "site_" + std::to_string(pigeon) + "_in_" + std::to_string(hole);
  };
  std::string text = "id: t\ninputs:\n";
  std::string rows;
  for (int p = 0; p < 8; ++p) {
    std::string nowhere;
    for (int h = 0; h < 7; ++h) {
      text += "  " + sits(p, h) + ": {type: bool}\n";
      nowhere += (h == 0 ? "" : ", ") + sits(p, h) + ": false";
      for (int q = 0; q < p; ++q) {
        rows += "  - {id: r" + std::to_string(p * 100 + q * 10 + h) + ", when: {" + sits(p, h) + ": true, " +
                sits(q, h) + ": true}, then: {out: a}}\n";
      }
    }
    rows += "  - {id: n" + std::to_string(p) + ", when: {" + nowhere + "}, then: {out: b}}\n";
  }
  text += "outputs:\n  out: {type: enum, values: [a, b]}\nrows:\n" + rows;
  const muster::BookCheck checked = check_table(text);
  CHECK_FALSE(checked.book);
  CHECK(std::ranges::any_of(checked.problems, [](const muster::BookProblem& problem) {
    return problem.check == "too-large" &&
           problem.message == "the table is too large to be proved: split the table, or take inputs out of it";
  }));
}
