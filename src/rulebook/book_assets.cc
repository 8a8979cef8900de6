#include "rulebook/book_assets.h"

#include "base/check.h"
#include "embed/assets.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

bool read_one(SourceMap& sources, std::string_view path, std::string_view text, Document& out) {
  const FileId file = sources.add(std::string(path), std::string(text));
  std::vector<Finding> findings;
  const std::vector<Span> documents = split_yaml_documents(file, sources.file(file).text());
  return documents.size() == 1 && read_yaml(sources.file(file).text(), documents.front(), out, findings);
}

}  // namespace

void each_book_asset(std::string_view folder, const std::function<void(const Node& root, BookReader& reader)>& read) {
  for (const Asset& asset : assets_below(folder)) {
    SourceMap sources;
    BookReader reader(sources);
    Document document;
    MUSTER_CHECK(read_one(sources, asset.path, asset.text, document), std::string(asset.path) + " is no YAML document");
    read(document.root(), reader);
    MUSTER_CHECK(reader.good(), reader.problems());
  }
}

bool read_book_asset(std::string_view path, Document& out) {
  const Asset* asset = find_asset(path);
  return asset != nullptr && read_book_text(path, asset->text, out);
}

bool read_book_text(std::string_view path, std::string_view text, Document& out) {
  SourceMap sources;
  return read_one(sources, path, text, out);
}

}  // namespace muster
