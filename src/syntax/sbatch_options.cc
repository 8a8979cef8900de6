#include "syntax/sbatch_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

// Options of sbatch 22.05 to 26.05. Sources: SchedMD/slurm:doc/man/man1/sbatch.1 at those releases; what the manual
// leaves out, src/common/slurm_opt.c, tried with sbatch 22.05.8.
constexpr std::array kSbatchOptions{
    SbatchOptionName{"account", 'A', SbatchArg::Required},
    SbatchOptionName{"acctg-freq", 0, SbatchArg::Required},
    SbatchOptionName{"array", 'a', SbatchArg::Required},
    SbatchOptionName{"batch", 0, SbatchArg::Required},
    SbatchOptionName{"bb", 0, SbatchArg::Required},
    SbatchOptionName{"bbf", 0, SbatchArg::Required},
    SbatchOptionName{"begin", 'b', SbatchArg::Required},
    SbatchOptionName{"chdir", 'D', SbatchArg::Required},
    SbatchOptionName{"cluster-constraint", 0, SbatchArg::Required},
    SbatchOptionName{"cluster", 0, SbatchArg::Required, "clusters"},
    SbatchOptionName{"clusters", 'M', SbatchArg::Required},
    SbatchOptionName{"comment", 0, SbatchArg::Required},
    SbatchOptionName{"consolidate-segments", 0, SbatchArg::None},
    SbatchOptionName{"constraint", 'C', SbatchArg::Required},
    SbatchOptionName{"container", 0, SbatchArg::Required},
    SbatchOptionName{"container-id", 0, SbatchArg::Required},
    SbatchOptionName{"context", 0, SbatchArg::Required},
    SbatchOptionName{"contiguous", 0, SbatchArg::None},
    SbatchOptionName{"core-spec", 'S', SbatchArg::Required},
    SbatchOptionName{"cores-per-socket", 0, SbatchArg::Required},
    SbatchOptionName{"cpu-freq", 0, SbatchArg::Required},
    SbatchOptionName{"cpus-per-gpu", 0, SbatchArg::Required},
    SbatchOptionName{"cpus-per-task", 'c', SbatchArg::Required},
    SbatchOptionName{"deadline", 0, SbatchArg::Required},
    SbatchOptionName{"delay-boot", 0, SbatchArg::Required},
    SbatchOptionName{"dependency", 'd', SbatchArg::Required},
    SbatchOptionName{"distribution", 'm', SbatchArg::Required},
    SbatchOptionName{"error", 'e', SbatchArg::Required},
    SbatchOptionName{"exclude", 'x', SbatchArg::Required},
    SbatchOptionName{"exclusive", 0, SbatchArg::Optional},
    SbatchOptionName{"export", 0, SbatchArg::Required},
    SbatchOptionName{"export-file", 0, SbatchArg::Required},
    SbatchOptionName{"extra", 0, SbatchArg::Required},
    SbatchOptionName{"extra-node-info", 'B', SbatchArg::Required},
    SbatchOptionName{"get-user-env", 0, SbatchArg::Optional},
    SbatchOptionName{"gid", 0, SbatchArg::Required},
    SbatchOptionName{"gpu-bind", 0, SbatchArg::Required},
    SbatchOptionName{"gpu-freq", 0, SbatchArg::Required},
    SbatchOptionName{"gpus", 'G', SbatchArg::Required},
    SbatchOptionName{"gpus-per-node", 0, SbatchArg::Required},
    SbatchOptionName{"gpus-per-socket", 0, SbatchArg::Required},
    SbatchOptionName{"gpus-per-task", 0, SbatchArg::Required},
    SbatchOptionName{"gres", 0, SbatchArg::Required},
    SbatchOptionName{"gres-flags", 0, SbatchArg::Required},
    SbatchOptionName{"help", 'h', SbatchArg::None},
    SbatchOptionName{"hint", 0, SbatchArg::Required},
    SbatchOptionName{"hold", 'H', SbatchArg::None},
    SbatchOptionName{"ignore-pbs", 0, SbatchArg::None},
    SbatchOptionName{"input", 'i', SbatchArg::Required},
    SbatchOptionName{"job-name", 'J', SbatchArg::Required},
    SbatchOptionName{"kill-on-invalid-dep", 0, SbatchArg::Required},
    SbatchOptionName{"licenses", 'L', SbatchArg::Required},
    SbatchOptionName{"mail-type", 0, SbatchArg::Required},
    SbatchOptionName{"mail-user", 0, SbatchArg::Required},
    SbatchOptionName{"mcs-label", 0, SbatchArg::Required},
    SbatchOptionName{"mem", 0, SbatchArg::Required},
    SbatchOptionName{"mem-bind", 0, SbatchArg::Required},
    SbatchOptionName{"mem-per-cpu", 0, SbatchArg::Required},
    SbatchOptionName{"mem-per-gpu", 0, SbatchArg::Required},
    SbatchOptionName{"mincpus", 0, SbatchArg::Required},
    SbatchOptionName{"network", 0, SbatchArg::Required},
    SbatchOptionName{"nice", 0, SbatchArg::Optional},
    SbatchOptionName{"no-kill", 'k', SbatchArg::Optional},
    SbatchOptionName{"no-requeue", 0, SbatchArg::None},
    SbatchOptionName{"nodefile", 'F', SbatchArg::Required},
    SbatchOptionName{"nodelist", 'w', SbatchArg::Required},
    SbatchOptionName{"nodes", 'N', SbatchArg::Required},
    SbatchOptionName{"ntasks", 'n', SbatchArg::Required},
    SbatchOptionName{"ntasks-per-core", 0, SbatchArg::Required},
    SbatchOptionName{"ntasks-per-gpu", 0, SbatchArg::Required},
    SbatchOptionName{"ntasks-per-node", 0, SbatchArg::Required},
    SbatchOptionName{"ntasks-per-socket", 0, SbatchArg::Required},
    SbatchOptionName{"ntasks-per-tres", 0, SbatchArg::Required},
    SbatchOptionName{"oom-kill-step", 0, SbatchArg::Optional},
    SbatchOptionName{"open-mode", 0, SbatchArg::Required},
    SbatchOptionName{"output", 'o', SbatchArg::Required},
    SbatchOptionName{"overcommit", 'O', SbatchArg::None},
    SbatchOptionName{"oversubscribe", 's', SbatchArg::None},
    SbatchOptionName{"parsable", 0, SbatchArg::None},
    SbatchOptionName{"partition", 'p', SbatchArg::Required},
    SbatchOptionName{"power", 0, SbatchArg::Required},
    SbatchOptionName{"prefer", 0, SbatchArg::Required},
    SbatchOptionName{"priority", 0, SbatchArg::Required},
    SbatchOptionName{"profile", 0, SbatchArg::Required},
    SbatchOptionName{"propagate", 0, SbatchArg::Optional},
    SbatchOptionName{"qos", 'q', SbatchArg::Required},
    SbatchOptionName{"quiet", 'Q', SbatchArg::None},
    SbatchOptionName{"reboot", 0, SbatchArg::None},
    SbatchOptionName{"requeue", 0, SbatchArg::Optional},
    SbatchOptionName{"reservation", 0, SbatchArg::Required},
    SbatchOptionName{"resv-ports", 0, SbatchArg::Optional},
    SbatchOptionName{"segment", 0, SbatchArg::Required},
    SbatchOptionName{"signal", 0, SbatchArg::Required},
    SbatchOptionName{"sockets-per-node", 0, SbatchArg::Required},
    SbatchOptionName{"spread-job", 0, SbatchArg::None},
    SbatchOptionName{"spread-segments", 0, SbatchArg::None},
    SbatchOptionName{"stepmgr", 0, SbatchArg::None},
    SbatchOptionName{"switches", 0, SbatchArg::Required},
    SbatchOptionName{"tasks-per-node", 0, SbatchArg::Required, "ntasks-per-node"},
    SbatchOptionName{"test-only", 0, SbatchArg::None},
    SbatchOptionName{"thread-spec", 0, SbatchArg::Required},
    SbatchOptionName{"threads-per-core", 0, SbatchArg::Required},
    SbatchOptionName{"time", 't', SbatchArg::Required},
    SbatchOptionName{"time-min", 0, SbatchArg::Required},
    SbatchOptionName{"tmp", 0, SbatchArg::Required},
    SbatchOptionName{"tres-bind", 0, SbatchArg::Required},
    SbatchOptionName{"tres-per-task", 0, SbatchArg::Required},
    SbatchOptionName{"uid", 0, SbatchArg::Required},
    SbatchOptionName{"usage", 0, SbatchArg::None},
    SbatchOptionName{"use-min-nodes", 0, SbatchArg::None},
    SbatchOptionName{"verbose", 'v', SbatchArg::None},
    SbatchOptionName{"version", 'V', SbatchArg::None},
    SbatchOptionName{"wait", 'W', SbatchArg::None},
    SbatchOptionName{"wait-all-nodes", 0, SbatchArg::Required},
    SbatchOptionName{"wckey", 0, SbatchArg::Required},
    SbatchOptionName{"wrap", 0, SbatchArg::Required},
};

}  // namespace

const SbatchOptionName* find_sbatch_option(std::string_view name) {
  const SbatchOptionName* found = nullptr;
  for (const SbatchOptionName& option : kSbatchOptions) {
    if (option.name == name) return &option;
    if (!option.name.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &option;
  }
  return found;
}

bool refuses_empty_value(std::string_view name) {
  // Each tried with sbatch 22.05.8 and 26.05.5.
  constexpr std::array<std::string_view, 27> kRead{"begin",
                                                   "cores-per-socket",
                                                   "cpus-per-gpu",
                                                   "cpus-per-task",
                                                   "deadline",
                                                   "distribution",
                                                   "hint",
                                                   "mail-type",
                                                   "mem",
                                                   "mem-per-cpu",
                                                   "mem-per-gpu",
                                                   "mincpus",
                                                   "nodes",
                                                   "ntasks",
                                                   "ntasks-per-core",
                                                   "ntasks-per-gpu",
                                                   "ntasks-per-node",
                                                   "ntasks-per-socket",
                                                   "open-mode",
                                                   "profile",
                                                   "signal",
                                                   "sockets-per-node",
                                                   "switches",
                                                   "threads-per-core",
                                                   "time",
                                                   "time-min",
                                                   "tmp"};
  return std::ranges::find(kRead, name) != kRead.end();
}

std::optional<std::string_view> misspelt_sbatch_option(std::string_view name) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> longer;  // of which it is the beginning
  for (const SbatchOptionName& option : kSbatchOptions) {
    names.push_back(option.name);
    if (option.name.starts_with(name)) longer.push_back(option.name);
  }
  const std::optional<std::string_view> meant = slip_of(name, longer.empty() ? names : longer);
  // Who writes a word begins it with its letter, or leaves that out.
  const bool begins_alike = meant && (meant->front() == name.front() || meant->substr(1) == name);
  return begins_alike ? meant : std::nullopt;
}

const SbatchOptionName* find_sbatch_letter(char letter) {
  const auto found = std::ranges::find(kSbatchOptions, letter, &SbatchOptionName::letter);
  return found == kSbatchOptions.end() || letter == 0 ? nullptr : &*found;
}

}  // namespace muster
