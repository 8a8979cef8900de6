#include "lsp/server.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "lsp/code_actions.h"
#include "lsp/completion.h"
#include "lsp/definition.h"
#include "lsp/diagnostics.h"
#include "lsp/hover.h"
#include "lsp/json_value.h"
#include "lsp/uri.h"

namespace muster {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

// Source: JSON-RPC 2.0 and Language Server Protocol 3.17, ErrorCodes.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNotInitialized = -32002;

constexpr int kIncremental = 2;   // TextDocumentSyncKind
constexpr int kFileChanged = 2;   // FileChangeType
constexpr int kErrorMessage = 1;  // MessageType

// How long after a change its check begins: at once after a pause, and otherwise as long as the last one took, so that
// somebody who types is not checked at every letter of a large folder.
constexpr milliseconds kShortestWait{10};
constexpr milliseconds kLongestWait{250};
// Who never pauses is told now and then all the same.
constexpr int kMostStopped = 4;

ClientAbilities abilities_of(const Json& client) {
  ClientAbilities out;
  const Json none = Json::object();
  const Json* published = value_at(client, {"textDocument", "publishDiagnostics"});
  const Json& diagnostics = published != nullptr ? *published : none;
  out.related_information = flag_at(diagnostics, {"relatedInformation"});
  out.unnecessary_tag = list_has(diagnostics, {"tagSupport", "valueSet"}, 1);
  out.code_description = flag_at(diagnostics, {"codeDescriptionSupport"});
  out.versioned_edits = flag_at(client, {"workspace", "workspaceEdit", "documentChanges"});
  out.watches_files = flag_at(client, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  return out;
}

Json capabilities(PositionEncoding encoding) {
  return {{"positionEncoding", encoding == PositionEncoding::Utf8 ? "utf-8" : "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", kIncremental}, {"save", {{"includeText", false}}}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
          {"completionProvider", {{"triggerCharacters", {"=", " "}}}},
          {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer() || id.is_null(); }

}  // namespace

/// The result of a request, or why there is none.
struct Server::Answer {
  Json result = nullptr;
  int error = 0;
  std::string words = {};
};

struct Server::Method {
  std::string_view name;
  bool is_request;
  Answer (Server::*run)(const Json& params, Time now);
};

void Server::receive(const std::string& text, Time now) {
  static constexpr std::array kMethods{
      Method{"exit", false, &Server::exit},
      Method{"initialize", true, &Server::initialize},
      Method{"initialized", false, &Server::initialized},
      Method{"shutdown", true, &Server::shut_down},
      Method{"textDocument/codeAction", true, &Server::actions_in},
      Method{"textDocument/completion", true, &Server::complete_at},
      Method{"textDocument/definition", true, &Server::definition_at},
      Method{"textDocument/didChange", false, &Server::did_change},
      Method{"textDocument/didClose", false, &Server::did_close},
      Method{"textDocument/didOpen", false, &Server::did_open},
      Method{"textDocument/didSave", false, &Server::did_save},
      Method{"textDocument/hover", true, &Server::hover_at},
      Method{"workspace/didChangeWatchedFiles", false, &Server::did_change_files},
      Method{"workspace/didChangeWorkspaceFolders", false, &Server::did_change_folders},
  };
  const Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded()) return fail(nullptr, kParseError, "the message is no JSON");
  const bool named = message.is_object() && message.contains("method") && message["method"].is_string();
  const bool answers = message.is_object() && !message.contains("method") && message.contains("id");
  if (answers) return;  // the client's, to what it was asked
  if (!named) return fail(nullptr, kInvalidRequest, "the message is neither a request nor a notification");
  const std::string name = message["method"].get<std::string>();
  const auto found = std::ranges::find(kMethods, name, &Method::name);
  answer(message, found == kMethods.end() ? nullptr : &*found, now);
}

void Server::answer(const Json& message, const Method* method, Time now) {
  const bool is_request = message.contains("id");
  const Json id = is_request ? message["id"] : Json();
  const std::string name = message["method"].get<std::string>();
  if (is_request && !is_id(id)) return fail(nullptr, kInvalidRequest, "an id is a number or a text");
  if (state_ == State::Fresh && name != "initialize" && name != "exit") {
    if (is_request) fail(id, kNotInitialized, "`" + name + "` came before `initialize`");
    return;
  }
  if (state_ == State::ShutDown && name != "exit") {
    if (is_request) fail(id, kInvalidRequest, "`" + name + "` came after `shutdown`");
    return;
  }
  if (method == nullptr || (is_request && !method->is_request)) {
    if (is_request) fail(id, kMethodNotFound, "there is no request `" + name + "`");
    return;
  }
  if (!is_request && method->is_request) return;  // nobody waits for it
  const Json none = Json::object();
  const Json& params = message.contains("params") ? message["params"] : none;
  Answer out = (this->*method->run)(params, now);
  if (!is_request) return;
  if (out.error != 0) return fail(id, out.error, out.words);
  send_(message_text({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(out.result)}}));
}

void Server::fail(const Json& id, int code, const std::string& words) {
  send_(message_text({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", words}}}}));
}

void Server::notify(const std::string& method, Json params) {
  send_(message_text({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
}

Server::Answer Server::initialize(const Json& params, Time now) {
  if (state_ != State::Fresh) return {nullptr, kInvalidRequest, "`initialize` came twice"};
  if (!params.is_object()) return {nullptr, kInvalidParams, "`initialize` has an object as its parameters"};
  state_ = State::Running;
  const Json none = Json::object();
  const Json* client = value_at(params, {"capabilities"});
  client_ = abilities_of(client != nullptr ? *client : none);
  if (client != nullptr && list_has(*client, {"general", "positionEncodings"}, "utf-8"))
    encoding_ = PositionEncoding::Utf8;
  const Json* folders = value_at(params, {"workspaceFolders"});
  if (folders != nullptr && folders->is_array()) {
    for (const Json& folder : *folders) add_folder(text_at(folder, {"uri"}), now);
  } else if (const std::string root = text_at(params, {"rootUri"}); !root.empty()) {
    add_folder(root, now);
  } else if (const std::string path = text_at(params, {"rootPath"}); path.starts_with('/')) {
    add_folder(uri_of_path(path), now);
  }
  return {{{"capabilities", capabilities(encoding_)},
           {"serverInfo", {{"name", "muster"}, {"version", settings_.version}}}}};
}

Server::Answer Server::initialized(const Json&, Time) {
  if (!client_.watches_files) return {};
  const Json watchers = Json::array({{{"globPattern", "**/*"}}});
  const Json registration{
      {"id", "files"}, {"method", "workspace/didChangeWatchedFiles"}, {"registerOptions", {{"watchers", watchers}}}};
  send_(message_text({{"jsonrpc", "2.0"},
                      {"id", "register"},
                      {"method", "client/registerCapability"},
                      {"params", {{"registrations", Json::array({registration})}}}}));
  return {};
}

Server::Answer Server::shut_down(const Json&, Time) {
  state_ = State::ShutDown;
  exit_code_ = 0;
  stop_checks();
  return {};
}

Server::Answer Server::exit(const Json&, Time) {
  state_ = State::Ended;
  stop_checks();
  return {};
}

void Server::stop_checks() {
  if (!checking_.empty()) stop_(job_);
}

Server::Answer Server::did_open(const Json& params, Time now) {
  const Json* item = value_at(params, {"textDocument"});
  const OpenDocument* document = item != nullptr ? documents_.open(*item) : nullptr;
  if (document != nullptr) touch(document->path, now);
  return {};
}

Server::Answer Server::did_change(const Json& params, Time now) {
  const OpenDocument* document = documents_.change(params, encoding_);
  if (document != nullptr) touch(document->path, now);
  return {};
}

Server::Answer Server::did_save(const Json& params, Time now) {
  const std::optional<std::string> path = path_of_uri(text_at(params, {"textDocument", "uri"}));
  if (path) touch_all(*path, now);  // whoever saves may have done other things to the disk
  return {};
}

Server::Answer Server::did_close(const Json& params, Time now) {
  const std::string path = documents_.close(text_at(params, {"textDocument", "uri"}));
  Folder* folder = path.empty() ? nullptr : folder_of_path(path);
  if (folder == nullptr) return {};
  folder->published.erase(path);
  touch_all(path, now);  // it may have been there in the editor alone
  return {};
}

Server::Answer Server::did_change_folders(const Json& params, Time now) {
  const Json* removed = value_at(params, {"event", "removed"});
  const Json* added = value_at(params, {"event", "added"});
  if (removed != nullptr && removed->is_array()) {
    for (const Json& folder : *removed) remove_folder(text_at(folder, {"uri"}));
  }
  if (added != nullptr && added->is_array()) {
    for (const Json& folder : *added) add_folder(text_at(folder, {"uri"}), now);
  }
  return {};
}

Server::Answer Server::did_change_files(const Json& params, Time now) {
  const Json* changes = value_at(params, {"changes"});
  if (changes == nullptr || !changes->is_array()) return {};
  for (const Json& change : *changes) {
    const std::optional<std::string> path = path_of_uri(text_at(change, {"uri"}));
    if (!path || contains(*path, "/.git/")) continue;
    // What is open is read from the editor. Anything else may be a link now, or too large: it is found anew.
    const bool open = number_at(change, {"type"}) == kFileChanged && documents_.at_path(*path) != nullptr;
    if (!open) touch_all(*path, now);
  }
  return {};
}

void Server::add_folder(const std::string& uri, Time now) {
  const std::optional<std::string> path = path_of_uri(uri);
  if (!path || folders_.contains(*path)) return;
  // What is in it is its own from now on.
  if (Folder* outer = folder_of_path(*path)) {
    for (const auto& [file, found] : outer->findings.files) {
      if (lies_below(*path, file)) publish(file, *outer, {});
    }
  }
  Folder& folder = folders_[*path];
  folder.path = *path;
  folder.due = now;
}

void Server::remove_folder(const std::string& uri) {
  const std::optional<std::string> path = path_of_uri(uri);
  const auto found = path ? folders_.find(*path) : folders_.end();
  if (found == folders_.end()) return;
  if (checking_ == *path) stop_checks();
  take_findings(found->second, {}, Extent::All);
  folders_.erase(found);
  if (Folder* outer = folder_of_path(*path)) {
    for (const auto& [file, again] : outer->findings.files) {
      if (lies_below(*path, file)) publish(file, *outer, again);
    }
  }
}

Server::Folder* Server::folder_of_path(const std::string& path) {
  Folder* out = nullptr;
  for (auto& [at, folder] : folders_) {
    if (lies_below(at, path)) out = &folder;  // in the order of their paths: the innermost comes last
  }
  return out;
}

/// A file may have another text.
void Server::touch(const std::string& path, Time now) {
  for (auto& [at, folder] : folders_) {
    if (!lies_below(at, path)) continue;
    if (folder.changed) folder.changed->insert(path_below(at, path));
    const auto wait = std::clamp<std::chrono::steady_clock::duration>(folder.took, kShortestWait, kLongestWait);
    const bool after_pause = !folder.touched || now - *folder.touched > wait;
    folder.touched = now;
    folder.due = now + (after_pause ? kShortestWait : wait);
    if (checking_ == at && folder.stopped < kMostStopped) stop_checks();
  }
}

/// Any file of the folders around it may.
void Server::touch_all(const std::string& path, Time now) {
  for (auto& [at, folder] : folders_) {
    if (!lies_below(at, path)) continue;
    folder.changed.reset();
    folder.due = now + kShortestWait;
    if (checking_ == at && folder.stopped < kMostStopped) stop_checks();
  }
}

std::optional<Server::Time> Server::due() const {
  std::optional<Time> out;
  if (!checking_.empty() || state_ != State::Running) return out;
  for (const auto& [path, folder] : folders_) {
    if (folder.due && (!out || *folder.due < *out)) out = folder.due;
  }
  return out;
}

std::optional<CheckJob> Server::next_job(Time now) {
  const std::optional<Time> first = due();
  if (!first || *first > now) return std::nullopt;
  const auto found = std::ranges::find_if(folders_, [&](const auto& one) { return one.second.due == first; });
  Folder& folder = found->second;
  CheckJob job{++job_, folder.path, documents_.texts(), {}, {}, folder.changed, encoding_, folder.known};
  for (const auto& [uri, document] : documents_.all()) job.versions[document.path] = document.version;
  for (const auto& [path, one] : folders_) job.folders.insert(path);
  folder.due.reset();
  folder.looked_at = std::move(folder.changed);
  folder.changed.emplace();
  checking_ = folder.path;
  return job;
}

void Server::take(FolderOutcome outcome, Time now) {
  checking_.clear();
  const auto found = folders_.find(outcome.folder);
  if (found == folders_.end()) return;
  Folder& folder = found->second;
  if (!outcome.findings) {
    // What it was told of is still to be looked at.
    if (!folder.looked_at || !folder.changed) {
      folder.changed.reset();
    } else {
      folder.changed->merge(*folder.looked_at);
    }
    if (outcome.error.empty()) {
      ++folder.stopped;
      if (!folder.due) folder.due = now;
    } else if (outcome.error != folder.error) {
      folder.error = outcome.error;
      notify("window/showMessage", {{"type", kErrorMessage}, {"message", "muster: " + outcome.error}});
    }
    return;
  }
  folder.stopped = 0;
  folder.error.clear();
  folder.took = outcome.took;
  if (outcome.since != 0 && outcome.since != folder.known) {  // it was closed and opened again meanwhile
    folder.changed.reset();
    folder.due = now;
    return;
  }
  folder.known = outcome.number;
  take_findings(folder, std::move(*outcome.findings), outcome.since == 0 ? Extent::All : Extent::Difference);
}

/// Publishes what is another thing than it was, and all of the open files that have another version.
void Server::take_findings(Folder& folder, FolderFindings found, Extent extent) {
  std::map<std::string, std::vector<PlacedFinding>>& known = folder.findings.files;
  if (extent == Extent::All) {
    for (const auto& [path, findings] : known) found.files.try_emplace(path);
  }
  std::set<std::string> paths;
  for (auto& [path, findings] : found.files) {
    const auto before = known.find(path);
    if (before == known.end() ? !findings.empty() : before->second != findings) paths.insert(path);
    if (findings.empty()) {
      known.erase(path);
    } else {
      known.insert_or_assign(path, std::move(findings));
    }
  }
  folder.findings.rules = std::move(found.rules);
  folder.findings.versions = std::move(found.versions);
  for (const auto& [path, version] : folder.findings.versions) {
    const auto published = folder.published.find(path);
    const bool other = published == folder.published.end() || published->second != version;
    if (other && known.contains(path)) paths.insert(path);
  }
  for (const std::string& path : paths) {
    const Folder* owner = folder_of_path(path);
    if (owner != nullptr && owner != &folder) continue;
    const auto now = known.find(path);
    publish(path, folder, now == known.end() ? std::vector<PlacedFinding>() : now->second);
    const auto version = folder.findings.versions.find(path);
    if (version != folder.findings.versions.end()) folder.published[path] = version->second;
  }
}

void Server::publish(const std::string& path, const Folder& folder, const std::vector<PlacedFinding>& findings) {
  Json diagnostics = Json::array();
  for (const PlacedFinding& finding : findings) {
    diagnostics.push_back(diagnostic_json(finding, folder.findings, client_, settings_.rules_url,
                                          [&](const std::string& other) { return uri_of(other); }));
  }
  Json params{{"uri", uri_of(path)}, {"diagnostics", std::move(diagnostics)}};
  const auto version = folder.findings.versions.find(path);
  if (version != folder.findings.versions.end()) params["version"] = version->second;
  notify("textDocument/publishDiagnostics", std::move(params));
}

/// As the editor writes it, where it has the file open.
std::string Server::uri_of(const std::string& path) const {
  const OpenDocument* document = documents_.at_path(path);
  return document != nullptr ? document->uri : uri_of_path(path);
}

std::optional<AskedPlace> Server::place_of(const Json& params, const TextPosition& at) {
  const OpenDocument* document = documents_.find(text_at(params, {"textDocument", "uri"}));
  if (document == nullptr) return std::nullopt;
  const Folder* folder = folder_of_path(document->path);
  return AskedPlace{*document, at,
                    encoding_, folder == nullptr ? nullptr : &folder->findings,
                    client_,   [this](const std::string& path) { return uri_of(path); }};
}

Server::Answer Server::hover_at(const Json& params, Time) {
  const std::optional<TextPosition> at = position_at(params, {"position"});
  if (!at) return {nullptr, kInvalidParams, "`textDocument/hover` has a position"};
  const std::optional<AskedPlace> place = place_of(params, *at);
  return {place ? hover(*place) : Json()};
}

Server::Answer Server::definition_at(const Json& params, Time) {
  const std::optional<TextPosition> at = position_at(params, {"position"});
  if (!at) return {nullptr, kInvalidParams, "`textDocument/definition` has a position"};
  const std::optional<AskedPlace> place = place_of(params, *at);
  return {place ? definition(*place) : Json()};
}

Server::Answer Server::actions_in(const Json& params, Time) {
  const std::optional<TextRange> range = range_at(params, {"range"});
  if (!range) return {nullptr, kInvalidParams, "`textDocument/codeAction` has a range"};
  const std::optional<AskedPlace> place = place_of(params, range->begin);
  return {place ? code_actions(*place, *range, params) : Json()};
}

Server::Answer Server::complete_at(const Json& params, Time) {
  const std::optional<TextPosition> at = position_at(params, {"position"});
  if (!at) return {nullptr, kInvalidParams, "`textDocument/completion` has a position"};
  const std::optional<AskedPlace> place = place_of(params, *at);
  return {place ? completion(*place) : Json()};
}

}  // namespace muster
