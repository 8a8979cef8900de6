#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kinds/knowledge.h"
#include "rulebook/rule_book.h"
#include "source/file_system.h"

namespace muster {

/// The files of a site's folders of rules.
struct SiteFiles {
  std::vector<RuleSource> rules;  ///< and tables
  std::vector<KnowledgeSource> knowledge;
};

/// Every .yaml file below the folders, in the order of the folders and then of their names. What stands below `kinds`,
/// `schedulers` and `operators` of a folder is about those, the rest are rules and tables. Folders nested too deep and
/// files too large are an error.
Result<SiteFiles> read_site_files(const std::vector<std::string>& folders, const FileSystem& disk);

}  // namespace muster
