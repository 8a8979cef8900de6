#include "pipeline/unlisted_files.h"

#include <map>
#include <string_view>

#include "base/strings.h"
#include "kustomize/files.h"

namespace muster {

void note_unlisted_files(const std::vector<ParsedFile>& parsed, const Inputs& inputs, Model& model) {
  std::map<std::string_view, FileId> kustomizations;  // by folder
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    if (kustomize::is_kustomization(context.path)) kustomizations.try_emplace(context.folder, static_cast<FileId>(i));
  }
  for (std::size_t i = 0; !kustomizations.empty() && i < parsed.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    const auto beside = kustomizations.find(context.folder);
    if (beside == kustomizations.end() || parsed[i].rendered || kustomize::is_kustomization(context.path)) continue;
    // One that could not be built names its parts all the same.
    const std::string_view name = std::string_view(context.path).substr(context.path.rfind('/') + 1);
    if (!contains(inputs.sources.file(beside->second).text(), name)) model.unlisted_files.insert(context.path);
  }
}

}  // namespace muster
