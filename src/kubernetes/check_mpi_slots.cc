#include "kubernetes/check_mpi_slots.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/mpi_options.h"
#include "gang/pod_template.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostMpiWords = 1000;

/// A word of a command, or of a script in one.
struct MpiWord {
  std::string_view text;
  Node node;
};

std::vector<MpiWord> words_of_launcher(const Node& container) {
  std::vector<MpiWord> out;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostMpiWords); ++i) {
      for (const std::string_view text : split_blanks(words.item(i).text())) out.push_back({text, words.item(i)});
    }
  }
  return out;
}

/// Whether something beside the hostfile of the operator may say how many ranks a host takes.
bool has_slots_of_its_own(const std::vector<MpiWord>& words, const Node& container) {
  for (const MpiWord& word : words) {
    const std::string low = to_lower(word.text);
    for (const std::string_view own : {"oversubscribe", "hostfile", "machinefile", "rmaps", "rankfile", "ppr:"}) {
      if (contains(low, own)) return true;
    }
    if (low == "-h" || low == "-host" || low == "--host" || low.starts_with("--host=")) return true;
  }
  const Node env = container["env"];
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMostMpiWords); ++i) {
    const std::string_view name = env.item(i)["name"].text();
    if (name.starts_with("OMPI_MCA_") || name.starts_with("PRTE_MCA_")) return true;
  }
  return container["envFrom"].exists();
}

bool is_mpirun(std::string_view word) {
  return word == "mpirun" || word == "mpiexec" || word.ends_with("/mpirun") || word.ends_with("/mpiexec");
}

/// The number of ranks among the options of mpirun: behind them stands the program with its own.
std::optional<std::size_t> place_of_ranks(const std::vector<MpiWord>& words, std::size_t mpirun) {
  for (std::size_t at = mpirun + 1; at + 1 < words.size(); ++at) {
    const std::string_view option = words[at].text;
    if (says_ranks(option)) return at + 1;
    const bool known = option == "\\" || option == "--allow-run-as-root" || values_of_mpi_option(option) > 0;
    if (!known) return std::nullopt;
    at += values_of_mpi_option(option);
  }
  return std::nullopt;
}

bool launches_on_devices(const Node& containers) {
  for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
    const Node limits = containers.item(c)["resources"]["limits"];
    for (std::size_t i = 0; limits.is_mapping() && i < limits.size(); ++i) {
      if (is_accelerator(limits.key(i).text())) return true;
    }
  }
  return false;
}

/// Of the hostfile: so many for each worker, and for the launcher where it works, too. Nothing where nobody can tell.
std::optional<std::int64_t> slots_in_hostfile(const Node& spec, const Node& launcher) {
  const std::optional<std::int64_t> workers = parse_int(spec["mpiReplicaSpecs"]["Worker"]["replicas"].text());
  const Node written = spec["slotsPerWorker"];
  const std::optional<std::int64_t> each = written.exists() ? parse_int(written.text()) : 1;
  if (!workers || *workers < 1 || !each || *each < 1) return std::nullopt;
  const Node works = spec["runLauncherAsWorker"];
  const bool also = (works.exists() && works.text() != "false") || launches_on_devices(launcher);
  return multiply_capped(add_capped(*workers, also ? 1 : 0), *each);
}

}  // namespace

/// Sources: kubeflow/mpi-operator:pkg/controller/mpi_job_controller.go (0.6), updateDiscoverHostsConfigMap and
/// newConfigMap; kubeflow/trainer:pkg/controller.v1/mpi/mpijob_controller.go (1.9).
void check_mpi_slots(const Node& spec, std::vector<Finding>& findings) {
  const Node kind = spec["mpiImplementation"];
  if (kind.exists() && kind.text() != "OpenMPI") return;
  const Node containers = spec["mpiReplicaSpecs"]["Launcher"]["template"]["spec"]["containers"];
  const std::optional<std::int64_t> slots = slots_in_hostfile(spec, containers);
  if (!slots || !containers.is_sequence() || containers.size() != 1) return;
  const std::vector<MpiWord> words = words_of_launcher(containers.item(0));
  if (has_slots_of_its_own(words, containers.item(0))) return;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<std::size_t> at = is_mpirun(words[i].text) ? place_of_ranks(words, i) : std::nullopt;
    const std::optional<std::int64_t> ranks = at ? parse_int(words[*at].text) : std::nullopt;
    if (!ranks || *ranks <= *slots) continue;
    findings.push_back(problem("mpi-ranks-above-slots", words[*at].node.where(),
                               "mpirun starts " + std::to_string(*ranks) + " ranks, and the hostfile of this job has " +
                                   std::to_string(*slots) + (*slots == 1 ? " slot" : " slots") +
                                   (spec["slotsPerWorker"].exists() ? "" : ": `slotsPerWorker` is not written")));
    findings.back().field = "args";
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace muster
