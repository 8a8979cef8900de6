#include "slurm/srun_options.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "syntax/shell_reader.h"

namespace muster::sbatch {
namespace {

// Options of srun that take no value, or one behind `=` only. Source: SchedMD/slurm:src/common/slurm_opt.c (26.11);
// those of containers: NVIDIA/pyxis:args.c (0.20).
constexpr std::array<std::string_view, 54> kSrunFlags{"async",
                                                      "bcast",
                                                      "compress",
                                                      "consolidate-segments",
                                                      "contiguous",
                                                      "disable-status",
                                                      "exact",
                                                      "exclusive",
                                                      "external-launcher",
                                                      "get-user-env",
                                                      "help",
                                                      "hold",
                                                      "immediate",
                                                      "interactive",
                                                      "kill-on-bad-exit",
                                                      "label",
                                                      "multi-prog",
                                                      "nice",
                                                      "oom-kill-step",
                                                      "no-allocate",
                                                      "no-kill",
                                                      "overcommit",
                                                      "overlap",
                                                      "oversubscribe",
                                                      "parsable",
                                                      "preserve-env",
                                                      "propagate",
                                                      "pty",
                                                      "quiet",
                                                      "quit-on-interrupt",
                                                      "reboot",
                                                      "resv-ports",
                                                      "send-libs",
                                                      "spread-job",
                                                      "spread-segments",
                                                      "stepmgr",
                                                      "test-only",
                                                      "unbuffered",
                                                      "usage",
                                                      "use-min-nodes",
                                                      "verbose",
                                                      "version",
                                                      "wait-for-children",
                                                      "whole",
                                                      "x11",
                                                      "container-entrypoint",
                                                      "container-entrypoint-log",
                                                      "container-remap-root",
                                                      "container-writable",
                                                      "container-readonly",
                                                      "container-mount-home",
                                                      "no-container-entrypoint",
                                                      "no-container-mount-home",
                                                      "no-container-remap-root"};
/// Short options with a value, and the long ones they stand for.
constexpr std::array<std::pair<char, std::string_view>, 26> kSrunLetters{{
    {'A', "account"},  {'B', "extra-node-info"}, {'C', "constraint"},
    {'D', "chdir"},    {'F', "nodefile"},        {'G', "gpus"},
    {'J', "job-name"}, {'L', "licenses"},        {'M', "clusters"},
    {'N', "nodes"},    {'S', "core-spec"},       {'T', "threads"},
    {'W', "wait"},     {'c', "cpus-per-task"},   {'d', "dependency"},
    {'e', "error"},    {'i', "input"},           {'m', "distribution"},
    {'n', "ntasks"},   {'o', "output"},          {'p', "partition"},
    {'q', "qos"},      {'r', "relative"},        {'t', "time"},
    {'w', "nodelist"}, {'x', "exclude"},
}};

// Options of srun with a value. Source: SchedMD/slurm:src/common/slurm_opt.c (22.05, 23.11, 24.11, 26.05).
constexpr std::string_view kSrunValued[] = {
    "accel-bind",
    "account",
    "acctg-freq",
    "autocomplete",
    "bb",
    "bbf",
    "bcast-exclude",
    "begin",
    "chdir",
    "cluster",
    "cluster-constraint",
    "clusters",
    "comment",
    "constraint",
    "container",
    "container-id",
    "container-type",
    "context",
    "core-spec",
    "cores-per-socket",
    "cpu-bind",
    "cpu-freq",
    "cpu_bind",
    "cpus-per-gpu",
    "cpus-per-task",
    "deadline",
    "delay-boot",
    "dependency",
    "distribution",
    "epilog",
    "error",
    "exclude",
    "export",
    "extra",
    "extra-node-info",
    "gid",
    "gpu-bind",
    "gpu-freq",
    "gpus",
    "gpus-per-node",
    "gpus-per-socket",
    "gpus-per-task",
    "gres",
    "gres-flags",
    "het-group",
    "hint",
    "ignore-signals",
    "input",
    "job-name",
    "jobid",
    "licenses",
    "mail-type",
    "mail-user",
    "mcs-label",
    "mem",
    "mem-bind",
    "mem-per-cpu",
    "mem-per-gpu",
    "mem-update",
    "mincpus",
    "mpi",
    "msg-timeout",
    "network",
    "nodefile",
    "nodelist",
    "nodes",
    "ntasks",
    "ntasks-per-core",
    "ntasks-per-gpu",
    "ntasks-per-node",
    "ntasks-per-socket",
    "ntasks-per-tres",
    "open-mode",
    "output",
    "pack-group",
    "partition",
    "power",
    "prefer",
    "priority",
    "profile",
    "prolog",
    "qos",
    "relative",
    "reservation",
    "resources",
    "runtime",
    "segment",
    "signal",
    "slurmd-debug",
    "sockets-per-node",
    "switches",
    "task-epilog",
    "task-prolog",
    "tasks-per-node",
    "thread-spec",
    "threads",
    "threads-per-core",
    "time",
    "time-min",
    "tmp",
    "treewidth",
    "tres-bind",
    "tres-per-task",
    "uid",
    "wait",
    "wckey",
};

/// As getopt_long takes it: also the beginning of one, where srun says what it could mean.
bool has_option(std::string_view name) {
  const auto begins = [&](std::string_view known) { return known.starts_with(name); };
  return std::ranges::any_of(kSrunFlags, begins) || std::ranges::any_of(kSrunValued, begins);
}

bool is_plain(std::string_view name) {
  return name.size() > 1 && std::ranges::all_of(name, [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
         });
}

/// `-np 4` is -n with the number `p`, and `-n=4` with `=4`.
bool is_odd_number(const std::string& word, std::size_t letter) {
  return (word[letter] == 'n' || word[letter] == 'c') && letter + 1 < word.size() && !is_digit(word[letter + 1]) &&
         word[letter + 1] != kEvaluatedBegin;
}

}  // namespace

StepOptions read_step_options(const std::vector<ShellValue>& words, std::size_t at) {
  StepOptions out;
  for (; at < words.size(); ++at) {
    const std::string& word = words[at].text;
    if (!words[at].mark().empty()) {
      out.complete = false;  // options or the program
      continue;
    }
    if (!word.starts_with('-') || word == "-") break;
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
      const bool flag = is_one_of(name, kSrunFlags);
      // Behind `$JOB` it may be one of the program.
      if (!out.unknown && out.complete && !has_option(name) && is_plain(name)) out.unknown = OddOption{at, name};
      ShellValue value = equals == word.npos ? ShellValue{} : tail_of(words[at], equals + 1);
      if (equals == word.npos && !flag && at + 1 < words.size()) value = words[++at];
      out.values[name == "tasks-per-node" ? "ntasks-per-node" : name] = std::move(value);
      continue;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      const auto letter = std::ranges::find(kSrunLetters, word[i], &std::pair<char, std::string_view>::first);
      if (letter == kSrunLetters.end()) continue;
      ShellValue value = i + 1 < word.size() ? tail_of(words[at], i + 1 + (word[i + 1] == '=' ? 1 : 0)) : ShellValue{};
      if (i + 1 >= word.size() && at + 1 < words.size()) value = words[++at];
      if (!out.odd_number && is_odd_number(word, i)) out.odd_number = OddOption{at, word};
      out.values[std::string(letter->second)] = std::move(value);
      break;
    }
  }
  out.program = at;
  return out;
}

namespace {

/// As a word of its own or a value, in a word or in a script that a word is, other than for somebody to read: a file
/// may well have the number in its name.
bool is_used(std::string_view text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const std::size_t behind = at + mark.size();
    const bool begins = at == 0 || contains(" =\"'", text.substr(at - 1, 1));
    if (!begins || (behind < text.size() && !contains(" ;&|)\"'\n", text.substr(behind, 1)))) continue;
    const std::size_t end = text.find_last_of("\n;&|", at);
    const std::size_t begin = end == text.npos ? 0 : end;
    const std::string_view before = text.substr(begin, at - begin);
    if (!contains(before, "echo ") && !contains(before, "printf ")) return true;
  }
  return false;
}

}  // namespace

Located<std::string> rank_of_batch_shell(FileId file, const std::vector<ShellValue>& words, std::size_t from) {
  constexpr std::array<std::string_view, 2> kOfTasks{"SLURM_PROCID", "SLURM_NODEID"};
  constexpr std::array<std::string_view, 3> kOfLaunchers{"node_rank", "node-rank", "machine_rank"};
  for (std::size_t i = from; i < words.size(); ++i) {
    const ShellValue& word = words[i];
    const bool script = contains(word.text, " ");
    const auto is_taken = [&](std::string_view option) {
      return (!script && contains(word.text, option)) || (i > 0 && contains(words[i - 1].text, option));
    };
    if (std::ranges::any_of(kOfLaunchers, is_taken)) continue;
    for (const std::string_view name : kOfTasks) {
      const std::string mark = std::string(1, kEvaluatedBegin) + "b" + std::string(name) + kEvaluatedEnd;
      if (is_used(word.text, mark)) return set_to(std::string(name), span_in(file, word, 0, word.text.size()), "");
    }
  }
  return {};
}

}  // namespace muster::sbatch
