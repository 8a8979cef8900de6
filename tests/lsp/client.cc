#include "lsp/client.h"

#include "support/catch.h"
#include "support/json.h"

namespace muster::test {
namespace {

std::map<std::string, std::string> below_folder(const std::map<std::string, std::string>& files) {
  std::map<std::string, std::string> out;
  for (const auto& [path, text] : files) out["w/" + path] = text;
  return out;
}

Options options() {
  Options out;
  out.threads = 1;
  return out;
}

}  // namespace

LspClient::LspClient(const Files& files)
    : disk_(below_folder(files)),
      checks_(disk_, options(), [] { return Date{}; }),
      server_(
          {"1.2.3", "https://example.com/rules.html"},
          [this](const std::string& message) {
            const Json json = Json::parse(message);
            said.push_back(json);
            if (json.value("method", "") != "textDocument/publishDiagnostics") return;
            const std::string at = json["params"]["uri"].get<std::string>();
            published[at.substr(uri("").size())] = json["params"];
          },
          [this](std::uint64_t job) { checks_.stop(job); }) {}

Json LspClient::start(const Json& more) {
  Json params{{"processId", nullptr},
              {"rootUri", nullptr},
              {"workspaceFolders", {{{"uri", "file:///w"}, {"name", "w"}}}},
              {"capabilities",
               {{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}},
                {"textDocument",
                 {{"publishDiagnostics",
                   {{"relatedInformation", true},
                    {"codeDescriptionSupport", true},
                    {"tagSupport", {{"valueSet", {1, 2}}}}}}}}}}};
  params.merge_patch(more);
  const Json result = request("initialize", params);
  notify("initialized", Json::object());
  return result;
}

Json LspClient::request(const std::string& method, const Json& params) {
  const int id = ++id_;
  say(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
  REQUIRE_FALSE(said.empty());
  for (auto at = said.rbegin(); at != said.rend(); ++at) {
    if (at->value("id", Json()) == id && !at->contains("method"))
      return at->contains("error") ? (*at)["error"] : (*at)["result"];
  }
  FAIL("no answer to " << method);
  return {};
}

Json LspClient::ask(const std::string& method, const std::string& file, std::uint32_t line, std::uint32_t character) {
  return request(method,
                 {{"textDocument", {{"uri", uri(file)}}}, {"position", {{"line", line}, {"character", character}}}});
}

void LspClient::notify(const std::string& method, const Json& params) {
  say(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", params}}.dump());
}

void LspClient::open(const std::string& file, const std::string& text) {
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri(file)}, {"languageId", "yaml"}, {"version", ++version_}, {"text", text}}}});
}

void LspClient::change(const std::string& file, const Json& changes) {
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri(file)}, {"version", ++version_}}}, {"contentChanges", changes}});
}

void LspClient::retype(const std::string& file, const std::string& text) { change(file, {{{"text", text}}}); }

void LspClient::close(const std::string& file) {
  notify("textDocument/didClose", {{"textDocument", {{"uri", uri(file)}}}});
}

bool LspClient::begin() {
  const std::optional<Server::Time> due = server_.due();
  if (!due) return false;
  now_ = std::max(now_, *due);
  job_ = server_.next_job(now_);
  return job_.has_value();
}

void LspClient::make() {
  REQUIRE(job_);
  outcome_ = checks_.run(*job_);
  job_.reset();
}

void LspClient::finish(std::optional<std::chrono::milliseconds> took) {
  if (!outcome_) make();
  if (took) outcome_->took = *took;
  server_.take(*std::exchange(outcome_, std::nullopt), now_);
  checks_.tidy_up();
}

std::chrono::milliseconds LspClient::until_check() const {
  REQUIRE(server_.due());
  return std::chrono::duration_cast<std::chrono::milliseconds>(*server_.due() - now_);
}

int LspClient::wait() {
  int made = 0;
  for (; begin(); ++made) finish();
  return made;
}

std::map<std::string, std::vector<std::string>> LspClient::rules() const {
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& [file, params] : published) {
    std::vector<std::string>& rules = out[file];
    for (const Json& one : params["diagnostics"]) rules.push_back(one["code"].get<std::string>());
  }
  return out;
}

std::vector<Json> LspClient::said_with(const std::string& method) const {
  std::vector<Json> out;
  for (const Json& one : said) {
    if (one.value("method", "") == method) out.push_back(one["params"]);
  }
  return out;
}

}  // namespace muster::test
