#include "kubernetes/container_script.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "syntax/script_text.h"

namespace muster {
namespace {

constexpr std::int64_t kLongWait = 3600;  // seconds: what a job sleeps before it works is shorter

/// Seconds of `sleep 5m`; absent: they are no plain number.
std::optional<std::int64_t> seconds_of_sleep(std::string_view word) {
  std::int64_t unit = 1;
  if (word.ends_with('m')) unit = 60;
  if (word.ends_with('h')) unit = 3600;
  if (word.ends_with('d')) unit = 86'400;
  if (unit > 1 || word.ends_with('s')) word.remove_suffix(1);
  const std::optional<std::int64_t> number = parse_int(word);
  if (!number || *number < 0 || *number > 1'000'000'000) return std::nullopt;
  return *number * unit;
}

/// Whether a script has the name of a program that step_of knows to wait: most have none.
bool may_wait(std::string_view script) {
  return contains(script, "sleep ") || contains(script, "tail -f") || contains(script, "nvidia-smi");
}

enum class Step { Waits, Short, Nothing, Works };

Step step_of(std::string_view command) {
  for (const std::string_view word : {"do ", "exec ", "then "}) {
    if (command.starts_with(word)) command = trim(command.substr(word.size()));
  }
  if (command == "tail -f /dev/null") return Step::Waits;
  if (command.starts_with("nvidia-smi")) {
    const bool loops = contains(command, " --loop") || contains(command, " -l ") || contains(command, " dmon");
    return loops ? Step::Waits : Step::Nothing;
  }
  if (command.starts_with("sleep ")) {
    const std::string_view time = trim(command.substr(6));
    if (time == "infinity" || time == "inf") return Step::Waits;
    const auto seconds = seconds_of_sleep(time);
    return !seconds ? Step::Works : *seconds >= kLongWait ? Step::Waits : Step::Short;
  }
  constexpr std::array<std::string_view, 8> kWhole{"while true", "while :", "done", "do", "true", "wait", "date", "--"};
  if (std::ranges::find(kWhole, command) != kWhole.end()) return Step::Nothing;
  for (const std::string_view begin : {"echo ", "rocm-smi", "amd-smi", "set -", "trap "}) {
    if (command.starts_with(begin)) return Step::Nothing;
  }
  return Step::Works;
}

/// `echo` or `true` of `torchrun ... || echo failed`, where that is the last command.
std::string hides_failure(std::string_view script) {
  std::string joined(script);
  for (std::size_t at = joined.find("\\\n"); at != joined.npos; at = joined.find("\\\n", at))
    joined.replace(at, 2, "  ");
  std::string_view last;
  for (const std::string_view line : split(joined, '\n')) {
    const std::string_view text = trim(line);
    if (!text.empty() && text.front() != '#') last = text;
  }
  const std::size_t at = last.rfind("||");
  if (at == last.npos || last.find_first_of(";{(&", at) != last.npos) return {};
  const std::string_view instead = trim(last.substr(at + 2));
  const std::string_view word = instead.substr(0, instead.find(' '));
  if (word != "echo" && word != "true" && word != ":") return {};
  for (const std::string_view launcher :
       {"torchrun ", "python ", "python3 ", "accelerate launch ", "deepspeed ", "mpirun "}) {
    if (contains(last.substr(0, at), launcher)) return std::string(word);
  }
  return {};
}

/// What a shell is given to run: `/bin/bash -lc SCRIPT`; the whole command where none is.
std::string_view behind_shell(std::string_view command) {
  const std::size_t blank = command.find(' ');
  const std::string_view shell = command.substr(0, blank);
  if (blank == command.npos || !shell.ends_with("sh") || shell.ends_with(".sh")) return command;
  const std::string_view rest = trim(command.substr(blank));
  const std::string_view option = rest.substr(0, rest.find_first_of(" \n"));
  const bool runs = option.size() > 1 && option.size() < 6 && option[0] == '-' && option.ends_with('c');
  return runs ? trim(rest.substr(option.size())) : command;
}

}  // namespace

bool only_waits(std::string_view script) {
  if (!may_wait(script)) return false;
  std::string lines(behind_shell(trim(script)));
  std::ranges::replace_if(lines, [](char c) { return c == ';' || c == '&' || c == '|'; }, '\n');
  bool loops = false;
  bool waits = false;
  for (std::string_view command : split(lines, '\n')) {
    command = trim(command);
    if (command.starts_with("-- ")) command = trim(command.substr(3));
    if (command.empty() || command.front() == '#') continue;
    loops = loops || command == "while true" || command == "while :";
    const Step step = step_of(command);
    if (step == Step::Works) return false;
    waits = waits || step == Step::Waits || (step == Step::Short && loops);
  }
  return waits;
}

std::string wait_at_end(std::string_view script) {
  if (!may_wait(script)) return {};
  std::string lines(script);
  for (std::size_t at = lines.find("&&"); at != lines.npos; at = lines.find("&&", at)) lines.replace(at, 2, "\n");
  std::ranges::replace(lines, ';', '\n');
  std::string_view last;
  bool worked = false;
  for (const std::string_view line : split(lines, '\n')) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') continue;
    // What runs in the background, or only when something fails, is what the pod waits for.
    for (const std::string_view sign : {"&", "||", "nohup", "sshd", "service ", " start", "daemon", "jupyter"}) {
      if (contains(text, sign)) return {};
    }
    worked = worked || (!last.empty() && step_of(last) == Step::Works);
    last = text;
  }
  const bool waits = !last.empty() && step_of(last) == Step::Waits && !last.starts_with("nvidia-smi");
  return waits && worked ? std::string(last) : std::string();
}

std::string never_reached(std::string_view script) {
  if (!may_wait(script)) return {};
  std::string lines(script);
  for (std::size_t at = lines.find("&&"); at != lines.npos; at = lines.find("&&", at)) lines.replace(at, 2, "\n");
  std::ranges::replace(lines, ';', '\n');
  bool waits = false;
  for (const std::string_view line : split(lines, '\n')) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#' || text == "\\") continue;  // a line that goes on
    const std::string_view word = text.substr(0, text.find(' '));
    if (waits && word != "wait" && word != "exit" && word != "echo") return std::string(word);
    if (waits) continue;
    // What depends on something, or is the body of it, is left alone.
    for (const std::string_view sign :
         {"if ", "then", "else", "case ", "for ", "while ", "until ", "do ", "()", "||", "{", "trap ", "<<", "EOF"}) {
      if (contains(text, sign)) return {};
    }
    waits = text == "sleep infinity" || text == "sleep inf" || text == "tail -f /dev/null";
  }
  return {};
}

bool only_looks(std::string_view command) {
  command = behind_shell(command);
  return command == "nvidia-smi" || command == "nvidia-smi -L" || command == "/usr/bin/nvidia-smi" ||
         command == "rocm-smi";
}

bool leaves_ray_behind(std::string_view command) {
  if (!contains(command, "ray start")) return false;
  command = behind_shell(trim(command));
  std::string lines(command);
  for (std::size_t at = lines.find("&&"); at != lines.npos; at = lines.find("&&", at)) lines.replace(at, 2, "\n");
  for (std::size_t at = lines.find("\\\n"); at != lines.npos; at = lines.find("\\\n", at)) lines.replace(at, 2, "  ");
  std::ranges::replace(lines, ';', '\n');
  std::string_view last;
  for (const std::string_view line : split(lines, '\n')) {
    const std::string_view text = trim(line);
    if (!text.empty() && text.front() != '#') last = text;
  }
  const bool plain = last.find_first_of("|&$`(){}") == last.npos;
  return plain && last.starts_with("ray start") && !contains(last, "--block") && !contains(command, "--block");
}

/// Whether a line begins or ends a block of a shell: what stands within depends on something.
int block_step(std::string_view text) {
  const auto is_word = [&](std::string_view word) {
    return text.starts_with(word) && (text.size() == word.size() || contains(" ;\t", text.substr(word.size(), 1)));
  };
  for (const std::string_view word : {"fi", "done", "esac", "}"}) {
    if (is_word(word)) return -1;
  }
  const bool ends = text.ends_with("fi") || text.ends_with("done") || text.ends_with("esac") || text.ends_with('}');
  for (const std::string_view word : {"if", "for", "while", "until", "case", "select"}) {
    if (is_word(word)) return ends ? 0 : 1;
  }
  return text.ends_with("{") ? 1 : 0;
}

/// `A=1 python train.py` -> `python train.py`
std::string_view behind_settings(std::string_view text) {
  while (true) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t sign = word.find('=');
    if (sign == 0 || sign == word.npos || word.size() == text.size() || !is_word_char(word.front()) ||
        word.find_first_of("\"'$(") != word.npos)
      return text;
    text = trim(text.substr(word.size()));
  }
}

bool starts_program(std::string_view text) {
  constexpr std::array<std::string_view, 6> kLaunchers{"torchrun ",          "python ",    "python3 ",
                                                       "accelerate launch ", "deepspeed ", "horovodrun "};
  text = behind_settings(text);
  const bool begins =
      std::ranges::any_of(kLaunchers, [&](std::string_view launcher) { return text.starts_with(launcher); });
  return begins && !text.ends_with('&') && !contains(text, "&&") && !contains(text, "||") && !contains(text, "exit");
}

/// `ls /out/model.pt` fails where the program did not write it.
bool names_file(std::string_view command) {
  return std::ranges::any_of(split_blanks(command), [](std::string_view word) {
    return word.front() != '-' && contains(word.substr(word.rfind('/') + 1), ".");  // npos + 1 is 0
  });
}

/// `echo` of a script that ends in a message and looks at nothing that its last program returns.
std::string ends_in_message(std::string_view script) {
  if (!contains(script, "echo") && !contains(script, "ls")) return {};
  for (const std::string_view sign : {"set -", "trap ", "$?", "PIPESTATUS", "<<"}) {
    if (contains(script, sign)) return {};
  }
  std::string lines(script);
  for (std::size_t at = lines.find("\\\n"); at != lines.npos; at = lines.find("\\\n", at)) lines.replace(at, 2, "  ");
  std::string_view last;
  bool starts = false;
  bool quoted = false;  // within a text of several lines
  int depth = 0;
  for (const std::string_view line : split(lines, '\n')) {
    const std::string_view text = trim(line);
    const bool turns = std::ranges::count(text, '"') % 2 != 0;
    quoted = quoted != turns;
    if (text.empty() || text.front() == '#' || quoted != turns) continue;
    const int step = block_step(text);
    last = depth == 0 && step == 0 ? text : std::string_view();
    depth += step;
    if (depth < 0) return {};
    // What decides something behind the program may decide by what it wrote.
    const bool decides = !last.empty() && (contains(text, "&&") || contains(text, "||"));
    const bool branches = text.starts_with("if ") || text.starts_with("while ") || text.starts_with("until ") ||
                          text.starts_with("case ") || contains(text, "exit");
    if (step > 0 || decides || branches) starts = false;
    starts = starts || (!last.empty() && starts_program(text));
  }
  const std::string_view word = last.substr(0, last.find(' '));
  const bool shows = word == "echo" || (word == "ls" && !names_file(last));
  return starts && shows && word.size() < last.size() && last.find_first_of(";|&") == last.npos ? std::string(word)
                                                                                                : std::string();
}

std::string what_runs_of(std::string_view text) {
  std::string out;
  bool installs = false;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view words = trim(line);
    if (words.starts_with('#')) continue;
    const std::size_t at = words.find("pip install ");
    const std::size_t end = at == words.npos ? words.npos : words.find_first_of("&;|", at);
    if (!installs && at == words.npos) out += std::string(line) + "\n";
    if (!installs && at != words.npos)
      out += std::string(words.substr(0, at)) + (end == words.npos ? "" : std::string(words.substr(end))) + "\n";
    installs = words.ends_with('\\') && (installs || (at != words.npos && end == words.npos));
  }
  return out;
}

std::string hides_status(std::string_view script) {
  if (std::string word = ends_in_message(script); !word.empty()) return word;
  if (script.find('|') == script.npos) return {};
  if (contains(script, "PIPESTATUS")) return {};
  if (std::string word = hides_failure(script); !word.empty()) return word;
  if (find_in_script(script, "pipefail") != script.npos) return {};
  std::string_view last;
  for (const std::string_view line : split(script, '\n')) {
    const std::string_view text = trim(line);
    if (!text.empty() && text.front() != '#') last = text;
  }
  const std::size_t at = last.rfind("| tee ");
  if (at == last.npos || (at > 0 && last[at - 1] == '|')) return {};
  // What follows decides on its own.
  const bool ends = last.find_first_of(";|&", at + 1) == last.npos && !last.starts_with("echo ");
  return ends ? "tee" : "";
}

int count_of_words(std::string_view script, std::string_view words) {
  int count = 0;
  for (std::size_t at = script.find(words); at != script.npos; at = script.find(words, at + words.size())) ++count;
  return count;
}

}  // namespace muster
