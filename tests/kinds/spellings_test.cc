// One object in every spelling that kubectl reads alike: what muster finds must not depend on it.
#include <functional>
#include <regex>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "pipeline/dump.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;

namespace {

/// A gang of 9 that has 8 replicas, and another object in the same bundle.
const std::string kSpelledJob =
    "apiVersion: batch.volcano.sh/v1alpha1\n"
    "kind: Job\n"
    "metadata:\n"
    "  name: train\n"
    "spec:\n"
    "  minAvailable: 9\n"
    "  tasks:\n"
    "    - name: worker\n"
    "      replicas: 8\n"
    "      template:\n"
    "        spec:\n"
    "          containers:\n"
    "            - name: c\n"
    "              image: x\n";

const std::string kJson =
    R"({"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}, "spec": {"minAvailable": 9, "tasks": [)"
    R"({"name": "worker", "replicas": 8, "template": {"spec": {"containers": [{"name": "c", "image": "x"}]}}}]}})";

std::string swapped(const std::string& from, const std::string& to) {
  REQUIRE(kSpelledJob.find(from) != std::string::npos);
  return replace_all(kSpelledJob, from, to);
}

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) out += line.empty() ? "" : by + std::string(line) + "\n";
  return out;
}

/// Each byte of a text as one unit of `size` bytes, behind a byte order mark.
std::string wide(const std::string& text, std::size_t size, ByteOrder order) {
  std::string out;
  const auto unit = [&](unsigned value) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t shift = 8 * (order == ByteOrder::Little ? i : size - 1 - i);
      out += shift > 24 ? '\0' : static_cast<char>((value >> shift) & 0xFF);
    }
  };
  unit(0xFEFF);
  for (const char c : text) unit(static_cast<unsigned char>(c));
  return out;
}

std::map<std::string, std::string> spellings() {
  std::map<std::string, std::string> all{{"json", kJson},
                                         {"json behind a marker", "---\n" + kJson + "\n"},
                                         {"json over lines", replace_all(kJson, ", ", ",\n\t")}};
  const auto keys = [&](const std::string& name, const std::function<std::string(const std::string&)>& spell) {
    all[name] =
        replace_all(replace_all(kSpelledJob, "apiVersion:", spell("apiVersion") + ":"), "kind:", spell("kind") + ":");
  };
  keys("double quotes", [](const std::string& key) { return "\"" + key + "\""; });
  keys("single quotes", [](const std::string& key) { return "'" + key + "'"; });
  keys("blank before the colon", [](const std::string& key) { return key + " "; });
  keys("tags", [](const std::string& key) { return "!!str " + key; });
  keys("anchors", [](const std::string& key) { return "&" + key + " " + key; });
  keys("complex keys", [](const std::string& key) { return "? " + key + "\n"; });
  all["escapes"] = swapped("kind:", "\"k\\u0069n\\x64\":");
  all["escaped line end"] = swapped("kind:", "? \"ki\\\n  nd\"\n:");
  all["binary"] = swapped("kind:", "!!binary a2luZA==:");
  all["escapes in the value"] = swapped("kind: Job", "kind: \"J\\u006fb\"");
  all["block scalar"] = swapped("kind: Job", "kind: >-\n  Job");
  all["aliases"] = "x: [&k kind, &v Job]\n" + swapped("kind: Job", "*k : *v");
  all["merge key"] = "x: &x {kind: Job}\n" + swapped("kind: Job", "<<: *x");
  all["merge behind the key"] = "x: &x {kind: Job}\n" + swapped("kind: Job", "kind: Pod\n<<: *x");
  all["merge of several"] = "x: [&x {kind: Job}, &y {kind: Pod}]\n" + swapped("kind: Job", "<<: [*x, *y]");
  all["indented"] = indented(kSpelledJob, "    ");
  all["comment first"] = "# kind: Pod\n#!/bin/sh\n" + kSpelledJob;
  all["directive"] = "%YAML 1.1\n---\n" + kSpelledJob + "...\n";
  all["other documents"] = "---\n# nothing\n---\na: [1, 2]\n---\n" + kSpelledJob + "---\nb: 1\n";
  all["a broken neighbour"] = "a: [1\n---\n" + kSpelledJob + "---\nkind: {\n";
  all["JSON in a row"] = R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})" + kJson + "\n[1]\n";
  all["flow mapping"] = replace_all(replace_all(replace_all(kJson, "\"", ""), "{c:", "{c: "), "\n", " ");
  all["list"] = "apiVersion: v1\nkind: List\nitems:\n- " + indented(kSpelledJob, "  ").substr(2);
  all["list of lists"] = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - " +
                         indented(kSpelledJob, "    ").substr(4);
  all["list in JSON"] =
      R"({"apiVersion": "v1", "kind": "List", "items": [{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n"}}, )" +
      kJson + "]}";
  all["windows"] = replace_all(kSpelledJob, "\n", "\r\n");
  all["carriage returns"] = replace_all(kSpelledJob, "\n", "\r");
  all["mark"] = "\xEF\xBB\xBF" + kSpelledJob;
  for (const std::size_t size : {std::size_t{2}, std::size_t{4}}) {
    all["wide, little " + std::to_string(size)] = wide(kSpelledJob, size, ByteOrder::Little);
    all["wide, big " + std::to_string(size)] = wide(kSpelledJob, size, ByteOrder::Big);
  }
  return all;
}

/// Without places, which may differ.
std::string said_of(const std::string& name, const std::string& text) {
  const test::Checked checked = test::check_files({{name, text}});
  const std::string model = dump_model(checked.workspace.model, checked.workspace.inputs.sources);
  std::string out = std::regex_replace(model, std::regex("[0-9]+:[0-9]+"), "");
  for (const Finding& finding : checked.report.findings) {
    // `x`, which holds an anchor in some of them, is no field of the kind.
    if (finding.rule != "custom-field-unknown") out += finding.rule + ": " + finding.message + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("however kubectl's input is spelled, the same is found in it", "[kinds][spelling]") {
  for (const std::string file : {"job.yaml", "manifest"}) {
    const std::string plain = said_of(file, kSpelledJob);
    REQUIRE(plain.find("gang-min-above-size") != std::string::npos);
    for (const auto& [name, text] : spellings()) {
      INFO(name << " in " << file);
      CHECK(said_of(file, text) == plain);
    }
  }
}

TEST_CASE("of a kind that is given twice the last one counts, as kubectl takes it, and it is said",
          "[kinds][spelling]") {
  const std::string twice = said_of("job.yaml", swapped("kind: Job", "kind: Pod\nkind: Job"));
  CHECK(twice.find("gang-min-above-size") != std::string::npos);
  CHECK(twice.find("duplicate-key: `kind` is given twice") != std::string::npos);
  CHECK(said_of("job.yaml", swapped("kind: Job", "kind: Job\nkind: Pod")).find("gang-min-above-size") ==
        std::string::npos);
}

TEST_CASE("the items of a list of one kind need not say theirs", "[kinds][spelling]") {
  const std::string items =
      replace_all(replace_all(kSpelledJob, "apiVersion: batch.volcano.sh/v1alpha1\n", ""), "kind: Job\n", "");
  const std::string text =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: JobList\nitems:\n- " + indented(items, "  ").substr(2);
  CHECK(said_of("jobs.yaml", text).find("gang-min-above-size") != std::string::npos);
}

TEST_CASE("a broken document of a kind that muster knows is a finding, its neighbours are checked",
          "[kinds][spelling]") {
  const std::string broken = "\"apiVersion\": batch/v1\n'kind' : Job\nspec: [1\n---\n";
  const std::string said = said_of("jobs.yaml", broken + kSpelledJob);
  CHECK(said.find("yaml-syntax") != std::string::npos);
  CHECK(said.find("gang-min-above-size") != std::string::npos);
  CHECK(said_of("jobs.yaml", kJson + "\n" + R"({"apiVersion": "batch/v1", "kind": "Job", "spec": )")
            .find("gang-min-above-size") != std::string::npos);
}
