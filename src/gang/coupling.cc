#include "gang/coupling.h"

#include <algorithm>
#include <array>

#include "base/capped.h"
#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

bool is_hyphened_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Whether an MPI launcher is given other hosts than its own. Source: docs.open-mpi.org, man page of mpirun; mpich
/// hydra.
bool names_hosts(std::string_view text) {
  for (const std::string_view option : {"-H", "--host", "-host", "--hosts", "-hosts", "--hostfile", "-hostfile",
                                        "--machinefile", "-machinefile", "-f"}) {
    if (find_word(text, option) != text.npos) return true;
  }
  return find_word(text, "hostfile") != text.npos;
}

}  // namespace

std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool before = at == 0 || !is_hyphened_char(text[at - 1]);
    const std::size_t end = at + word.size();
    const bool after = end >= text.size() || !is_hyphened_char(text[end]);
    if (before && after) return at;
  }
  return text.npos;
}

std::string_view option_value(std::string_view text, std::string_view name) {
  const std::size_t at = find_word(text, name);
  if (at == text.npos) return {};
  std::string_view rest = text.substr(at + name.size());
  rest.remove_prefix(std::min(rest.find_first_not_of("= \t\"'"), rest.size()));
  return rest.substr(0, rest.find_first_of(" \t\r\n\"'\\,;"));
}

void judge_command(std::string_view text, Span where, MpiHosts hosts, CouplingEvidence& out) {
  using Verdict = CouplingEvidence::Verdict;
  const auto coupled = [&](std::string_view what) {
    if (out.verdict != Verdict::Coupled)
      out = {Verdict::Coupled, out.elastic, out.fixed, where, std::string(what), out.least};
  };
  const auto independent = [&](std::string_view what) {
    if (out.verdict == Verdict::None) out = {Verdict::Independent, false, false, where, std::string(what), 0};
  };
  for (const std::string_view launcher : {"torchrun", "torch.distributed.run", "torch.distributed.launch"}) {
    if (find_word(text, launcher) == text.npos) continue;
    const std::string_view nodes = option_value(text, "--nnodes");
    const bool alone = nodes.empty() || nodes == "1" || nodes == "1:1" || find_word(text, "--standalone") != text.npos;
    if (alone) {
      independent(launcher);
    } else {
      const std::size_t colon = nodes.find(':');
      out.elastic = out.elastic || (colon != nodes.npos && nodes.substr(0, colon) != nodes.substr(colon + 1));
      if (out.elastic) out.least = parse_int(nodes.substr(0, colon)).value_or(0);
      out.fixed = out.fixed || parse_int(nodes).has_value();
      coupled(launcher);
    }
  }
  for (const std::string_view launcher : {"mpirun", "mpiexec", "orterun", "horovodrun", "prterun"}) {
    if (find_word(text, launcher) == text.npos) continue;
    if (hosts == MpiHosts::Allocation || names_hosts(text)) coupled(launcher);
  }
  if (!contains(text, "--n")) return;
  for (const std::string_view option : {"--num_machines", "--num-machines", "--num_nodes", "--num-nodes", "--nnodes"}) {
    const std::string_view value = option_value(text, option);
    if (!value.empty() && value != "1" && (parse_int(value) || is_placeholder(value))) coupled(option);
  }
}

bool is_lone_program(std::string_view text) {
  const bool written_out = contains(text, "python") && (contains(text, "<<") || find_word(text, "-c") != text.npos);
  constexpr std::array<std::string_view, 24> kOthers{
      "torchrun", "distributed", "process_group", "DataParallel", "mpirun", "mpiexec",   "mpi4py",     "horovod",
      "ray",      "deepspeed",   "accelerate",    "Accelerator",  "jax",    "lightning", "tensorflow", "Trainer",
      "RANK",     "WORLD_SIZE",  "MASTER_ADDR",   "importlib",    "runpy",  "exec",      "subprocess", "nccl"};
  const bool alone = std::ranges::none_of(kOthers, [&](std::string_view word) { return contains(text, word); });
  return written_out && alone && !contains(text, ".py") && !contains(text, ".sh");
}

bool is_rendezvous_variable(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{
      "COORDINATOR_ADDRESS", "JAX_COORDINATOR_ADDRESS", "MASTER_ADDR", "PET_NNODES",
      "PET_RDZV_ENDPOINT",   "RDZV_ENDPOINT",           "TF_CONFIG",   "WORLD_SIZE"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// `gpu-preflight`: it looks at each of its nodes by itself.
bool looks_at_nodes(std::string_view name) {
  constexpr std::array<std::string_view, 7> kWords{"preflight",  "pre-flight",   "burn-in",    "burnin",
                                                   "node-check", "health-check", "healthcheck"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains_ignoring_case(name, word); });
}

void judge_by_shape(Gang& gang) {
  std::int64_t needed = 0;
  bool counted = true;
  for (const Role& role : gang.roles) {
    if (role.helper) continue;
    counted = counted && role.count.known();
    needed = add_capped(needed, role.count.value);
  }
  if (gang.requested.is_set() && counted && gang.requested.value >= needed) {
    gang.tightly_coupled = set_to(true, gang.requested.where, gang.requested.field);
    return;
  }
  const auto whole_host = [](const Role& role) {
    return role.gpus_each.known() && (role.gpus_each.value == 4 || role.gpus_each.value >= 8);
  };
  bool hosts = !looks_at_nodes(gang.name.value);
  for (const Role& role : gang.roles)
    hosts = hosts && (role.helper || (role.gpus_each.known() && role.gpus_each.value == 0) || whole_host(role));
  const std::string otherwise = "say otherwise with `tightly_coupled` of its workload";
  gang.tightly_coupled =
      hosts
          ? assumed_to(true, "ranks that hold whole hosts of accelerators work together; " + otherwise, gang.where)
          : unknown_until<bool>("whether its pods run one collective (`tightly_coupled` of its workload)", gang.where);
}

}  // namespace muster
