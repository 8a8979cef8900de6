#include <sstream>

#include "cli/run.h"
#include "support/catch.h"
#include "support/files.h"

using namespace muster;

namespace {

struct Answer {
  int code = 0;
  std::string out;
  std::string err;
};

Answer run_eval(const std::vector<std::string>& words, const std::map<std::string, std::string>& files = {}) {
  const MemoryFileSystem disk(files);
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err, disk};
  std::vector<std::string> all{"rules", "eval"};
  all.insert(all.end(), words.begin(), words.end());
  const int code = run(all, console);
  return {code, out.str(), err.str()};
}

/// What `--format json` prints behind the version.
std::string json_of(const std::string& expression, const std::string& bindings = "{}") {
  const std::string out = run_eval({"--format", "json", "--with", bindings, "--", expression}).out;
  const std::string head = "{\"version\": \"muster.eval/v1\", ";
  return out.rfind(head, 0) == 0 ? out.substr(head.size(), out.size() - head.size() - 2) : out;
}

}  // namespace

TEST_CASE("rules eval prints a value with its type, and says what an unknown needs", "[cli]") {
  const Answer value = run_eval({"1 + 2"});
  CHECK(value.out == "3 : int\n");
  CHECK(value.code == 0);
  const Answer negative = run_eval({"--", "-1"});
  CHECK(negative.out == "-1 : int\n");
  const Answer open = run_eval({"--with", R"({"x": {"type": "unknown", "needs": "x.y"}})", "x + 1"});
  CHECK(open.out == "unknown: needs x.y\n");
  CHECK(open.code == 0);
}

TEST_CASE("expressions may ask what a file tells and what is decided, with a default while that is open", "[cli]") {
  const auto asked = [](const std::string& text) {
    const std::string path = test::source_dir() + "/examples/decisions/workloads.yaml";
    return run_eval({text, "--on", "w.yaml"}, {{"w.yaml", test::read_file(path)}}).out;
  };
  CHECK(asked(R"(told(workloads[0], "nodes", 1))") == "64 : int\n");
  CHECK(asked(R"(told(workloads[0], "bare_metal", false))") == "true : bool\n");
  CHECK(asked(R"(told(workloads[0], "kind", "none"))") == "\"none\" : string\n");
  CHECK(asked(R"(told(workloads[0], "colour", 1))").starts_with("error: a workload has no fact `colour`\n"));
  CHECK(asked(R"(decided(workloads[0], "host"))") == "\"slurm\" : string\n");
  CHECK(asked(R"(decided(workloads[7], "host"))") == "unknown: needs `bare_metal` of workload `not-yet-known`\n");
  CHECK(asked(R"(decided(workloads[7], "host", "open"))") == "\"open\" : string\n");
  CHECK(asked(R"(decided(workloads[0], "weather"))").starts_with("error: there is no decision `weather`\n"));
}

TEST_CASE("an evaluation error ends with 1, an expression that cannot be read with 2; both show the place", "[cli]") {
  const Answer failed = run_eval({"2 + 1 / 0"});
  CHECK(failed.code == 1);
  CHECK(failed.out == "error: divide by zero\n  2 + 1 / 0\n      ^^^^^\n");
  const Answer unread = run_eval({"1 + "});
  CHECK(unread.code == 2);
  CHECK(unread.out.empty());
  CHECK(unread.err == "muster: expected a value, got the end\n  1 + \n      ^\n");
  const Answer json = run_eval({"--format", "json", "1 +"});
  CHECK(json.code == 2);
  CHECK(
      json.out ==
      "{\"version\": \"muster.eval/v1\", \"error\": \"expected a value, got the end\", \"line\": 1, \"column\": 4}\n");
}

TEST_CASE("values that JSON cannot carry have a typed form that reads back", "[cli]") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"1", R"("type": "int", "value": 1)"},
      {"1.0", R"("type": "double", "value": 1.0)"},
      {"1u", R"("type": "uint", "value": "1")"},
      {"[1, 2u]", R"("type": "list", "value": [1, {"type": "uint", "value": "2"}])"},
      {"b'hello'", R"("type": "bytes", "value": "aGVsbG8=")"},
      {"0.0 / 0.0", R"("type": "double", "value": "NaN")"},
      {"-1.0 / 0.0", R"("type": "double", "value": "-Infinity")"},
      {"null", R"("type": "null", "value": null)"},
      {"{'a': 1}", R"("type": "map", "value": {"a": 1})"},
      {"{1: 'a'}", R"("type": "map", "entries": [[1, "a"]])"},
      {"{'type': 'uint', 'value': '1'}", R"("type": "map", "entries": [["type", "uint"], ["value", "1"]])"},
      {"duration('90s')", R"("type": "duration", "value": "90s")"},
      {"timestamp(0)", R"("type": "timestamp", "value": "1970-01-01T00:00:00Z")"},
      {"optional.of(1)", R"("type": "optional", "value": 1)"},
      {"optional.none()", R"("type": "optional")"},
      {"type(1)", R"("type": "type", "value": "int")"},
      {"quantity('1Ki')", R"("type": "quantity", "value": "1024")"},
  };
  for (const auto& [expression, expected] : cases) {
    INFO(expression);
    CHECK(json_of(expression) == expected);
    CHECK(json_of("x", "{\"x\": {" + expected + "}}") == expected);
  }
}

TEST_CASE("bindings that are no bindings are refused with their place", "[cli]") {
  const Answer large = run_eval({"--with", "b.json", "x"}, {{"b.json", "{\"x\": 99999999999999999999}"}});
  CHECK(large.err == "muster: b.json:1:7: cannot convert \"99999999999999999999\" to int\n");
  const Answer bad =
      run_eval({"--with", "b.json", "x"}, {{"b.json", "{\"x\":\n {\"type\": \"uint\", \"value\": \"-1\"}}"}});
  CHECK(bad.code == 2);
  CHECK(bad.err == "muster: b.json:2:2: cannot convert \"-1\" to uint\n");
  CHECK(run_eval({"--with", "[1]", "x"}).code == 2);
}

TEST_CASE("--on makes the collections of a model variables", "[cli]") {
  const std::string job =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: train}\nspec:\n  minAvailable: 2\n  "
      "schedulerName: volcano\n"
      "  tasks:\n    - {name: w, replicas: 4, template: {spec: {containers: [{name: c, image: i}]}}}\n";
  const Answer names = run_eval({"--on", "job.yaml", "--format", "json", "gangs.map(g, g.name)"}, {{"job.yaml", job}});
  CHECK(names.out == "{\"version\": \"muster.eval/v1\", \"type\": \"list\", \"value\": [\"train\"]}\n");
  const Answer misspelt = run_eval({"--on", "job.yaml", "gangs.map(g, g.nmae)"}, {{"job.yaml", job}});
  CHECK(misspelt.code == 2);
}
