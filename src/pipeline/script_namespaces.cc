#include "pipeline/script_namespaces.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/kubectl_verbs.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostLate = 5;     // of one script
constexpr std::size_t kMostAsked = 100;  // namespaces of which every text is asked

/// By file: namespaces that its objects are in, and those that it makes.
struct OfFile {
  std::set<std::string_view> used;
  std::set<std::string_view> made;
};
using ByFile = std::map<std::string_view, OfFile>;

ByFile namespaces_of_files(const Model& model) {
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  ByFile out;
  for (const Manifest& one : model.manifests) {
    if (one.def == spaces && one.name.known()) out[one.file].made.insert(one.name.value);
    if (one.def != spaces && !one.space.empty()) out[one.file].used.insert(one.space.view());
  }
  for (const NamedKeys& one : model.named_keys) {
    if (!one.space.empty() && !one.of_controller) out[one.file].used.insert(one.space.view());
  }
  for (const Gang& one : model.gangs) {
    if (!one.space.empty()) out[one.file].used.insert(one.space.view());
  }
  return out;
}

/// The last part of a path whose folder may be a variable: `"$DIR/a.yaml"`.
std::string_view file_named(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  if (parts.empty() || parts.back()->kind != ShellPart::Kind::Text) return {};
  const std::string_view text = parts.back()->text;
  return parts.size() == 1 || contains(text, "/") ? last_part(text) : std::string_view();
}

class ScriptNamespaces {
 public:
  ScriptNamespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs), files_(namespaces_of_files(model)) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      if (!contains(all, "kubectl") || !begins_with_shell(all) || may_be_filled_in(all)) continue;
      script(i);
    }
  }

 private:
  using Spaces = std::set<std::string_view>;

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void script(std::size_t i) {
    std::map<std::string, Span, std::less<>> used;  // by namespace, where first
    std::set<std::string, std::less<>> made;
    std::size_t said = 0;
    const std::vector<ShellCommand> commands = read_shell(text(i));
    for (std::size_t c = 0; c < commands.size(); ++c) {
      const ShellCommand& command = commands[c];
      if (command.words.empty()) continue;
      const std::size_t at = program_at(command);
      const std::string_view program = at < command.words.size() ? plain_text(command.words[at]) : std::string_view();
      if (program != "kubectl" && program != "oc") {
        if (makes_more(program, command)) return;
        continue;
      }
      const Span where{static_cast<FileId>(i), command.words[at].begin, command.words.back().end};
      Spaces uses;
      Spaces makes;
      if (!look_at(commands, c, at, uses, makes)) return;
      for (const std::string_view space : makes) {
        const auto before = used.find(space);
        const bool late = before != used.end() && !made.contains(space) && !command.function;
        if (late && ++said <= kMostLate && !is_made_elsewhere(i, space)) {
          findings_.push_back(problem(
              "namespace-applied-late", before->second,
              "this goes into the namespace `" + std::string(space) + "`, which the script makes further down"));
          findings_.back().related.push_back({where, "here"});
        }
        made.emplace(space);
      }
      if (command.branch || command.function) continue;
      for (const std::string_view space : uses) {
        if (!made.contains(space)) used.try_emplace(std::string(space), where);
      }
    }
  }

  static std::size_t program_at(const ShellCommand& command) {
    std::size_t at = 0;
    while (at < command.words.size() &&
           (!assigned_name(command.words[at]).empty() || plain_text(command.words[at]) == "sudo"))
      ++at;
    return at;
  }

  /// Other programs that may make namespaces: which ones is not known.
  static bool makes_more(std::string_view program, const ShellCommand& command) {
    constexpr std::array<std::string_view, 11> kOthers{
        "helmfile", "make", "just",   "terraform", "ansible-playbook", "argocd", "kustomize",
        "skaffold", "task", "source", "."};
    const bool script = program.ends_with(".sh") || contains(program, "/");
    const bool runs = program == "bash" || program == "sh";
    const bool charts = program == "helm" && std::ranges::any_of(command.words, [](const ShellWord& word) {
                          return plain_text(word).starts_with("--create-namespace") || plain_text(word).empty();
                        });
    return script || runs || charts || std::ranges::find(kOthers, program) != kOthers.end();
  }

  /// What a command of kubectl puts into namespaces and makes of them. False: nobody can tell.
  bool look_at(const std::vector<ShellCommand>& commands, std::size_t c, std::size_t at, Spaces& uses, Spaces& makes) {
    const std::vector<ShellWord>& words = commands[c].words;
    std::string_view verb;
    std::string_view what;
    std::string_view name;
    std::string_view space;
    for (std::size_t w = at + 1; w < words.size(); ++w) {
      const std::string_view plain = plain_text(words[w]);
      if (plain == "-n" || plain == "--namespace") {
        space = w + 1 < words.size() ? plain_text(words[++w]) : std::string_view();
      } else if (plain.starts_with("--namespace=")) {
        space = plain.substr(12);
      } else if (plain == "-k" || plain == "--kustomize" || plain == "-R" || plain == "--recursive") {
        if (verb == "apply" || verb == "create") return false;
      } else if ((plain == "-f" || plain == "--filename") && w + 1 < words.size()) {
        ++w;
        if (!makes_objects(verb)) continue;
        if (plain_text(words[w]) == "-") {
          if (!take_piped(commands, c, uses, makes)) return false;
        } else if (!take(words[w], uses, makes)) {
          return false;
        }
      } else if (!plain.starts_with('-')) {
        (verb.empty() ? verb : what.empty() ? what : name) = plain;
      }
    }
    if (verb == "create" && (what == "namespace" || what == "ns") && !name.empty()) makes.insert(name);
    if (verb == "create" && (what == "namespace" || what == "ns") && name.empty()) return false;
    if (verb == "create" && what != "namespace" && what != "ns" && !what.empty() && !space.empty()) uses.insert(space);
    return true;
  }

  /// A file of the input; one from elsewhere makes namespaces of its own. False: a folder, or what only the run names.
  bool take(const ShellWord& word, Spaces& uses, Spaces& makes) {
    const std::string_view plain = plain_text(word);
    if (plain.starts_with("https://") || plain.starts_with("http://")) return true;
    const std::string_view file = file_named(word);
    if (!file.ends_with(".yaml") && !file.ends_with(".yml") && !file.ends_with(".json")) return false;
    const std::vector<std::size_t>& known = names_.called(file);
    if (known.size() != 1) return false;
    const auto found = files_.find(inputs_.files[known.front()].context.path);
    if (found == files_.end()) return true;
    makes.insert(found->second.made.begin(), found->second.made.end());
    for (const std::string_view space : found->second.used) {
      if (!found->second.made.contains(space)) uses.insert(space);
    }
    return true;
  }

  /// `sed ... a.yaml | kubectl apply -f -`, `kubectl create namespace x --dry-run=client -o yaml | kubectl apply -f -`.
  bool take_piped(const std::vector<ShellCommand>& commands, std::size_t c, Spaces& uses, Spaces& makes) {
    if (c == 0 || commands[c].here_document || commands[c - 1].words.empty()) return false;
    const std::vector<ShellWord>& before = commands[c - 1].words;
    const std::string_view program = plain_text(before.front());
    if (program == "kubectl" || program == "oc") return true;  // its own line was looked at
    if (program != "sed" && program != "cat" && program != "envsubst") return false;
    std::size_t files = 0;
    for (const ShellWord& word : before) {
      const std::string_view file = file_named(word);
      if (!file.ends_with(".yaml") && !file.ends_with(".yml")) continue;
      if (!take(word, uses, makes)) return false;
      ++files;
    }
    return files > 0;
  }

  /// Whether another text makes it: a step before this one.
  bool is_made_elsewhere(std::size_t own, std::string_view space) {
    if (++asked_ > kMostAsked) return true;
    const std::string name(space);
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (i == own) continue;
      const std::string_view all = text(i);
      if (contains(all, "create namespace " + name) || contains(all, "create ns " + name) ||
          contains(all, "kubernetes_namespace"))
        return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  ByFile files_;
  std::size_t asked_ = 0;
};

}  // namespace

void find_script_namespaces(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const bool any = std::ranges::any_of(inputs.files, [](const InputFile& file) {
    return file.context.path.ends_with(".sh") || file.context.path.ends_with(".bash");
  });
  if (any) ScriptNamespaces(inputs, model, findings).run();
}

}  // namespace muster
