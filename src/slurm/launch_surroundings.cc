// What a batch script as a whole tells of its launches.
#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/launches.h"

namespace muster::sbatch {
namespace {

/// GPUS_PER_NODE, NUM_GPUS_PER_NODE: what no program reads by itself.
bool is_gpus_of_node(std::string_view name) {
  constexpr std::array<std::string_view, 6> kNames{"GPUS_PER_NODE",     "NGPUS_PER_NODE",  "NPROC_PER_NODE",
                                                   "NUM_GPUS_PER_NODE", "N_GPUS_PER_NODE", "NUM_GPU_PER_NODE"};
  return is_one_of(name, kNames);
}

/// That number, where it is set once, come what may; 0: it is not.
std::int64_t gpus_named(const BatchBody& body) {
  constexpr std::int64_t kMostGpus = 16;
  std::int64_t out = 0;
  for (const ScriptSetting& set : body.settings) {
    if (!is_gpus_of_node(set.name)) continue;
    const std::optional<std::int64_t> number = parse_int(set.value.text);
    if (out != 0 || set.branch || set.prefix || !number || *number < 1 || *number > kMostGpus) return 0;
    out = *number;
  }
  return out;
}

/// `RANK=$SLURM_PROCID` of each task, and `WORLD_SIZE=$SLURM_NTASKS`.
bool makes_ranks_of_tasks(const BatchBody& body) {
  bool rank = false;
  bool world = false;
  for (const ScriptSetting& set : body.settings) {
    const std::string mark = set.value.mark();
    if (set.name == "RANK") rank = set.via == Via::Srun && set.value.of_task() && mark == "SLURM_PROCID";
    if (set.name == "WORLD_SIZE") world = mark == "SLURM_NTASKS" || mark == "SLURM_NPROCS";
    if (!rank && set.name == "RANK") return false;
  }
  return rank && world;
}

/// The least that a text may have of bytes: a number of a job has one, other variables may be empty.
std::size_t least_bytes(std::string_view text) {
  std::size_t out = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t mark = std::min(text.find(kEvaluatedBegin, at), text.size());
    out += mark - at;
    if (mark == text.size()) break;
    const std::size_t end = std::min(text.find(kEvaluatedEnd, mark), text.size() - 1);
    const std::string_view name = text.substr(std::min(mark + 2, end), end - std::min(mark + 2, end));
    if (name == "SLURM_JOB_ID" || name == "SLURM_JOBID" || name == "USER") ++out;
    at = end + 1;
  }
  return out;
}

/// Of `ray start --head` among the words: the value of --temp-dir; nullptr: no head, or it names none.
const ShellValue* head_of_ray(const BatchCommand& command, ShellValue& storage, bool& head) {
  const ShellValue* out = nullptr;
  bool starts = false;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    if (word == "start" && program_name(command.words[i - 1].text) == "ray") starts = true;
    if (!starts) continue;
    head = head || word == "--head";
    if (word == "--temp-dir" && i + 1 < command.words.size()) out = &command.words[i + 1];
    if (!word.starts_with("--temp-dir=")) continue;
    storage = tail_of(command.words[i], std::string_view("--temp-dir=").size());
    out = &storage;
  }
  return head ? out : nullptr;
}

void read_ray_folder(FileId file, const BatchBody& body, BatchScript& out) {
  const auto keep = [&](const ShellValue& value, const Span& where, std::size_t more) {
    out.ray_folder = set_to(value.shown(), where, "--temp-dir");
    out.ray_folder_bytes = static_cast<std::int64_t>(least_bytes(value.text) + more);
  };
  const ScriptSetting* variable = nullptr;
  for (const ScriptSetting& set : body.settings) {
    if (set.name == "RAY_TMPDIR") variable = set.branch || set.prefix || variable != nullptr ? nullptr : &set;
  }
  for (const BatchCommand& command : body.commands) {
    ShellValue storage;
    bool head = false;
    const ShellValue* folder = head_of_ray(command, storage, head);
    if (!head || command.function) continue;
    if (folder != nullptr) return keep(*folder, span_in(file, *folder, 0, folder->text.size()), 0);
    // Ray makes its own folder below that of the variable.
    if (variable != nullptr && (body.exported.contains(variable->name) || body.exports_all))
      return keep(variable->value, variable->where, std::string_view("/ray").size());
  }
}

/// Variables of a program, not of what carries its bytes.
bool is_for_program(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames{"HF_", "WANDB_", "TRANSFORMERS_", "FI_", "CUDA_DEVICE_MAX"};
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

/// What the script exports, as far as it is for a program: `HF_HOME, WANDB_MODE and 2 more`.
std::string exported_for_programs(const BatchBody& body) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string_view> names;
  for (const ScriptSetting& set : body.settings) {
    // What `set -a` exports is meant for the script as a rule; the default folder is found without a word.
    const bool own = set.prefix || set.branch || set.via != Via::Shell || !body.exported.contains(set.name);
    if (own || !is_for_program(set.name) || contains(set.value.text, ".cache/huggingface")) continue;
    if (std::ranges::find(names, set.name) == names.end()) names.push_back(set.name);
    if (names.size() > 100) break;
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    const bool last = i + 1 == names.size() && i > 0;
    out += (i == 0 ? "" : last ? " and " : ", ") + std::string(names[i]);
  }
  if (names.size() > kShown) out += " and " + std::to_string(names.size() - kShown) + " more";
  return out;
}

}  // namespace

std::string below_submit_folder(const ShellValue& path) {
  std::string text = path.text;
  for (const std::string_view name : {"SLURM_SUBMIT_DIR", "PWD"}) {
    const std::string here = std::string{kEvaluatedBegin, 'b'} + std::string(name) + kEvaluatedEnd + "/";
    if (text.starts_with(here)) text.erase(0, here.size());
  }
  if (text.starts_with("./")) text.erase(0, 2);
  while (text.ends_with('/')) text.pop_back();
  return text.find(kEvaluatedBegin) == text.npos ? text : "";
}

void read_surroundings(FileId file, const BatchBody& body, std::string_view text, BatchScript& out) {
  out.gpus_named = gpus_named(body);
  out.ranks_of_tasks = makes_ranks_of_tasks(body);
  read_ray_folder(file, body, out);
  if (contains(text, "deepspeed_env") || contains(text, "DS_ENV_FILE")) return;
  std::string names;
  for (BatchLaunch& launch : out.launches) {
    if (!launch.by_ssh || launch.by != StartedBy::Shell) continue;
    if (names.empty()) names = exported_for_programs(body);
    launch.left_behind = names;
    if (names.empty()) return;
  }
}

}  // namespace muster::sbatch
