#include "pipeline/application_values.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostValueFiles = 2'000'000;  // at files of a name

/// `$values/monitoring/values.yaml`: what stands behind the source's name, or below the folder of the chart.
std::string_view named_path(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  if (text.starts_with("$")) text.remove_prefix(std::min(text.find('/'), text.size()));
  while (text.starts_with("/") || text.starts_with("./")) text.remove_prefix(text.find('/') + 1);
  return text;
}

std::string_view last_step(std::string_view path) { return path.substr(path.rfind('/') + 1); }

class ValueFiles {
 public:
  explicit ValueFiles(const Inputs& inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i)
      by_name_[last_step(inputs.files[i].context.path)].push_back(static_cast<FileId>(i));
  }

  /// Whether the file is in the input, and no file that it may be speaks of crds.
  bool is_without_crds(const WrittenValue& named) {
    if (!named.where.placed()) return false;
    const std::string_view text = inputs_.sources.file(named.where.file).text();
    const std::string_view path = named_path(text.substr(named.where.begin, named.where.end - named.where.begin));
    const auto alike = by_name_.find(last_step(path));
    if (path.empty() || contains(path, "..") || contains(path, "{") || alike == by_name_.end()) return false;
    looks_ += alike->second.size();
    if (looks_ > kMostValueFiles) return false;
    bool found = false;
    for (const FileId file : alike->second) {
      const std::string_view whole = inputs_.files[static_cast<std::size_t>(file)].context.path;
      const bool here =
          whole.ends_with(path) && (whole.size() == path.size() || whole[whole.size() - path.size() - 1] == '/');
      if (!here) continue;
      found = true;
      if (contains(inputs_.sources.file(file).text(), "crds")) return false;
    }
    return found;
  }

 private:
  const Inputs& inputs_;
  std::map<std::string_view, std::vector<FileId>> by_name_;
  std::uint64_t looks_ = 0;
};

}  // namespace

void note_application_values(const Inputs& inputs, Model& model) {
  const ManifestDef* releases = &manifest_def("helm_releases");
  const auto names_files = [&](const Manifest& one) {
    return one.def == releases && one.kind == "Application" && !one.part("value_files").items().empty();
  };
  if (std::ranges::none_of(model.manifests, names_files)) return;
  ValueFiles files(inputs);
  for (Manifest& one : model.manifests) {
    if (!names_files(one)) continue;
    const WrittenValue& named = one.part("value_files");
    if (std::ranges::all_of(named.items(), [&](const WrittenValue& file) { return files.is_without_crds(file); }))
      one.remarks.own().without_crds =
          set_to(std::string(last_step(inputs.sources.file(named.where.file).path())), named.where, "valueFiles");
  }
}

}  // namespace muster
