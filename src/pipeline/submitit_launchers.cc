#include "pipeline/submitit_launchers.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// The value behind `key:` in a line that is no remark; nothing: it is another line.
std::optional<std::string_view> value_of_line(std::string_view line, std::string_view key) {
  line = trim(line);
  if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) return std::nullopt;
  line = line.substr(key.size() + 1);
  line = trim(line.substr(0, line.find(" #")));
  while (!line.empty() && (line.front() == '"' || line.front() == '\'')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == '"' || line.back() == '\'')) line.remove_suffix(1);
  return line;
}

/// What a launcher's file asks for on a node.
struct LauncherAsks {
  std::string_view gpus;       ///< as written
  std::int64_t count = 0;      ///< of them
  bool several_tasks = false;  ///< or how many tasks is not known
  bool inherits = false;       ///< from a configuration that is not Hydra's own
};

LauncherAsks read_launcher_asks(std::string_view text) {
  LauncherAsks out;
  bool defaults = false;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view words = trim(line);
    if (words.empty() || words.starts_with('#')) continue;
    defaults = words == "defaults:" || (defaults && words.starts_with('-'));
    if (defaults && words.starts_with('-') && !contains(words, "submitit_slurm") && !contains(words, "_self_"))
      out.inherits = true;
    if (const auto tasks = value_of_line(words, "tasks_per_node")) out.several_tasks = *tasks != "1";
    out.inherits = out.inherits || contains(words, "ntasks");
    for (const std::string_view key : {"gres", "gpus_per_node"}) {
      const auto value = value_of_line(words, key);
      if (!value || (key == "gres" && !value->starts_with("gpu:"))) continue;
      const std::optional<std::int64_t> count = parse_int(value->substr(value->rfind(':') + 1));  // npos + 1 is 0
      if (!count || *count < out.count) continue;
      out.gpus = *value;
      out.count = *count;
    }
  }
  return out;
}

/// Whether a text gives tasks other than one: `hydra.launcher.tasks_per_node=4`, `"tasks_per_node": 4`. Hydra puts what
/// it takes together from several files and the command line.
bool gives_tasks(std::string_view text) {
  constexpr std::string_view kKey = "tasks_per_node";
  for (std::size_t at = find_part(text, kKey); at != text.npos; at = find_part(text, kKey, at + 1)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view value = text.substr(at + kKey.size(), end - at - kKey.size());
    if (!value.starts_with(": 1") || (value.size() > 3 && value[3] >= '0' && value[3] <= '9')) return true;
  }
  return false;
}

bool are_tasks_given(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (gives_tasks(inputs.sources.file(static_cast<FileId>(i)).text())) return true;
  }
  return false;
}

/// A configuration of the launcher for Slurm; submitit_local starts one process on this machine.
bool is_of_slurm(std::string_view text) {
  return (contains(text, "submitit_slurm") || contains(text, "SlurmLauncher")) && contains(text, "launcher") &&
         !contains(text, "submitit_local") && !contains(text, "LocalLauncher");
}

bool is_of_lightning_somewhere(const Inputs& inputs) {
  constexpr std::array<std::string_view, 3> kImports{"import lightning", "from lightning", "pytorch_lightning"};
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (inputs.files[i].context.path.ends_with(".py") &&
        std::ranges::any_of(kImports, [&](std::string_view one) { return contains(text, one); }))
      return true;
  }
  return false;
}

}  // namespace

void find_submitit_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<bool> lightning;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!is_yaml_file(inputs.files[i].context.path)) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!is_of_slurm(text)) continue;
    const LauncherAsks asks = read_launcher_asks(text);
    if (asks.count < 2 || asks.several_tasks || asks.inherits) continue;
    if (!lightning) lightning = !are_tasks_given(inputs) && is_of_lightning_somewhere(inputs);
    if (!*lightning) return;
    findings.push_back(problem(
        "submitit-one-task-for-gpus", span_of_part(file, text, asks.gpus),
        "this asks for " + std::to_string(asks.count) + " GPUs of a node, and for one task: `tasks_per_node` is 1"));
  }
}

}  // namespace muster
