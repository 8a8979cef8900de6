#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lsp/open_files.h"
#include "lsp/text_position.h"

namespace muster {

/// A file that the editor has open.
struct OpenDocument {
  std::string uri;   ///< as the editor writes it
  std::string path;  ///< absolute
  std::string text;
  std::int64_t version = 0;
};

/// The files that the editor has open, as it last told.
class OpenDocuments {
 public:
  /// What the editor opens; nullptr where it is no file, or too large to be checked.
  const OpenDocument* open(const nlohmann::json& item);
  /// After the changes of a didChange, in their order; nullptr where the file is not open, or a change is not one.
  const OpenDocument* change(const nlohmann::json& params, PositionEncoding encoding);
  /// The path of what is open no more; empty where it was not.
  std::string close(const std::string& uri);

  const OpenDocument* find(const std::string& uri) const;
  const OpenDocument* at_path(const std::string& path) const;
  OpenTexts texts() const;
  const std::map<std::string, OpenDocument>& all() const { return by_uri_; }

 private:
  std::map<std::string, OpenDocument> by_uri_;
};

}  // namespace muster
