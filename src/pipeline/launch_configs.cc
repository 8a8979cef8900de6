#include "pipeline/launch_configs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/batch_places.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "pipeline/shell_texts.h"
#include "slurm/batch_shell.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kConfigOptions{"--config_file", "--deepspeed", "--deepspeed_config",
                                                         "--deepspeed_config_file"};

bool is_launch_config(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

/// Whether `accelerate launch` stands in front of the word; behind it, and before the program, --config_file is its
/// own.
bool is_of_accelerate(const ShellCommand& command, std::size_t i) {
  for (std::size_t at = 0; at < i; ++at) {
    if (plain_text(command.words[at]) == "accelerate.commands.launch") return true;
    if (at + 1 < i && sbatch::program_of(command.words[at]) == "accelerate" &&
        plain_text(command.words[at + 1]) == "launch")
      return true;
  }
  return false;
}

/// The value of a word `--option=value`, or of the word behind `--option`; empty: it is another. `program`: the word
/// that names the program.
std::string_view config_given(const ShellCommand& command, std::size_t i, std::size_t program) {
  const std::string_view word = plain_text(command.words[i]);
  const std::size_t sign = word.find('=');
  const std::string_view option = word.substr(0, sign);
  if (!sbatch::is_one_of(option, kConfigOptions)) return {};
  if (option == "--config_file" && (i > program || !is_of_accelerate(command, i))) return {};
  if (sign != word.npos) return word.substr(sign + 1);
  return i + 1 < command.words.size() ? plain_text(command.words[i + 1]) : std::string_view();
}

class LaunchConfigs {
 public:
  LaunchConfigs(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs), reach_(inputs) {}

  void judge(std::size_t i, std::string_view text) {
    // Who brings another repository, or makes a file, may bring this one.
    constexpr std::array<std::string_view, 12> kBrings{"git clone", "accelerate config", "wget ",  "curl ",
                                                       "unzip ",    "git submodule",     "rsync ", "scp ",
                                                       "aws s3 ",   "gsutil ",           "tar ",   "hf download"};
    if (std::ranges::any_of(kBrings, [&](std::string_view one) { return contains(text, one); })) return;
    constexpr std::array<std::string_view, 2> kGoes{"cd", "pushd"};
    const std::vector<ShellCommand> commands = read_shell(text);
    if (std::ranges::any_of(commands, copies_many)) return;
    for (const ShellCommand& command : commands) {
      if (command.words.size() > 1 && sbatch::is_one_of(plain_text(command.words[0]), kGoes) &&
          leaves_input(text, text.substr(command.words[1].begin, command.words[1].end - command.words[1].begin)))
        return;
    }
    for (const ShellCommand& command : commands) {
      const std::size_t program = own_program(command);
      if (program == command.words.size()) continue;
      for (std::size_t at = 0; at < command.words.size(); ++at) {
        const std::string_view config = config_given(command, at, program);
        if (!is_launch_config(config) || !is_absent(i, config)) continue;
        const ShellWord& last = command.words[contains(plain_text(command.words[at]), "=") ? at : at + 1];
        findings_.push_back(problem("script-launch-config-missing",
                                    {static_cast<FileId>(i), command.words[at].begin, last.end},
                                    "no file of the input is called `" + std::string(last_part(config)) + "`"));
        return;
      }
    }
  }

 private:
  /// `cp "$CONFIGS"/*.yaml .`
  static bool copies_many(const ShellCommand& command) {
    return !command.words.empty() && sbatch::program_of(command.words.front()) == "cp" &&
           std::ranges::any_of(command.words, [](const ShellWord& word) {
             return std::ranges::any_of(word.parts, [](const ShellPart& part) { return contains(part.text, "*"); });
           });
  }

  /// The word of a program of Python that stands in the input, behind a launcher; the number of words: there is none.
  std::size_t own_program(const ShellCommand& command) const {
    constexpr std::array<std::string_view, 5> kLaunchers{"accelerate", "deepspeed", "torchrun", "python", "python3"};
    bool launches = false;
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string_view name = sbatch::program_of(command.words[i]);
      launches = launches || sbatch::is_one_of(name, kLaunchers);
      if (launches && name.ends_with(".py")) return names_.called(name).empty() ? command.words.size() : i;
    }
    return command.words.size();
  }

  /// Whether a line reads the configuration. `accelerate config --config_file x` and a program that is given the
  /// name may make it.
  static bool is_reader(std::string_view line) {
    if (contains(line, "accelerate config")) return false;
    const std::size_t option = line.find("--config_file");
    const std::size_t program = line.find(".py");
    if (option != line.npos) return contains(line, "launch") || program == line.npos || program > option;
    return std::ranges::any_of(kConfigOptions, [&](std::string_view one) { return contains(line, one); });
  }

  bool is_absent(std::size_t i, std::string_view config) {
    if (config.starts_with('/') || config.starts_with('~') || contains(config, "..") ||
        config.find_first_of("*{}<>$") != config.npos || is_made_path(config))
      return false;
    const std::string_view name = last_part(config);
    if (!names_.called(name).empty() || names_.is_aside(name)) return false;
    const std::string_view script = inputs_.files[i].context.path;
    const std::string beside = folder_of(script).empty() ? std::string() : std::string(folder_of(script)) + "/";
    const std::string_view path = config.starts_with("./") ? config.substr(2) : config;
    if (!reach_.holds(script) || !reach_.holds(beside + std::string(path))) return false;
    // Where it is spoken of otherwise somebody may make it.
    return !names_.is_said_in_line(name, [](std::size_t, std::string_view line) { return !is_reader(line); }) &&
           !is_filled_folder(i, folder_of(path));
  }

  /// Whether the folder is not in the input, and another line of the script names it: `python make.py --out configs`.
  bool is_filled_folder(std::size_t i, std::string_view folder) const {
    if (folder.empty() || std::ranges::any_of(inputs_.files, [&](const InputFile& file) {
          const std::string_view own = folder_of(file.context.path);
          return own == folder || own.ends_with("/" + std::string(folder));
        }))
      return false;
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
    return some_line_with(text, folder, [](std::string_view line) { return !is_reader(line); });
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  Reach reach_;
};

}  // namespace

void find_missing_launch_configs(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<LaunchConfigs> configs;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!begins_with_shell(text) || inputs.files[i].named || may_be_filled_in(text)) continue;
    if (std::ranges::none_of(kConfigOptions, [&](std::string_view option) { return contains(text, option); })) continue;
    if (!configs) configs.emplace(inputs, findings);
    configs->judge(i, text);
  }
}

}  // namespace muster
