#include "pipeline/find_commands.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/image_command.h"

namespace muster {
namespace {

/// Programs that do nothing of use without a file.
constexpr std::array<std::string_view, 9> kFilePrograms{"chmod", "chown", "chgrp", "cp",      "mv",
                                                        "rm",    "gzip",  "touch", "dos2unix"};

bool is_image_file(std::string_view text) {
  constexpr std::array<std::string_view, 3> kImages{".sif", ".simg", ".img"};
  return std::ranges::any_of(kImages, [&](std::string_view one) { return text.ends_with(one); });
}

/// A variable that is called for the image; one that is called for options may hold one, and several where it is a
/// list.
bool is_called_image(const ShellPart& part) {
  constexpr std::array<std::string_view, 4> kImages{"sif", "img", "image", "container"};
  constexpr std::array<std::string_view, 8> kOthers{"arg", "bind", "cmd", "env", "flag", "mount", "opt", "param"};
  if (part.kind != ShellPart::Kind::Variable || !part.rest.empty() || !is_shell_name(part.text)) return false;
  const std::string lower = to_lower(part.text);
  const auto in_name = [&](std::string_view one) { return contains(lower, one); };
  return std::ranges::any_of(kImages, in_name) && std::ranges::none_of(kOthers, in_name);
}

/// Whether a word may be an image: what stands in front of it is an option, or the value of one, then.
bool may_be_image(const ShellWord& word) {
  constexpr std::array<std::string_view, 4> kFetched{"docker://", "library://", "oras://", "shub://"};
  return std::ranges::any_of(word.parts, [&](const ShellPart& part) {
    if (part.kind != ShellPart::Kind::Text) return is_called_image(part);
    return is_image_file(part.text) ||
           std::ranges::any_of(kFetched, [&](std::string_view one) { return part.text.starts_with(one); });
  });
}

/// Whether what find hands to another program begins with the word.
bool begins_action(const ShellWord& word) {
  constexpr std::array<std::string_view, 4> kActions{"-exec", "-execdir", "-ok", "-okdir"};
  return std::ranges::find(kActions, plain_text(word)) != kActions.end();
}

}  // namespace

void find_bare_exec(FileId file, std::string_view text, const ShellCommand& command, std::vector<Finding>& findings) {
  const std::vector<ShellWord>& words = command.words;
  if (words.size() < 4 || plain_text(words.front()) != "find") return;
  const auto written = [&](const ShellWord& word) {
    return word.end <= text.size() ? text.substr(word.begin, word.end - word.begin) : std::string_view();
  };
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    const std::string_view action = plain_text(words[i]);
    if (action != "-exec" && action != "-execdir" && action != "-ok") continue;
    std::size_t end = i + 1;
    bool named = false;
    bool same = false;
    bool plain = false;
    for (; end < words.size() && plain_text(words[end]) != ";" && plain_text(words[end]) != "+"; ++end) {
      named = named || contains(written(words[end]), "{}") || contains(written(words[end]), "\\{\\}");
      plain = plain || (end > i + 1 && !plain_text(words[end]).starts_with('-'));
      same = same || (end > i + 1 && written(words[end]) == written(words[1]));
    }
    const std::string_view program = plain_text(words[i + 1]);
    const bool of_files = std::ranges::find(kFilePrograms, program) != kFilePrograms.end();
    if (end == words.size()) return;  // not as find wants it, or not as it is read here
    // A mark that something was found: which file it was is not asked.
    const bool marks =
        (program == "touch" && plain) || std::any_of(words.begin() + static_cast<std::ptrdiff_t>(end), words.end(),
                                                     [](const ShellWord& word) { return plain_text(word) == "-quit"; });
    if (marks) return;
    if (!named && (same || of_files) && !program.empty()) {
      findings.push_back(problem("script-find-exec-without-file", {file, words[i].begin, words[end - 1].end},
                                 same ? "for each file that is found `" + std::string(program) + "` is given all of `" +
                                            std::string(written(words[1])) + "` again"
                                      : "`" + std::string(program) + "` is not told which file was found"));
      return;
    }
    i = end;
  }
}

void find_name_of_path(FileId file, const ShellCommand& command, std::vector<Finding>& findings) {
  const std::vector<ShellWord>& words = command.words;
  if (words.size() < 4 || plain_text(words.front()) != "find") return;
  for (std::size_t i = 2; i + 1 < words.size(); ++i) {
    const std::string_view test = plain_text(words[i]);
    if (begins_action(words[i])) {  // its words are those of another program
      while (i + 1 < words.size() && plain_text(words[i]) != ";" && plain_text(words[i]) != "+") ++i;
      continue;
    }
    if (test != "-name" && test != "-iname") continue;
    const std::string_view pattern = plain_text(words[i + 1]);
    if (!contains(pattern, "/") || pattern == "/") continue;
    const std::string_view before = plain_text(words[i - 1]);
    const bool leaves_out = before == "!" || before == "-not";
    findings.push_back(problem("script-find-name-of-path", {file, words[i].begin, words[i + 1].end},
                               "`" + std::string(test) +
                                   "` asks for the last part of a path, and none has a `/` in it" +
                                   (leaves_out ? ": this leaves nothing out" : "")));
    return;
  }
}

void find_option_behind_image(FileId file, const ShellCommand& command, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 15> kOwn{"--nv",       "--rocm",    "--bind",  "-B",        "--pwd",
                                                  "--home",     "-H",        "--env",   "--overlay", "--writable",
                                                  "--cleanenv", "--no-home", "--mount", "--contain", "--containall"};
  const std::vector<ShellWord>& words = command.words;
  const auto head = [&](std::size_t i) {
    return words[i].parts.empty() ? std::string_view("-") : std::string_view(words[i].parts[0].text);  // "" is none
  };
  for (std::size_t i = 0; i + 3 < words.size(); ++i) {
    if (!sbatch::runs_images(sbatch::program_of(words[i])) || plain_text(words[i + 1]) != "exec") continue;
    const std::size_t image = sbatch::image_word(words.size(), i + 1, head);
    const std::vector<const ShellPart*> parts =
        image + 1 < words.size() ? written_parts(words[image]) : std::vector<const ShellPart*>();
    if (parts.empty()) return;
    const ShellPart& last = *parts.back();
    const bool written = last.kind == ShellPart::Kind::Text && is_image_file(last.text);
    const bool whole = parts.size() == 1 && last.quoted && is_called_image(last);
    const std::string_view option = head(image + 1).substr(0, head(image + 1).find('='));
    if ((!written && !whole) || std::ranges::find(kOwn, option) == kOwn.end()) return;
    if (std::any_of(words.begin() + static_cast<std::ptrdiff_t>(image) + 1, words.end(), may_be_image)) return;
    findings.push_back(problem(
        "script-option-behind-image", {file, words[image].begin, words[image + 1].end},
        "behind the image stands its command: `" + std::string(option) + "` is taken for a program of the image"));
    return;
  }
}

}  // namespace muster
