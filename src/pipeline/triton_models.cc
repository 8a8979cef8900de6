#include "pipeline/triton_models.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

// Source: triton-inference-server/common:protobuf/model_config.proto, DataType (r25.10).
constexpr std::array<std::string_view, 15> kTypes{
    "TYPE_BF16", "TYPE_BOOL",    "TYPE_FP16",   "TYPE_FP32",   "TYPE_FP64",   "TYPE_INT16",  "TYPE_INT32", "TYPE_INT64",
    "TYPE_INT8", "TYPE_INVALID", "TYPE_STRING", "TYPE_UINT16", "TYPE_UINT32", "TYPE_UINT64", "TYPE_UINT8"};
constexpr std::size_t kMostTypesSaid = 20;  // of one file

void check_types(std::string_view text, FileId file, std::vector<Finding>& findings) {
  std::size_t said = 0;
  std::size_t seen = 0;
  bool comment = false;  // a `#` stands before `seen` in its line
  for (std::size_t at = text.find("data_type"); at != text.npos; at = text.find("data_type", at + 1)) {
    for (; seen < at; ++seen) comment = text[seen] == '#' || (comment && text[seen] != '\n');
    if (comment) continue;
    const std::size_t colon = text.find_first_not_of(" \t", at + 9);
    if (colon == text.npos || text[colon] != ':') continue;
    const std::size_t begin = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
    std::size_t end = begin;
    while (end < text.size() && is_word_char(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    // `TYPE_${PRECISION}`, `TYPE_%s`: somebody fills it in.
    if (end < text.size() && !contains(" \t\r\n}],;#", text.substr(end, 1))) continue;
    if (word == "TYPE_" || !word.starts_with("TYPE_") || std::ranges::find(kTypes, word) != kTypes.end() ||
        ++said > kMostTypesSaid)
      continue;
    findings.push_back(problem("triton-data-type-unknown",
                               {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                               "`" + std::string(word) + "` is no data type of Triton" +
                                   (word == "TYPE_BYTES" ? ": bytes are TYPE_STRING" : did_you_mean(word, kTypes))));
  }
}

bool is_version(std::string_view folder) {
  return !folder.empty() && folder.size() < 10 && folder.front() != '0' && std::ranges::all_of(folder, is_digit);
}

/// Folders that have folders of versions in them: a model may be called by a number, too.
std::set<std::string_view> models_with_versions(const Inputs& inputs) {
  std::set<std::string_view> out;
  for (const InputFile& one : inputs.files) {
    const std::string_view folder = folder_of(one.context.path);
    if (is_version(last_part(folder))) out.insert(folder_of(folder));
  }
  return out;
}

}  // namespace

void find_triton_models(const Inputs& inputs, std::vector<Finding>& findings) {
  constexpr std::string_view kConfig = "/config.pbtxt";
  const auto is_config = [&](const InputFile& one) { return one.context.path.ends_with(kConfig); };
  if (std::ranges::none_of(inputs.files, is_config)) return;
  const InputNames names(inputs);
  const std::set<std::string_view> models = models_with_versions(inputs);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string& path = inputs.files[i].context.path;
    if (!path.ends_with(kConfig)) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    const FileId file = static_cast<FileId>(i);
    if (contains(text, "{{") || contains(text, "<%")) continue;
    check_types(text, file, findings);
    const std::string_view folder = folder_of(path);
    if (!is_version(last_part(folder)) || models.contains(folder)) continue;
    const std::string above = std::string(folder_of(folder)) + std::string(kConfig);
    if (names.at(above)) continue;
    const std::size_t end = std::min(text.find('\n'), text.size());
    findings.push_back(problem("triton-config-misplaced", {file, 0, static_cast<std::uint32_t>(end)},
                               "config.pbtxt stands in the folder of version " + std::string(last_part(folder)) +
                                   ", where Triton does not look for it"));
  }
}

}  // namespace muster
