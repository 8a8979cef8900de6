#include "pipeline/terraform_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "syntax/gpu_machines.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamedVariables = 8;  // in one message
/// A module is about GPUs where it names them or machines that have them.
constexpr std::string_view kGpuWords[] = {"gpu", "nvidia", "accelerator", "H100", "A100"};

struct TerraformVariable {
  std::string_view name;
  Span where;
};

struct TerraformModule {
  std::vector<FileId> files;
  std::vector<FileId> values;  ///< terraform.tfvars, prod.tfvars.example
  std::vector<TerraformVariable> variables;
  bool whole = true;
};

/// The blocks `variable "NAME"` or the attributes `NAME = value` at the top of a text; nothing: it was not read to its
/// end.
std::optional<std::vector<TerraformVariable>> names_in(std::string_view text, FileId file, bool blocks) {
  std::vector<TerraformVariable> out;
  std::size_t left = 8 * text.size() + 1000;  // steps
  HclReader in(text, left);
  for (in.skip(true); !in.ended(); in.skip(true)) {
    std::size_t begin = in.at;
    while (in.at < text.size() && is_hcl_letter(text[in.at])) ++in.at;
    std::size_t end = in.at;
    in.skip(false);
    bool found = !blocks && end > begin && in.here() == '=' && !in.begins("==");
    if (blocks && text.substr(begin, end - begin) == "variable" && in.here() == '"') {
      begin = in.at + 1;
      in.skip_text();
      end = in.at - 1;
      found = end > begin && text[end] == '"';
    }
    if (found)
      out.push_back({text.substr(begin, end - begin),
                     {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
    in.at += found && !blocks ? 1 : 0;
    const std::size_t rest = in.at;
    in.skip_expression();
    if (in.at == rest && !in.ended()) ++in.at;  // a bracket that nothing opens, or the end of a line
  }
  if (left == 0) return std::nullopt;
  return out;
}

/// Names behind `var.` that stand in a text, also in comments: those who only speak of a variable know of it.
void add_reads(std::string_view text, std::set<std::string_view>& out) {
  constexpr std::string_view kRead = "var.";
  for (std::size_t at = text.find(kRead); at != text.npos; at = text.find(kRead, at + 1)) {
    const std::size_t begin = at + kRead.size();
    std::size_t end = begin;
    while (end < text.size() && (is_word_char(text[end]) || text[end] == '-')) ++end;
    out.insert(text.substr(begin, end - begin));
  }
}

class TerraformVariables {
 public:
  TerraformVariables(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      if (is_values(file.context.path) && file.reading == Reading::Whole)
        modules_[file.context.folder].values.push_back(static_cast<FileId>(i));
      if (!is_terraform(file.context.path)) continue;
      TerraformModule& module = modules_[file.context.folder];
      module.files.push_back(static_cast<FileId>(i));
      module.whole = module.whole && file.reading == Reading::Whole && !file.named;
    }
    for (const std::vector<std::string>* left_out :
         {&inputs_.ignored, &inputs_.excluded, &inputs_.too_large, &inputs_.foreign}) {
      for (const std::string& path : *left_out) {
        const auto module = modules_.find(folder_of(path));
        if (module != modules_.end() && is_terraform(path)) module->second.whole = false;
      }
    }
    bool all = true;
    bool gpus = false;
    for (auto& [folder, module] : modules_) {
      const bool known = module.whole && declare(module);
      all = all && (known || module.files.empty());
      const bool about = known && is_about_gpus(module);
      gpus = gpus || about;
      if (about) judge(module);
    }
    if (all && gpus) environment();
  }

 private:
  static bool is_terraform(std::string_view path) {
    return path.ends_with(".tf") || path.ends_with(".tf.json") || path.ends_with(".tofu");
  }

  static bool is_values(std::string_view path) {
    return path.ends_with(".tfvars") || path.ends_with(".tfvars.example");
  }

  std::string_view text(FileId file) const { return inputs_.sources.file(file).text(); }

  bool is_about_gpus(const TerraformModule& module) const {
    return std::ranges::any_of(module.files, [&](FileId file) {
      return names_gpu_instance(text(file)) ||
             std::ranges::any_of(kGpuWords, [&](std::string_view word) { return contains(text(file), word); });
    });
  }

  bool declare(TerraformModule& module) const {
    for (const FileId file : module.files) {
      const auto names = names_in(text(file), file, true);
      if (!names) return false;
      module.variables.insert(module.variables.end(), names->begin(), names->end());
    }
    return !module.variables.empty();
  }

  void judge(const TerraformModule& module) {
    std::set<std::string_view> reads;
    std::set<std::string_view> declared;
    for (const FileId file : module.files) add_reads(text(file), reads);
    std::vector<std::string> unread;
    Span first;
    std::size_t more = 0;
    for (const TerraformVariable& one : module.variables) {
      declared.insert(one.name);
      if (reads.contains(one.name)) continue;
      if (unread.empty()) first = one.where;
      if (unread.size() < kMostNamedVariables)
        unread.push_back("`" + std::string(one.name) + "`");
      else
        ++more;
    }
    if (!unread.empty())
      findings_.push_back(problem("terraform-variable-unread", first,
                                  "nothing of this module reads " + join(unread, ", ") +
                                      (more > 0 ? " and " + std::to_string(more) + " more variables" : "")));
    for (const FileId file : module.values) {
      const auto values = names_in(text(file), file, false);
      if (!values) continue;
      for (const TerraformVariable& one : *values) {
        if (declared.contains(one.name)) continue;
        findings_.push_back(problem("terraform-value-undeclared", one.where,
                                    "`" + std::string(one.name) + "` is no variable of this module"));
      }
    }
  }

  /// `export TF_VAR_image=...` of a name that no module has, in a file that has others of them.
  void environment() {
    std::set<std::string_view> declared;
    for (const auto& [folder, module] : modules_) {
      for (const TerraformVariable& one : module.variables) declared.insert(one.name);
    }
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const auto file = static_cast<FileId>(i);
      if (is_terraform(inputs_.files[i].context.path) || language_of(inputs_.files[i].context.path) == Language::Prose)
        continue;
      const std::vector<TerraformVariable> set = set_in_environment(file);
      const auto is_declared = [&](const TerraformVariable& one) { return declared.contains(one.name); };
      if (std::ranges::none_of(set, is_declared)) continue;
      for (const TerraformVariable& one : set) {
        if (is_declared(one)) continue;
        findings_.push_back(problem("terraform-environment-undeclared", one.where,
                                    "no module has a variable `" + std::string(one.name) + "`"));
      }
    }
  }

  std::vector<TerraformVariable> set_in_environment(FileId file) const {
    constexpr std::string_view kHead = "TF_VAR_";
    constexpr std::size_t kMost = 200;
    std::vector<TerraformVariable> out;
    const std::string_view all = text(file);
    std::size_t left = 10 * kMost;
    for (std::size_t at = all.find(kHead); at != all.npos && out.size() < kMost && left > 0;
         at = all.find(kHead, at + 1), --left) {
      const std::size_t begin = at + kHead.size();
      std::size_t end = begin;
      while (end < all.size() && is_word_char(all[end])) ++end;
      const std::size_t line = all.rfind('\n', at) + 1;  // npos + 1 is 0
      const bool comment = trim(all.substr(line, at - line)).starts_with('#');
      const bool read = at > 0 && (all[at - 1] == '$' || all[at - 1] == '{');
      const std::string_view behind = all.substr(end, 2);
      const bool sets =
          !read && end > begin && behind != "==" && (behind.starts_with('=') || behind == ": " || behind == ":\n");
      if (sets && !comment)
        out.push_back(
            {all.substr(begin, end - begin), {file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)}});
    }
    return out;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, TerraformModule> modules_;
};

}  // namespace

void find_terraform_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformVariables(inputs, findings).run();
}

}  // namespace muster
