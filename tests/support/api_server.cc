#include "support/api_server.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "support/catch.h"
#include "support/free_port.h"
#include "support/node_json.h"
#include "support/skip.h"
#include "syntax/yaml_reader.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kToken = "of-a-test-on-loopback";

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 65536> buffer;
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) out.append(buffer.data(), n);
  pclose(pipe);
  return out;
}

std::string loopback(int port) { return "http://127.0.0.1:" + std::to_string(port); }

/// The texts of headers such as `Warning: 299 - "unknown field"`.
std::vector<std::string> warnings_in(const std::string& headers) {
  std::vector<std::string> out;
  std::istringstream lines(headers);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find('"');
    const std::size_t end = line.rfind('"');
    if (begin != end && (line.starts_with("warning:") || line.starts_with("Warning:")))
      out.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return out;
}

/// Of a Status that refuses.
std::string message_of(const std::string& body) {
  const Json status = Json::parse(body, nullptr, false);
  return status.is_object() ? status.value("message", body) : body;
}

}  // namespace

std::optional<std::string> kubernetes_program(const std::string& name) {
  const char* named = std::getenv("MUSTER_KUBERNETES");
  const std::string folder = named != nullptr ? named : source_dir() + "/build/kubernetes";
  const std::string path = folder + "/bin/" + name;
  if (access(path.c_str(), X_OK) != 0) return std::nullopt;
  return path;
}

std::string missing_programs(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (!kubernetes_program(name)) out += (out.empty() ? "" : ", ") + name;
  }
  return out.empty() ? out : "scripts/kubernetes has not built " + out;
}

ApiServer::ApiServer() : port_(free_ports(3)) {
  const std::string at = folder_.path();
  output_of("openssl genrsa -out '" + at + "/sa.key' 2048 2>/dev/null");
  write_file(at + "/tokens.csv", std::string(kToken) + ",admin,admin,\"system:masters\"\n");
  const std::string client = loopback(port_);
  const std::string peer = loopback(port_ + 1);
  start("etcd", {"--data-dir=" + at + "/etcd", "--listen-client-urls=" + client, "--advertise-client-urls=" + client,
                 "--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer,
                 "--initial-cluster=default=" + peer, "--unsafe-no-fsync", "--log-level=warn"});
  start("kube-apiserver",
        {"--etcd-servers=" + client, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
         "--secure-port=" + std::to_string(port_ + 2), "--cert-dir=" + at + "/certs",
         "--token-auth-file=" + at + "/tokens.csv", "--authorization-mode=RBAC",
         "--service-cluster-ip-range=10.0.0.0/24", "--service-account-issuer=https://kubernetes.default.svc",
         "--service-account-key-file=" + at + "/sa.key", "--service-account-signing-key-file=" + at + "/sa.key",
         "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,NamespaceLifecycle,Priority,RuntimeClass",
         "--endpoint-reconciler-type=none", "--enable-priority-and-fairness=false", "--allow-privileged=true"});
}

ApiServer::~ApiServer() {
  for (const pid_t pid : running_) kill(pid, SIGKILL);  // what they hold goes with the test
  for (const pid_t pid : running_) waitpid(pid, nullptr, 0);
}

ApiServer* ApiServer::shared() {
  static ApiServer server;
  static const bool kUp = server.come_up();
  return kUp ? &server : nullptr;
}

bool ApiServer::start_volcano_webhook() {
  const std::string at = folder_.path();
  const std::string port = std::to_string(free_ports(1));
  output_of(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 "
      "-keyout '" +
      at + "/hook.key' -out '" + at + "/hook.crt' 2>/dev/null");
  write_kubeconfig();
  const std::string bundle = output_of("base64 -w0 '" + at + "/hook.crt'");
  for (const std::string kind : {"jobs", "queues"}) {
    for (const std::string what : {"mutate", "validate"}) {
      const std::string group = kind == "jobs" ? "batch.volcano.sh" : "scheduling.volcano.sh";
      Json hook = Json::parse(R"({"admissionReviewVersions": ["v1"], "sideEffects": "None", "failurePolicy": "Fail",
                                  "rules": [{"apiVersions": ["*"], "operations": ["CREATE"]}]})");
      hook["name"] = what + kind + ".volcano.sh";
      hook["rules"][0]["apiGroups"] = Json::array({group});
      hook["rules"][0]["resources"] = Json::array({kind});
      hook["clientConfig"]["url"] = "https://127.0.0.1:" + port + "/" + kind + "/" + what;
      hook["clientConfig"]["caBundle"] = bundle;
      Json whole;
      whole["metadata"]["name"] = "volcano-admission-service-" + kind + "-" + what;
      whole["webhooks"] = Json::array({hook});
      const std::string list = what == "mutate" ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
      if (ask("POST", "/apis/admissionregistration.k8s.io/v1/" + list, whole.dump()).first != 201) return false;
    }
  }
  start("vc-webhook-manager",
        {"--kubeconfig=" + at + "/kubeconfig", "--tls-cert-file=" + at + "/hook.crt",
         "--tls-private-key-file=" + at + "/hook.key", "--ca-cert-file=" + at + "/hook.crt",
         "--webhook-url=https://127.0.0.1:" + port, "--listen-address=127.0.0.1", "--port=" + port,
         "--enabled-admission=/jobs/mutate,/jobs/validate,/queues/mutate,/queues/validate"});
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (curl("-o /dev/null -w '%{http_code}' 'https://127.0.0.1:" + port + "/'") != "000") {
      std::this_thread::sleep_for(std::chrono::seconds(2));  // until the API server has heard of it
      return true;
    }
  }
  return false;
}

std::string ApiServer::write_kubeconfig() const {
  const std::string path = folder_.path() + "/kubeconfig";
  write_file(path,
             "apiVersion: v1\nkind: Config\ncurrent-context: lab\ncontexts: [{name: lab, context: {cluster: lab, user: "
             "admin}}]\nusers: [{name: admin, user: {token: " +
                 std::string(kToken) +
                 "}}]\nclusters: [{name: lab, cluster: {insecure-skip-tls-verify: true, server: 'https://127.0.0.1:" +
                 std::to_string(port_ + 2) + "'}}]\n");
  return path;
}

void ApiServer::start_controller(const std::string& name) {
  start("kube-controller-manager",
        {"--kubeconfig=" + write_kubeconfig(), "--leader-elect=false", "--bind-address=127.0.0.1",
         "--secure-port=" + std::to_string(free_ports(1)), "--controllers=" + name,
         "--service-account-private-key-file=" + folder_.path() + "/sa.key"});
}

void ApiServer::start(const std::string& program, const std::vector<std::string>& arguments) {
  const std::string path = *kubernetes_program(program);
  const std::string log = folder_.path() + "/" + program + ".log";
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);  // or the child says again what this process has not said yet
  const pid_t pid = fork();
  if (pid == 0) {
    if (std::freopen(log.c_str(), "w", stdout) == nullptr || std::freopen(log.c_str(), "a", stderr) == nullptr)
      _exit(127);
    execv(path.c_str(), words.data());
    _exit(127);
  }
  REQUIRE(pid > 0);
  running_.push_back(pid);
}

ApiServer* ApiServer::shared_with_custom_kinds() {
  ApiServer* server = shared();
  REQUIRE(server != nullptr);
  static const bool kOnce = [&] {
    const std::optional<std::string> reference = reference_dir();
    if (!reference) return false;
    for (const std::string& refused : server->add_custom_kinds(*reference + "/crds")) std::cout << refused << "\n";
    return true;
  }();
  if (!kOnce) skip("reference material", "there are no ../shared/crds: custom kinds are not judged");
  return server;
}

bool ApiServer::come_up() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (curl("'https://127.0.0.1:" + std::to_string(port_ + 2) + "/readyz'") == "ok") {
      learn_kinds();
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  return false;
}

std::string ApiServer::curl(const std::string& arguments) const {
  return output_of("curl -sk -H 'Authorization: Bearer " + std::string(kToken) + "' " + arguments);
}

std::pair<int, Json> ApiServer::ask(const std::string& method, const std::string& path, const std::string& body,
                                    const std::string& type) const {
  std::string arguments = "-X " + method + " -w '\\n%{http_code}' ";
  if (!body.empty()) {
    write_file(folder_.path() + "/body", body);
    arguments += "-H 'Content-Type: " + type + "' --data-binary '@" + folder_.path() + "/body' ";
  }
  const std::string out = curl(arguments + "'https://127.0.0.1:" + std::to_string(port_ + 2) + path + "'");
  const std::size_t line = out.rfind('\n');
  if (line == std::string::npos) return {0, Json()};
  return {std::atoi(out.c_str() + line + 1), Json::parse(out.substr(0, line), nullptr, false)};
}

void ApiServer::learn_kinds() {
  kinds_.clear();
  std::vector<std::pair<std::string, std::string>> groups{{"/api/v1", "v1"}};
  const Json all = ask("GET", "/apis").second;
  for (const Json& group : all["groups"]) {
    for (const Json& version : group["versions"]) {
      const std::string name = version["groupVersion"];
      groups.emplace_back("/apis/" + name, name);
    }
  }
  int tries = 0;  // of all together
  for (const auto& [path, api_version] : groups) {
    Json list = ask("GET", path).second;
    // A kind that was just defined is listed before it is served.
    for (; !list.is_object() && tries < 60; ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      list = ask("GET", path).second;
    }
    if (!list.is_object()) continue;
    for (const Json& one : list.value("resources", Json::array())) {
      const std::string plural = one["name"];
      if (plural.find('/') == std::string::npos)
        kinds_[{api_version, one["kind"].get<std::string>()}] = {path, plural, one["namespaced"].get<bool>()};
    }
  }
}

std::vector<std::string> ApiServer::add_custom_kinds(const std::string& folder) {
  std::map<std::string, Json> by_name;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = read_file(entry.path().string());
    for (const Span& where : split_yaml_documents(FileId{0}, text)) {
      Document document;
      std::vector<Finding> ignored;
      if (!read_yaml(text, where, document, ignored)) continue;
      if (document.root()["kind"].text() != "CustomResourceDefinition") continue;
      const Json definition = to_json(document.root());
      Json& known = by_name[definition["metadata"]["name"]];
      if (known.is_null()) {
        known = definition;
      } else {
        for (Json version : definition["spec"]["versions"]) {
          version["storage"] = false;
          known["spec"]["versions"].push_back(version);
        }
      }
    }
  }
  std::vector<std::string> refused;
  for (auto& [name, definition] : by_name) {
    definition["spec"].erase("conversion");  // nobody is there who converts
    definition.erase("status");
    const auto [code, answer] =
        ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition.dump());
    if (code != 201 && code != 409) refused.push_back(name + ": " + answer.dump().substr(0, 500));
  }
  std::this_thread::sleep_for(std::chrono::seconds(3));  // until the last of them is served
  learn_kinds();
  return refused;
}

std::vector<ServerVerdict> ApiServer::judge(const std::vector<ManifestText>& objects) const {
  std::vector<ServerVerdict> out(objects.size());
  const std::string at = folder_.path() + "/judge";
  fs::create_directory(at);
  std::string config;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto known = kinds_.find({objects[i].api_version, objects[i].kind});
    if (known == kinds_.end()) continue;
    const Place& place = known->second;
    const std::string name_space = objects[i].name_space.empty() ? "default" : objects[i].name_space;
    // It becomes a part of an address; what the server would not take for a name is not asked.
    if (name_space.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos) continue;
    const std::string number = std::to_string(i);
    write_file(at + "/" + number + ".in", objects[i].text);
    config += (config.empty() ? "" : "next\n") + std::string("insecure\nsilent\n") +
              "header = \"Authorization: Bearer " + kToken +
              "\"\nheader = \"Content-Type: application/yaml\"\nheader = \"Accept: application/json\"\n" +
              "data-binary = \"@" + at + "/" + number + ".in\"\noutput = \"" + at + "/" + number +
              ".out\"\ndump-header = \"" + at + "/" + number + ".head\"\nwrite-out = \"" + number +
              " %{http_code}\\n\"\nurl = \"https://127.0.0.1:" + std::to_string(port_ + 2) + place.path +
              (place.namespaced ? "/namespaces/" + name_space : "") + "/" + place.plural +
              "?dryRun=All&fieldValidation=Strict\"\n";
  }
  if (config.empty()) return out;
  write_file(at + "/config", config);
  std::istringstream codes(output_of("curl --config '" + at + "/config'"));
  for (std::size_t i = 0, code = 0; codes >> i >> code;) {
    const bool accepted = code == 200 || code == 201;
    out[i].says = accepted ? ServerVerdict::Says::Accepted : ServerVerdict::Says::Refused;
    out[i].warnings = warnings_in(read_file(at + "/" + std::to_string(i) + ".head"));
    if (!accepted) out[i].message = message_of(read_file(at + "/" + std::to_string(i) + ".out"));
  }
  fs::remove_all(at);
  return out;
}

namespace {

void add_manifests(const Node& node, const std::string& text, const ManifestAt& at, std::vector<ManifestAt>& out) {
  const Node items = node["items"];
  if (items.is_sequence()) {
    for (std::size_t i = 0; i < items.size(); ++i) add_manifests(items.item(i), to_json(items.item(i)).dump(), at, out);
    return;
  }
  ManifestAt found = at;
  found.manifest = {std::string(node["apiVersion"].text()), std::string(node["kind"].text()),
                    std::string(node["metadata"]["name"].text()), std::string(node["metadata"]["namespace"].text()),
                    text};
  if (!found.manifest.api_version.empty() && !found.manifest.kind.empty()) out.push_back(std::move(found));
}

int line_of(const std::string& text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

}  // namespace

std::vector<ManifestAt> manifests_in(const std::string& text) {
  std::vector<ManifestAt> out;
  for (const Span& where : split_yaml_documents(FileId{0}, text)) {
    Document document;
    std::vector<Finding> ignored;
    if (!read_yaml(text, where, document, ignored)) continue;
    ManifestAt at;
    at.first_line = line_of(text, where.begin);
    at.last_line = line_of(text, where.end);
    std::string piece = text.substr(where.begin, where.end - where.begin);
    if (piece.starts_with("---")) piece.erase(0, 3);
    add_manifests(document.root(), piece, at, out);
  }
  return out;
}

}  // namespace muster::test
