#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/date.h"
#include "base/result.h"
#include "facts/object_type.h"
#include "finding/finding.h"
#include "finding/rule_info.h"
#include "model/model.h"
#include "rulebook/rule_book.h"
#include "source/file_system.h"

namespace muster {

struct Configured;

/// An entry of `suppress:` in muster.yaml.
struct ConfigSuppression {
  std::string rule;
  std::string path;   ///< glob over files; empty: any
  std::string where;  ///< expression over the rule's own variable; empty: any
  std::string reason;
  std::optional<Date> until;
  Span place;  ///< of the entry
};

/// An entry of `operators:` in muster.yaml; whether there is such a setting depends on the site's own operators.
struct ConfigSetting {
  std::string which;  ///< id of the operator
  std::string setting;
  std::string value;
  Span place;         ///< of the value
  Position at_which;  ///< of the two keys
  Position at_setting;
};

/// muster.yaml at the root of a repository.
struct Config {
  std::string file;    ///< empty when there is none
  std::string shown;   ///< the file as reports call it
  std::string folder;  ///< it stands in, absolute
  std::string text;
  Targets targets;
  std::map<std::string, Span> target_places;
  std::string fleet;  ///< paths relative to the folder
  std::string workloads;
  std::string baseline;
  std::vector<std::string> excludes;
  std::vector<ConfigSetting> operators;  ///< for all bundles
  std::vector<std::string> rule_folders;
  bool complete = false;  ///< the bundle holds every object: a reference to nothing is an error
  std::map<std::string, std::optional<Severity>> severities;         ///< by rule; nullopt: off
  std::map<std::string, std::map<std::string, std::string>> params;  ///< by rule and name
  std::vector<RowOverride> rows;                                     ///< of decision tables
  std::vector<ConfigSuppression> suppressions;
};

/// Reads muster.yaml; every mistake in it is an error with its place.
Result<Config> read_config(const std::string& path, const FileSystem& disk);

/// The muster.yaml in the nearest folder at or above a path, if there is one.
std::optional<std::string> find_config(const std::string& path, const FileSystem& disk);

/// Adds `name=version` pairs separated by commas, as --target takes them.
std::optional<Error> add_targets(std::string_view text, Targets& targets);

/// What muster.yaml takes out of the report; `excluded`: files.
Configured configured_by(const Config& config, std::size_t excluded, const std::vector<SuppressedFinding>& suppressed);

}  // namespace muster
