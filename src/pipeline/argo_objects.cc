#include "pipeline/argo_objects.h"

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {

void each_argo_object(const Inputs& inputs, const std::function<bool(std::string_view)>& wants,
                      const std::function<void(FileId, std::string_view, const Node&)>& visit) {
  constexpr std::string_view kGroup = "argoproj.io/";
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const FileId file = static_cast<FileId>(i);
    const std::string_view all = inputs.sources.file(file).text();
    if (inputs.files[i].reading != Reading::Whole || (!is_yaml_file(path) && !path.ends_with(".json")) ||
        !contains(all, kGroup))
      continue;
    for (const Span& piece : split_yaml_documents(file, all)) {
      const std::string_view text = all.substr(piece.begin, piece.end - piece.begin);
      if (!contains(text, kGroup) || !wants(text)) continue;
      Document document;
      std::vector<Finding> ignored;
      if (read_yaml(all, piece, document, ignored) && document.root()["apiVersion"].text().starts_with(kGroup))
        visit(file, text, document.root());
    }
  }
}

std::vector<Node> sources_of_application(const Node& spec) {
  const Node sources = spec["sources"];
  std::vector<Node> out;
  for (std::size_t i = 0; sources.is_sequence() && i < sources.size(); ++i) out.push_back(sources.item(i));
  if (out.empty() && spec["source"].exists()) out.push_back(spec["source"]);
  return out;
}

std::string_view folder_of_application(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path == "." ? std::string_view() : path;
}

bool ends_in_folder(std::string_view folder, std::string_view path) {
  return folder.ends_with(path) && (folder.size() == path.size() || folder[folder.size() - path.size() - 1] == '/');
}

}  // namespace muster
