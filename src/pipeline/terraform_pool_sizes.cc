#include "pipeline/terraform_pool_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/terraform_given.h"
#include "syntax/hcl_blocks.h"

namespace muster {
namespace {

bool leaves_size_alone(std::string_view ignored, std::size_t& left) {
  if (!ignored.starts_with('[')) return ignored == "all";
  return std::ranges::any_of(read_hcl_list(ignored, 0, left),
                             [](std::string_view one) { return unquoted_hcl(one) == "node_count"; });
}

class PoolSizes {
 public:
  PoolSizes(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (is_terraform(i) && contains(text(i), "google_container_node_pool") && contains(text(i), "node_count"))
        look(i);
    }
  }

 private:
  bool is_terraform(std::size_t i) const { return inputs_.files[i].context.path.ends_with(".tf"); }
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void look(std::size_t i) {
    std::size_t left = 16 * text(i).size() + 1000;
    for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
      if (one.word != "resource" || one.labels[0] != "google_container_node_pool") continue;
      const HclBlock pool = read_hcl_block(text(i), one.brace, left);
      const std::string_view size = pool.attribute("node_count");
      const bool grows = std::ranges::any_of(pool.blocks, [&](const HclInnerBlock& block) {
        return block.name == "autoscaling" && !block.dynamic &&
               !has_one_size(read_hcl_block(text(i), block.brace, left), size);
      });
      if (!grows || leaves_in_lifecycle(pool, i, left) || left == 0 || !is_size(size)) continue;
      findings_.push_back(problem("terraform-pool-size-reset", span_of_part(static_cast<FileId>(i), text(i), size),
                                  "node pool `" + std::string(one.labels[1]) +
                                      "` has an autoscaler, and Terraform sets its size to " + std::string(size)));
    }
  }

  /// Whether the autoscaler may leave that size at all.
  static bool has_one_size(const HclBlock& scaling, std::string_view size) {
    return !size.empty() && scaling.attribute("min_node_count") == size && scaling.attribute("max_node_count") == size;
  }

  bool leaves_in_lifecycle(const HclBlock& pool, std::size_t i, std::size_t& left) const {
    return std::ranges::any_of(pool.blocks, [&](const HclInnerBlock& block) {
      return block.name == "lifecycle" &&
             leaves_size_alone(read_hcl_block(text(i), block.brace, left).attribute("ignore_changes"), left);
    });
  }

  /// A number, or a variable that is null neither by default nor where something gives it.
  bool is_size(std::string_view written) {
    if (parse_int(written)) return true;
    constexpr std::string_view kVariable = "var.";
    if (!written.starts_with(kVariable) || !std::ranges::all_of(written.substr(4), is_word_char)) return false;
    if (may_be_null(written.substr(4))) return false;
    if (!given_) given_.emplace(inputs_);
    return !given_->has_null(written.substr(4));
  }

  bool may_be_null(std::string_view name) {
    if (!defaults_) {
      defaults_.emplace();
      for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
        if (!is_terraform(i) || !contains(text(i), "variable \"")) continue;
        std::size_t left = 16 * text(i).size() + 1000;
        for (const HclTopBlock& one : top_hcl_blocks(text(i), left)) {
          if (one.word != "variable") continue;
          const bool null = read_hcl_block(text(i), one.brace, left).attribute("default") == "null";
          bool& before = (*defaults_)[std::string(one.labels[0])];
          before = before || null;
        }
      }
    }
    const auto found = defaults_->find(std::string(name));
    return found == defaults_->end() || found->second;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::optional<TerraformGiven> given_;
  std::optional<std::map<std::string, bool>> defaults_;  ///< by variable: whether one of the name is null by default
};

}  // namespace

void find_terraform_pool_sizes(const Inputs& inputs, std::vector<Finding>& findings) {
  PoolSizes(inputs, findings).run();
}

}  // namespace muster
