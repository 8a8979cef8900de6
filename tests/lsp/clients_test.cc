// The program itself, spoken to by editors' own clients and over plain pipes.
#include <cstdlib>

#include "base/strings.h"
#include "lsp/files.h"
#include "lsp/message.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"
#include "support/skip.h"

namespace {

using muster::framed;
using muster::test::kLspJob;
using muster::test::kLspQueue;
using muster::test::read_file;
using muster::test::skip;
using muster::test::source_dir;
using muster::test::TemporaryFolder;
using muster::test::write_file;
using Json = nlohmann::json;

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

struct Site {
  Site() {
    write_file(folder.path() + "/job.yaml", kLspJob);
    write_file(folder.path() + "/queue.yaml", kLspQueue);
  }
  /// What a client prints, run with the folder and the program in its environment.
  std::string printed_by(const std::string& command) const {
    const std::string said = out.path() + "/said";
    const std::string line = "FOLDER='" + folder.path() + "' MUSTER_BINARY='" MUSTER_BINARY "' timeout 120 " + command +
                             " >" + said + " 2>" + said + ".err </dev/null";
    const int code = std::system(line.c_str());
    INFO(read_file(said + ".err"));
    CHECK(code == 0);
    return read_file(said);
  }
  TemporaryFolder folder;
  TemporaryFolder out;
};

struct Served {
  int code = 0;
  std::vector<Json> said;
  std::string err;
};

/// What the program says to bytes after which the client is gone.
Served served(const std::string& bytes) {
  const TemporaryFolder folder;
  write_file(folder.path() + "/in", bytes);
  const std::string line = "cd " + folder.path() + " && timeout 120 " MUSTER_BINARY " lsp <in >out 2>err";
  Served result;
  result.code = WEXITSTATUS(std::system(line.c_str()));
  result.err = read_file(folder.path() + "/err");
  muster::MessageReader reader;
  reader.feed(read_file(folder.path() + "/out"));
  while (const std::optional<std::string> message = reader.next()) result.said.push_back(Json::parse(*message));
  CHECK(reader.broken().empty());
  return result;
}

const std::string kInitialize =
    framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})");

}  // namespace

TEST_CASE("the program serves a client from initialize to exit", "[lsp]") {
  const Served all = served(kInitialize + framed(R"({"jsonrpc":"2.0","id":2,"method":"shutdown"})") +
                            framed(R"({"jsonrpc":"2.0","method":"exit"})") + framed("behind the end"));
  CHECK(all.code == 0);
  CHECK(all.err.empty());
  REQUIRE(all.said.size() == 2);
  CHECK(all.said[1] == Json{{"jsonrpc", "2.0"}, {"id", 2}, {"result", nullptr}});
}

TEST_CASE("a client that goes away, or speaks what nobody understands, ends the program", "[lsp]") {
  CHECK(served("").code == 1);
  CHECK(served(kInitialize).code == 1);
  CHECK(served(kInitialize + "Content-Length: 20\r\n\r\n{").code == 1);
  const Served giant = served(kInitialize + "Content-Length: 99999999999\r\n\r\n{}");
  CHECK(giant.code == 2);
  CHECK(giant.err == "muster: lsp: the client sent a message of 99999999999 bytes\n");
  CHECK(giant.said.size() == 1);
  const Served noise = served(std::string(100000, '\xFF'));
  CHECK(noise.code == 2);
  CHECK(noise.err == "muster: lsp: the client sent a header without an end\n");
}

TEST_CASE("Neovim shows findings, follows what is typed and ends its server", "[lsp]") {
  if (!has("nvim")) return skip("neovim", "neovim is not installed");
  const Site site;
  CHECK(site.printed_by("nvim --clean --headless -n -c 'luafile " + source_dir() + "/tests/lsp/neovim.lua'") ==
        "opened gang-min-above-size,queue-below-gang\ntyped queue-below-gang\n"
        "hover markdown **queue-below-gang**, error, effect never-runs\ndefinition queue.yaml\nstopped\n");
}

TEST_CASE("the client of VS Code understands what the server says", "[lsp]") {
  const char* modules = std::getenv("MUSTER_LSP_CLIENT");
  if (modules == nullptr || !has("node")) return skip("node client", "MUSTER_LSP_CLIENT names no folder of modules");
  const Site site;
  CHECK(
      site.printed_by("node " + source_dir() + "/tests/lsp/node_client.js") ==
      "encoding utf-16\nopened gang-min-above-size,queue-below-gang\ntyped gang-min-above-size,queue-below-gang 2 18\n"
      "actions quickfix 2,quickfix 2\nexit 0\n");
}
