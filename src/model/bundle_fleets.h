#pragma once

#include <map>
#include <string>

#include "model/model.h"

namespace muster {

/// Which fleet file speaks of a bundle: its only one, else the only one that muster.yaml or the command line names,
/// which has no bundle. The model has to stay.
class BundleFleets {
 public:
  explicit BundleFleets(const Model& model);

  /// nullptr: there is none, or there are several.
  const Fleet* of(const std::string& bundle) const;

 private:
  std::map<std::string, const Fleet*> only_;  ///< by bundle; nullptr: it has several
};

}  // namespace muster
