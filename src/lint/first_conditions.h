#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expr/expr.h"
#include "model/model.h"

namespace muster {

/// Asks conditions of rules, before the rules are read, whether they may hold for any object of some models.
class FirstConditions {
 public:
  FirstConditions(std::vector<const Model*> models, const Targets& targets)
      : models_(std::move(models)), targets_(targets) {}

  /// False: it holds for none, whatever is unknown. True also where that is not known yet, or where to ask takes longer
  /// than to read the rule.
  bool may_hold(const Collection& collection, std::string_view variable, std::string_view condition);

 private:
  /// The objects of a collection, model by model.
  const std::vector<std::vector<const void*>>& objects_of(const Collection& collection);
  bool may_hold_in(const Model& model, const std::vector<const void*>& objects, const Collection& collection,
                   const Expr& condition) const;

  std::vector<const Model*> models_;
  const Targets& targets_;
  std::map<const Collection*, std::vector<std::vector<const void*>>> objects_;
  std::map<std::string, bool> answers_;  ///< by collection, variable and condition: rules of a family begin alike
};

}  // namespace muster
