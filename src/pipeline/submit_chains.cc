#include "pipeline/submit_chains.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostChained = 50;  // variables of one script

/// `sbatch $OPTIONS job.sh`, `sbatch "${options[@]}"`: --parsable may be among them.
bool has_open_options(std::string_view command) {
  const std::vector<std::string_view> words = split_blanks(command);
  for (std::size_t i = 1; i < words.size() && !words[i].ends_with(".sh"); ++i) {
    const bool variable = words[i].starts_with('$') || words[i].starts_with("\"$");
    const bool value = words[i - 1].starts_with('-') && !contains(words[i - 1], "=");
    if (contains(words[i], "[@]") || contains(words[i], "[*]")) return true;
    if (variable && !value && !contains(words[i], "/") && i + 1 < words.size()) return true;
  }
  return false;
}

/// `sbatch job.sh`, of which the message is all that is kept.
bool keeps_message(std::string_view command) {
  command = trim(command);
  if (!command.starts_with("sbatch ") && !command.starts_with("sbatch\\")) return false;
  // What picks the number out of the message, or says it in other words.
  constexpr std::array<std::string_view, 6> kOther{"parsable", "|", ";", "&&", ">", "<"};
  return std::ranges::none_of(kOther, [&](std::string_view one) { return contains(command, one); }) &&
         !has_open_options(command);
}

/// The line around a place, with those before it that go on in it.
std::string_view whole_line(std::string_view text, std::size_t at) {
  constexpr int kMostJoined = 50;
  std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
  for (int above = 0; above < kMostJoined && begin > 1 && text[begin - 2] == '\\'; ++above)
    begin = text.rfind('\n', begin - 2) + 1;
  return text.substr(begin, std::min(text.find('\n', at), text.size()) - begin);
}

/// `--dependency=afterok:$JOB` of a command of sbatch or scontrol; the text stands before `$JOB`.
bool is_dependency(std::string_view text, std::size_t at) {
  const std::string_view line = whole_line(text, at);
  const auto before = static_cast<std::size_t>(text.data() + at - line.data());
  const std::string_view first = trim(line);
  constexpr std::array<std::string_view, 4> kOnlyTold{"#", "echo", "printf", "print"};
  if (std::ranges::any_of(kOnlyTold, [&](std::string_view one) { return first.starts_with(one); })) return false;
  if (!contains(line.substr(0, before), "sbatch")) return false;
  const std::string_view head = line.substr(0, before);
  const std::size_t blank = head.find_last_of(" \t");
  const std::string_view word = head.substr(blank == head.npos ? 0 : blank + 1);
  const bool ends = word.ends_with(':') || word.ends_with(":\"") || word.ends_with(',');
  return ends && contains(word, "after") && !contains(word, "echo");
}

/// Whether a dependency between the two places has `$NAME` or `${NAME}`.
bool is_depended_on(std::string_view text, std::string_view name, std::size_t begin, std::size_t stop) {
  for (std::size_t at = text.find(name, begin); at < stop; at = text.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    const bool bare = at > 0 && text[at - 1] == '$' && (end == text.size() || !is_word_char(text[end]));
    const bool braces = at > 1 && text[at - 1] == '{' && text[at - 2] == '$' && end < text.size() && text[end] == '}';
    const std::size_t sign = bare ? at - 1 : braces ? at - 2 : text.npos;
    if (sign != text.npos && is_dependency(text, sign)) return true;
  }
  return false;
}

/// Where a variable gets a value.
struct ChainValue {
  const ShellWord* word = nullptr;
  bool message = false;  ///< that of sbatch
};

/// `read -r JOB`, `unset JOB`: words that are variables which are set or forgotten.
bool takes_names(const ShellCommand& command) {
  const std::string_view name = command.words.empty() ? std::string_view() : plain_text(command.words.front());
  return name == "read" || name == "unset";
}

}  // namespace

void find_submit_chains(FileId file, std::string_view path, std::string_view text,
                        std::span<const ShellCommand> commands, Model& model) {
  if (!contains(text, "after") || contains(text, "sbatch()") || contains(text, "sbatch ()") ||
      contains(text, "alias sbatch"))
    return;
  std::map<std::string_view, std::vector<ChainValue>> values;
  for (const ShellCommand& command : commands) {
    const bool names = takes_names(command);
    for (const ShellWord& word : command.words) {
      const std::string_view name = names ? plain_text(word) : assigned_name(word);
      if (name.empty()) continue;
      const std::vector<const ShellPart*> parts = written_parts(word);
      const bool kept =
          parts.size() == 2 && parts[1]->kind == ShellPart::Kind::Command && keeps_message(parts[1]->text);
      values[name].push_back({&word, kept && !names});
    }
  }
  std::size_t looked = 0;
  for (const auto& [name, set] : values) {
    // What is set again may be cut down to the number; the command that sets it reads it before.
    const ShellWord* found = nullptr;
    for (std::size_t i = 0; i < set.size() && found == nullptr; ++i) {
      if (!set[i].message || ++looked > kMostChained) continue;  // each may search to the end of the text
      const std::size_t stop = i + 1 < set.size() ? set[i + 1].word->end : text.size();
      if (is_depended_on(text, name, set[i].word->end, stop)) found = set[i].word;
    }
    if (found == nullptr) continue;
    SubmitCall call;
    call.script = "$" + std::string(name);
    call.kept_in = name;
    call.file = path;
    call.where = {
        file, found->begin,
        static_cast<std::uint32_t>(std::min(text.find('\n', found->begin), static_cast<std::size_t>(found->end)))};
    model.submit_calls.push_back(std::move(call));
  }
}

}  // namespace muster
