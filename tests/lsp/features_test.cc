// Hover, code actions, definition.
#include "base/strings.h"
#include "lsp/client.h"
#include "lsp/files.h"
#include "support/catch.h"
#include "support/json.h"

namespace {

using muster::contains;
using muster::test::Files;
using muster::test::Json;
using muster::test::kLspJob;
using muster::test::kLspQueue;
using muster::test::LspClient;

constexpr const char* kSite =
    "ClusterName=c\r\nSlurmctldHost=h\r\nFastSchedule=1\r\nTaskPlugin=task/cgroup\r\n"
    "NodeName=n[1-4] CPUs=8 RealMemory=1000\r\nPartitionName=p Nodes=ALL Default=YES\r\n";

struct Editor : LspClient {
  explicit Editor(const Files& files) : LspClient(files) {
    start();
    for (const auto& [file, text] : files) open(file, text);
    wait();
  }
  std::string hover(const std::string& file, std::uint32_t line, std::uint32_t character) {
    const Json result = ask("textDocument/hover", file, line, character);
    return result.is_null() ? "" : result["contents"]["value"].get<std::string>();
  }
  Json actions(const std::string& file, std::uint32_t line, const Json& context = {{"diagnostics", Json::array()}},
               std::uint32_t lines = 0) {
    return request(
        "textDocument/codeAction",
        {{"textDocument", {{"uri", uri(file)}}},
         {"range",
          {{"start", {{"line", line}, {"character", 0}}}, {"end", {{"line", line + lines}, {"character", 99}}}}},
         {"context", context}});
  }
};

std::vector<std::string> titles(const Json& actions) {
  std::vector<std::string> out;
  for (const Json& one : actions) out.push_back(one["title"].get<std::string>());
  return out;
}

/// The text after the edits of an action, which stand in one file.
std::string applied(std::string text, const Json& action) {
  const Json edits = action["edit"]["documentChanges"][0]["edits"];
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    const auto offset = [&](const Json& at) {
      std::size_t start = 0;
      for (int line = 0; line < at["line"]; ++line) start = text.find('\n', start) + 1;
      return start + at["character"].get<std::size_t>();
    };
    const std::size_t begin = offset((*edit)["range"]["start"]);
    const std::size_t end = offset((*edit)["range"]["end"]);
    text.replace(begin, end - begin, (*edit)["newText"].get<std::string>());
  }
  return text;
}

}  // namespace

TEST_CASE("hovering over a finding tells what explain tells, in short", "[lsp]") {
  Editor editor(Files{{"job.yaml", kLspJob}});
  const std::string said = editor.hover("job.yaml", 6, 16);
  CHECK(said.starts_with("**gang-min-above-size**, error, effect rejected\n"));
  CHECK(contains(said, "*What to do:*"));
  CHECK(contains(said, "*Source:*"));
  CHECK(editor.hover("job.yaml", 1, 99).empty());
}

TEST_CASE("what a file says is no Markdown", "[lsp]") {
  std::string text = kLspJob;
  text.replace(text.find("name: train"), 11, "name: \"[x](https://e.example)\"");
  Editor editor(Files{{"job.yaml", text}});
  const std::string said = editor.hover("job.yaml", 6, 16);
  CHECK(contains(said, "gang-min-above-size"));
  CHECK(contains(said, "`[x](https://e.example)`"));
}

TEST_CASE("a definition is the other half of a contradiction", "[lsp]") {
  Editor editor(Files{{"job.yaml", kLspJob}, {"queue.yaml", kLspQueue}});
  const Json places = editor.ask("textDocument/definition", "job.yaml", 7, 9);
  REQUIRE(places.size() == 2);
  CHECK(places[0]["uri"] == LspClient::uri("queue.yaml"));
  CHECK(places[0]["range"]["start"] == Json{{"line", 6}, {"character", 20}});
  CHECK(editor.ask("textDocument/definition", "job.yaml", 0, 0).is_null());
}

TEST_CASE("a safe fix is preferred and does away with the finding", "[lsp]") {
  Editor editor(Files{{"slurm.conf", kSite}});
  const Json actions = editor.actions("slurm.conf", 2);
  REQUIRE(titles(actions) == std::vector<std::string>{"Remove it: slurm-fast-schedule-ignored",
                                                      "Allow slurm-fast-schedule-ignored here, with a reason"});
  CHECK(actions[0]["kind"] == "quickfix");
  CHECK(actions[0]["isPreferred"] == true);
  CHECK(actions[0]["edit"]["documentChanges"][0]["textDocument"] ==
        Json{{"uri", LspClient::uri("slurm.conf")}, {"version", 1}});
  const std::string fixed = applied(kSite, actions[0]);
  CHECK_FALSE(contains(fixed, "FastSchedule"));
  editor.retype("slurm.conf", fixed);
  editor.wait();
  auto rules = editor.rules();
  for (const std::string& rule : rules["slurm.conf"]) CHECK(rule != "slurm-fast-schedule-ignored");
}

TEST_CASE("an unsafe fix says so and is not preferred", "[lsp]") {
  Editor editor(Files{{"job.yaml", kLspJob}});
  const Json actions = editor.actions("job.yaml", 6);
  REQUIRE(actions.size() == 2);
  CHECK(actions[0]["title"] == "Write `8`: gang-min-above-size (unsafe: what reads the file does something else then)");
  CHECK_FALSE(actions[0].contains("isPreferred"));
}

TEST_CASE("allowing writes the comment that muster reads, and leaves the reason open", "[lsp]") {
  Editor editor(Files{{"job.yaml", kLspJob}, {"slurm.conf", kSite}});
  const std::string allowed = applied(kLspJob, editor.actions("job.yaml", 6)[1]);
  CHECK(contains(allowed, "\n  # muster: allow gang-min-above-size -- \n  minAvailable: 9\n"));
  editor.retype("job.yaml", allowed);
  editor.wait();
  CHECK(editor.rules()["job.yaml"] == std::vector<std::string>{"suppression-invalid", "gang-min-above-size"});
  std::string reasoned = allowed;
  reasoned.insert(reasoned.find("-- \n") + 3, "it grows");
  editor.retype("job.yaml", reasoned);
  editor.wait();
  CHECK(editor.rules()["job.yaml"].empty());
  CHECK(contains(applied(kSite, editor.actions("slurm.conf", 2)[1]),
                 "\r\n# muster: allow slurm-fast-schedule-ignored -- \r\nFastSchedule=1\r\n"));
}

TEST_CASE("a selection of lines offers what mends them, and allows none of it", "[lsp]") {
  Editor editor(Files{{"slurm.conf", kSite}});
  CHECK(titles(editor.actions("slurm.conf", 1, {{"diagnostics", Json::array()}}, 2)) ==
        std::vector<std::string>{"Remove it: slurm-fast-schedule-ignored"});
}

TEST_CASE("nothing is allowed where a comment would be text", "[lsp]") {
  Editor editor(
      Files{{"list.json", R"({"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "a"},
 "spec": {"minAvailable": 9, "schedulerName": "volcano", "tasks": [{"name": "w", "replicas": 8, "template": {"spec": {"containers": [
 {"name": "c", "image": "i", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}}}]}})"}});
  const Json actions = editor.actions("list.json", 1);
  CHECK_FALSE(actions.empty());
  for (const std::string& title : titles(actions)) CHECK_FALSE(title.starts_with("Allow"));
}

TEST_CASE("actions are about the text that was checked, and of the kind that is asked for", "[lsp]") {
  Editor editor(Files{{"job.yaml", kLspJob}});
  const Json diagnostics = editor.published["job.yaml"]["diagnostics"];
  CHECK(editor.actions("job.yaml", 6, {{"diagnostics", diagnostics}})[0]["diagnostics"] == diagnostics);
  CHECK(editor.actions("job.yaml", 6, {{"diagnostics", Json::array()}, {"only", {"refactor"}}}).empty());
  CHECK(editor.actions("job.yaml", 6, {{"diagnostics", Json::array()}, {"only", {"quickfix"}}}).size() == 2);
  CHECK(editor.actions("job.yaml", 0).empty());
  editor.retype("job.yaml", std::string("\n") + kLspJob);
  CHECK(editor.actions("job.yaml", 6).empty());
}
