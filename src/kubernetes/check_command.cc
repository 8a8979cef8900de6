#include "kubernetes/check_command.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMaxWordsOfCommand = 1000;
constexpr std::size_t kMaxVariables = 1000;
constexpr std::size_t kMaxSubstitution = 1000;  // bytes looked through for its end

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// A program that takes words for a text of its own. Python and its like want an option for that.
bool is_shell(std::string_view word) {
  constexpr std::array<std::string_view, 15> kShells{"ash",     "bash", "busybox", "chroot", "cmd",
                                                     "cmd.exe", "csh",  "dash",    "eval",   "fish",
                                                     "ksh",     "pwsh", "sh",      "ssh",    "zsh"};
  const std::string_view name = last_part(word);
  return std::ranges::find(kShells, name) != kShells.end() || name.ends_with(".sh") || contains(name, "entrypoint") ||
         name.ends_with("powershell");
}

/// Options behind which a program text stands.
bool opens_text(std::string_view word) {
  constexpr std::array<std::string_view, 8> kOptions{"--command", "-S", "-c", "-ce", "-e", "-ec", "-exc", "-lc"};
  return std::ranges::find(kOptions, word) != kOptions.end();
}

/// What a message shows of a long line.
std::string_view beginning_of(std::string_view line) {
  constexpr std::size_t kMostShown = 60;
  std::size_t end = 0;
  while (end < std::min(line.size(), kMostShown)) end += code_point_length(line, end);
  return line.substr(0, end);
}

bool is_name(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == text.npos;
}

/// `$(date +%s)`, or `$(hostname)`: what a shell would run, and no reference to a variable. Empty: there is none.
std::string_view substitution_in(std::string_view text) {
  constexpr std::array<std::string_view, 8> kCommands{"date", "hostname", "id",     "nproc",
                                                      "pwd",  "uname",    "whoami", "uuidgen"};
  for (std::size_t at = text.find("$("); at != text.npos; at = text.find("$(", at + 1)) {
    if (at > 0 && text[at - 1] == '$') continue;  // $$( is $(
    const std::string_view rest = text.substr(at, kMaxSubstitution);
    const std::size_t end = rest.find(')');
    if (end == rest.npos) continue;
    const std::string_view inner = rest.substr(2, end - 2);
    const std::string_view first = inner.substr(0, inner.find(' '));
    const bool command = inner.size() > first.size() && is_name(first) && first.front() >= 'a' && first.front() <= 'z';
    if (command || std::ranges::find(kCommands, inner) != kCommands.end()) return rest.substr(0, end + 1);
  }
  return {};
}

/// A substitution, or a word that is a sign of a shell. Empty: there is none.
std::string_view shell_syntax_in(std::string_view word) {
  constexpr std::array<std::string_view, 7> kSigns{"&&", "||", "|", ">", ">>", "2>&1", "&>"};
  return std::ranges::find(kSigns, word) != kSigns.end() ? word : substitution_in(word);
}

/// Words that a shell reads a script of: `sh -c SCRIPT`. Combined options end in c: -ec, -lc.
bool is_script_of_shell(std::string_view program, std::string_view option) {
  constexpr std::array<std::string_view, 6> kPlainShells{"ash", "bash", "dash", "ksh", "sh", "zsh"};
  return std::ranges::find(kPlainShells, last_part(program)) != kPlainShells.end() && option.size() < 6 &&
         option.starts_with('-') && !option.starts_with("--") && option.ends_with('c');
}

/// Whether a script reads the words behind it: $0, $1, ${2}, $@, $*, $#, shift, getopts.
bool reads_arguments(std::string_view script) {
  if (contains(script, "shift") || contains(script, "getopts")) return true;
  for (std::size_t at = script.find('$'); at != script.npos; at = script.find('$', at + 1)) {
    std::size_t next = at + 1;
    while (next < script.size() && (script[next] == '{' || script[next] == '#' || script[next] == '!')) ++next;
    if (script[next - 1] == '#' || next >= script.size()) return true;
    if (is_digit(script[next]) || script[next] == '@' || script[next] == '*') return true;
  }
  return false;
}

/// Kinds whose pods have the variables of their template, and no others but for those of Services.
bool gets_its_own_alone(std::string_view kind) {
  constexpr std::array<std::string_view, 7> kOfTemplate{"CronJob", "DaemonSet",  "Deployment", "Job",
                                                        "Pod",     "ReplicaSet", "StatefulSet"};
  return std::ranges::find(kOfTemplate, kind) != kOfTemplate.end();
}

/// Variables that the kubelet, a Job or Volcano's Job sets: kubernetes.io/docs/concepts/services-networking/service,
/// volcano-sh/volcano:pkg/controllers/job/plugins (1.15).
bool is_set_by_others(std::string_view name) {
  constexpr std::array<std::string_view, 6> kJob{"JOB_COMPLETION_INDEX", "MASTER_ADDR", "MASTER_PORT", "RANK",
                                                 "WORLD_SIZE",           "TF_CONFIG"};
  return std::ranges::find(kJob, name) != kJob.end() || contains(name, "_SERVICE_") || contains(name, "_PORT") ||
         name.starts_with("VC_") || name.starts_with("VK_");
}

/// The name in `$(NAME)` from a place on, in capitals as those of variables are; empty: it is something else.
std::string_view variable_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at + 2);
  const std::size_t end = rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  const bool escaped = at > 0 && text[at - 1] == '$';
  return escaped || end == rest.npos || end < 2 || rest[end] != ')' ? std::string_view() : rest.substr(0, end);
}

/// PATH that is set to `$PATH:/opt/bin`, and its like.
std::string_view itself_in(std::string_view name, std::string_view value) {
  if (!name.ends_with("PATH")) return {};
  const std::size_t at = value.find("$" + std::string(name));
  if (at != value.npos && !is_name(value.substr(at + name.size() + 1, 1))) return value.substr(at, name.size() + 1);
  const std::size_t braced = value.find("${" + std::string(name) + "}");
  return braced != value.npos && value.size() > name.size() + 3 ? value.substr(braced, name.size() + 3)
                                                                : std::string_view();
}

class CommandCheck {
 public:
  CommandCheck(const Node& container, std::vector<Finding>& findings) : container_(container), findings_(findings) {}

  void run(std::string_view kind, bool in_shell) {
    environment();
    if (gets_its_own_alone(kind)) unset_variables();
    for (const std::string_view probe : {"startupProbe", "livenessProbe", "readinessProbe"}) {
      const Node command = container_[probe]["exec"]["command"];
      if (command.is_sequence() && command.size() == 1) unsplit(command, std::string(probe) + ".exec.command");
      lost_arguments(command, Node{}, std::string(probe));
    }
    for (const std::string_view hook : {"postStart", "preStop"})
      lost_arguments(container_["lifecycle"][hook]["exec"]["command"], Node{}, std::string(hook));
    module_of_file();
    if (in_shell) return;
    lost_arguments(container_["command"], container_["args"], "command");
    if (!container_["command"].exists()) lost_arguments(container_["args"], Node{}, "args");
    const Node command = container_["command"];
    if (!command.is_sequence() || command.size() == 0) return;  // the image decides what its arguments mean
    unsplit(command, "command");
    words();
  }

 private:
  void report(std::string_view rule, const Node& at, std::string message) {
    findings_.push_back(problem(rule, at.where(), std::move(message)));
    findings_.back().field = container_["name"].text();
  }

  std::string who() const { return "container `" + std::string(container_["name"].text()) + "`"; }

  template <class Visit>
  void each(Visit visit) const {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = container_[list];
      for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxWordsOfCommand); ++i)
        visit(words.item(i));
    }
  }

  /// Anything that may take words for a text of its own, or that is not known yet.
  bool shell_may_run() const {
    bool found = false;
    each([&](const Node& word) {
      const std::string_view text = word.text();
      found = found || !word.is_scalar() || (!contains(text, "$(") && is_placeholder(text)) || opens_text(text) ||
              contains(text, "{{");
      for (const std::string_view part : split_blanks(text)) found = found || is_shell(part);
    });
    return found;
  }

  /// A shell takes the word behind `-c` for its script, and those behind that for $0, $1 and so on.
  void lost_arguments(const Node& first, const Node& more, const std::string& field) {
    if (first.size() + more.size() < 4) return;
    std::vector<Node> words;
    for (const Node& list : {first, more}) {
      for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kMaxWordsOfCommand); ++i)
        words.push_back(list.item(i));
    }
    if (words.size() < 4 || !is_script_of_shell(words[0].text(), words[1].text())) return;
    const std::size_t at = words[2].text() == "--" ? 3 : 2;
    const std::string_view text = trim(words[at].text());
    if (words.size() == at + 1 || !words[at].is_scalar() || text.empty() || contains(text, "{{") ||
        is_placeholder(text))
      return;
    const Node& lost = words[at + 1];
    if (reads_arguments(text)) {
      // "$@" begins with $1.
      if (lost.is_scalar() && lost.text().starts_with("--") && contains(text, "\"$@\"") && !contains(text, "$0"))
        report("container-arguments-lost", lost,
               who() + " gives its shell `" + std::string(beginning_of(lost.text())) +
                   "` for $0, which `$@` does not have");
      return;
    }
    // The first of them is a name for messages: `sh -c '...' sh`.
    const bool a_name = words.size() == at + 2 && (is_shell(lost.text()) || lost.text() == "--" || lost.text() == "_");
    if (!lost.is_scalar() || a_name || contains(lost.text(), "{{")) return;
    report("container-arguments-lost", lost,
           who() + " gives its shell `" + std::string(beginning_of(lost.text().substr(0, lost.text().find('\n')))) +
               "` behind the script of `" + field + "`, which does not read it");
  }

  /// `python -m train.py`, in words of their own or in a script.
  void module_of_file() {
    bool runs = false;
    each([&](const Node& word) { runs = runs || contains(word.text(), "-m"); });
    if (!runs) return;
    std::string_view before;
    std::string_view before_that;
    bool said = false;
    each([&](const Node& word) {
      for (const std::string_view part : split_blanks(word.text())) {
        if (!said && before == "-m" && last_part(before_that).starts_with("python") && part.ends_with(".py")) {
          said = true;
          report("container-module-with-suffix", word,
                 who() + " gives `" + std::string(beginning_of(part)) + "`, a file, to `-m`, which wants a module");
        }
        before_that = before;
        before = part;
      }
    });
  }

  /// `command: ["python train.py"]` is a program of that whole name.
  void unsplit(const Node& command, const std::string& field) {
    const Node first = command.item(0);
    const std::string_view text = trim(first.text());
    const std::size_t blank = text.find_first_of(" \n");
    if (!first.is_scalar() || blank == text.npos || blank == 0 || is_placeholder(text) || contains(text, "{{")) return;
    if (contains(text, "$(") || contains(text, "${") || contains(text, "<")) return;
    if (text.front() == '/' && contains(text.substr(blank), "/") && !contains(text, " -"))
      return;  // a path with blanks
    report("container-command-unsplit", first,
           who() + " has a whole command line in the first word of `" + field + "`: `" +
               std::string(beginning_of(text.substr(0, text.find('\n')))) + "`");
  }

  /// `$(NAME)` of no variable: the kubelet leaves it as it is, and a shell takes it for a command.
  void unset_variables() {
    if (container_["envFrom"].exists()) return;
    const Node env = container_["env"];
    if (env.exists() && !env.is_sequence()) return;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < env.size(); ++i) {
      if (!env.item(i).is_mapping()) return;
      names.push_back(env.item(i)["name"].text());
    }
    std::string_view unset;
    Node at;
    each([&](const Node& word) {
      const std::string_view text = word.text();
      for (std::size_t i = text.find("$("); unset.empty() && i != text.npos; i = text.find("$(", i + 1)) {
        const std::string_view name = variable_at(text, i);
        if (name.empty() || is_set_by_others(name) || std::ranges::find(names, name) != names.end()) continue;
        unset = name;
        at = word;
      }
    });
    if (unset.empty()) return;
    report("container-variable-unset", at,
           who() + " has no variable `" + std::string(unset) + "`: `$(" + std::string(unset) + ")` stays as it is");
  }

  /// What only a shell understands, where none runs.
  void words() {
    Node first;
    std::string_view odd;
    each([&](const Node& word) {
      if (odd.empty()) odd = shell_syntax_in(word.text());
      if (!odd.empty() && !first.exists()) first = word;
    });
    if (odd.empty() || shell_may_run()) return;
    report("container-shell-syntax-literal", first,
           who() + " is given `" + std::string(odd) + "` as it stands: no shell runs its command");
  }

  void environment() {
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxVariables); ++i) {
      const std::string_view name = env.item(i)["name"].text();
      const Node value = env.item(i)["value"];
      if (!value.is_scalar() || name.empty() || !contains(value.text(), "$")) continue;
      const std::string_view run = substitution_in(value.text());
      const std::string_view itself = itself_in(name, value.text());
      if (run.empty() && itself.empty()) continue;
      report("container-shell-syntax-literal", value,
             "the variable `" + std::string(name) + "` of " + who() + " keeps `" +
                 std::string(itself.empty() ? run : itself) + "` as it stands: no shell sets it");
      return;
    }
  }

  Node container_;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_command(const Node& container, std::string_view kind, bool in_shell, std::vector<Finding>& findings) {
  CommandCheck(container, findings).run(kind, in_shell);
}

}  // namespace muster
