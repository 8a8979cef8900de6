#include "pipeline/awaited_objects.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/kubectl_verbs.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostPodName = 63;
constexpr std::size_t kPodEnd = 5;  // letters that are drawn for a pod

/// Letters that names are drawn from. Source: kubernetes/apimachinery:pkg/util/rand/rand.go (1.36).
bool is_drawn(std::string_view text) { return text.find_first_not_of("bcdfghjklmnpqrstvwxz2456789") == text.npos; }

/// `serve-6c9d7f8b5-x2x4z`: the name of a Deployment, its template's hash and what was drawn. Of long names the dash is
/// cut off, too. Source: kubernetes/apiserver:pkg/storage/names/generate.go (1.36).
bool is_drawn_name(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == name.npos) return false;
  const std::string_view end = name.substr(dash + 1);
  const bool digits = end.find_first_of("2456789") != end.npos;
  if (name.size() == kMostPodName) return end.size() >= 2 * kPodEnd && digits && is_drawn(end);
  const std::size_t before = name.rfind('-', dash - (dash > 0 ? 1 : 0));
  if (end.size() != kPodEnd || before == name.npos || before == 0 || before == dash) return false;
  const std::string_view hash = name.substr(before + 1, dash - before - 1);
  return hash.size() >= 8 && hash.size() <= 10 && is_drawn(end) && is_drawn(hash) &&
         (digits || hash.find_first_of("2456789") != hash.npos);
}

/// `deploy/serve`, or the word behind `deployment`; empty: another kind.
std::string_view kind_of_rollout(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kKinds{{{"deploy", "Deployment"},
                                                                                  {"deployment", "Deployment"},
                                                                                  {"deployments", "Deployment"},
                                                                                  {"deployment.apps", "Deployment"},
                                                                                  {"deployments.apps", "Deployment"},
                                                                                  {"sts", "StatefulSet"},
                                                                                  {"statefulset", "StatefulSet"},
                                                                                  {"statefulset.apps", "StatefulSet"},
                                                                                  {"ds", "DaemonSet"},
                                                                                  {"daemonset", "DaemonSet"}}};
  for (const auto& [called, kind] : kKinds) {
    if (word == called) return kind;
  }
  return {};
}

/// Goes through the scripts that call kubectl, and what they apply and wait for.
class AwaitedObjects {
 public:
  AwaitedObjects(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {
    for (const Manifest& one : model.manifests) {
      if (kind_is_rolled(one.kind)) made_[{one.kind, one.name.value}].insert(one.file);
      if (kind_is_rolled(one.kind)) applied_of_[{one.kind, one.space}].push_back(&one);
    }
  }

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string& path = inputs_.files[i].context.path;
      if (inputs_.files[i].named || !(path.ends_with(".sh") || path.ends_with(".bash"))) continue;
      const std::string_view all = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (contains(all, "kubectl ") || contains(all, "oc ")) script(i, all);
    }
  }

 private:
  static bool kind_is_rolled(std::string_view kind) {
    return kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet";
  }

  void script(std::size_t i, std::string_view all) {
    applied_.clear();
    all_known_ = true;
    // What these make nobody sees here.
    for (const std::string_view other : {"helm ", "kustomize", "create deploy", "apply -f http", "curl ", "<<"})
      all_known_ = all_known_ && !contains(all, other);
    const std::vector<ShellCommand> commands = read_shell(all);
    for (const ShellCommand& command : commands) {
      all_known_ = all_known_ && (is_kubectl(command) || !may_make_objects(command));
      if (is_kubectl(command)) note_applied(i, command, all);
    }
    for (const ShellCommand& command : commands) {
      if (!is_kubectl(command)) continue;
      pods(i, command);
      awaited(i, command, commands, all);
    }
  }

  static bool is_kubectl(const ShellCommand& command) {
    if (command.words.empty()) return false;
    const std::string_view program = plain_text(command.words[0]);
    return program == "kubectl" || program == "oc";
  }

  /// Other programs and scripts that are called.
  static bool may_make_objects(const ShellCommand& command) {
    constexpr std::array<std::string_view, 23> kPrograms{
        ".",         "ansible-playbook", "argocd", "arena",    "aws",      "az", "bash", "docker", "envsubst", "eksctl",
        "flux",      "gcloud",           "helm",   "helmfile", "istioctl", "kn", "make", "sh",     "skaffold", "source",
        "terraform", "python3",          "tofu"};
    if (command.words.empty() || !assigned_name(command.words[0]).empty()) return false;
    const std::string_view program = plain_text(command.words[0]);
    return program.empty() || contains(program, "/") || program.ends_with(".sh") ||
           std::ranges::find(kPrograms, program) != kPrograms.end();
  }

  void note_applied(std::size_t i, const ShellCommand& command, std::string_view all) {
    // `kubectl logs -f` follows, `kubectl delete -f` makes nothing.
    const bool makes =
        std::ranges::any_of(command.words, [](const ShellWord& word) { return makes_objects(plain_text(word)); });
    for (std::size_t w = 1; w < command.words.size(); ++w) {
      const std::string_view plain = plain_text(command.words[w]);
      // `-k`, `-fFILE`, `--filename=FILE`
      const bool elsewhere = plain.starts_with("-k") || plain.starts_with("--kustomize") ||
                             plain.starts_with("--filename=") || (plain.starts_with("-f") && plain.size() > 2) ||
                             plain == "-R";
      const bool other = plain == "new-app" || plain == "process" || plain == "run" || plain == "expose";
      all_known_ = all_known_ && !other && !(makes && elsewhere);
      if (!makes || (plain != "-f" && plain != "--filename")) continue;
      const std::string_view path = w + 1 < command.words.size() ? plain_text(command.words[w + 1]) : "";
      // `kubectl create namespace ml --dry-run=client -o yaml | kubectl apply -f -`
      bool found = (path == "-" || path == "/dev/stdin") && contains(line_before(all, command), "--dry-run");
      for (const std::string& folder : folders_around(folder_of(inputs_.files[i].context.path))) {
        if (const auto there = path.empty() ? std::nullopt : names_.at(joined_path(folder, path))) {
          applied_.insert(inputs_.files[*there].context.path);
          found = has_own_kinds_only(inputs_.sources.file(static_cast<FileId>(*there)).text());
          break;
        }
      }
      all_known_ = all_known_ && found;
    }
  }

  static constexpr std::size_t kMostOfLine = 400;

  static std::string_view line_before(std::string_view all, const ShellCommand& command) {
    const std::size_t end = command.words.front().begin;
    const std::string_view before = all.substr(end - std::min(end, kMostOfLine), std::min(end, kMostOfLine));
    return before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  }

  /// `if kubectl ...`, `kubectl ... || true`: the script does not end there.
  static bool may_fail(std::string_view all, const ShellCommand& command) {
    const std::string_view before = trim(line_before(all, command));
    for (const std::string_view word : {"if", "while", "until", "elif", "!"}) {
      if (before.ends_with(word)) return true;
    }
    const std::string_view behind = all.substr(command.words.back().end, kMostOfLine);
    std::size_t end = behind.find('\n');
    while (end != behind.npos && end > 0 && behind[end - 1] == '\\') end = behind.find('\n', end + 1);
    return command.branch || contains(behind.substr(0, end), "||");
  }

  /// Of what other groups have an operator may make anything.
  static bool has_own_kinds_only(std::string_view text) {
    constexpr std::string_view kKey = "apiVersion:";
    constexpr std::array<std::string_view, 8> kGroups{"apps/",
                                                      "autoscaling/",
                                                      "batch/",
                                                      "networking.k8s.io/",
                                                      "policy/",
                                                      "rbac.authorization.k8s.io/",
                                                      "scheduling.k8s.io/",
                                                      "storage.k8s.io/"};
    for (std::size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
      std::string_view value = trim(text.substr(at + kKey.size(), 80));
      value = value.substr(0, value.find_first_of(" \n\r#,}"));
      if (value.starts_with('"') || value.starts_with('\'')) value = value.substr(1, value.size() - 2);
      if (value != "v1" &&
          std::ranges::none_of(kGroups, [&](std::string_view group) { return value.starts_with(group); }))
        return false;
    }
    return true;
  }

  /// Whether the script asks whether it is there, or takes it away.
  static bool is_asked_for(const std::vector<ShellCommand>& commands, std::string_view name) {
    return std::ranges::any_of(commands, [&](const ShellCommand& command) {
      bool asks = false;
      for (const ShellWord& word : command.words) {
        const std::string_view plain = plain_text(word);
        asks = asks || plain == "get" || plain == "delete";
        if (asks && (plain == name || plain.ends_with("/" + std::string(name)))) return true;
      }
      return false;
    });
  }

  /// Whether the script applies an object of the kind there of which it does not speak: that may be meant.
  bool leaves_out_some(std::string_view kind, std::string_view space, std::string_view all) const {
    const auto found = applied_of_.find({kind, space});
    return found != applied_of_.end() && std::ranges::any_of(found->second, [&](const Manifest* one) {
             return applied_.contains(one->file) && !contains(all, one->name.value);
           });
  }

  /// Its namespace has an object of the kind that the script applies, and nothing there or in the script has the name.
  void awaited(std::size_t i, const ShellCommand& command, const std::vector<ShellCommand>& commands,
               std::string_view all) {
    if (!all_known_ || applied_.empty() || may_fail(all, command)) return;
    bool rollout = false;
    std::string_view space;
    std::string_view kind;
    const ShellWord* at = nullptr;
    std::string_view name;
    for (std::size_t w = 1; w < command.words.size(); ++w) {
      const std::string_view plain = plain_text(command.words[w]);
      const std::string_view next = w + 1 < command.words.size() ? plain_text(command.words[w + 1]) : "";
      if (contains(plain, "for=delete") || (plain == "--for" && next.starts_with("delete"))) return;
      rollout = rollout || plain == "rollout" || plain == "wait";
      if (plain == "-n" || plain == "--namespace") space = next;
      if (plain.starts_with("--namespace=")) space = plain.substr(plain.find('=') + 1);
      if (at != nullptr || !rollout) continue;
      const std::size_t slash = plain.find('/');
      kind = kind_of_rollout(plain.substr(0, slash));
      if (kind.empty() || (slash == plain.npos && (next.empty() || next.starts_with('-')))) continue;
      name = slash == plain.npos ? next : plain.substr(slash + 1);
      at = &command.words[slash == plain.npos ? w + 1 : w];
    }
    if (at == nullptr || space.empty() || name.empty() || kind.empty() || made_.contains({kind, name})) return;
    // What clusters bring along.
    if (space.starts_with("kube-") || space.starts_with("openshift")) return;
    if (!leaves_out_some(kind, space, all) || contains(all, "name: " + std::string(name)) ||
        is_asked_for(commands, name))
      return;
    // Another object, whose operator may make one of that name, or a release.
    const std::string_view first = name.substr(0, name.find('-'));
    const bool elsewhere = names_.of_some_text([&](std::size_t, std::string_view text) {
      return some_line_with(text, first, [&](std::string_view line) {
        if (contains(line, "helm ")) return true;
        const bool asks = contains(line, "kubectl ") || contains(line, "oc ");
        if (!asks && contains(line, name)) return true;
        // `name: kuberay`, `name = "kuberay"`, `release: kuberay`
        const std::size_t key = std::min(line.find("name"), line.find("release"));
        if (asks || key == line.npos) return false;
        const std::size_t begin = line.find_first_not_of(" \t:='\"", line.find_first_of(" \t:=", key));
        std::string_view value = begin >= line.size() ? std::string_view() : line.substr(begin);
        value = value.substr(0, value.find_first_of(",} '\"\r"));
        return value.size() > 2 && name.starts_with(value);
      });
    });
    if (elsewhere) return;
    findings_.push_back(problem("script-waits-for-nothing", {static_cast<FileId>(i), at->begin, at->end},
                                "the script waits for " + std::string(kind) + " `" + std::string(name) +
                                    "`, and no manifest of the input makes one of that name"));
  }

  void pods(std::size_t i, const ShellCommand& command) {
    constexpr std::array<std::string_view, 6> kVerbs{"attach", "cp", "exec", "logs", "port-forward", "wait"};
    bool asks = false;
    for (std::size_t w = 1; w < command.words.size(); ++w) {
      std::string_view word = plain_text(command.words[w]);
      asks = asks || std::ranges::find(kVerbs, word) != kVerbs.end();
      if (!asks) continue;
      word = word.substr(word.rfind('/') + 1);  // npos + 1 is 0
      if (!is_drawn_name(word.substr(0, word.find(':'))) || !said_.insert(std::string(word)).second) continue;
      findings_.push_back(
          problem("script-names-one-pod", {static_cast<FileId>(i), command.words[w].begin, command.words[w].end},
                  "`" + std::string(word) + "` is the name that one pod had: a Deployment draws another each time"));
      return;
    }
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  std::map<std::pair<std::string_view, std::string_view>, std::set<std::string_view>> made_;  ///< by kind and name
  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>> applied_of_;  ///< by namespace
  std::set<std::string, std::less<>> applied_;  ///< files that the script at hand applies
  bool all_known_ = true;                       ///< the input has all of what it applies
  std::set<std::string> said_;
};

}  // namespace

void find_awaited_objects(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  AwaitedObjects(inputs, model, findings).run();
}

}  // namespace muster
