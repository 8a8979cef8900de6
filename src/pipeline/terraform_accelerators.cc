#include "pipeline/terraform_accelerators.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/paths.h"
#include "base/strings.h"
#include "syntax/gpu_machines.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

/// A value as it is written, and where.
struct HclValue {
  std::string_view text;
  FileId file = FileId::None;

  Span where(std::string_view whole) const { return span_of_part(file, whole, text); }
};

constexpr std::array<std::string_view, 5> kResourcesWithMachines{
    "google_compute_instance", "google_compute_instance_template", "google_compute_region_instance_template",
    "google_container_cluster", "google_container_node_pool"};

class TerraformAccelerators {
 public:
  TerraformAccelerators(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings)
      : inputs_(inputs), given_(given), findings_(findings) {}

  void run() {
    std::map<std::string_view, std::vector<FileId>> modules;  // by folder
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      if (file.reading != Reading::Whole) continue;
      const FileId id = static_cast<FileId>(i);
      if (!file.context.path.ends_with(".tf") && !file.context.path.ends_with(".tofu")) continue;
      modules[file.context.folder].push_back(id);
      note_sources(file.context.folder, id);
    }
    for (const auto& [folder, files] : modules) {
      if (std::ranges::none_of(files, [&](FileId file) { return contains(text(file), "guest_accelerator"); })) continue;
      read_variables(folder, files);
      for (const FileId file : files) judge(file);
    }
  }

 private:
  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  /// Folders that are modules of others: those give values of their own.
  void note_sources(const std::string& folder, FileId file) {
    constexpr std::string_view kSource = "source";
    const std::string_view whole = text(file);
    for (std::size_t at = whole.find(kSource); at != whole.npos; at = whole.find(kSource, at + 1)) {
      const std::size_t quote = whole.find_first_not_of(" \t=", at + kSource.size());
      if (quote == whole.npos || whole[quote] != '"') continue;
      const std::size_t end = whole.find_first_of("\"\n", quote + 1);
      if (end == whole.npos) return;
      const std::string_view path = whole.substr(quote + 1, end - quote - 1);
      if (path.starts_with('.')) used_.insert(joined_path(folder, std::string(path)));
    }
  }

  void read_variables(std::string_view folder, const std::vector<FileId>& files) {
    variables_.clear();
    for (const FileId file : files) {
      std::size_t left = hcl_steps(text(file));
      for (const HclTopBlock& one : top_hcl_blocks(text(file), left)) {
        const std::string_view name = one.labels[0];
        if (one.word != "variable" || used_.contains(folder) || given_.contains(name)) continue;
        const std::string_view value = read_hcl_block(text(file), one.brace, left).attribute("default");
        if (!value.empty()) variables_.try_emplace(name, HclValue{value, file});
      }
    }
  }

  /// What a literal says, or a variable of the module by its default.
  std::optional<HclValue> said(FileId file, const HclBlock& block, std::string_view key) const {
    const std::string_view text = block.attribute(key);
    constexpr std::string_view kVariable = "var.";
    const std::string_view name = unquoted_hcl(text);
    if (text.empty()) return std::nullopt;
    if (!name.starts_with(kVariable)) return HclValue{text, file};
    const auto variable = variables_.find(name.substr(kVariable.size()));
    return variable == variables_.end() ? std::nullopt : std::optional(variable->second);
  }

  void judge(FileId file) {
    const std::string_view whole = text(file);
    if (!contains(whole, "guest_accelerator")) return;
    std::size_t left = hcl_steps(whole);
    for (const HclTopBlock& one : top_hcl_blocks(whole, left)) {
      if (one.word == "resource" &&
          std::ranges::find(kResourcesWithMachines, one.labels[0]) != kResourcesWithMachines.end())
        judge_block(file, read_hcl_block(whole, one.brace, left), left, 0);
    }
  }

  void judge_block(FileId file, const HclBlock& block, std::size_t& left, int depth) {
    constexpr int kDeepest = 4;  // of a cluster: node_pool, node_config, guest_accelerator
    const std::optional<HclValue> machine = said(file, block, "machine_type");
    const std::optional<std::int64_t> gpus =
        machine ? gpus_of_google_machine(unquoted_hcl(machine->text)) : std::nullopt;
    for (const HclInnerBlock& one : block.blocks) {
      if (depth >= kDeepest || left == 0) return;
      if (one.dynamic) continue;
      const HclBlock inner = read_hcl_block(text(file), one.brace, left);
      if (one.name == "guest_accelerator" && gpus) compare(file, *machine, *gpus, inner);
      if (one.name != "guest_accelerator") judge_block(file, inner, left, depth + 1);
    }
  }

  void compare(FileId file, const HclValue& machine, std::int64_t gpus, const HclBlock& accelerator) {
    const std::optional<HclValue> count = said(file, accelerator, "count");
    const std::optional<std::int64_t> number = count ? parse_int(unquoted_hcl(count->text)) : std::nullopt;
    if (!number || *number == gpus || *number == 0) return;
    const Span where = count->where(text(count->file));
    if (!reported_.insert(where).second) return;
    const std::string_view name = unquoted_hcl(machine.text);
    findings_.push_back(problem("terraform-accelerator-count", where,
                                in_ticks(name) + " has " + std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs") +
                                    ", and `guest_accelerator` asks for " + std::to_string(*number)));
    findings_.back().related.push_back({machine.where(text(machine.file)), "the machine type"});
  }

  const Inputs& inputs_;
  TerraformGiven& given_;
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> used_;         ///< folders
  std::map<std::string_view, HclValue> variables_;  ///< of one module, with a default that stands
  std::set<Span> reported_;
};

}  // namespace

void find_terraform_accelerators(const Inputs& inputs, TerraformGiven& given, std::vector<Finding>& findings) {
  TerraformAccelerators(inputs, given, findings).run();
}

}  // namespace muster
