// The schemas say what the readers accept: both judge every example and each of its mutants alike.
#include "report/schema.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include "decide/decide.h"
#include "embed/assets.h"
#include "pipeline/baseline.h"
#include "pipeline/check.h"
#include "report/baseline.h"
#include "report/decisions.h"
#include "report/report.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_schema.h"
#include "support/node_json.h"
#include "syntax/yaml_reader.h"

namespace {

using Json = nlohmann::json;
using muster::test::to_json;
using Schema = muster::test::JsonSchema;

Schema schema_file(const std::string& name) {
  return Schema(muster::test::read_file(muster::test::source_dir() + "/schemas/" + name + ".schema.json"));
}

/// Complaints of the readers about the shape of one of our own files. What a schema cannot say is left out: hostlists,
/// and names that refer to others.
std::vector<std::string> complaints(const Json& document) {
  const muster::MemoryFileSystem disk({{"file.json", document.dump()}});
  std::vector<muster::Finding> findings;
  const muster::Result<muster::Inputs> inputs = muster::discover({{"file.json"}, {}, {}, {}}, disk, findings);
  REQUIRE(inputs);
  std::vector<muster::ParsedFile> parsed = muster::parse_all(*inputs, 1, findings);
  muster::normalise_all(parsed, *inputs, {}, findings);
  std::vector<std::string> out;
  for (const muster::Finding& finding : findings) {
    const bool shape =
        finding.rule == "own-file-key" || finding.rule == "own-file-value" || finding.rule == "field-type";
    if (shape && finding.message.find("is not one of `topology.levels`") == std::string::npos)
      out.push_back(finding.message);
  }
  return out;
}

/// Every document that differs from this one in one place: a key gone or misspelt, a value of another kind.
void each_mutant(const Json& document, const std::function<void(const Json&, const std::string&)>& visit) {
  const Json replacements[] = {nullptr,          true,        -1, 0, 5, 1.5, "word", Json::array(), Json::object(),
                               Json::array({7}), {{"k", "v"}}};
  const Json flat = document.flatten();
  std::set<std::string> pointers;
  for (const auto& [pointer, value] : flat.items()) {
    for (std::size_t at = pointer.size(); at != std::string::npos && at > 0; at = pointer.rfind('/', at - 1))
      pointers.insert(pointer.substr(0, at));
  }
  pointers.erase("/muster");  // without it the file is none of ours
  for (const std::string& text : pointers) {
    const Json::json_pointer pointer(text);
    for (const Json& replacement : replacements) {
      Json mutant = document;
      mutant[pointer] = replacement;
      visit(mutant, text + " = " + replacement.dump());
    }
    const Json::json_pointer parent = pointer.parent_pointer();
    if (!document[parent].is_object()) continue;
    Json mutant = document;
    mutant[parent].erase(pointer.back());
    visit(mutant, text + " removed");
    mutant = document;
    mutant[parent][pointer.back() + "x"] = mutant[pointer];
    mutant[parent].erase(pointer.back());
    visit(mutant, text + " misspelt");
  }
}

/// Both judge the document and all of its mutants alike.
void check_agreement(const Schema& schema, const Json& document,
                     const std::function<std::vector<std::string>(const Json&)>& read) {
  REQUIRE(schema.accepts(document));
  REQUIRE(read(document) == std::vector<std::string>{});
  std::size_t refused = 0;
  std::size_t accepted = 0;
  each_mutant(document, [&](const Json& mutant, const std::string& what) {
    const std::vector<std::string> found = read(mutant);
    const bool good = schema.accepts(mutant);
    ++(good ? accepted : refused);
    if (good != found.empty())
      UNSCOPED_INFO(what << (found.empty() ? " is read without a word" : ": " + found.front()));
    CHECK(good == found.empty());
  });
  CHECK(refused > 50);
  CHECK(accepted > 10);
}

const Json kWorkloads = Json::parse(R"({"muster": "workloads/v1", "workloads": [
  {"name": "a", "tenant": "t", "nodes": 4, "tightly_coupled": true, "gpu_hours_share": 0.5,
   "elastic": {"min_nodes": 2}, "serving": {"metric": "latency", "user_facing": true, "model_load_seconds": 3}},
  {"name": "b"}]})");

const Json kFleet = Json::parse(R"({"muster": "fleet/v1", "name": "f", "stage": "production",
  "control_planes": [{"kind": "slurm", "version": "25.11", "feature_gates": {"GenericWorkload": true}}],
  "node_pools": [{"name": "p", "nodes": "n[1-4]", "gpus_per_node": 8, "control_plane": "slurm",
    "node": {"cpus": 96, "labels": {"a": "b"}, "taints": []}, "accelerator": {"model": "h100", "partitioning": "none"},
    "fabric": {"kind": "infiniband", "rails": 8}, "runtime": {"driver": "580.95.05"}}],
  "topology": {"levels": ["leaf"], "domains": [{"name": "leaf1", "level": "leaf", "nodes": "n[1-4]"}]},
  "tenants": [{"name": "t", "guaranteed_gpus": 8, "limit_gpus": 16}],
  "planes": {"fleet": {"owner": "sre", "cordon_and_drain": "automatic"}},
  "economics": {"gpu_hour_usd": 2.5, "stranded_share": 0.1}, "requirements": {"tenant_trust": "strangers", "weeks_to_first_job": 4}})");

}  // namespace

TEST_CASE("the workloads schema accepts what the reader accepts", "[schema]") {
  check_agreement(Schema(muster::workloads_schema()), kWorkloads, complaints);
}

TEST_CASE("the fleet schema accepts what the reader accepts", "[schema]") {
  check_agreement(Schema(muster::fleet_schema()), kFleet, complaints);
}

TEST_CASE("fleet files that muster inventory writes fit the schema", "[schema][inventory]") {
  const Schema schema = schema_file("fleet");
  const std::string root = muster::test::source_dir() + "/tests/cases/inventory";
  for (const std::string& name : muster::test::entries(root)) {
    const std::string text = muster::test::read_file(root + "/" + name + "/expected.fleet.yaml");
    if (text.empty()) continue;
    INFO(name);
    muster::SourceMap sources;
    const muster::FileId file = sources.add("fleet.yaml", text);
    muster::Document document;
    std::vector<muster::Finding> findings;
    REQUIRE(muster::read_yaml(sources.file(file).text(), {file, 0, static_cast<std::uint32_t>(text.size())}, document,
                              findings));
    CHECK(schema.accepts(to_json(document.root())));
  }
}

TEST_CASE("the schemas of facts that editors read are those of the program", "[schema]") {
  muster::test::check_golden(muster::test::source_dir() + "/schemas/workloads.schema.json", muster::workloads_schema());
  muster::test::check_golden(muster::test::source_dir() + "/schemas/fleet.schema.json", muster::fleet_schema());
}

TEST_CASE("what check prints as JSON fits its schema", "[schema]") {
  const muster::DiskFileSystem disk;
  muster::Options options;
  options.paths = {"examples/training-repo", "tests/cases/rules/gang-scheduler-missing"};
  muster::Workspace workspace;
  const muster::Result<muster::Report> report = muster::check(options, disk, workspace);
  REQUIRE(report);
  const Json json = Json::parse(muster::render_json(*report, {}));
  CHECK(json["findings"].size() > 5);
  CHECK(json["undecided"].size() > 0);
  const Schema schema = schema_file("check");
  CHECK(schema.accepts(json));
  Json broken = json;
  broken["findings"][0].erase("effect");
  CHECK_FALSE(schema.accepts(broken));
}

TEST_CASE("what decide prints as JSON fits its schema", "[schema]") {
  const muster::DiskFileSystem disk;
  for (const char* folder : {"examples/decisions", "examples/training-repo"}) {
    muster::Options options;
    options.paths = {folder};
    muster::Result<muster::Workspace> read = muster::read_workspace(options, disk);
    REQUIRE(read);
    const muster::FleetDecision fleet = muster::decide_fleet(read->model, *read->book, read->site, read->decisions);
    const Json json = Json::parse(muster::decisions_json(read->decisions, fleet, read->inputs.sources));
    const Schema schema = schema_file("decide");
    CHECK(schema.accepts(json));
    for (const char* key : {"decisions", "fleet"}) {
      Json broken = json;
      broken.erase(key);
      CHECK_FALSE(schema.accepts(broken));
    }
    Json broken = json;
    broken["decisions"][0]["choices"][0]["reversibility"] = "never";
    CHECK_FALSE(schema.accepts(broken));
  }
}

TEST_CASE("what review prints as JSON fits its schema", "[schema][review]") {
  const Schema schema = schema_file("review");
  const auto review = [](const std::string& path) {
    return Json::parse(muster::test::run_command({"review", path, "--format", "json"}).out);
  };
  for (const char* path : {"examples/training-repo", "examples/kubernetes/before"}) {
    INFO(path);
    CHECK(schema.accepts(review(path)));
  }
  const Json whole = review("examples/research-cluster");
  CHECK(schema.accepts(whole));
  for (const auto& [key, value] : whole.items()) {
    INFO(key);
    Json broken = whole;
    broken.erase(key);
    CHECK_FALSE(schema.accepts(broken));
    broken[key] = 7;
    CHECK_FALSE(schema.accepts(broken));
  }
  Json broken = whole;
  broken["decisions"][0]["reversibility"] = "never";
  CHECK_FALSE(schema.accepts(broken));
}

TEST_CASE("what prove --observed prints as JSON fits its schema", "[schema][observe]") {
  const Schema schema = schema_file("observed");
  const std::string root = muster::test::source_dir() + "/tests/cases/observe";
  std::set<std::string> shown;
  for (const std::string& name : muster::test::entries(root)) {
    INFO(name);
    const Json json = Json::parse(muster::test::read_file(root + "/" + name + "/expected.json"));
    CHECK(schema.accepts(json));
    for (const char* key : {"gangs", "jobs", "cycle", "eviction", "unknown", "assumes"}) {
      if (!json[key].empty()) shown.insert(key);
      Json broken = json;
      broken.erase(key);
      CHECK_FALSE(schema.accepts(broken));
      broken = json;
      if (broken[key].is_array() && !broken[key].empty()) {
        broken[key][0] = 1;
        CHECK_FALSE(schema.accepts(broken));
      }
    }
  }
  CHECK(shown.size() == 6);
}

TEST_CASE("the config schema accepts what the reader accepts", "[schema]") {
  const Json config =
      Json::parse(R"({"muster": "config/v1", "targets": {"slurm": "25.11", "kubernetes": 1.37}, "fleet": "fleet.yaml",
    "workloads": "workloads.yaml", "exclude": ["vendor/**"], "complete": true,
    "rules": {"severity": {"gang-without-restart-policy": "info", "queue-missing": "off"}, "params": {"gang-min-below-size": {"most": 4}},
      "rows": {"control-plane": {"k3s-small": {"when": {"nodes": ["1", "2"]}, "then": {"primary": "kubernetes"}, "reason": "r"},
                                 "other": {"off": true, "reason": "r"}}}},
    "suppress": [{"rule": "queue-missing", "path": "lab/**", "where": "true", "reason": "r", "until": "2027-01-31"}]})");
  check_agreement(schema_file("config"), config, [](const Json& document) -> std::vector<std::string> {
    const muster::MemoryFileSystem disk({{"muster.yaml", document.dump()}});
    const muster::Result<muster::Config> read = muster::read_config("muster.yaml", disk);
    return read ? std::vector<std::string>{} : std::vector<std::string>{read.error().message};
  });
}

TEST_CASE("what rules eval prints as JSON fits its schema", "[schema]") {
  const Schema schema = schema_file("eval");
  const auto answer = [](const std::string& expression) {
    const std::string bindings = R"({"x": {"type": "unknown", "needs": "x.y"}})";
    const muster::test::Ran ran =
        muster::test::run_command({"rules", "eval", "--format", "json", "--with", bindings, "--", expression});
    INFO(ran.err);
    return Json::parse(ran.out);
  };
  const char* const expressions[] = {"null",
                                     "true",
                                     "-3",
                                     "3u",
                                     "1.5",
                                     "0.0 / 0.0",
                                     "-1.0 / 0.0",
                                     "'a\\n\"'",
                                     "b'\\xff\\x00'",
                                     "[1, 2u, [3.5]]",
                                     "{'a': 1, 'b': {'c': 2u}}",
                                     "{1: 'a', true: 'b'}",
                                     "{'type': 'x'}",
                                     "duration('90s')",
                                     "timestamp('2027-01-31T00:00:00Z')",
                                     "type(1)",
                                     "optional.none()",
                                     "optional.of(2u)",
                                     "optional.of(optional.none())",
                                     "[x, 1]",
                                     "{'k': x}",
                                     "quantity('5Gi')",
                                     "hostlist('n[1-3]')",
                                     "semver('1.2.3')",
                                     "x",
                                     "x + 1",
                                     "1 / 0",
                                     "1 +",
                                     "nobody"};
  for (const char* const expression : expressions) {
    Json json = answer(expression);
    INFO(expression << ": " << json.dump());
    CHECK(schema.accepts(json));
    for (const char* const wrong : {"list", "int", "uint", "optional"}) {
      if (!json.contains("type") || json["type"] == wrong) continue;
      Json retyped = json;
      retyped["type"] = wrong;
      const bool also_text =
          retyped.contains("value") && retyped["value"].is_string() && std::string_view(wrong) == "uint";
      const bool also_optional = !retyped.contains("entries") && std::string_view(wrong) == "optional";
      if (!also_text && !also_optional) CHECK_FALSE(schema.accepts(retyped));
    }
    json["more"] = 1;
    CHECK_FALSE(schema.accepts(json));
    json.erase("more");
    json.erase("version");
    CHECK_FALSE(schema.accepts(json));
  }
}

TEST_CASE("every shipped rule and table fits its schema", "[schema]") {
  const Schema rules = schema_file("rule");
  const Schema tables = schema_file("table");
  std::size_t seen = 0;
  for (const muster::Asset& asset : muster::assets_below("rules/")) {
    // Lists of the book, kinds, schedulers and operators have readers that refuse what they do not know.
    const bool other =
        std::ranges::any_of(std::array{"rules/reference/", "rules/kinds/", "rules/schedulers/", "rules/operators/"},
                            [&](const char* folder) { return asset.path.starts_with(folder); });
    if (other) continue;
    std::vector<muster::Finding> findings;
    muster::Document document;
    REQUIRE(muster::read_yaml(asset.text,
                              muster::Span{muster::FileId{0}, 0, static_cast<std::uint32_t>(asset.text.size())},
                              document, findings));
    const Json json = to_json(document.root());
    INFO(asset.path);
    const bool table = asset.path.starts_with("rules/decide/");
    CHECK((table ? tables : rules).accepts(json));
    Json misspelt = json;
    misspelt["sverity"] = "error";
    CHECK_FALSE((table ? tables : rules).accepts(misspelt));
    ++seen;
  }
  CHECK(seen > 60);
}

TEST_CASE("no schema uses words newer than draft-07", "[schema]") {
  for (const std::string& name : muster::test::entries(muster::test::source_dir() + "/schemas")) {
    if (!name.ends_with(".json")) continue;
    const std::string text = muster::test::read_file(muster::test::source_dir() + "/schemas/" + name);
    INFO(name);
    for (const char* word : {"\"$defs\"", "\"unevaluatedProperties\"", "\"dependentRequired\"", "\"dependentSchemas\"",
                             "\"prefixItems\"", "\"minContains\""}) {
      CHECK(text.find(word) == std::string::npos);
    }
    CHECK(Json::parse(text)["$schema"] == "http://json-schema.org/draft-07/schema#");
  }
}

TEST_CASE("the schema of baselines says what their reader accepts", "[schema]") {
  const Schema schema = schema_file("baseline");
  const Json document = Json::parse(R"({"muster": "baseline/v1", "findings": [
    {"file": "a.yaml", "object": "batch/v1/Job/a", "rule": "gang-of-one", "field": "spec.x", "about": "a",
     "severity": "error", "count": 2},
    {"rule": "gang-of-one", "severity": "info"}]})");
  const auto accepted = [](const Json& json) {
    const muster::MemoryFileSystem disk({{"b.json", json.dump()}});
    return static_cast<bool>(muster::read_baseline("b.json", disk));
  };
  CHECK(schema.accepts(document));
  CHECK(accepted(document));
  std::size_t mutants = 0;
  const auto judge = [&](const Json& mutant, const std::string& what) {
    INFO(what << ": " << mutant.dump());
    CHECK(schema.accepts(mutant) == accepted(mutant));
    ++mutants;
  };
  each_mutant(document, judge);
  for (const char* version : {"baseline/v2", "fleet/v1", ""}) {
    Json other = document;
    other["muster"] = version;
    judge(other, version);
  }
  CHECK(mutants > 50);
  CHECK(schema.accepts(Json::parse(muster::render_baseline({}))));
}

TEST_CASE("what muster diff prints is what its schema promises", "[schema][diff]") {
  const Schema schema = schema_file("diff");
  const std::string examples = muster::test::source_dir() + "/examples/";
  for (const auto& [from, to] : {std::pair("kubernetes/before", "kubernetes/after"),
                                 {"training-repo", "kubernetes/after"},
                                 {"kubernetes/after", "training-repo"}}) {
    const muster::test::Ran ran =
        muster::test::run_command({"diff", examples + from, examples + to, "--format", "json"});
    CHECK(ran.code == 0);
    const Json json = Json::parse(ran.out);
    CHECK(schema.accepts(json));
    CHECK_FALSE(json["findings"]["added"].size() + json["findings"]["removed"].size() == 0);
  }
}
