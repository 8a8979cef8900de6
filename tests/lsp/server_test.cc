// What a client may say when, and what it is answered.
#include "lsp/client.h"
#include "lsp/files.h"
#include "support/catch.h"
#include "support/json.h"

namespace {

using muster::test::Files;
using muster::test::Json;
using muster::test::kLspJob;
using muster::test::LspClient;

Json error_of(LspClient& client, const std::string& message) {
  client.said.clear();
  client.say(message);
  if (client.said.size() != 1) return client.said.size();
  return client.said.front().contains("error") ? client.said.front()["error"]["code"] : Json("a result");
}

}  // namespace

TEST_CASE("a server says what it can, and ends as it is told", "[lsp]") {
  LspClient client(Files{{"a.yaml", kLspJob}});
  const Json result = client.start();
  CHECK(result["serverInfo"] == Json{{"name", "muster"}, {"version", "1.2.3"}});
  CHECK(result["capabilities"]["positionEncoding"] == "utf-16");
  CHECK(result["capabilities"]["textDocumentSync"]["change"] == 2);
  CHECK(client.request("shutdown", nullptr).is_null());
  CHECK_FALSE(client.server().due());
  client.notify("exit", nullptr);
  CHECK(client.server().ended());
  CHECK(client.server().exit_code() == 0);
}

TEST_CASE("who leaves without shutdown is told so by the exit code", "[lsp]") {
  LspClient client(Files{});
  client.notify("exit", nullptr);
  CHECK(client.server().ended());
  CHECK(client.server().exit_code() == 1);
}

TEST_CASE("bytes are columns where the client can count them", "[lsp]") {
  LspClient client(Files{});
  const Json more{{"capabilities", {{"general", {{"positionEncodings", {"utf-32", "utf-8"}}}}}}};
  CHECK(client.start(more)["capabilities"]["positionEncoding"] == "utf-8");
}

TEST_CASE("what cannot be answered has the error that the protocol names", "[lsp]") {
  LspClient client(Files{});
  const auto error = [&](const std::string& message) { return error_of(client, message); };
  CHECK(error(R"({"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}})") == -32002);
  CHECK(error(R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}})") == 0);
  client.start();
  CHECK(error("{") == -32700);
  CHECK(error("") == -32700);
  CHECK(error("\"\xFF\"") == -32700);
  CHECK(error("[]") == -32600);
  CHECK(error("7") == -32600);
  CHECK(error(R"({"jsonrpc":"2.0","id":{},"method":"shutdown"})") == -32600);
  CHECK(error(R"({"jsonrpc":"2.0","id":2,"method":"textDocument/rename","params":{}})") == -32601);
  CHECK(error(R"({"jsonrpc":"2.0","id":3,"method":"$/anything"})") == -32601);
  CHECK(error(R"({"jsonrpc":"2.0","id":4,"method":"initialize","params":{}})") == -32600);
  CHECK(error(R"({"jsonrpc":"2.0","id":5,"method":"textDocument/hover"})") == -32602);
  CHECK(error(R"({"jsonrpc":"2.0","id":"six","method":"textDocument/codeAction","params":{"range":7}})") == -32602);
  CHECK(error(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})") == 0);
  CHECK(error(R"({"jsonrpc":"2.0","id":7,"result":null})") == 0);
  client.request("shutdown", nullptr);
  CHECK(error(R"({"jsonrpc":"2.0","id":8,"method":"textDocument/hover","params":{}})") == -32600);
}

TEST_CASE("parameters of any shape end in nothing worse than an error", "[lsp]") {
  LspClient client(Files{{"a.yaml", kLspJob}});
  client.start();
  client.open("a.yaml", kLspJob);
  client.wait();
  const std::vector<Json> odd{
      nullptr,
      7,
      "x",
      Json::array(),
      Json::array({nullptr}),
      {{"textDocument", 7}},
      {{"textDocument", {{"uri", 7}}}},
      {{"textDocument", {{"uri", LspClient::uri("a.yaml")}}}, {"contentChanges", {{{"range", 7}, {"text", 7}}}}},
      {{"textDocument", {{"uri", LspClient::uri("a.yaml")}}}, {"contentChanges", 7}},
      {{"textDocument", {{"uri", LspClient::uri("a.yaml")}}}, {"position", {{"line", -1}, {"character", 1e300}}}},
      {{"textDocument", {{"uri", LspClient::uri("a.yaml")}}},
       {"position", {{"line", 4000000000}, {"character", 4000000000}}}},
      {{"event", {{"added", {7}}, {"removed", {nullptr}}}}},
      {{"changes", {7, {{"uri", "x"}}}}}};
  for (const char* method :
       {"textDocument/codeAction", "textDocument/completion", "textDocument/definition", "textDocument/didChange",
        "textDocument/didClose", "textDocument/didOpen", "textDocument/didSave", "textDocument/hover",
        "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders"}) {
    for (const Json& params : odd) {
      INFO(method << " " << params.dump());
      const std::size_t before = client.said.size();
      client.say(Json{{"jsonrpc", "2.0"}, {"id", "odd"}, {"method", method}, {"params", params}}.dump());
      CHECK(client.said.size() == before + 1);
      client.notify(method, params);
    }
  }
  client.wait();
  CHECK_FALSE(client.server().ended());
}
