#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

class FieldTable;

/// Goes through an object along the fields of its kind: keys that are no fields there (`field-unknown`, of kinds of
/// operators `custom-field-unknown`), values of another type (`field-type`), words that a field does not take
/// (`field-value`), and an API version that the kind does not have (`custom-api-version-unknown`). Placeholders and
/// what Kustomize writes into patches (`$patch`) are passed over; of a kind that `table` does not hold
/// nothing is said.
void check_fields(const Node& object, std::string_view api_version, std::string_view kind, const FieldTable& table,
                  std::vector<Finding>& findings);

/// Whether somebody fills in the rest of a mapping: a patch that says how it is merged, a key that is a placeholder.
bool is_filled_in_later(const Node& mapping);

/// Reports `custom-api-version-unknown` where there are versions, which are not that of the object; its pod templates
/// are gone through all the same.
void check_version(const Node& object, std::string_view api_version, std::string_view kind,
                   const std::vector<std::string>& versions, std::vector<Finding>& findings);

}  // namespace muster
