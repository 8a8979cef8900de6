#include "cli/completion.h"

#include <algorithm>

#include "base/strings.h"
#include "cli/command.h"

namespace muster {
namespace {

/// The command that prints the names of which an operand is one; empty where none does.
std::string_view names_for(std::string_view command) {
  if (command == "explain") return "muster rules list 2>/dev/null | cut -d' ' -f1";
  if (command == "generate") return "muster generate --list 2>/dev/null | cut -d' ' -f1";
  return {};
}

bool takes_a_file(const OptionUsage& option) {
  return option.value == "FILE" || option.value == "DIR" || option.value == "PATH" || option.value == "JSON" ||
         option.value == "FILE:LINE";
}

std::string head(std::string_view comment, std::string_view shell) {
  return std::string(comment) + " muster " + MUSTER_VERSION + ": made by `muster completion " + std::string(shell) +
         "`\n";
}

/// Text within single quotes of a POSIX shell.
std::string shell_word(const std::string& text) { return "'" + replace_all(text, "'", "'\\''") + "'"; }

/// In `_arguments` brackets and colons part a description from what is around it.
std::string zsh_text(std::string text) {
  for (const std::string_view mark : {"\\", "[", "]", ":"})
    text = replace_all(std::move(text), mark, "\\" + std::string(mark));
  return text;
}

std::string zsh_values(const std::vector<std::string>& choices, bool files) {
  if (!choices.empty()) return "(" + join(choices, " ") + ")";
  return files ? "_files" : "";
}

std::string fish_text(std::string text) {
  return "'" + replace_all(replace_all(std::move(text), "\\", "\\\\"), "'", "\\'") + "'";
}

}  // namespace

std::string bash_completion(std::span<const CommandUsage> commands) {
  std::string values;
  std::string words;
  std::vector<std::string> names;
  for (const CommandUsage& command : commands) {
    names.push_back(command.name);
    std::vector<std::string> options;
    for (const OptionUsage& option : command.options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
      if (option.value.empty()) continue;
      std::vector<std::string> cases;
      for (const std::string& name : option.names) cases.push_back("\"" + command.name + " " + name + "\"");
      const std::string way = !option.choices.empty() ? "words=\"" + join(option.choices, " ") + "\""
                              : takes_a_file(option)  ? "files=1"
                                                      : "words=";
      values += "    " + join(cases, " | ") + ") option=1 " + way + " ;;\n";
    }
    std::string operands;
    bool files = false;
    for (const OperandUsage& operand : command.operands) {
      files = files || takes_files(operand);
      for (const std::string& choice : operand.choices) operands += (operands.empty() ? "" : " ") + choice;
    }
    if (const std::string_view ask = names_for(command.name); !ask.empty()) operands = "$(" + std::string(ask) + ")";
    words += "    " + command.name + ") options=\"" + join(options, " ") + "\" words=\"" + operands + "\"" +
             (files ? " files=1" : "") + " ;;\n";
  }
  return head("#", "bash") + R"(_muster() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" option="" options="" words="" files="" i
  # Bash takes --format=json for three words.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case "$command $before" in
)" + values +
         R"(  esac
  if [[ -z $option ]]; then
    case $command in
    "") options="--help --version" words=")" +
         join(names, " ") + "\" ;;\n" + words + R"(    esac
    if [[ $word == -* ]]; then words=$options files=; fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _muster muster
)";
}

std::string zsh_completion(std::span<const CommandUsage> commands) {
  std::string rows;
  std::string cases;
  for (const CommandUsage& command : commands) {
    rows += "        " + shell_word(zsh_text(command.name) + ":" + command.what) + "\n";
    cases += "      " + command.name + ")\n        _arguments";
    for (const OptionUsage& option : command.options) {
      for (const std::string& name : option.names) {
        const std::string sign = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
        std::string row = "*" + name + sign + "[" + zsh_text(option.what) + "]";
        if (!option.value.empty())
          row += ":" + zsh_text(option.value) + ":" + zsh_values(option.choices, takes_a_file(option));
        cases += " \\\n          " + shell_word(row);
      }
    }
    for (const OperandUsage& operand : command.operands) {
      std::string values = zsh_values(operand.choices, takes_files(operand));
      if (const std::string_view ask = names_for(command.name); !ask.empty()) values = "($(" + std::string(ask) + "))";
      // The first operand is one word where others follow it; the last may be many.
      const bool last = &operand == &command.operands.back();
      cases += " \\\n          " +
               shell_word((last && operand.many ? "*" : "") + std::string(":") + zsh_text(operand.name) + ":" + values);
    }
    cases += "\n        ;;\n";
  }
  return "#compdef muster\n" + head("#", "zsh") + R"(_muster() {
  local context state line
  typeset -A opt_args
  _arguments -C '--help[what there is]' '--version[which muster this is]' ':command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands
      commands=(
)" + rows +
         R"(      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
)" + cases +
         R"(      esac
      ;;
  esac
}
if [[ $funcstack[1] == _muster ]]; then _muster "$@"; else compdef _muster muster; fi
)";
}

std::string fish_completion(std::span<const CommandUsage> commands) {
  std::string out = head("#", "fish") + "complete -c muster -f\n";
  out += "complete -c muster -n __fish_use_subcommand -l version -d 'which muster this is'\n";
  for (const CommandUsage& command : commands) {
    out += "complete -c muster -n __fish_use_subcommand -a " + command.name + " -d " + fish_text(command.what) + "\n";
    const std::string within = "complete -c muster -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const OptionUsage& option : command.options) {
      out += within;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty()) {
        out += " -x -a " + fish_text(join(option.choices, " "));
      } else if (!option.value.empty()) {
        out += takes_a_file(option) ? " -r -F" : " -x";
      }
      out += " -d " + fish_text(option.what) + "\n";
    }
    for (const OperandUsage& operand : command.operands) {
      if (!operand.choices.empty()) out += within + " -a " + fish_text(join(operand.choices, " ")) + "\n";
      if (takes_files(operand)) out += within + " -F\n";
    }
    if (const std::string_view ask = names_for(command.name); !ask.empty())
      out += within + " -a \"(" + std::string(ask) + ")\"\n";
  }
  return out;
}

int run_completion(const Arguments& arguments, Console& console) {
  struct Form {
    std::string_view name;
    std::string (*write)(std::span<const CommandUsage> commands);
  };
  constexpr Form kForms[] = {
      {"bash", bash_completion}, {"fish", fish_completion}, {"man", manual_page}, {"zsh", zsh_completion}};
  std::vector<std::string_view> names;
  for (const Form& form : kForms) {
    names.push_back(form.name);
    if (form.name != arguments.name) continue;
    if (std::optional<Error> error = write_output("", form.write(usage_of_commands()), console))
      return fail(console, error->message);
    return 0;
  }
  return fail(console, "there is no completion for `" + arguments.name + "`" + did_you_mean(arguments.name, names) +
                           "; known are " + join(names, ", "));
}

}  // namespace muster
