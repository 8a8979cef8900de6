#include "pipeline/unlisted_files.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "kustomize/files.h"

namespace muster {
namespace {

/// The last steps of all paths that a text may name, its comments left out.
std::set<std::string_view> listed_names(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\"'`,;:=[]{}()/";
  std::set<std::string_view> out;
  for (std::string_view line : split(text, '\n')) {
    for (std::size_t sign = line.find('#'); sign != line.npos; sign = line.find('#', sign + 1)) {
      if (sign == 0 || line[sign - 1] == ' ' || line[sign - 1] == '\t') line = line.substr(0, sign);
    }
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
      if (end > at) out.insert(line.substr(at, end - at));
      at = end + 1;
    }
  }
  return out;
}

}  // namespace

void note_unlisted_files(const std::vector<ParsedFile>& parsed, const Inputs& inputs, Model& model) {
  std::map<std::string_view, std::set<std::string_view>> listed;  // by the folder of a kustomization
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    if (!kustomize::is_kustomization(context.path)) continue;
    const auto [names, fresh] = listed.try_emplace(context.folder);
    if (fresh) names->second = listed_names(inputs.sources.file(static_cast<FileId>(i)).text());
  }
  for (std::size_t i = 0; !listed.empty() && i < parsed.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    const auto beside = listed.find(context.folder);
    if (beside == listed.end() || parsed[i].rendered || kustomize::is_kustomization(context.path)) continue;
    // One that could not be built names its parts all the same.
    const std::string_view name = std::string_view(context.path).substr(context.path.rfind('/') + 1);
    if (!beside->second.contains(name)) model.unlisted_files.insert(context.path);
  }
}

}  // namespace muster
