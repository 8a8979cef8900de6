#include "lsp/open_documents.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lsp/json_value.h"
#include "lsp/uri.h"
#include "pipeline/discover.h"

namespace muster {

using Json = nlohmann::json;

const OpenDocument* OpenDocuments::open(const Json& item) {
  const std::string uri = text_at(item, {"uri"});
  std::optional<std::string> path = path_of_uri(uri);
  std::string text = text_at(item, {"text"});
  if (!path || text.size() > kMaxFileSize) return nullptr;
  OpenDocument& document = by_uri_[uri];
  document = {uri, std::move(*path), std::move(text), number_at(item, {"version"}).value_or(0)};
  return &document;
}

const OpenDocument* OpenDocuments::change(const Json& params, PositionEncoding encoding) {
  const auto found = by_uri_.find(text_at(params, {"textDocument", "uri"}));
  const Json* changes = value_at(params, {"contentChanges"});
  if (found == by_uri_.end() || changes == nullptr || !changes->is_array()) return nullptr;
  OpenDocument& document = found->second;
  std::string text = document.text;
  for (const Json& one : *changes) {
    const Json* fresh = value_at(one, {"text"});
    if (fresh == nullptr || !fresh->is_string()) return nullptr;
    if (value_at(one, {"range"}) == nullptr) {
      text = fresh->get<std::string>();
      continue;
    }
    const std::optional<TextRange> range = range_at(one, {"range"});
    if (!range) return nullptr;
    const LineIndex lines(text);
    const std::size_t begin = lines.offset(range->begin, encoding);
    const std::size_t end = std::max(begin, lines.offset(range->end, encoding));
    text.replace(begin, end - begin, fresh->get_ref<const std::string&>());
  }
  document.text = std::move(text);
  document.version = number_at(params, {"textDocument", "version"}).value_or(document.version + 1);
  return &document;
}

std::string OpenDocuments::close(const std::string& uri) {
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return "";
  std::string path = std::move(found->second.path);
  by_uri_.erase(found);
  return path;
}

const OpenDocument* OpenDocuments::find(const std::string& uri) const {
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? nullptr : &found->second;
}

const OpenDocument* OpenDocuments::at_path(const std::string& path) const {
  const auto found = std::ranges::find_if(by_uri_, [&](const auto& one) { return one.second.path == path; });
  return found == by_uri_.end() ? nullptr : &found->second;
}

OpenTexts OpenDocuments::texts() const {
  OpenTexts out;
  for (const auto& [uri, document] : by_uri_) out[document.path] = document.text;
  return out;
}

}  // namespace muster
