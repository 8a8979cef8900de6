#pragma once

#include <optional>
#include <string>
#include <vector>

#include "finding/rule_info.h"
#include "model/workload.h"

namespace muster {

/// A decided value, or what it could still be and the facts that would settle it.
struct Choice {
  std::optional<std::string> value;
  std::vector<std::string> possible;  ///< when open, in the order of the table's values
  std::vector<std::string> unknown;   ///< exactly the facts whose values decide; sorted
  std::string because;                ///< of the row that decided; empty when open
  std::string rule;                   ///< table/row; empty when open
  Reversibility reversibility = Reversibility::Reversible;
};

/// An add-on that is needed, or could be.
struct AddonChoice {
  std::string id;
  Choice level;                       ///< required, recommended; `none` where it is not needed
  std::vector<std::string> options;   ///< products to choose from
};

/// What the tables say about one workload.
struct Decision {
  std::string workload;
  Choice primary;
  Choice host;
  std::vector<AddonChoice> addons;    ///< only those that are, or may be, needed; sorted by id
  Choice hybrid;                      ///< none, partition ...

  bool decided() const { return primary.value && host.value; }
};

}  // namespace muster
