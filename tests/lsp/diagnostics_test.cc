// Findings while somebody types.
#include "lsp/client.h"
#include "lsp/files.h"
#include "support/catch.h"
#include "support/json.h"

namespace {

using muster::test::Files;
using muster::test::Json;
using muster::test::kLspJob;
using muster::test::kLspQueue;
using muster::test::LspClient;
using Rules = std::map<std::string, std::vector<std::string>>;

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Json range(std::uint32_t line, std::uint32_t begin, std::uint32_t end_line, std::uint32_t end) {
  return {{"start", {{"line", line}, {"character", begin}}}, {"end", {{"line", end_line}, {"character", end}}}};
}

}  // namespace

TEST_CASE("a folder that is opened is checked as it lies on the disk", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}, {"queue.yaml", kLspQueue}});
  client.start();
  CHECK(client.wait() == 1);
  CHECK(client.rules() == Rules{{"job.yaml", {"gang-min-above-size", "queue-below-gang"}}});
  const Json& first = client.published["job.yaml"]["diagnostics"][0];
  CHECK(first["severity"] == 1);
  CHECK(first["source"] == "muster");
  CHECK(first["message"] == "`train` wants 9 pods placed together but has only 8");
  CHECK(first["codeDescription"]["href"] == "https://example.com/rules.html#gang-min-above-size");
  CHECK(first["range"] == range(6, 16, 6, 17));
  CHECK(first["relatedInformation"][0]["location"] ==
        Json{{"uri", LspClient::uri("job.yaml")}, {"range", range(13, 16, 13, 17)}});
  CHECK(client.published["job.yaml"]["diagnostics"][1]["relatedInformation"][0]["location"]["uri"] ==
        LspClient::uri("queue.yaml"));
  CHECK_FALSE(client.published["job.yaml"].contains("version"));
}

TEST_CASE("the text of the editor counts, and what it mends elsewhere is cleared there", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}, {"queue.yaml", kLspQueue}});
  client.start();
  client.wait();
  client.open("queue.yaml", kLspQueue);
  client.retype("queue.yaml", with(kLspQueue, "32", "64"));
  client.wait();
  CHECK(client.rules()["job.yaml"] == std::vector<std::string>{"gang-min-above-size"});
  client.retype("queue.yaml", with(kLspQueue, "32", "8"));
  client.wait();
  CHECK(client.rules()["job.yaml"] == std::vector<std::string>{"gang-min-above-size", "queue-below-gang"});
  client.close("queue.yaml");  // without saving
  client.wait();
  CHECK(client.published["job.yaml"]["diagnostics"][1]["message"] ==
        "`train` needs 64 nvidia.com/gpu at once, its queue `research` grants 32");
}

TEST_CASE("changes of parts of a text come together in their order", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}});
  client.start();
  client.open("job.yaml", kLspJob);
  client.wait();
  // A line is added above, and the 9 that moved down is taken for an 8; columns count the rocket twice.
  client.change("job.yaml", {{{"range", range(0, 0, 0, 0)}, {"text", "# \xF0\x9F\x9A\x80x\n"}},
                             {{"range", range(0, 4, 0, 5)}, {"text", "y"}},
                             {{"range", range(7, 16, 7, 17)}, {"text", "8"}}});
  client.wait();
  CHECK(client.rules() == Rules{{"job.yaml", {}}});
  CHECK(client.published["job.yaml"]["version"] == 2);
  client.change("job.yaml", {{{"range", range(7, 16, 7, 17)}, {"text", "10"}}});
  client.wait();
  CHECK(client.published["job.yaml"]["diagnostics"][0]["range"] == range(7, 16, 7, 18));
}

TEST_CASE("a file that is nowhere but in the editor is checked with the others", "[lsp]") {
  LspClient client(Files{{"queue.yaml", kLspQueue}});
  client.start();
  client.wait();
  client.open("new.yaml", "");
  client.wait();
  CHECK(client.rules().empty());
  client.retype("new.yaml", kLspJob);
  client.wait();
  CHECK(client.rules() == Rules{{"new.yaml", {"gang-min-above-size", "queue-below-gang"}}});
  client.close("new.yaml");
  client.wait();
  CHECK(client.rules() == Rules{{"new.yaml", {}}});
}

TEST_CASE("comments, muster.yaml and a baseline allow here what they allow in CI", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}, {"queue.yaml", kLspQueue}, {"muster.yaml", "muster: config/v1\n"}});
  client.start();
  client.open("job.yaml", kLspJob);
  client.open("muster.yaml", "muster: config/v1\n");
  client.wait();
  CHECK(client.rules()["job.yaml"].size() == 2);
  client.retype("job.yaml",
                with(kLspJob, "minAvailable: 9", "minAvailable: 9  # muster: allow gang-min-above-size -- a test"));
  client.wait();
  CHECK(client.rules()["job.yaml"] == std::vector<std::string>{"queue-below-gang"});
  client.retype("muster.yaml", "muster: config/v1\nrules:\n  severity:\n    queue-below-gang: off\n");
  client.wait();
  CHECK(client.rules()["job.yaml"].empty());
}

TEST_CASE("a mistake in muster.yaml is said once, and goes with it", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}, {"muster.yaml", "muster: config/v1\n"}});
  client.start();
  client.open("muster.yaml", "muster: config/v1\nwhat: 1\n");
  client.wait();
  client.open("job.yaml", kLspJob);
  client.wait();
  REQUIRE(client.said_with("window/showMessage").size() == 1);
  CHECK(client.said_with("window/showMessage")[0]["message"].get<std::string>().find("what") != std::string::npos);
  client.retype("muster.yaml", "muster: config/v1\n");
  client.wait();
  CHECK(client.rules()["job.yaml"] == std::vector<std::string>{"gang-min-above-size"});
}

TEST_CASE("nothing is checked that lies in no open folder", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}});
  client.start({{"workspaceFolders", nullptr}});
  client.open("job.yaml", kLspJob);
  CHECK(client.wait() == 0);
  client.notify(
      "workspace/didChangeWorkspaceFolders",
      {{"event", {{"added", {{{"uri", "file:///w"}}, {{"uri", "untitled:x"}}}}, {"removed", Json::array()}}}});
  CHECK(client.wait() == 1);
  CHECK(client.rules() == Rules{{"job.yaml", {"gang-min-above-size"}}});
  client.notify("workspace/didChangeWorkspaceFolders",
                {{"event", {{"added", Json::array()}, {"removed", {{{"uri", "file:///w"}}}}}}});
  CHECK(client.rules() == Rules{{"job.yaml", {}}});
  CHECK(client.wait() == 0);
}

TEST_CASE("a file of two open folders has the findings of the inner one", "[lsp]") {
  LspClient client(Files{{"queue.yaml", kLspQueue}, {"in/job.yaml", kLspJob}});
  client.start({{"workspaceFolders", {{{"uri", "file:///w"}}, {{"uri", "file:///w/in/"}}}}});
  CHECK(client.wait() == 2);
  CHECK(client.rules() == Rules{{"in/job.yaml", {"gang-min-above-size"}}});
}

TEST_CASE("an inner folder that is closed gives its files back to the outer one, and takes them where it is opened",
          "[lsp]") {
  const auto folders = [](const std::string& what) {
    Json event{{"added", Json::array()}, {"removed", Json::array()}};
    event[what].push_back({{"uri", "file:///w/in"}});
    return Json{{"event", event}};
  };
  const auto has = [](LspClient& client, const std::string& rule) {
    const std::vector<std::string> rules = client.rules()["in/job.yaml"];
    return std::ranges::find(rules, rule) != rules.end();
  };
  LspClient client(Files{{"queue.yaml", kLspQueue}, {"in/job.yaml", kLspJob}});
  client.start();
  client.wait();
  CHECK(has(client, "queue-below-gang"));
  client.notify("workspace/didChangeWorkspaceFolders", folders("added"));
  client.wait();
  CHECK_FALSE(has(client, "queue-below-gang"));  // the queue lies in the outer folder
  client.notify("workspace/didChangeWorkspaceFolders", folders("removed"));
  client.wait();
  CHECK(has(client, "queue-below-gang"));
}

TEST_CASE("a folder that is closed and opened again during a check has all of its findings", "[lsp]") {
  LspClient client(Files{{"a.yaml", kLspJob}, {"b.yaml", kLspJob}});
  client.start();
  client.open("a.yaml", kLspJob);
  client.wait();
  const Rules all = client.rules();
  CHECK_FALSE(all.at("b.yaml").empty());
  client.retype("a.yaml", std::string(kLspJob) + "# more\n");
  REQUIRE(client.begin());
  client.make();
  const Json folder{{{"uri", "file:///w"}}};
  client.notify("workspace/didChangeWorkspaceFolders", {{"event", {{"removed", folder}, {"added", Json::array()}}}});
  CHECK(client.rules().at("b.yaml").empty());
  client.notify("workspace/didChangeWorkspaceFolders", {{"event", {{"removed", Json::array()}, {"added", folder}}}});
  client.finish();
  client.wait();
  CHECK(client.rules() == all);
}

TEST_CASE("the outer folder, too, forgets a text that is closed without being saved", "[lsp]") {
  LspClient client(Files{{"in/queue.yaml", kLspQueue}, {"job.yaml", kLspJob}});
  client.start({{"workspaceFolders", {{{"uri", "file:///w"}}, {{"uri", "file:///w/in"}}}}});
  client.wait();
  const std::vector<std::string> before = client.rules()["job.yaml"];
  client.open("in/queue.yaml", "# nothing yet\n");
  client.wait();
  CHECK(client.rules()["job.yaml"] != before);
  client.close("in/queue.yaml");
  client.wait();
  CHECK(client.rules()["job.yaml"] == before);
}

TEST_CASE("a check stops for newer text, but not for ever", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}});
  client.start();
  client.open("job.yaml", kLspJob);
  client.wait();
  client.published.clear();
  client.retype("job.yaml", std::string(kLspJob) + "# more\n");
  int stopped = 0;
  for (int letter = 0; letter < 10; ++letter) {
    REQUIRE(client.begin());
    client.retype("job.yaml", with(kLspJob, "minAvailable: 9", "minAvailable: 8"));
    client.finish();
    if (!client.published.empty()) break;
    ++stopped;
  }
  CHECK(stopped == 4);
  // What the stopped ones had been told of was not forgotten.
  client.wait();
  CHECK(client.rules() == Rules{{"job.yaml", {}}});
}

TEST_CASE("a change after a pause is checked at once, and who goes on typing is waited for", "[lsp]") {
  using std::chrono::milliseconds;
  LspClient client(Files{{"job.yaml", kLspJob}});
  client.start();
  REQUIRE(client.begin());
  client.finish(milliseconds(120));
  const auto type = [&] {
    client.retype("job.yaml", with(kLspJob, "minAvailable: 9", "minAvailable: 8"));
    return client.until_check();
  };
  client.open("job.yaml", kLspJob);
  CHECK(client.until_check() == milliseconds(10));
  client.pause(milliseconds(50));
  CHECK(type() == milliseconds(120));
  client.pause(milliseconds(110));
  CHECK(type() == milliseconds(120));
  client.pause(milliseconds(130));
  CHECK(type() == milliseconds(10));
}

TEST_CASE("what changes on the disk is looked at where the client watches it", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}});
  client.start({{"capabilities", {{"workspace", {{"didChangeWatchedFiles", {{"dynamicRegistration", true}}}}}}}});
  CHECK(client.said_with("client/registerCapability").size() == 1);
  CHECK(client.wait() == 1);
  const auto changed = [&](const std::string& file, int type) {
    client.notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", LspClient::uri(file)}, {"type", type}}}}});
    return client.wait();
  };
  CHECK(changed("job.yaml", 2) == 1);
  CHECK(changed("other.yaml", 1) == 1);
  CHECK(changed("other.yaml", 3) == 1);
  CHECK(changed(".git/index", 2) == 0);
}

TEST_CASE("a client that asks for little is told little", "[lsp]") {
  LspClient client(Files{{"job.yaml", kLspJob}, {"slurm.conf", "ClusterName=c\nSlurmctldHost=h\nFastSchedule=1\n"}});
  client.start({{"capabilities", {{"textDocument", {{"publishDiagnostics", nullptr}}}}}});
  client.wait();
  for (const auto& [file, params] : client.published) {
    for (const Json& one : params["diagnostics"]) {
      CHECK_FALSE(one.contains("relatedInformation"));
      CHECK_FALSE(one.contains("codeDescription"));
      CHECK_FALSE(one.contains("tags"));
    }
  }
  LspClient other(Files{{"slurm.conf", "ClusterName=c\nSlurmctldHost=h\nFastSchedule=1\n"}});
  other.start();
  other.wait();
  Json tags;
  for (const Json& one : other.published["slurm.conf"]["diagnostics"]) {
    if (one["code"] == "slurm-fast-schedule-ignored") tags = one["tags"];
  }
  CHECK(tags == Json{1});
}
