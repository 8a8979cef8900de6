#include "slurm/script_slips.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/counted_failures.h"
#include "slurm/fixed_ports.h"
#include "slurm/script_tests.h"
#include "syntax/here_documents.h"
#include "syntax/shell_options.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kMostSlips = 20;  // of one script

/// The one part of a word, beside the empty texts that quotes leave; nullptr: there are several.
const ShellPart* only_part(const ShellWord& word) {
  const ShellPart* found = nullptr;
  for (const ShellPart& part : word.parts) {
    if (part.kind == ShellPart::Kind::Text && part.text.empty()) continue;
    if (found != nullptr) return nullptr;
    found = &part;
  }
  return found;
}

class Slips {
 public:
  Slips(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void run() {
    const std::vector<ShellCommand> commands = read_shell(text_);
    activation(commands);
    as_other_user(commands);
    cleaned(commands);
    continued();
    left_shell(commands);
    for (std::size_t i = 0; i < commands.size() && reported_ < kMostSlips; ++i) {
      if (commands[i].words.empty()) continue;
      as_command(commands[i]);
      blank_at_sign(commands[i]);
      words_of(commands[i]);
      hosts(commands[i]);
      wait(commands[i]);
      if (i + 1 < commands.size()) behind_step(commands[i], commands[i + 1]);
    }
    find_tests_of_words(file_, text_, commands, findings_);
    find_fixed_ports(file_, commands, findings_);
    find_counted_failures(file_, text_, commands, findings_);
  }

  void run_lines() {
    continued();
    for (const ShellCommand& command : read_shell(text_)) {
      if (reported_ < kMostSlips && !command.words.empty()) as_command(command);
    }
  }

  void words_of(const ShellCommand& command) {
    if (reported_ >= kMostSlips || command.words.empty()) return;
    module(command);
    typographic(command);
    pipefail(command);
    test(command);
  }

 private:
  void report(std::string_view rule, std::uint32_t begin, std::uint32_t end, std::string message) {
    ++reported_;
    findings_.push_back(problem(rule, {file_, begin, end}, std::move(message)));
  }

  /// `test -d X || (echo ...; exit 1)`: what ends is the shell within the brackets.
  void left_shell(const std::vector<ShellCommand>& commands) {
    const auto ends_at_errors = [](const ShellCommand& command) { return errexit_set_by(command) == true; };
    const std::string_view shebang = text_.substr(0, text_.find('\n'));
    if (contains(shebang, " -e") || std::ranges::any_of(commands, ends_at_errors)) return;
    for (const ShellCommand& command : commands) {
      if (!command.subshell || command.words.empty() || plain_text(command.words.front()) != "exit") continue;
      if (&command == &commands.back()) continue;  // its status is that of the job
      if (leaves_brackets_alone(command))
        return report("sbatch-exit-in-subshell", command.words.front().begin, command.words.back().end,
                      "`exit` within `( )` ends only what stands within them, and the script goes on");
    }
  }

  /// Whether it is the last of what stands within brackets behind `||`, with nothing behind these.
  bool leaves_brackets_alone(const ShellCommand& exit) const {
    const std::size_t begin = text_.substr(0, exit.words.front().begin).rfind('(');
    const std::size_t end = text_.find(')', exit.words.back().end);
    if (begin == text_.npos || end == text_.npos || !trim(text_.substr(0, begin)).ends_with("||")) return false;
    const std::string_view inside = text_.substr(begin + 1, exit.words.front().begin - begin - 1);
    const std::string_view behind = trim(text_.substr(exit.words.back().end, end - exit.words.back().end));
    const std::size_t line = std::min(text_.find('\n', end), text_.size());
    const std::string_view next = trim(text_.substr(end + 1, line - end - 1));
    return !contains(inside, ")") && (behind.empty() || behind == ";") && (next.empty() || next.starts_with('#'));
  }

  /// Where a line has a `\` before a blank, with a comment or nothing behind it; npos: it has none.
  static std::size_t escaped_end(std::string_view line) {
    std::size_t at = line.rfind("\\ ");
    if (const std::size_t comment = line.find(" #"); comment != line.npos && at != line.npos && at > comment)
      at = line.rfind("\\ ", comment);
    if (at == line.npos || at == 0 || line[at - 1] != ' ') return line.npos;
    const std::string_view behind = trim(line.substr(at + 1));
    return behind.empty() || behind.front() == '#' ? at : line.npos;
  }

  /// `\` and a blank at the end of a line, also before a comment, and a line behind it that was to go on. One finding a
  /// script.
  void continued() {
    const std::vector<TextLine> lines = lines_of(text_);
    HereDocuments here_documents(lines);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (const std::optional<HereDocument> here = here_documents.at(i)) {
        i = here->end;
        continue;
      }
      const std::string_view line = lines[i].text;
      const std::size_t at = trim(line).starts_with('#') ? line.npos : escaped_end(line);
      const std::string_view next = lines[i + 1].text;
      if (at == line.npos || trim(next).empty() || trim(next).front() == '#' ||
          !(next.front() == ' ' || next.front() == '\t' || next.front() == '-'))
        continue;
      const auto begin = lines[i].begin + static_cast<std::uint32_t>(at);
      return report("sbatch-continuation-with-blank", begin, begin + 2,
                    "behind this `\\` stands a blank: the command ends here, and the next line is one of its own");
    }
  }

  /// `OUT = /scratch/x` runs OUT, and `export OUT= /scratch/x` exports nothing: what the shell assigns has no blanks.
  void blank_at_sign(const ShellCommand& command) {
    const std::string_view first = plain_text(command.words.front());
    if (is_shell_name(first) && command.words.size() > 2 && plain_text(command.words[1]) == "=") {
      const bool loud = first.find_first_of("abcdefghijklmnopqrstuvwxyz") == first.npos;
      if (loud)
        report("sbatch-assignment-with-blank", command.words.front().begin, command.words[1].end, not_set(first));
      return;
    }
    if (!declares(command.words.front())) return;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      if (word.end > text_.size() || !text_.substr(word.begin, word.end - word.begin).ends_with('=')) continue;
      const std::size_t next = text_.find_first_not_of(" \t", word.end);
      if (next == text_.npos || next == word.end ||
          std::string_view("/~.<$\"'").find(text_[next]) == std::string_view::npos)
        continue;
      return report("sbatch-assignment-with-blank", word.begin, word.end, not_set(assigned_name(word)));
    }
  }
  static std::string not_set(std::string_view name) {
    return "`" + std::string(name) + "` does not get the value: a blank beside `=` ends the assignment";
  }

  /// No program is called `--epochs`. A pattern of `case` is, and stands before `)` or `|`.
  void as_command(const ShellCommand& command) {
    const ShellWord& first = command.words.front();
    const bool literal = !first.parts.empty() && first.parts[0].kind == ShellPart::Kind::Text && !first.parts[0].quoted;
    const std::string_view name = literal ? std::string_view(first.parts[0].text) : std::string_view();
    if (name.size() < 3 || !name.starts_with("--") || name[2] < 'a' || name[2] > 'z' || first.end > text_.size())
      return;
    const std::string_view line = text_.substr(0, first.begin);
    const std::size_t begin = line.rfind('\n') + 1;  // npos + 1 is 0
    if (begin == 0 || !trim(line.substr(begin)).empty()) return;
    const std::size_t end = text_.find('\n', first.end);
    const std::string_view rest = text_.substr(first.end, end == text_.npos ? end : end - first.end);
    if (contains(rest, ")") || contains(rest, "|") || contains(rest, "{{")) return;
    const std::string_view before = trim(line.substr(0, begin - 1));
    const std::string_view last = trim(before.substr(before.rfind('\n') + 1));
    if (last.ends_with("\\\\")) return;  // of a here-document, which makes one of two
    const std::string_view above = line.substr(0, begin - 1);
    if (escaped_end(above.substr(above.rfind('\n') + 1)) != above.npos) return;  // continued() says so
    const bool comment = last.starts_with('#');
    report("sbatch-option-as-command", first.begin, first.end,
           "`" + std::string(name.substr(0, name.find('='))) + "` begins a command of its own: " +
               (comment ? "the comment before it ends the command that it was meant for"
                        : "the line before does not end with `\\`"));
  }

  /// `module purge`, and modules of compilers and libraries, which bring no conda.
  static bool leaves_shell_alone(const ShellCommand& command) {
    constexpr std::array<std::string_view, 7> kTakes{"purge", "list", "avail", "av", "unload", "rm", "spider"};
    constexpr std::array<std::string_view, 8> kPlain{"cuda", "cudnn", "gcc", "nccl", "openmpi", "rocm", "cmake", "git"};
    const std::string_view name = plain_text(command.words.front());
    if ((name != "module" && name != "ml") || command.words.size() < 2) return false;
    const std::string_view verb = plain_text(command.words[1]);
    if (is_one_of(verb, kTakes)) return true;
    if (verb != "load" && verb != "add") return false;
    return std::all_of(command.words.begin() + 2, command.words.end(), [&](const ShellWord& word) {
      const std::string module = to_lower(plain_text(word));
      return is_one_of(std::string_view(module).substr(0, module.find('/')), kPlain);
    });
  }

  /// `conda activate` is a function of the shell, which somebody has to define: a shell of a batch script reads no
  /// .bashrc.
  void activation(const std::vector<ShellCommand>& commands) {
    constexpr std::array<std::string_view, 3> kManagers{"conda", "mamba", "micromamba"};
    // What may define it, or set up the shell in a way that nobody sees here.
    constexpr std::array<std::string_view, 12> kSetUp{"source", ".",    "eval", "module", "ml",       "spack",
                                                      "use",    "init", "load", "exec",   "function", "uenv"};
    const std::string_view first = text_.substr(0, text_.find('\n'));
    const bool plain =
        first == "#!/bin/bash" || first == "#!/usr/bin/env bash" || first == "#!/usr/bin/bash" || first == "#!/bin/sh";
    if (!plain) return;
    for (const ShellCommand& command : commands) {
      if (command.words.empty()) continue;
      const std::string_view name = plain_text(command.words.front());
      if (name.empty() && assigned_name(command.words.front()).empty()) return;  // a command that a variable names
      if (std::ranges::find(kSetUp, name) != kSetUp.end() && !leaves_shell_alone(command)) return;
      const bool manager = std::ranges::find(kManagers, name) != kManagers.end();
      const std::string_view verb = command.words.size() > 1 ? plain_text(command.words[1]) : std::string_view();
      if (manager && (verb == "init" || verb == "shell")) return;
      if (!manager || verb != "activate") continue;
      return report("sbatch-environment-not-activated", command.words.front().begin, command.words.back().end,
                    "`" + std::string(name) + " activate` is a function of the shell, and nothing here defines it");
    }
  }

  /// `wait 10`, where a pause was meant: it waits for the process of that number.
  void wait(const ShellCommand& command) {
    if (command.words.size() != 2 || plain_text(command.words[0]) != "wait") return;
    const std::string_view number = plain_text(command.words[1]);
    if (number.empty() || number.size() > 4 || !std::ranges::all_of(number, is_digit)) return;
    report(
        "sbatch-wait-for-number", command.words[0].begin, command.words[1].end,
        "`wait " + std::string(number) + "` waits for a process of that number: bash says that it is no child of it");
  }

  /// A batch script has no terminal on which sudo could ask. The first of a script.
  void as_other_user(const std::vector<ShellCommand>& commands) {
    for (const ShellCommand& command : commands) {
      if (command.words.size() < 2 || command.here_document || plain_text(command.words[0]) != "sudo") continue;
      const bool asks_nothing = std::ranges::any_of(command.words, [](const ShellWord& word) {
        return plain_text(word) == "-n" || plain_text(word) == "--non-interactive";
      });
      if (asks_nothing) continue;
      const bool shell = plain_text(command.words.back()) == "su" || plain_text(command.words[1]) == "-i";
      return report("sbatch-sudo", command.words[0].begin, command.words[1].end,
                    shell ? std::string("this opens a shell that reads nothing and ends: what follows runs as before")
                          : std::string("sudo has no terminal in a batch job to ask for a password"));
    }
  }

  /// Variables of launchers and libraries that are exported before a container that takes none of them.
  void cleaned(const std::vector<ShellCommand>& commands) {
    constexpr std::array<std::string_view, 6> kRead{"OMP_NUM_THREADS", "NCCL_", "RCCL_", "FI_", "MIOPEN_", "HF_HOME"};
    constexpr int kMostNames = 50;
    int asked = 0;
    if (!contains(text_, "--cleanenv")) return;
    const auto cleans = [](const ShellCommand& command) {
      return std::ranges::any_of(command.words, [](const ShellWord& word) { return plain_text(word) == "--cleanenv"; });
    };
    if (std::ranges::none_of(commands, cleans)) return;
    for (const ShellCommand& command : commands) {
      if (command.words.size() != 2 || plain_text(command.words[0]) != "export") continue;
      const std::string_view name = assigned_name(command.words[1]);
      const bool read = std::ranges::any_of(kRead, [&](std::string_view one) { return name.starts_with(one); });
      // Also `--env NAME=...`, `SINGULARITYENV_NAME` and `torchrun --x $NAME`.
      if (!read || ++asked > kMostNames || count_of(name) != 1) continue;
      return report("sbatch-environment-cleaned", command.words[1].begin,
                    command.words[1].begin + static_cast<std::uint32_t>(name.size()),
                    "`" + std::string(name) + "` does not reach the container: it starts with --cleanenv");
    }
  }

  std::size_t count_of(std::string_view name) const {
    std::size_t count = 0;
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + name.size())) ++count;
    return count;
  }

  /// set -ex pipefail: without `o` the word is $1.
  void pipefail(const ShellCommand& command) {
    if (plain_text(command.words.front()) != "set") return;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const std::string_view before = plain_text(command.words[i - 1]);
      // `-eox pipefail`, too: an `o` anywhere takes the next word. Executed with bash 5.2.
      const bool takes = (before.starts_with('-') || before.starts_with('+')) && contains(before, "o");
      if (plain_text(command.words[i]) != "pipefail" || takes) continue;
      return report("sbatch-shell-option-lost", command.words[i].begin, command.words[i].end,
                    "`set` takes `pipefail` for $1: the option wants `-o` before it");
    }
  }

  /// A quote or dash of a text processor that stands where the shell's is meant: outside of plain quotes.
  void typographic(const ShellCommand& command) {
    constexpr std::array<std::string_view, 3> kMessages{"echo", "printf", "logger"};
    if (std::ranges::find(kMessages, plain_text(command.words.front())) != kMessages.end()) return;
    for (const ShellWord& word : command.words) {
      if (word.parts.empty() || word.parts.front().kind != ShellPart::Kind::Text || word.parts.front().quoted) continue;
      const std::string_view text = word.parts.front().text;
      const bool dash = text.starts_with("\xE2\x80\x93") || text.starts_with("\xE2\x80\x94");
      const bool quote = text.starts_with("\xE2\x80\x9C") || text.starts_with("\xE2\x80\x9D");
      const bool option = dash && text.size() > 3 && text[3] != ' ';
      if (!quote && !option) continue;
      return report("sbatch-typographic-sign", word.begin, word.end,
                    quote ? "a typographic quote is part of the word: the shell knows plain ones alone"
                          : "a typographic dash begins no option");
    }
  }

  /// python -m train.py
  void module(const ShellCommand& command) {
    for (std::size_t i = 0; i + 2 < command.words.size(); ++i) {
      const std::string_view program = plain_text(command.words[i]);
      if (!program.substr(program.rfind('/') + 1).starts_with("python") || plain_text(command.words[i + 1]) != "-m")
        continue;
      const ShellWord& name = command.words[i + 2];
      if (!plain_text(name).ends_with(".py")) return;
      return report("sbatch-module-with-suffix", name.begin, name.end,
                    "`-m` wants a module, and `" + std::string(plain_text(name)) + "` is a file");
    }
  }

  /// `[[ $A == 'x']]`; a word with an opening bracket of its own may be a pattern.
  void double_test(const ShellCommand& command) {
    const auto closes = [](const ShellWord& word) { return plain_text(word) == "]]"; };
    if (plain_text(command.words.front()) != "[[" || std::ranges::any_of(command.words, closes)) return;
    const ShellWord& last = command.words.back();
    if (last.parts.empty() || contains(text_.substr(last.begin, last.end - last.begin), "[")) return;
    const ShellPart& tail = last.parts.back();
    if (tail.kind != ShellPart::Kind::Text || tail.quoted || !tail.text.ends_with("]]")) return;
    report("sbatch-test-unclosed", last.begin, last.end,
           "`]]` needs a blank before it: this is a syntax error, and bash reads the script no further");
  }

  void test(const ShellCommand& command) {
    if (command.words.size() < 2) return;
    double_test(command);
    if (plain_text(command.words.front()) != "[") return;
    const ShellWord& last = command.words.back();
    const ShellPart& tail = last.parts.empty() ? command.words.front().parts.front() : last.parts.back();
    const bool closed = plain_text(last) == "]";
    // `[ -z "$A"]` comes to what is meant: of an empty value `]` is left, any other ends in a complaint and in no.
    const auto is_variable = [](const ShellPart& part) { return part.kind == ShellPart::Kind::Variable; };
    const auto is_other = [&](const ShellPart& part) {
      return !is_variable(part) && !part.text.empty() && part.text != "]";
    };
    const bool by_chance = command.words.size() == 3 && plain_text(command.words[1]) == "-z" &&
                           std::ranges::count_if(last.parts, is_variable) == 1 &&
                           std::ranges::none_of(last.parts, is_other);
    if (by_chance && !closed) return;
    if (!closed && last.items.empty() && tail.kind == ShellPart::Kind::Text && !tail.quoted &&
        tail.text.ends_with(']') && !contains(tail.text, "["))
      return report("sbatch-test-unclosed", last.begin, last.end,
                    "`]` needs a blank before it: bash says `[: missing ']'`, and the condition is never true");
    if (!closed) return;
    // Between words stand blanks alone, and redirections, which the reader leaves out.
    for (std::size_t i = 0; i + 1 < command.words.size(); ++i) {
      const std::uint32_t begin = command.words[i].end;
      const std::uint32_t end = command.words[i + 1].begin;
      if (begin >= end || end > text_.size()) continue;
      const std::string_view between = trim(text_.substr(begin, end - begin));
      if (!between.starts_with('>') && !between.starts_with('<')) continue;
      const auto sign = static_cast<std::uint32_t>(between.data() - text_.data());
      return report("sbatch-test-redirects", sign, sign + static_cast<std::uint32_t>(between.size()),
                    "`" + std::string(between.substr(0, 1)) + "` within `[ ]` is a redirection: nothing is compared");
    }
  }

  /// srun echo start && program: the step is the message alone.
  void behind_step(const ShellCommand& step, const ShellCommand& next) {
    constexpr std::array<std::string_view, 9> kHarmless{"echo", "printf", "exit", "srun", "true",
                                                        "date", "touch",  ":",    "sleep"};
    const auto is_echo = [](const ShellWord& word) { return plain_text(word) == "echo"; };
    if (plain_text(step.words.front()) != "srun" || next.words.empty()) return;
    const auto echo = std::ranges::find_if(step.words, is_echo);
    const ShellWord& program = next.words.front();
    const std::uint32_t end = step.words.back().end;
    if (echo == step.words.end() || end > program.begin || program.begin > text_.size()) return;
    const std::string_view name = plain_text(program);
    if (name.empty() || std::ranges::find(kHarmless, name) != kHarmless.end() || !assigned_name(program).empty())
      return;
    if (trim(text_.substr(end, program.begin - end)) != "&&") return;
    report("sbatch-step-ends-at-message", program.begin, program.end,
           "`" + std::string(name) + "` runs in the batch shell: the step before it is `echo` alone");
  }

  /// hosts=$(scontrol show hostnames ...), and then list=("$hosts").
  void hosts(const ShellCommand& command) {
    for (const ShellWord& word : command.words) {
      const std::string_view name = assigned_name(word);
      if (name.empty()) return;
      const bool listed = word.parts.size() == 2 && word.parts[1].kind == ShellPart::Kind::Command &&
                          contains(word.parts[1].text, "show hostname") && !contains(word.parts[1].text, "head");
      if (listed) hosts_.insert(std::string(name));
      const ShellPart* item = word.items.size() == 1 ? only_part(word.items[0]) : nullptr;
      if (item == nullptr) continue;
      const bool whole = item->quoted && item->rest.empty();
      const bool of_list = whole && item->kind == ShellPart::Kind::Variable && hosts_.contains(item->text);
      const bool of_command = whole && item->kind == ShellPart::Kind::Command &&
                              contains(item->text, "show hostname") && !contains(item->text, "head");
      if (of_list || of_command)
        report("sbatch-hosts-in-one-word", word.items[0].begin, word.items[0].end,
               "the quotes keep all hosts in one item: `" + std::string(name) + "` has no second one");
    }
  }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> hosts_;
  std::size_t reported_ = 0;
};

}  // namespace

void find_script_slips(FileId file, std::string_view text, std::vector<Finding>& findings) {
  Slips(file, text, findings).run();
}

void find_line_slips(FileId file, std::string_view text, std::vector<Finding>& findings) {
  Slips(file, text, findings).run_lines();
}

void find_word_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                     std::vector<Finding>& findings) {
  Slips slips(file, text, findings);
  for (const ShellCommand& command : commands) slips.words_of(command);
}

}  // namespace muster::sbatch
