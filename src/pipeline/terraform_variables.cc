#include "pipeline/terraform_variables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamedVariables = 8;  // in one message
/// A module is about GPUs where it names them or machines that have them.
constexpr std::string_view kGpuWords[] = {"gpu", "nvidia", "accelerator", "g4dn.", "g5.",
                                          "g6.", "p4d",    "p5.",         "H100",  "A100"};

struct TerraformVariable {
  std::string_view name;
  Span where;
};

struct TerraformModule {
  std::vector<FileId> files;
  std::vector<FileId> values;  ///< terraform.tfvars, prod.tfvars.example
  bool whole = true;
};

/// `variable "NAME" {`, at the beginning of a line.
std::vector<TerraformVariable> variables_in(std::string_view text, FileId file) {
  constexpr std::string_view kBegin = "variable";
  std::vector<TerraformVariable> out;
  for (std::size_t at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    std::size_t begin = text.find_first_not_of(" \t", at + kBegin.size());
    if (begin == text.npos || begin == at + kBegin.size() || text[begin] != '"') continue;
    const std::size_t end = text.find_first_of("\"\n", ++begin);
    if (end == text.npos || text[end] != '"') continue;
    out.push_back(
        {text.substr(begin, end - begin), {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
  }
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

/// `NAME = value` of a file of values, outside of what brackets and here-documents hold.
std::vector<TerraformVariable> values_in(std::string_view text, FileId file) {
  std::vector<TerraformVariable> out;
  int depth = 0;
  for (const TextLine& line : lines_of(text)) {
    if (contains(line.text, "<<") || contains(line.text, "/*")) return {};
    const std::string_view words = line.text.substr(0, line.text.find('#'));
    const std::size_t equals = words.find('=');
    const std::string_view name = trim(words.substr(0, std::min(equals, words.size())));
    if (depth == 0 && equals != words.npos && !name.empty() && std::ranges::all_of(name, is_word_char)) {
      const auto begin = line.begin + static_cast<std::uint32_t>(name.data() - line.text.data());
      out.push_back({name, {file, begin, begin + static_cast<std::uint32_t>(name.size())}});
    }
    for (const char c : words) {
      depth += c == '{' || c == '[' || c == '(' ? 1 : 0;
      depth -= c == '}' || c == ']' || c == ')' ? 1 : 0;
    }
  }
  return out;
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
    for (const auto& [folder, module] : modules_) {
      if (!module.whole || !is_about_gpus(module)) continue;
      judge(module);
      judge_values(module);
    }
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
      return std::ranges::any_of(kGpuWords, [&](std::string_view word) { return contains(text(file), word); });
    });
  }

  void judge(const TerraformModule& module) {
    std::set<std::string_view> reads;
    for (const FileId file : module.files) add_reads(text(file), reads);
    std::vector<TerraformVariable> unread;
    for (const FileId file : module.files) {
      for (const TerraformVariable& one : variables_in(text(file), file)) {
        if (!reads.contains(one.name)) unread.push_back(one);
      }
    }
    if (unread.empty()) return;
    std::vector<std::string> names;
    for (const TerraformVariable& one : unread) {
      if (names.size() < kMostNamedVariables) names.push_back("`" + std::string(one.name) + "`");
    }
    const std::size_t more = unread.size() - names.size();
    findings_.push_back(problem("terraform-variable-unread", unread.front().where,
                                "nothing of this module reads " + join(names, ", ") +
                                    (more > 0 ? " and " + std::to_string(more) + " more variables" : "")));
  }

  void judge_values(const TerraformModule& module) {
    std::set<std::string_view> declared;
    for (const FileId file : module.files) {
      for (const TerraformVariable& one : variables_in(text(file), file)) declared.insert(one.name);
    }
    if (declared.empty()) return;
    for (const FileId file : module.values) {
      for (const TerraformVariable& one : values_in(text(file), file)) {
        if (declared.contains(one.name)) continue;
        findings_.push_back(problem("terraform-value-undeclared", one.where,
                                    "`" + std::string(one.name) + "` is no variable of this module"));
      }
    }
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
