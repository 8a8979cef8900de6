#include "slurm/script_course.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/image_command.h"
#include "slurm/script_judge.h"
#include "syntax/here_documents.h"
#include "syntax/shell_options.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {
namespace {

class Course : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    in_csh();
    installs();
    host_list();
    signals();
    dollar();
    goes_on();
    left_alone();
    contained();
    registry();
    port_of_job();
  }

 private:
  /// The C shell has `setenv`. One finding a script.
  void in_csh() {
    const std::string_view first = text_.substr(0, text_.find('\n'));
    if (!first.starts_with("#!") || !(first.ends_with("/csh") || first.ends_with("/tcsh") || contains(first, "csh -")))
      return;
    for (const ShellCommand& command : commands_) {
      if (command.words.size() < 2 || plain_text(command.words.front()) != "export" || command.here_document) continue;
      return report("sbatch-export-in-csh", span_of(command), "`export` is no command of the C shell of this script");
    }
  }

  /// pip install, conda create: of a job that holds GPUs, and not into a folder of the job alone.
  void installs() {
    constexpr std::array<std::string_view, 5> kInstallers{"conda", "mamba", "micromamba", "pip", "pip3"};
    if (!asks_gpus() || says("SLURM_TMPDIR") || says("--no-index")) return;
    if (job_.script.launches.empty() && job_.script.steps.empty()) return;  // it is there to install
    for (const ShellCommand& command : commands_) {
      if (command.branch || command.function || command.words.size() < 2) continue;
      std::size_t at = 0;
      if (program_of(command.words[0]).starts_with("python") && command.words.size() > 3 &&
          plain_text(command.words[1]) == "-m")
        at = 2;
      if (!is_one_of(program_of(command.words[at]), kInstallers)) continue;
      const std::string_view verb = plain_text(command.words[at + 1]);
      if (verb != "install" && verb != "create" && verb != "update") continue;
      return report("sbatch-installs-in-job", span_of(command),
                    "`" + std::string(program_of(command.words[at])) + " " + std::string(verb) +
                        "` runs in the job, while its GPUs wait");
    }
  }

  /// `scontrol show hostnames > hostfile`: where the redirection leads, when no variable is in it.
  void host_list() {
    if (goes_elsewhere()) return;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      const std::string_view name = program_of(command.words.front());
      const bool shows = name == "scontrol" && command.words.size() > 2 && plain_text(command.words[1]) == "show" &&
                         plain_text(command.words[2]).starts_with("hostname");
      const bool asks = name == "srun" && program_of(command.words.back()) == "hostname";
      if (!shows && !asks) continue;
      const std::uint32_t begin = command.words.back().end;
      if (begin > text_.size()) continue;
      const std::string_view rest = text_.substr(begin, text_.find('\n', begin) - begin);
      const std::size_t sign = rest.find('>');
      if (sign == rest.npos || sign + 1 >= rest.size() || rest[sign + 1] == '&' || rest[sign + 1] == '>') continue;
      if (rest.substr(0, sign).find_first_of(")`;#&") != rest.npos) continue;
      const std::size_t from = rest.find_first_not_of(" \t", sign + 1);
      if (from == rest.npos) continue;
      const std::string_view target = rest.substr(from, rest.find_first_of(" \t;|&)#", from) - from);
      if (target.empty() || target.starts_with("/dev/") || target.find_first_of("$`{%\"'<>(") != target.npos) continue;
      const auto at = static_cast<std::uint32_t>(begin + from);
      return report("sbatch-host-list-shared", {file_, at, at + static_cast<std::uint32_t>(target.size())},
                    "every job that runs here writes its hosts into the same `" + std::string(target) + "`");
    }
  }

  /// It changes to a folder whose name the job may be part of.
  bool goes_elsewhere() const {
    return std::ranges::any_of(commands_, [](const ShellCommand& command) {
      if (command.words.size() < 2 || (plain_text(command.words[0]) != "cd" && plain_text(command.words[0]) != "pushd"))
        return false;
      return std::ranges::any_of(command.words[1].parts, [](const ShellPart& part) {
        return part.kind != ShellPart::Kind::Text && part.text != "SLURM_SUBMIT_DIR" && part.text != "HOME" &&
               part.text != "PWD" && part.text != "USER";
      });
    });
  }

  /// trap ... USR1, and no --signal: Slurm sends SIGTERM alone when time is over.
  void signals() {
    constexpr std::array<std::string_view, 3> kSenders{"scancel", "kill ", "timeout "};
    const auto is_signal = [](const SbatchPair& pair) { return pair.name == "signal"; };
    if (std::ranges::any_of(job_.options, is_signal)) return;
    if (std::ranges::any_of(kSenders, [&](std::string_view one) { return says(one); })) return;
    for (const ShellCommand& command : commands_) {
      if (command.words.size() < 3 || plain_text(command.words.front()) != "trap") continue;
      const auto is_own = [](const ShellWord& word) {
        const std::string_view name = plain_text(word);
        return name == "USR1" || name == "SIGUSR1" || name == "USR2" || name == "SIGUSR2" || name == "10" ||
               name == "12";
      };
      const auto found = std::find_if(command.words.begin() + 2, command.words.end(), is_own);
      if (found == command.words.end()) continue;
      return report("sbatch-trap-never-reached", {file_, found->begin, found->end},
                    "`" + job_.name.value + "` waits for " + std::string(plain_text(*found)) +
                        ", and no --signal asks Slurm to send it");
    }
  }

  /// NODELIST=nodelist.$ was to be `$$` or a variable.
  void dollar() {
    for (const ShellCommand& command : commands_) {
      for (const ShellWord& word : command.words) {
        if (word.parts.size() != 1 || word.parts[0].kind != ShellPart::Kind::Text || word.parts[0].quoted) continue;
        const std::string_view text = word.parts[0].text;
        const std::size_t equals = text.find('=');
        if (equals == text.npos || !is_shell_name(text.substr(0, equals)) || !text.ends_with(".$")) continue;
        return report("sbatch-dollar-alone", {file_, word.begin, word.end},
                      "the `$` at the end of `" + std::string(text) + "` is a character like others");
      }
    }
  }

  /// What a launch is for, by the name of its program: train.py, `-m scripts.train`.
  static bool is_named(const ShellCommand& command, const auto& words) {
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string name = to_lower(program_of(command.words[i]));
      const bool module = i > 0 && plain_text(command.words[i - 1]) == "-m";
      if (!module && !name.ends_with(".py")) continue;
      if (std::ranges::any_of(words, [&](std::string_view one) { return contains(name, one); })) return true;
    }
    return false;
  }

  /// A function of the script may end it: whatever runs may run by it.
  bool ends_in_function() const {
    return std::ranges::any_of(commands_, [](const ShellCommand& command) {
      return command.function && !command.words.empty() && program_of(command.words.front()) == "exit";
    });
  }

  /// `axolotl preprocess config.yml`
  static bool has_verb(const ShellCommand& command, const auto& words) {
    return command.words.size() > 1 && plain_text(command.words[0]) == "axolotl" &&
           is_one_of(plain_text(command.words[1]), words);
  }

  /// python train.py, and then python evaluate.py, come what may; or python preprocess.py, and then the training.
  void goes_on() {
    constexpr std::array<std::string_view, 4> kTrains{"train", "finetune", "fine_tune", "pretrain"};
    constexpr std::array<std::string_view, 6> kUses{"eval", "test", "infer", "predict", "generate", "convert"};
    constexpr std::array<std::string_view, 4> kPrepares{"preprocess", "prepare", "tokenize", "tokenise"};
    if (says("trap") || says("errexit") || ends_in_function()) return;
    // `#!/bin/bash -xe`
    for (const std::string_view word : split_blanks(text_.substr(0, text_.find('\n')))) {
      if (word.starts_with('-') && !word.starts_with("--") && contains(word, "e")) return;
    }
    const ShellCommand* prepared = nullptr;
    const ShellCommand* trained = nullptr;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      if (errexit_set_by(command)) return;
      if (command.branch || command.loop || command.function || command.background || command.subshell) continue;
      const bool prepares = is_named(command, kPrepares) || has_verb(command, kPrepares);
      const bool trains = !prepares && (is_named(command, kTrains) || has_verb(command, kTrains));
      const bool uses = is_named(command, kUses);
      if (trained == nullptr && trains && !uses) {
        trained = &command;
        if (prepared != nullptr && !somebody_looks(*prepared, command))
          report("sbatch-trains-after-failure", span_of(command.words.front()),
                 "this trains whatever became of the command that prepares it");
      } else if (trained != nullptr && uses && !trains) {
        if (somebody_looks(*trained, command)) return;
        return report("sbatch-goes-on-after-training", span_of(command.words.front()),
                      "this runs whatever became of the training before it");
      }
      if (prepares && !uses) prepared = &command;
    }
  }

  /// Whether the status of a command may decide about what runs before the next one, or about that.
  bool somebody_looks(const ShellCommand& first, const ShellCommand& next) const {
    constexpr std::array<std::string_view, 5> kLooks{"$?", "PIPESTATUS", "exit", "|| ", "&& "};
    const std::uint32_t from = first.words.front().begin;
    const std::string_view between = text_.substr(from, next.words.front().begin - from);
    return std::ranges::any_of(kLooks, [&](std::string_view one) { return contains(between, one); });
  }

  /// What is over at once: messages, notes, variables.
  static bool is_quick(const ShellCommand& command) {
    constexpr std::array<std::string_view, 17> kQuick{"(",      "[",      "[[",   ":",      "chmod",    "date",
                                                      "disown", "echo",   "exit", "export", "hostname", "mkdir",
                                                      "popd",   "printf", "test", "touch",  "true"};
    constexpr std::array<std::string_view, 6> kInside{"basename", "cat", "date", "dirname", "hostname", "pwd"};
    for (const ShellWord& word : command.words) {
      for (const ShellPart& part : word.parts) {
        const std::string_view inner = trim(part.text);
        if (part.kind == ShellPart::Kind::Command && !is_one_of(inner.substr(0, inner.find(' ')), kInside))
          return false;
      }
    }
    return is_one_of(program_of(command.words.front()), kQuick) ||
           (!assigned_name(command.words.front()).empty() && !assigned_name(command.words.back()).empty());
  }

  /// The last command that is more than a message runs in the background, and nobody waits for it.
  void left_alone() {
    constexpr std::array<std::string_view, 6> kWaits{"wait", "sleep", "tail", "read", "trap", "coproc"};
    constexpr std::array<std::string_view, 4> kElsewhere{"sbatch", "ssh", "pdsh", "clush"};
    constexpr std::array<std::string_view, 6> kTests{"[", "[[", "test", ":", "true", "kill"};
    const ShellCommand* last = nullptr;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      const std::string_view name = program_of(command.words.front());
      if (is_one_of(name, kWaits)) return;
      if (command.function) continue;
      const bool loops = command.loop && is_one_of(name, kTests);  // it may go round until the program is over
      if (command.background) {
        last = is_one_of(name, kElsewhere) ? nullptr : &command;
      } else if (loops || !is_quick(command)) {
        last = nullptr;
      }
    }
    if (last == nullptr || last->branch || last->subshell || last->here_document) return;
    report("sbatch-background-without-wait", span_of(*last),
           "the script ends behind this command in the background, and so does the job");
  }

  /// `PORT=$((SLURM_JOB_ID + 10000))`: numbers of jobs go on where ports end.
  void port_of_job() {
    for (const ShellCommand& command : commands_) {
      for (const ShellWord& word : command.words) {
        if (word.parts.size() != 2 || word.parts[0].kind != ShellPart::Kind::Text ||
            word.parts[1].kind != ShellPart::Kind::Arithmetic || !contains(to_lower(word.parts[0].text), "port"))
          continue;
        const std::string& sum = word.parts[1].text;
        const bool of_job = contains(sum, "SLURM_JOB_ID") || contains(sum, "SLURM_JOBID");
        if (!of_job || sum.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789${}+ ") != sum.npos) continue;
        return report("sbatch-port-above-range", {file_, word.begin, word.end},
                      "this is no port once numbers of jobs have passed 65535");
      }
    }
  }

  /// AMD's devices are in a container as /dev is, and an image of ROCm brings its libraries; sites of HPE Cray have
  /// modules for the rest.
  bool on_amd() const {
    const std::string text = to_lower(text_);
    // Also partitions of LUMI-G, and names of other machines with AMD alone. Sources: docs.lumi-supercomputer.eu,
    // docs.olcf.ornl.gov (Frontier), pawsey.atlassian.net (Setonix).
    constexpr std::array<std::string_view, 16> kSigns{
        "rocm",  "amd-gfx", "hip_visible", "apptainer-enable", "miopen",     "rccl",     "mi100",   "mi200",
        "mi250", "mi300",   "lumi",        "small-g",          "standard-g", "frontier", "setonix", "mi210"};
    return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); });
  }

  /// `singularity exec image program` sees no GPU. One finding a script.
  void contained() {
    if (!asks_gpus() || on_amd()) return;
    constexpr std::array<std::string_view, 4> kSigns{"--nv", "--rocm", "_NV", "_ROCM"};
    const auto gives = [&](const ShellWord& word) {
      return std::ranges::any_of(kSigns, [&](std::string_view sign) {
        return contains(text_.substr(word.begin, word.end - word.begin), sign);
      });
    };
    for (const ShellCommand& command : commands_) {
      if (std::ranges::any_of(command.words, gives)) return;
    }
    const ShellCommand* found = nullptr;
    for (const ShellCommand& command : commands_) {
      const bool here = runs_image(command) && !looks_only(command);
      if (here && found == nullptr) found = &command;
      // Something else may be what the GPUs are for.
      if (!here && uses_gpus(command)) return;
    }
    if (found == nullptr) return;
    report("sbatch-container-without-gpus", span_of(*found),
           "`" + job_.name.value + "` asks for GPUs, and its container is started without `--nv`");
  }

  /// `singularity exec IMAGE hostname`
  static bool looks_only(const ShellCommand& command) {
    constexpr std::array<std::string_view, 8> kLooks{"cat",         "echo", "hostname", "ls",
                                                     "lsb_release", "nvcc", "pip",      "uname"};
    return std::ranges::any_of(command.words,
                               [&](const ShellWord& word) { return is_one_of(plain_text(word), kLooks); });
  }

  /// A program of Python, or a launcher of such.
  static bool uses_gpus(const ShellCommand& command) {
    constexpr std::array<std::string_view, 4> kLaunchers{"torchrun", "accelerate", "deepspeed", "nvidia-smi"};
    return std::ranges::any_of(command.words, [&](const ShellWord& word) {
      return program_of(word).ends_with(".py") || is_one_of(program_of(word), kLaunchers);
    });
  }

  /// singularity or apptainer with exec or run, and no options in a variable.
  static bool runs_image(const ShellCommand& command) {
    constexpr std::array<std::string_view, 4> kImages{"sif", "img", "image", "container"};
    const std::vector<ShellWord>& words = command.words;
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
      const std::string_view name = program_of(words[i]);
      if (!runs_images(name)) continue;
      const std::string_view verb = plain_text(words[i + 1]);
      if (verb != "exec" && verb != "run") return false;
      const std::size_t image = image_word(words.size(), i + 1, [&](std::size_t at) {
        return words[at].parts.empty() ? "-" : std::string_view(words[at].parts[0].text);  // "" is none
      });
      if (image == words.size()) return false;
      const bool variable = words[image].parts.size() == 1 && words[image].parts[0].kind == ShellPart::Kind::Variable;
      const std::string called = variable ? to_lower(words[image].parts[0].text) : std::string();
      return !variable || words[image].parts[0].quoted ||
             std::ranges::any_of(kImages, [&](std::string_view one) { return contains(called, one); });
    }
    return false;
  }

  /// `text` of ${NAME:-text} and ${NAME:=text}; empty for others.
  static std::string_view default_of(const ShellPart& part) {
    const std::string_view rest = part.rest;
    if (part.kind != ShellPart::Kind::Variable || (!rest.starts_with(":-") && !rest.starts_with(":="))) return {};
    return rest.find_first_of("$`\"'") == rest.npos ? rest.substr(2) : std::string_view();
  }

  /// Of NAME=text and NAME=${NAME:-text}; empty for others.
  static std::string_view value_of(const ShellWord& word, std::string_view name) {
    if (const std::string_view whole = plain_text(word); !whole.empty()) return whole.substr(name.size() + 1);
    const std::vector<const ShellPart*> parts = written_parts(word);
    const bool taken = parts.size() == 2 && parts[0]->text.size() == name.size() + 1;
    return taken ? default_of(*parts[1]) : std::string_view();
  }

  /// What a variable is, where the script sets it once, come what may, or where it is read.
  std::string_view text_of(const ShellPart& variable) const {
    if (variable.kind != ShellPart::Kind::Variable) return {};
    std::string_view out;
    for (const ShellCommand& command : commands_) {
      for (const ShellWord& word : command.words) {
        const bool assigned = assigned_name(word) == variable.text;
        if (!assigned && plain_text(command.words[0]) != ":") continue;
        const std::vector<const ShellPart*> parts = written_parts(word);
        const bool defaulted = parts.size() == 1 && parts[0]->text == variable.text && parts[0]->rest.starts_with(":=");
        if (!assigned && !defaulted) continue;
        const std::string_view value = assigned ? value_of(word, variable.text) : default_of(*parts[0]);
        if (value.empty() || !out.empty() || command.branch || command.loop || command.function) return {};
        out = value;
      }
    }
    return out.empty() ? default_of(variable) : out;
  }

  /// The image that the word at that place asks for; empty: none, or nobody knows.
  std::string_view image_at(const ShellCommand& command, std::size_t at) const {
    constexpr std::string_view kOption = "--container-image";
    const ShellWord& word = command.words[at];
    const std::string_view plain = plain_text(word);
    if (plain == kOption && at + 1 < command.words.size()) {
      const ShellWord& next = command.words[at + 1];
      const std::vector<const ShellPart*> parts = written_parts(next);
      return parts.size() == 1 && plain_text(next).empty() ? text_of(*parts[0]) : plain_text(next);
    }
    if (plain.starts_with(kOption) && plain.substr(kOption.size()).starts_with('='))
      return plain.substr(kOption.size() + 1);
    const std::vector<const ShellPart*> parts = written_parts(word);
    const bool filled = parts.size() == 2 && parts[0]->text == std::string(kOption) + "=";
    return filled ? text_of(*parts[1]) : std::string_view();
  }

  /// `docker://ghcr.io/team/image:$TAG` behind `enroot import`, as far as it is written; empty for other words.
  static std::string_view imported_image(const ShellCommand& command, std::size_t at) {
    const ShellWord& word = command.words[at];
    const std::vector<const ShellPart*> parts = written_parts(word);
    if (at < 2 || parts.empty() || parts[0]->kind != ShellPart::Kind::Text) return {};
    const auto enroot = std::ranges::find(command.words, "enroot", program_of);
    const auto behind = static_cast<std::size_t>(enroot - command.words.begin()) + 1;
    if (behind >= at || plain_text(command.words[behind]) != "import") return {};
    return std::string_view(parts[0]->text).starts_with("docker://") ? parts[0]->text : std::string_view();
  }

  /// The host that is written before a `/` where enroot wants `#`; empty: none.
  static std::string_view host_before_slash(std::string_view image) {
    const std::string_view host = image.substr(0, image.find('/'));
    const bool other = host.size() == image.size() || !contains(host, ".") || host.starts_with('.') ||
                       contains(image, "#") || contains(image, "@") || host == "docker.io" || image.ends_with(".sqsh");
    return other ? std::string_view() : host;
  }

  /// `torch.sqsh`, `images/torch.sqsh`: what pyxis does not take for a path.
  static bool is_bare_squashfs(std::string_view image) {
    const bool file = image.ends_with(".sqsh") || image.ends_with(".sqfs") || image.ends_with(".squashfs");
    return file && image.find_first_of("./~") != 0 && image.find_first_of(":#{$*") == image.npos;
  }

  /// srun --container-image=ghcr.io/team/image:1, whose registry enroot wants before a `#`.
  void registry() {
    constexpr int kMostImages = 100;
    int images = 0;
    for (const ShellCommand& command : commands_) {
      for (std::size_t at = 0; at < command.words.size(); ++at) {
        const ShellWord& word = command.words[at];
        const bool option = !word.parts.empty() && word.parts[0].text.starts_with("--container-image");
        const bool uri = !option && word.end <= text_.size() && contains(source_of(word), "docker://");
        if (!option && !uri) continue;
        if (++images > kMostImages) return;
        std::string_view image = option ? image_at(command, at) : imported_image(command, at);
        if (option && is_bare_squashfs(image))
          return report("sbatch-image-file-as-name", {file_, word.begin, word.end},
                        "`" + std::string(image) + "` begins with neither `/` nor `./`: pyxis takes it for the name " +
                            "of an image, not for a file");
        if (image.starts_with("docker://")) image.remove_prefix(9);
        while (image.ends_with(':')) image.remove_suffix(1);  // before a tag that a variable has
        const std::string_view host = host_before_slash(image);
        if (host.empty()) continue;
        return report("sbatch-image-registry", {file_, word.begin, word.end},
                      "enroot before 4.0 looks for `" + std::string(image) +
                          "` at Docker Hub, unless its credentials name " + std::string(host));
      }
    }
  }
};

}  // namespace

void find_script_course(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings) {
  Course(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
