#include "rulebook/book_assets.h"

#include "base/check.h"
#include "embed/assets.h"
#include "syntax/yaml_reader.h"

namespace muster {

void each_book_asset(std::string_view folder, const std::function<void(const Node& root, BookReader& reader)>& read) {
  for (const Asset& asset : assets_below(folder)) {
    SourceMap sources;
    const FileId file = sources.add(std::string(asset.path), std::string(asset.text));
    const std::string_view text = sources.file(file).text();
    BookReader reader(sources);
    std::vector<Finding> findings;
    Document document;
    const std::vector<Span> documents = split_yaml_documents(file, text);
    const bool good = documents.size() == 1 && read_yaml(text, documents.front(), document, findings);
    MUSTER_CHECK(good, std::string(asset.path) + " is no YAML document");
    read(document.root(), reader);
    MUSTER_CHECK(reader.good(), reader.problems());
  }
}

bool read_book_asset(std::string_view path, Document& out) {
  for (const Asset& asset : assets_below(path)) {
    SourceMap sources;
    const FileId file = sources.add(std::string(asset.path), std::string(asset.text));
    const std::string_view text = sources.file(file).text();
    std::vector<Finding> findings;
    const std::vector<Span> documents = split_yaml_documents(file, text);
    return asset.path == path && documents.size() == 1 && read_yaml(text, documents.front(), out, findings);
  }
  return false;
}

}  // namespace muster
