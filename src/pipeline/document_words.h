#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/discover.h"

namespace muster {

/// Whether the YAML document that a place stands in has one of some words. Each document is searched once, however many
/// objects of it ask; of JSON, and of a List, that is the file.
class DocumentWords {
 public:
  DocumentWords(const Inputs& inputs, std::vector<std::string_view> words)
      : inputs_(inputs), words_(std::move(words)) {}

  bool said_around(const Span& where) {
    if (static_cast<std::size_t>(where.file) >= inputs_.files.size()) return false;
    const auto [file, fresh] = ends_.try_emplace(where.file);
    const std::string_view text = inputs_.sources.file(where.file).text();
    for (std::size_t begin = 0; fresh && begin < text.size();) {
      const std::size_t end = std::min(text.find("\n---", begin), text.size());
      const std::string_view document = text.substr(begin, end - begin);
      file->second[end] = std::ranges::any_of(words_, [&](std::string_view one) { return contains(document, one); });
      begin = end + 1;
    }
    const auto document = file->second.lower_bound(where.begin);
    return document != file->second.end() && document->second;
  }

 private:
  const Inputs& inputs_;
  std::vector<std::string_view> words_;
  std::map<FileId, std::map<std::size_t, bool>> ends_;  ///< of documents, and whether they have a word
};

}  // namespace muster
