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
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

/// Machine types that come with their GPUs. Of A2, A3 and A4 the name says how many: a2-highgpu-4g. Source:
/// GoogleCloudPlatform/cluster-toolkit:pkg/config/hardware.go, AcceleratorShorthandMap (1.95).
struct FixedMachine {
  std::string_view name;
  std::int64_t gpus;
};
constexpr std::array kFixedMachines{
    FixedMachine{"g2-standard-12", 1}, FixedMachine{"g2-standard-24", 2},  FixedMachine{"g2-standard-48", 4},
    FixedMachine{"g2-standard-96", 8}, FixedMachine{"g4-standard-192", 4}, FixedMachine{"g4-standard-384", 8},
    FixedMachine{"g4-standard-48", 1}, FixedMachine{"g4-standard-96", 2},
};
constexpr std::array<std::string_view, 7> kNumberedMachines{
    "a2-highgpu-", "a2-megagpu-", "a2-ultragpu-", "a3-highgpu-", "a3-megagpu-", "a3-ultragpu-", "a4-highgpu-"};

std::optional<std::int64_t> gpus_of_machine(std::string_view type) {
  const auto found = std::ranges::find(kFixedMachines, type, &FixedMachine::name);
  if (found != kFixedMachines.end()) return found->gpus;
  const auto family = std::ranges::find_if(kNumberedMachines, [&](auto name) { return type.starts_with(name); });
  if (family == kNumberedMachines.end() || !type.ends_with('g')) return std::nullopt;
  return parse_int(type.substr(family->size(), type.size() - family->size() - 1));
}

/// A value as it is written, and where.
struct HclValue {
  std::string_view text;
  FileId file = FileId::None;

  Span where(std::string_view whole) const { return span_of_part(file, whole, text); }
};

/// Attributes of a block, and blocks in it by where their brackets stand.
struct HclBlock {
  std::map<std::string_view, HclValue> attributes;
  std::vector<std::pair<std::string_view, std::size_t>> blocks;
};

HclBlock hcl_block(std::string_view text, FileId file, std::size_t brace, std::size_t& left) {
  HclBlock out;
  HclReader in(text, left);
  in.at = brace + 1;
  for (in.skip(true); !in.ended() && in.here() != '}'; in.skip(true)) {
    const std::size_t begin = in.at;
    while (!in.ended() && is_hcl_letter(in.here())) ++in.at;
    const std::string_view key = text.substr(begin, in.at - begin);
    in.skip(false);
    const bool attribute = in.here() == '=';
    if (attribute) ++in.at;
    in.skip(false);
    while (!attribute && in.here() == '"') {  // labels of a block
      in.skip_text();
      in.skip(false);
    }
    const std::size_t value = in.at;
    if (!attribute && in.here() == '{') out.blocks.emplace_back(key, value);
    in.skip_expression();
    if (attribute)
      out.attributes.try_emplace(key, HclValue{without_hcl_comment(trim(text.substr(value, in.at - value))), file});
    if (in.at == begin) break;
  }
  return out;
}

/// Where the bracket of each `NAME "LABEL" ... {` at the beginning of a line stands, with its first label.
std::vector<std::pair<std::string_view, std::size_t>> blocks_called(std::string_view text, std::string_view name) {
  std::vector<std::pair<std::string_view, std::size_t>> out;
  const std::string opening = std::string(name) + " \"";
  for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    const std::size_t label = at + opening.size();
    const std::size_t end = text.find_first_of("\"\n", label);
    const std::size_t brace = text.find_first_of("{\n", label);
    if (end == text.npos || brace == text.npos || text[brace] != '{') continue;
    out.emplace_back(text.substr(label, end - label), brace);
  }
  return out;
}

std::string_view unquoted_hcl(std::string_view text) {
  return text.size() > 1 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

constexpr std::array<std::string_view, 5> kResourcesWithMachines{
    "google_compute_instance", "google_compute_instance_template", "google_compute_region_instance_template",
    "google_container_cluster", "google_container_node_pool"};

class TerraformAccelerators {
 public:
  TerraformAccelerators(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::map<std::string_view, std::vector<FileId>> modules;  // by folder
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      if (file.reading != Reading::Whole) continue;
      const FileId id = static_cast<FileId>(i);
      if (contains(file.context.path, ".tfvars")) note_values(id);
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

  /// Names that a file of values gives, wherever it stands below.
  void note_values(FileId file) {
    for (const std::string_view line : split(text(file), '\n')) {
      std::string_view name = trim(line.substr(0, line.find_first_of("=:")));
      if (name.size() == line.size()) continue;
      if (name.size() > 2 && name.starts_with('"')) name = name.substr(1, name.size() - 2);  // of JSON
      given_.insert(name);
    }
  }

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
      std::size_t left = 8 * text(file).size() + 1000;
      for (const auto& [name, brace] : blocks_called(text(file), "variable")) {
        const HclBlock block = hcl_block(text(file), file, brace, left);
        const auto value = block.attributes.find("default");
        const bool open = used_.contains(folder) || given_.contains(name);
        if (value != block.attributes.end() && !open) variables_.try_emplace(name, value->second);
      }
    }
  }

  /// What a literal says, or a variable of the module by its default.
  std::optional<HclValue> said(const HclBlock& block, std::string_view key) const {
    const auto found = block.attributes.find(key);
    if (found == block.attributes.end()) return std::nullopt;
    constexpr std::string_view kVariable = "var.";
    if (!found->second.text.starts_with(kVariable)) return found->second;
    const auto variable = variables_.find(found->second.text.substr(kVariable.size()));
    return variable == variables_.end() ? std::nullopt : std::optional(variable->second);
  }

  void judge(FileId file) {
    const std::string_view whole = text(file);
    if (!contains(whole, "guest_accelerator")) return;
    std::size_t left = 8 * whole.size() + 1000;
    for (const auto& [kind, brace] : blocks_called(whole, "resource")) {
      if (std::ranges::find(kResourcesWithMachines, kind) != kResourcesWithMachines.end())
        judge_block(file, hcl_block(whole, file, brace, left), left, 0);
    }
  }

  void judge_block(FileId file, const HclBlock& block, std::size_t& left, int depth) {
    constexpr int kDeepest = 4;  // of a cluster: node_pool, node_config, guest_accelerator
    const std::optional<HclValue> machine = said(block, "machine_type");
    const std::optional<std::int64_t> gpus = machine ? gpus_of_machine(unquoted_hcl(machine->text)) : std::nullopt;
    for (const auto& [key, brace] : block.blocks) {
      if (depth >= kDeepest || left == 0) return;
      const HclBlock inner = hcl_block(text(file), file, brace, left);
      if (key == "guest_accelerator" && gpus) compare(*machine, *gpus, inner);
      if (key != "guest_accelerator") judge_block(file, inner, left, depth + 1);
    }
  }

  void compare(const HclValue& machine, std::int64_t gpus, const HclBlock& accelerator) {
    const std::optional<HclValue> count = said(accelerator, "count");
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
  std::vector<Finding>& findings_;
  std::set<std::string_view> given_;                ///< variables
  std::set<std::string, std::less<>> used_;         ///< folders
  std::map<std::string_view, HclValue> variables_;  ///< of one module, with a default that stands
  std::set<Span> reported_;
};

}  // namespace

void find_terraform_accelerators(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformAccelerators(inputs, findings).run();
}

}  // namespace muster
