#include "lint/first_conditions.h"

#include <algorithm>

#include "facts/manifest_facts.h"
#include "facts/types.h"

namespace muster {
namespace {

/// Whether its facts are what they are as soon as the model is there: those of Slurm depend on its release and on what
/// the book knows of its keys.
bool is_settled(const Collection& collection) {
  return manifest_def_of(collection) || collection.name == "containers" || collection.name == "gangs" ||
         collection.name == "key_uses";
}

}  // namespace

const std::vector<std::vector<const void*>>& FirstConditions::objects_of(const Collection& collection) {
  const auto [found, fresh] = objects_.try_emplace(&collection);
  for (std::size_t i = 0; fresh && i < models_.size(); ++i) {
    std::vector<const void*>& objects = found->second.emplace_back();
    collection.each(*models_[i], [&](const void* object) { objects.push_back(object); });
  }
  return found->second;
}

bool FirstConditions::may_hold(const Collection& collection, std::string_view variable, std::string_view condition) {
  if (!is_settled(collection)) return true;
  const std::vector<std::vector<const void*>>& objects = objects_of(collection);
  const auto are_many = [](const std::vector<const void*>& some) { return some.size() > ObjectBlock::kMost; };
  if (std::ranges::any_of(objects, are_many)) return true;
  const std::string key = std::string(collection.name) + " " + std::string(variable) + " " + std::string(condition);
  const auto [found, fresh] = answers_.try_emplace(key, true);
  if (!fresh) return found->second;
  CompileEnv env;
  env.variables = {{std::string(variable), Type{TypeKind::Object, nullptr, nullptr, collection.element, {}}},
                   {"target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}}}};
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = Expr::compile(condition, env, issues);  // nothing for one with parameters
  if (!expr || !expr->targets().empty()) return true;
  found->second = false;
  for (std::size_t i = 0; i < models_.size() && !found->second; ++i)
    found->second = may_hold_in(*models_[i], objects[i], collection, *expr);
  return found->second;
}

bool FirstConditions::may_hold_in(const Model& model, const std::vector<const void*>& objects,
                                  const Collection& collection, const Expr& condition) const {
  if (!model.workloads.empty()) return true;  // what is decided for them joins the model
  if (objects.empty()) return false;
  Arena arena;
  EvalContext context;
  context.read = {&model, &targets_, &arena, nullptr};
  context.slots.resize(2);
  context.slots[1] = Value::object(&target_type(), &target_type());
  ObjectBlock block(*collection.element);
  block.fill(objects);
  return condition.decided(block, block.all(), false, context) != block.all();
}

}  // namespace muster
