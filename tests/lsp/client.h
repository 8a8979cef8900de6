#pragma once

#include <map>
#include <string>
#include <vector>

#include "lsp/folder_check.h"
#include "lsp/server.h"
#include "support/fake_disk.h"
#include "support/json.h"

namespace muster::test {

using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;  ///< texts by path

/// An editor that speaks to a server without pipes, threads and clocks: what it says is answered at once, and checks
/// are made when it waits for them.
class LspClient {
 public:
  /// Files by their path below the folder /w, which the editor has open.
  explicit LspClient(const Files& files);

  /// initialize with what this editor can, and initialized; the answer's result.
  Json start(const Json& more = Json::object());
  /// The answer to a request: its `result`, or its `error`.
  Json request(const std::string& method, const Json& params);
  /// The same about a place of a file of the folder.
  Json ask(const std::string& method, const std::string& file, std::uint32_t line, std::uint32_t character);
  void notify(const std::string& method, const Json& params);
  void say(const std::string& message) { server_.receive(message, now_); }

  void open(const std::string& file, const std::string& text);
  void change(const std::string& file, const Json& changes);
  /// The whole text anew.
  void retype(const std::string& file, const std::string& text);
  void close(const std::string& file);

  /// Waits, and makes what checks are due; how many there were.
  int wait();
  /// Begins what check is due and gives its outcome away later, with `finish`; `took`: as if it had taken so long.
  bool begin();
  /// Makes the check that has begun, before its outcome is given away.
  void make();
  void finish(std::optional<std::chrono::milliseconds> took = std::nullopt);
  /// Nothing is typed for so long.
  void pause(std::chrono::milliseconds time) { now_ += time; }
  /// How long until the next check begins, if nothing else happens.
  std::chrono::milliseconds until_check() const;

  /// Rules by file, as they were last published; a file without diagnostics is there with nothing.
  std::map<std::string, std::vector<std::string>> rules() const;
  /// As last published, by file.
  std::map<std::string, Json> published;
  /// Everything the server said.
  std::vector<Json> said;
  /// Those of a method, its parameters.
  std::vector<Json> said_with(const std::string& method) const;

  Server& server() { return server_; }
  FolderChecks& checks() { return checks_; }
  static std::string uri(const std::string& file) { return "file:///w/" + file; }

 private:
  FakeDisk disk_;
  FolderChecks checks_;
  Server::Time now_{};
  int version_ = 0;
  int id_ = 0;
  std::optional<CheckJob> job_;
  std::optional<FolderOutcome> outcome_;
  Server server_;
};

}  // namespace muster::test
