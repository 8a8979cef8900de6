#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lsp/folder_findings.h"
#include "lsp/open_documents.h"

namespace muster {

/// What the editor says it understands.
struct ClientAbilities {
  bool related_information = false;
  bool unnecessary_tag = false;
  bool code_description = false;
  bool versioned_edits = false;  ///< WorkspaceEdit.documentChanges
  bool watches_files = false;    ///< where the server asks for it
};

/// A place of an open file that the editor asks about, and what is known of it.
struct AskedPlace {
  const OpenDocument& document;
  TextPosition at;
  PositionEncoding encoding;
  const FolderFindings* findings;  ///< of its folder; nullptr: it lies in none
  const ClientAbilities& client;
  std::function<std::string(const std::string& path)> uri_of;

  /// The findings of the file that hold the place.
  std::vector<const PlacedFinding*> found() const;
  const RuleInfo* rule(const std::string& id) const;
};

}  // namespace muster
