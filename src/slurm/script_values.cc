#include "slurm/script_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"
#include "syntax/shell_options.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {
namespace {

bool is_node_list(std::string_view variable) {
  return variable == "SLURM_JOB_NODELIST" || variable == "SLURM_NODELIST";
}

/// Variables whose value is `4(x2)` where two nodes have four each.
bool is_list_of_counts(std::string_view variable) {
  return variable == "SLURM_TASKS_PER_NODE" || variable == "SLURM_JOB_CPUS_PER_NODE";
}

/// `NAME=$NAME`
bool is_set_to_itself(const ShellWord& word) {
  const std::string_view name = assigned_name(word);
  std::size_t said = 0;  // parts beside the name and the empty texts that quotes leave
  bool own = false;
  for (const ShellPart& part : word.parts) {
    if (part.kind == ShellPart::Kind::Text && (part.text.empty() || &part == &word.parts.front())) continue;
    ++said;
    own = part.kind == ShellPart::Kind::Variable && part.text == name && part.rest.empty();
  }
  return !name.empty() && said == 1 && own && word.parts.front().text.size() == name.size() + 1;
}

/// Takes what stands before the first comma of `$SLURM_JOB_NODELIST`, and does nothing else to it.
bool takes_before_comma(std::string_view command) {
  if (!contains(command, "SLURM_JOB_NODELIST") && !contains(command, "SLURM_NODELIST")) return false;
  std::string bare(command);
  std::erase_if(bare, [](char c) { return is_white(c) || c == '\'' || c == '"' || c == '\\'; });
  constexpr std::array<std::string_view, 4> kCuts{"|cut-d,-f1", "|cut-f1-d,", "|awk-F,{print$1}", "|awk-F,{print$1;}"};
  return bare.starts_with("echo") &&
         std::ranges::any_of(kCuts, [&](std::string_view cut) { return bare.ends_with(cut); }) &&
         std::ranges::count(bare, '|') == 1;
}

class Values : public ScriptJudge {
 public:
  Values(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
         std::vector<Finding>& findings)
      : ScriptJudge(file, text, commands, job, findings) {
    for (const ShellCommand& command : commands_) {
      for (const ShellWord& word : command.words) {
        const std::string_view name = assigned_name(word);
        if (name.empty()) continue;
        names_.try_emplace(to_lower(name), name, word.begin);
        if (!is_set_to_itself(word)) made_.insert(name);
        (contains(source_of(word), "map_cpu:") ? maps_cpus_ : maps_else_).insert(name);
        if (const auto [known, fresh] = values_.try_emplace(name, source_of(word)); !fresh) known->second = {};
      }
    }
  }

  void run() {
    node_list();
    counts();
    escaped();
    search_path();
    terminal();
    one_cpu();
    one_mask();
    from_itself();
  }

 private:
  void report(std::string_view rule, const ShellWord& word, std::string message) {
    ScriptJudge::report(rule, span_of(word), std::move(message));
  }

  bool on_several_nodes() const {
    const Located<std::int64_t>& nodes = job_.parts.front().min_nodes;
    // A number that is filled in is there to be more than one.
    return job_.components == 1 && (nodes.known() ? nodes.value > 1 : nodes.state == State::Unknown);
  }

  /// The script takes the value of a variable apart: `${NAME%%,*}`, `<<< "$NAME"`, `echo $NAME | tr`.
  bool takes_apart(std::string_view name) {
    constexpr std::size_t kMostOften = 50;
    constexpr std::size_t kMostPlaces = 200;  // lines have no bound
    if (++taken_apart_ > kMostOften) return true;
    std::size_t places = 0;
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + 1)) {
      if (++places > kMostPlaces) return true;
      const std::string_view before = text_.substr(0, at);
      const std::size_t end = at + name.size();
      if (end < text_.size() && is_word_char(text_[end])) continue;
      if (before.ends_with("${") && end < text_.size() && text_[end] != '}') return true;
      if (!before.ends_with('$') && !before.ends_with("${")) continue;
      const std::string_view line = text_.substr(end, text_.find('\n', end) - end);
      const std::size_t begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n');
      if (contains(line, "|") || contains(before.substr(begin), "<<<")) return true;
    }
    return false;
  }

  /// `MASTER_ADDR=$(echo $SLURM_NODELIST | cut -d, -f1)`.
  void node_list() {
    if (!on_several_nodes() || made_.contains("SLURM_JOB_NODELIST") || made_.contains("SLURM_NODELIST")) return;
    for (const ShellCommand& command : commands_) {
      for (const ShellWord& word : command.words) {
        const bool cut = std::ranges::any_of(word.parts, [](const ShellPart& part) {
          return part.kind == ShellPart::Kind::Command
                     ? takes_before_comma(part.text)
                     : part.kind == ShellPart::Kind::Variable && is_node_list(part.text) && part.rest == "%%,*";
        });
        if (!cut || (!assigned_name(word).empty() && takes_apart(assigned_name(word)))) continue;
        return report("sbatch-node-list-cut", word,
                      "what stands before the first comma of the list of nodes is no name of a node");
      }
    }
  }

  /// `WORLD_SIZE=$((SLURM_NNODES * SLURM_TASKS_PER_NODE))`, `--nproc_per_node=$SLURM_TASKS_PER_NODE`.
  void counts() {
    if (!on_several_nodes()) return;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || is_one_of(program_of(command.words.front()), kSpeakers)) continue;
      for (const ShellWord& word : command.words) {
        std::string_view name;
        std::size_t said = 0;
        for (const ShellPart& part : word.parts) {
          if (part.kind == ShellPart::Kind::Text && part.text.empty()) continue;
          ++said;
          if (part.kind == ShellPart::Kind::Variable && is_list_of_counts(part.text) && part.rest.empty())
            name = part.text;
          if (part.kind == ShellPart::Kind::Arithmetic && name.empty()) name = count_in_sum(part.text);
        }
        // Text with a number in it is for somebody to see.
        if (said > 2 || made_.contains(name)) continue;
        const std::string_view target = assigned_name(word);
        const bool number = !target.empty() || plain_head(word).starts_with("--");
        if (name.empty() || !number || is_list_of_counts(target) || (!target.empty() && takes_apart(target))) continue;
        return report("sbatch-tasks-of-nodes-as-number", word,
                      "`" + std::string(name) + "` of a job of several nodes is no number");
      }
    }
  }

  /// A list of counts that a sum reads as it is.
  static std::string_view count_in_sum(std::string_view sum) {
    for (const std::string_view name : {"SLURM_TASKS_PER_NODE", "SLURM_JOB_CPUS_PER_NODE"}) {
      const std::size_t at = sum.find(name);
      if (at == sum.npos || (at > 0 && is_word_char(sum[at - 1]))) continue;
      const std::string_view behind = sum.substr(at + name.size());
      const bool braces = at > 0 && sum[at - 1] == '{';
      if ((braces && !behind.starts_with('}')) || (!behind.empty() && is_word_char(behind[0]))) continue;
      return name;
    }
    return {};
  }

  static std::string_view plain_head(const ShellWord& word) {
    return word.parts.empty() || word.parts[0].kind != ShellPart::Kind::Text ? std::string_view() : word.parts[0].text;
  }

  /// `srun torchrun --rdzv_id=\$SLURM_JOB_ID`, outside of quotes, where no other shell reads it.
  void escaped() {
    constexpr std::array<std::string_view, 8> kReaders{"eval",  "ssh", "pdsh", "parallel",
                                                       "xargs", "sed", "awk",  "perl"};
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || is_one_of(program_of(command.words.front()), kSpeakers)) continue;
      const bool read = std::ranges::any_of(command.words, [&](const ShellWord& word) {
        const std::string_view text = plain_text(word);
        return is_one_of(program_of(word), kReaders) || text.ends_with("sh") ||
               (text.starts_with('-') && text.ends_with('c'));
      });
      for (std::size_t i = 0; i < command.words.size(); ++i) {
        const ShellWord& word = command.words[i];
        if (escaped_for_scontrol(word)) return;
        if (read ? escaped_within(command, i) : escaped_in(source_of(word), word.begin)) return;
      }
    }
  }

  /// `$(scontrol show hostnames "\$SLURM_JOB_NODELIST")`: no other shell reads what stands within `$( )`.
  bool escaped_for_scontrol(const ShellWord& word) {
    constexpr std::string_view kBegin = "$(scontrol show hostname";
    const std::string_view source = source_of(word);
    const std::size_t at = source.find(kBegin);
    const std::size_t sign = at == source.npos ? at : source.find("\\$SLURM_", at);
    if (sign == source.npos || (at > 0 && source[at - 1] == '\\') ||
        source.substr(0, at).find_first_of("'`") != source.npos)
      return false;  // within backquotes the shell takes the backslash off
    const std::string_view inner = source.substr(at + kBegin.size(), sign - at - kBegin.size());
    if (inner.find_first_of("|)'") != inner.npos) return false;
    std::size_t end = sign + 2;
    while (end < source.size() && is_word_char(source[end])) ++end;
    findings_.push_back(
        problem("sbatch-dollar-escaped",
                {file_, word.begin + static_cast<std::uint32_t>(sign), word.begin + static_cast<std::uint32_t>(end)},
                "scontrol gets `" + std::string(source.substr(sign + 1, end - sign - 1)) + "` as it is written"));
    return true;
  }

  /// `bash -c '... --rdzv_id=\$SLURM_JOB_ID'`: the shell within finds the backslash.
  bool escaped_within(const ShellCommand& command, std::size_t i) {
    const std::string_view source = source_of(command.words[i]);
    const std::string_view option = i > 0 ? plain_text(command.words[i - 1]) : std::string_view();
    const bool script = option.starts_with('-') && option.ends_with('c') && option.size() < 6 && source.size() > 2 &&
                        source.front() == '\'' && source.find('\'', 1) == source.size() - 1;
    if (!script) return false;
    const std::string_view inner = source.substr(1, source.size() - 2);
    for (const ShellCommand& one : read_shell(inner)) {
      if (one.words.empty() || is_one_of(program_of(one.words.front()), kSpeakers)) continue;
      for (const ShellWord& word : one.words) {
        if (escaped_in(inner.substr(word.begin, word.end - word.begin), command.words[i].begin + 1 + word.begin))
          return true;
      }
    }
    return false;
  }

  bool escaped_in(std::string_view word, std::uint32_t begin) {
    const std::size_t at = word.find("\\$SLURM_");
    if (at == word.npos || word.find_first_of("'\"`(") != word.npos || word[0] != '-') return false;
    std::size_t end = at + 2;
    while (end < word.size() && is_word_char(word[end])) ++end;
    findings_.push_back(
        problem("sbatch-dollar-escaped", {file_, begin, begin + static_cast<std::uint32_t>(word.size())},
                "the program gets `" + std::string(word.substr(at + 1, end - at - 1)) + "` as it is written"));
    return true;
  }

  /// `export PYTHONPATH=$PWD:$PYTHONPATH` under set -u. Behind a module or another script anything may be set.
  void search_path() {
    constexpr std::array<std::string_view, 5> kPaths{"LD_LIBRARY_PATH", "PYTHONPATH", "LIBRARY_PATH", "CPATH",
                                                     "LD_PRELOAD"};
    constexpr std::array<std::string_view, 11> kSetters{"module", "ml",   "source", ".",  "conda",     "mamba",
                                                        "spack",  "eval", "load",   "uv", "micromamba"};
    bool strict = false;
    std::set<std::string_view> set;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      if (is_one_of(program_of(command.words.front()), kSetters) || (command.function && !strict)) return;
      strict = option_set_by(command, 'u', "nounset").value_or(strict);
      for (const ShellWord& word : command.words) {
        for (const ShellPart& part : word.parts) {
          if (part.kind != ShellPart::Kind::Variable) continue;
          if (part.rest.starts_with(":=") || part.rest.starts_with('=')) set.insert(part.text);
          if (!strict || command.branch || command.function) continue;
          if (!part.rest.empty() || !is_one_of(part.text, kPaths) || set.contains(part.text)) continue;
          return report("sbatch-path-variable-unset", word,
                        "the script ends here where nobody has set `" + part.text + "`: set -u");
        }
      }
      for (const ShellWord& word : command.words) {
        if (is_one_of(assigned_name(word), kPaths)) set.insert(assigned_name(word));
      }
    }
  }

  /// `docker run -it`: a batch script and its steps read /dev/null.
  void terminal() {
    constexpr std::array<std::string_view, 5> kBefore{"srun", "sudo", "exec", "time", "docker"};
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || !is_one_of(program_of(command.words.front()), kBefore)) continue;
      if (std::ranges::any_of(command.words, [](const ShellWord& word) { return plain_text(word) == "--pty"; }))
        continue;
      const auto docker = std::ranges::find(command.words, "docker", program_of);
      if (docker == command.words.end() || !wants_terminal({docker + 1, command.words.end()})) continue;
      return report("sbatch-docker-terminal", *docker, "docker wants a terminal, and a batch job has none");
    }
  }

  /// Whether `run` or `exec` has both -i and -t, and not -d, among the options before the image.
  static bool wants_terminal(std::span<const ShellWord> words) {
    constexpr std::array<std::string_view, 10> kAlone{
        "--rm",  "--init",        "--privileged",  "--detach", "--read-only",
        "--tty", "--publish-all", "--interactive", "--quiet",  "--oom-kill-disable"};
    if (words.empty() || (plain_text(words[0]) != "run" && plain_text(words[0]) != "exec")) return false;
    bool input = false;
    bool shown = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string_view word = plain_head(words[i]);
      if (word.size() < 2 || word[0] != '-') break;
      const bool flags = word.size() > 1 && word[1] != '-' && word.find_first_not_of("itdPq", 1) == word.npos;
      if (word == "--detach" || (flags && contains(word, "d"))) return false;
      input = input || word == "--interactive" || (flags && contains(word, "i"));
      shown = shown || word == "--tty" || (flags && contains(word, "t"));
      const bool has_value = contains(word, "=") || (word[1] != '-' && (word.size() > 2 || words[i].parts.size() > 1));
      if (!flags && !has_value && !is_one_of(word, kAlone)) ++i;
    }
    return input && shown;
  }

  /// `srun --cpu-bind=map_cpu:1,73` of tasks with 72 CPUs each: one number is one CPU.
  void one_cpu() {
    if (job_.components != 1) return;
    const Located<std::int64_t>& asked = job_.parts.front().cpus_per_task;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || program_of(command.words.front()) != "srun") continue;
      std::int64_t cpus = asked.known() ? asked.value : 0;
      for (std::size_t i = 1; i < command.words.size(); ++i) {
        const std::string_view word = plain_head(command.words[i]);
        if (word == "-c" || word == "--cpus-per-task")
          cpus = i + 1 < command.words.size() ? parse_int(plain_text(command.words[i + 1])).value_or(cpus) : cpus;
        if (word.starts_with("--cpus-per-task=")) cpus = parse_int(word.substr(16)).value_or(cpus);
      }
      for (const ShellWord& word : command.words) {
        const std::string_view text = plain_head(word);
        if (!text.starts_with("--cpu-bind=") && !text.starts_with("--cpu_bind=")) continue;
        // Two may be the threads of one core.
        if (!maps_cpus(word) || cpus < 3) continue;
        return report("sbatch-task-on-one-cpu", word,
                      "each task runs on the one CPU that map_cpu gives it, and the job asks for " +
                          std::to_string(cpus) + " a task");
      }
    }
  }

  /// `srun --cpu-bind=mask_cpu:0xfe,0xfe00,...` of one task on each node: it is bound by the first of them.
  void one_mask() {
    const SbatchComponent& part = job_.parts.front();
    if (!contains(text_, "mask_cpu:")) return;
    if (job_.components != 1 || !part.gpus_each.known() || part.gpus_each.value < 2) return;
    for (const BatchStep& step : job_.script.steps) {
      if (!step.tasks_each_node.known() || step.tasks_each_node.value != 1) continue;
      const auto command = std::ranges::find_if(commands_, [&](const ShellCommand& one) {
        return !one.words.empty() && one.words.front().begin <= step.where.begin &&
               step.where.begin < one.words.back().end;
      });
      if (command == commands_.end()) continue;
      for (const ShellWord& word : command->words) {
        const std::size_t masks = masks_in(word);
        if (masks < 2) continue;
        return report("sbatch-task-on-first-mask", word,
                      std::to_string(masks) + " masks of CPUs, and this step has one task on each node");
      }
    }
  }

  /// How many CPUs' masks a word gives to srun, itself or by a variable that is set once; 0: none, or not known.
  std::size_t masks_in(const ShellWord& word) const {
    constexpr std::string_view kMark = "mask_cpu:";
    const std::string_view head = plain_head(word);
    if (!head.starts_with("--cpu-bind=") && !head.starts_with("--cpu_bind=")) return 0;
    std::string masks(source_of(word));
    for (const ShellPart& part : word.parts) {
      const auto known = part.kind == ShellPart::Kind::Variable ? values_.find(part.text) : values_.end();
      if (known != values_.end()) masks += known->second;
    }
    const std::size_t at = masks.find(kMark);  // behind `verbose,` or `quiet,`
    if (at == masks.npos || contains(masks, "$(")) return 0;
    return static_cast<std::size_t>(std::ranges::count(std::string_view(masks).substr(at), ',')) + 1;
  }

  /// `export MASTER_ADDR=$MASTER_ADDR` behind `master_addr=...`.
  void from_itself() {
    constexpr std::array<std::string_view, 8> kThere{"PATH",  "HOME", "USER",   "PWD",
                                                     "SHELL", "LANG", "TMPDIR", "HOSTNAME"};
    for (const ShellCommand& command : commands_) {
      const bool sets =
          !command.words.empty() && (declares(command.words.front()) || !assigned_name(command.words.front()).empty());
      for (const ShellWord& word : command.words) {
        const std::string_view name = assigned_name(word);
        if (!sets || !is_set_to_itself(word) || is_one_of(name, kThere) || made_.contains(name)) continue;
        const auto other = names_.find(to_lower(name));
        if (other == names_.end() || other->second.first == name || other->second.second > word.begin) continue;
        return report("sbatch-variable-from-itself", word,
                      "`" + std::string(name) + "` is set to itself, and what the script made is `" +
                          std::string(other->second.first) + "`");
      }
    }
  }

  /// `map_cpu:` in the word or in what the script puts into the one variable of it.
  bool maps_cpus(const ShellWord& word) const {
    if (contains(source_of(word), "map_cpu:")) return true;
    return std::ranges::any_of(word.parts, [&](const ShellPart& part) {
      return part.kind == ShellPart::Kind::Variable && maps_cpus_.contains(part.text) &&
             !maps_else_.contains(part.text);
    });
  }

  /// What they print is for somebody to see.
  static constexpr std::array<std::string_view, 2> kSpeakers{"echo", "printf"};

  /// That the script sets: the first spelling and its place, by the name in small.
  std::map<std::string, std::pair<std::string_view, std::uint32_t>> names_;
  std::set<std::string_view> made_;                      ///< variables that are set to something other than themselves
  std::set<std::string_view> maps_cpus_;                 ///< variables with a map of CPUs in them
  std::set<std::string_view> maps_else_;                 ///< and those with something else
  std::map<std::string_view, std::string_view> values_;  ///< as written; empty of what is set more than once
  std::size_t taken_apart_ = 0;                          ///< how often the whole text was gone through
};

}  // namespace

void find_script_values(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                        const SbatchJob& job, std::vector<Finding>& findings) {
  Values(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
