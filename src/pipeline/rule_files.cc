#include "pipeline/rule_files.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "kubernetes/check_queries.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// What a rule is called whose result others ask for: `record: NAME`.
void note_recorded(std::string_view text, std::set<std::string_view>& out) {
  constexpr std::string_view kRecord = "record:";
  some_line_with(text, kRecord, [&](std::string_view line) {
    std::string_view name = trim(line.substr(line.find(kRecord) + kRecord.size()));
    name = name.substr(0, name.find_first_of(" #,}"));
    while (!name.empty() && contains("\"'", name.substr(0, 1))) name.remove_prefix(1);
    while (!name.empty() && contains("\"'", name.substr(name.size() - 1))) name.remove_suffix(1);
    if (!name.empty()) out.insert(name);
    return false;
  });
}

bool has_word_of(std::string_view text, const std::set<std::string_view>& words) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t begin = at;
    while (at < text.size() && (is_word_char(text[at]) || text[at] == ':')) ++at;
    if (at > begin && words.contains(text.substr(begin, at - begin))) return true;
  }
  return false;
}

/// What another file records may have any labels.
void forgive_recorded_elsewhere(const Inputs& inputs, std::vector<Finding>& findings) {
  const auto is_asked = [](const Finding& one) { return one.rule == "alert-sides-unmatched"; };
  if (std::ranges::none_of(findings, is_asked)) return;
  std::set<std::string_view> recorded;
  for (std::size_t i = 0; i < inputs.files.size(); ++i)
    note_recorded(inputs.sources.file(static_cast<FileId>(i)).text(), recorded);
  std::erase_if(findings, [&](const Finding& one) {
    if (!is_asked(one)) return false;
    const std::string_view text = inputs.sources.file(one.where.file).text();
    return has_word_of(text.substr(one.where.begin, one.where.end - one.where.begin), recorded);
  });
}

}  // namespace

void find_rule_file_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (!is_yaml_file(inputs.files[i].context.path) || inputs.files[i].reading != Reading::Whole) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, "expr:") || !contains(text, "groups:") || !contains(text, "rules:")) continue;
    std::vector<Finding> of_reader;  // what is wrong with the file others say
    for (const Span& piece : split_yaml_documents(static_cast<FileId>(i), text)) {
      Document document;
      if (!read_yaml(text, piece, document, of_reader)) continue;
      // Objects are asked where they are read.
      if (!document.root()["apiVersion"].exists()) check_rule_lists(document.root(), findings);
    }
  }
  forgive_recorded_elsewhere(inputs, findings);
}

}  // namespace muster
