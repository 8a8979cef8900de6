#include "pipeline/compose_calls.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

// Source: docs.docker.com/compose/intro/compose-application-model, "The Compose file".
constexpr std::array<std::string_view, 4> kDefaults{"compose.yaml", "compose.yml", "docker-compose.yaml",
                                                    "docker-compose.yml"};

/// Where the words behind `docker compose` or `docker-compose` begin; 0: the command is another.
std::size_t behind_compose(const std::vector<ShellWord>& words) {
  const std::size_t at = !words.empty() && plain_text(words[0]) == "sudo" ? 1 : 0;
  if (words.size() > at && plain_text(words[at]) == "docker-compose") return at + 1;
  const bool two = words.size() > at + 1 && plain_text(words[at]) == "docker" && plain_text(words[at + 1]) == "compose";
  return two ? at + 2 : 0;
}

bool is_plain_file(std::string_view name) {
  return is_yaml_file(name) && !name.starts_with('/') && name.find_first_of("$*~{") == name.npos;
}

class ComposeCalls {
 public:
  ComposeCalls(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {
    const auto note = [&](std::string_view path) { names_.insert(std::string(last_part(path))); };
    for (const InputFile& file : inputs.files) note(file.context.path);
    for (const std::vector<std::string>* aside :
         {&inputs.foreign, &inputs.too_large, &inputs.ignored, &inputs.excluded})
      std::ranges::for_each(*aside, note);
  }

  void run() {
    const bool any = std::ranges::any_of(
        names_, [](const std::string& name) { return is_yaml_file(name) && contains(name, "compose"); });
    if (!any) return;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (language_of(inputs_.files[i].context.path) != Language::Script || !contains(text, "compose")) continue;
      if (contains(text, "COMPOSE_FILE") || contains(text, "git clone") || contains(text, "curl ")) continue;
      script(static_cast<FileId>(i), text);
    }
  }

 private:
  void script(FileId file, std::string_view text) {
    const std::vector<ShellCommand> commands = read_shell(text);
    const bool moves = std::ranges::any_of(commands, [](const ShellCommand& command) {
      const std::string_view name = command.words.empty() ? std::string_view() : plain_text(command.words[0]);
      return name == "cd" || name == "pushd";
    });
    for (const ShellCommand& command : commands) {
      const std::size_t begin = behind_compose(command.words);
      if (begin == 0 || begin >= command.words.size()) continue;
      if (call(file, command, begin, moves)) return;
    }
  }

  /// True: something was said.
  bool call(FileId file, const ShellCommand& command, std::size_t begin, bool moves) {
    bool named = false;
    for (std::size_t i = begin; i < command.words.size(); ++i) {
      std::string_view name;
      const std::string_view word = plain_text(command.words[i]);
      if (word.empty() || word.starts_with("--project-directory")) return false;  // a variable
      const bool option = word == "-f" || word == "--file";
      if (option && i + 1 < command.words.size()) name = plain_text(command.words[i + 1]);
      if (word.starts_with("--file=")) name = word.substr(7);
      if (!option && !word.starts_with('-') && !word.starts_with("--file=")) break;  // the verb
      named = named || option || word.starts_with("--file=");
      if (option) ++i;
      if (!is_plain_file(name) || names_.contains(std::string(last_part(name))) || is_made(last_part(name))) continue;
      say(file, command, "no file of the input is called `" + std::string(last_part(name)) + "`");
      return true;
    }
    const std::string_view verb = plain_text(command.words[begin]);
    constexpr std::array<std::string_view, 7> kVerbs{"build", "down", "exec", "logs", "restart", "stop", "up"};
    if (named || moves || std::ranges::find(kVerbs, verb) == kVerbs.end() || has_default(file) || !has_others(file) ||
        std::ranges::any_of(kDefaults, [&](std::string_view name) { return is_made(name); }))
      return false;
    say(file, command, "Compose looks for `compose.yaml` or `docker-compose.yml`, and the files here have other names");
    return true;
  }

  /// Whether somebody speaks of the file otherwise than behind -f of a call: copies it, asks whether it is there.
  bool is_made(std::string_view name) {
    constexpr std::size_t kMostAsked = 20;
    if (++asked_ > kMostAsked) return true;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      const bool prose = language_of(inputs_.files[i].context.path) == Language::Prose;
      for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
        const std::string_view before =
            text.substr(at - std::min<std::size_t>(at, 200), std::min<std::size_t>(at, 200));
        const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
        const bool copied = contains(line, "cp ") || contains(line, "mv ") || contains(line, ">");
        if (prose ? copied : is_otherwise(line, text.substr(at + name.size(), 20))) return true;
      }
    }
    return false;
  }
  /// `[ -f compose.local.yml ]`, `cp compose.example.yml compose.yml`; not `-f compose.yml up`.
  static bool is_otherwise(std::string_view before, std::string_view behind) {
    const std::size_t blank = before.find_last_of(" \t=") + 1;  // npos + 1 is 0
    const std::string_view option = trim(before.substr(0, blank));
    const bool called = option.ends_with(" -f") || option.ends_with("--file") || option.ends_with("--file=");
    const std::size_t next = behind.find_first_not_of(" \t\"'");
    return !called || (next != behind.npos && contains("]&|;\n", behind.substr(next, 1)));
  }

  /// In the folder of the script, or in one above it.
  bool has_default(FileId script) const {
    const std::string_view folder = folder_of(inputs_.files[static_cast<std::size_t>(script)].context.path);
    return std::ranges::any_of(inputs_.files, [&](const InputFile& file) {
      const std::string_view path = file.context.path;
      return std::ranges::find(kDefaults, last_part(path)) != kDefaults.end() && is_below(folder, folder_of(path));
    });
  }
  /// `docker-compose-node.yml` in the folder of the script.
  bool has_others(FileId script) const {
    const std::string_view folder = folder_of(inputs_.files[static_cast<std::size_t>(script)].context.path);
    return std::ranges::any_of(inputs_.files, [&](const InputFile& file) {
      const std::string_view path = file.context.path;
      return folder_of(path) == folder && is_yaml_file(path) && contains(last_part(path), "compose");
    });
  }

  void say(FileId file, const ShellCommand& command, std::string message) {
    findings_.push_back(problem("compose-call-without-file",
                                {file, command.words.front().begin, command.words.back().end}, std::move(message)));
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> names_;
  std::size_t asked_ = 0;
};

}  // namespace

void find_compose_calls(const Inputs& inputs, std::vector<Finding>& findings) { ComposeCalls(inputs, findings).run(); }

}  // namespace muster
