#include "slurm/array_items.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

constexpr std::string_view kTask = "SLURM_ARRAY_TASK_ID";

struct TaskNumbers {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = -1;
};

/// Of --array: 0 and 8 of `0-8%2`, 1 and 8 of `1,4-8:2`, where that is met exactly.
std::optional<TaskNumbers> task_numbers(std::string_view value) {
  value = value.substr(0, value.find('%'));
  TaskNumbers out;
  for (const std::string_view one : split(value, ',')) {
    const std::size_t colon = one.find(':');
    const std::string_view range = one.substr(0, colon);
    const std::size_t dash = range.find('-');
    const std::optional<std::int64_t> first = parse_int(range.substr(0, dash));
    const std::optional<std::int64_t> end = dash == range.npos ? first : parse_int(range.substr(dash + 1));
    const std::optional<std::int64_t> step = colon == one.npos ? 1 : parse_int(one.substr(colon + 1));
    if (!first || !end || !step || *first < 0 || *end < *first || *step < 1) return std::nullopt;
    out.first = std::min(out.first, *first);
    out.last = std::max(out.last, *end - (*end - *first) % *step);
  }
  return out;
}

/// How many items `$(seq 1940 2022)` and `{1..8}` make; nothing: it is another word.
std::optional<std::int64_t> count_of_range(const ShellWord& word) {
  const std::vector<const ShellPart*> parts = written_parts(word);
  if (parts.size() != 1 || parts[0]->quoted) return std::nullopt;
  std::optional<std::int64_t> first = 1;
  std::optional<std::int64_t> last;
  if (parts[0]->kind == ShellPart::Kind::Command) {
    const std::vector<std::string_view> words = split_blanks(parts[0]->text);
    if (words.size() < 2 || words.size() > 3 || words[0] != "seq") return std::nullopt;
    if (words.size() == 3) first = parse_int(words[1]);
    last = parse_int(words.back());
  } else if (parts[0]->kind == ShellPart::Kind::Text) {
    const std::string_view text = parts[0]->text;
    const std::size_t dots = text.find("..");
    if (!text.starts_with('{') || !text.ends_with('}') || dots == text.npos) return std::nullopt;
    first = parse_int(text.substr(1, dots - 1));
    last = parse_int(text.substr(dots + 2, text.size() - dots - 3));
  }
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!first || !last || *first < 0 || *last < *first || *last > kMost) return std::nullopt;
  return *last - *first + 1;
}

/// One item, whatever the run puts in.
bool is_one_item(const ShellWord& word) {
  return !word.parts.empty() && word.items.empty() && std::ranges::all_of(word.parts, [](const ShellPart& part) {
    if (part.kind != ShellPart::Kind::Text) return part.quoted && !contains(part.rest, "@");
    return part.quoted || part.text.find_first_of("*?[{\x01") == part.text.npos;
  });
}

class ArrayItems : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    const SbatchPair* option = option_in_force(job_, "array");
    if (option == nullptr || !option->value.known() || job_.components != 1) return;
    const std::optional<TaskNumbers> tasks = task_numbers(option->value.value);
    if (!tasks) return;
    if (counts_otherwise()) return;
    gather();
    gather_counted();
    for (const ShellCommand& command : commands_) {
      if (command.branch || command.function) continue;
      for (const ShellWord& word : command.words) {
        for (const ShellPart& part : word.parts) {
          if (judge(part, *tasks, *option)) return;
        }
      }
    }
  }

 private:
  struct Items {
    std::int64_t count = 0;
    Span where;
    bool nothing_first = false;  ///< the first item is there for the others to begin at 1
  };

  /// Whether the script sets the number itself, or is for a shell whose lists begin with 1.
  bool counts_otherwise() const {
    if (text_.substr(0, text_.find('\n')).find("zsh") != text_.npos) return true;
    return std::ranges::any_of(commands_, [](const ShellCommand& command) {
      return std::ranges::any_of(command.words, [](const ShellWord& word) { return assigned_name(word) == kTask; });
    });
  }

  /// Whether some line tests the name, or counts with it: `if [ $IDX -ge 4 ]`, `((--IDX))`, `case`, `let`.
  bool is_tested(std::string_view name) const {
    constexpr std::array<std::string_view, 6> kFirst{"if", "elif", "while", "until", "case", "let"};
    return std::ranges::any_of(split(text_, '\n'), [&](std::string_view line) {
      if (!contains(line, name)) return false;
      const std::string_view words = trim(line);
      const std::size_t counted = words.find("((");
      const bool counts = counted == 0 || (counted != words.npos && words[counted - 1] != '$');
      return counts || contains(words, "[ ") || contains(words, "[[") || contains(words, "test ") ||
             is_one_of(words.substr(0, words.find(' ')), kFirst);
    });
  }

  /// Lists that are written out once, come what may, and names of the task's number.
  void gather() {
    constexpr std::array<std::string_view, 5> kSetters{"for", "mapfile", "read", "readarray", "unset"};
    std::set<std::string_view> set;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      const bool always = !command.branch && !command.loop && !command.function && !command.subshell;
      const bool by_name = is_one_of(plain_text(command.words.front()), kSetters);
      for (const ShellWord& word : command.words) {
        const std::string_view name = by_name ? plain_text(word) : name_of(word);
        if (name.empty()) continue;
        const bool first = set.insert(name).second;
        lists_.erase(name);
        numbers_.erase(name);
        if (first && always && !by_name) keep(name, word);
      }
    }
  }

  /// Lists that the script asks for how many there are: `${#NAME[@]}`.
  void gather_counted() {
    constexpr std::string_view kAsks = "{#";
    for (std::size_t at = text_.find(kAsks); at != text_.npos; at = text_.find(kAsks, at)) {
      at += kAsks.size();
      std::size_t end = at;
      while (end < text_.size() && is_word_char(text_[end])) ++end;
      counted_.insert(text_.substr(at, end - at));
      at = end;
    }
  }

  void keep(std::string_view name, const ShellWord& word) {
    const std::vector<const ShellPart*> parts = written_parts(word);
    if (parts.empty() || parts[0]->text.size() != name.size() + 1) return;  // `NAME+=`, `NAME[0]=`
    std::int64_t count = 0;
    bool counted = !word.items.empty();
    for (const ShellWord& item : word.items) {
      const std::optional<std::int64_t> range = count_of_range(item);
      counted = counted && (range || is_one_item(item));
      count += range.value_or(1);
    }
    const bool nothing_first = counted && (stands_for_nothing(word) || is_spoken_of(word));
    if (counted) lists_[name] = {count, span_of(word), nothing_first};
    if (parts.size() == 2 && is_task(*parts[1])) numbers_.insert(name);
  }

  /// ("" a b), (none a b), (0 0.1 0.2)
  static bool stands_for_nothing(const ShellWord& list) {
    constexpr std::array<std::string_view, 20> kNothing{
        "none", "null", "na",    "n/a",    "nan",   "dummy",  "unused", "placeholder", "skip",   "x",
        "_",    "-",    "empty", "buffer", "blank", "filler", "pad",    "padding",     "ignore", "nothing"};
    const std::string first = to_lower(plain_text(list.items.front()));
    if (written_parts(list.items.front()).empty() || is_one_of(first, kNothing)) return true;
    return first == "0" && list.items.size() > 1 && plain_text(list.items[1]) != "1";
  }

  /// A comment in the lines of a list may say what the first item is for.
  bool is_spoken_of(const ShellWord& list) const {
    const std::size_t end = text_.find('\n', list.end);
    return contains(text_.substr(list.begin, end == text_.npos ? end : end - list.begin), " #");
  }

  /// `NAME` of `NAME=`, `NAME+=`, `NAME[0]=`.
  static std::string_view name_of(const ShellWord& word) {
    if (word.parts.empty() || word.parts.front().kind != ShellPart::Kind::Text) return {};
    const std::string_view text = word.parts.front().text;
    const std::string_view name = text.substr(0, text.find_first_of("+=["));
    return is_shell_name(name) && name.size() < text.size() ? name : std::string_view();
  }

  static bool is_task(const ShellPart& part) {
    return part.kind == ShellPart::Kind::Variable && part.text == kTask &&
           (part.rest.empty() || part.rest.starts_with(":-"));
  }

  /// What `${NAME[...]}` is read by, where that is the number of the task as it is; empty: it is something else.
  std::string_view own_index(const ShellPart& part) const {
    if (part.kind != ShellPart::Kind::Variable || part.rest.size() < 3 || part.rest.front() != '[' ||
        part.rest.find(']') != part.rest.size() - 1)
      return {};
    std::string_view index = std::string_view(part.rest).substr(1, part.rest.size() - 2);
    if (index.starts_with("${") && index.ends_with('}')) index = index.substr(2, index.size() - 3);
    if (index.starts_with('$')) index.remove_prefix(1);
    return index == kTask || numbers_.contains(index) ? index : std::string_view();
  }

  /// Whether the script reads its list in another way, too.
  bool is_read_otherwise(std::string_view name) {
    constexpr int kMostAsked = 50;
    if (++asked_ > kMostAsked) return true;
    return std::ranges::any_of(commands_, [&](const ShellCommand& command) {
      return std::ranges::any_of(command.words, [&](const ShellWord& word) {
        return std::ranges::any_of(word.parts, [&](const ShellPart& part) {
          if (part.kind == ShellPart::Kind::Variable) return part.text == name && own_index(part).empty();
          return part.kind != ShellPart::Kind::Text && contains(part.text, name);
        });
      });
    });
  }

  bool judge(const ShellPart& part, const TaskNumbers& tasks, const SbatchPair& option) {
    const std::string_view index = own_index(part);
    if (index.empty()) return false;
    const auto list = lists_.find(part.text);
    if (list == lists_.end() || counted_.contains(part.text)) return false;
    const std::int64_t last = tasks.last;
    const bool beyond = last >= list->second.count;
    const bool skips = tasks.first == 1 && last > 1 && last + 1 == list->second.count && !list->second.nothing_first &&
                       !is_read_otherwise(part.text);
    if (!beyond && !skips) return false;
    if (is_tested(kTask) || is_tested(index)) return true;  // of one script once
    if (skips) {
      report("sbatch-array-leaves-first-item", option.where,
             "`" + part.text + "` has " + count_of(static_cast<std::size_t>(list->second.count), "item") +
                 " from number 0 on, and the tasks take those from 1 to " + std::to_string(last));
      findings_.back().related.push_back({list->second.where, "the items"});
      return true;
    }
    report("sbatch-array-beyond-items", option.where,
           "`" + part.text + "` has " + count_of(static_cast<std::size_t>(list->second.count), "item") +
               ", the last of number " + std::to_string(list->second.count - 1) + ", and task " + std::to_string(last) +
               " of the array takes that of its own number");
    findings_.back().related.push_back({list->second.where, "the items"});
    return true;
  }

  std::map<std::string_view, Items> lists_;
  std::set<std::string_view> numbers_;  ///< variables that are the number of the task
  std::set<std::string_view> counted_;
  int asked_ = 0;  ///< how often all words were gone through
};

}  // namespace

void find_array_items(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                      std::vector<Finding>& findings) {
  if (contains(text, kTask)) ArrayItems(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
