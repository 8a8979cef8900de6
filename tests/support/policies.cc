#include "support/policies.h"

#include <algorithm>

#include "admission/pod_templates.h"
#include "expr/expr.h"
#include "expr/functions.h"
#include "kinds/knowledge.h"
#include "kubernetes/any_value.h"
#include "support/catch.h"

namespace muster::test {
namespace {

Expr compiled_text(const AdmissionPolicy& policy, const std::string& text) {
  CompileEnv env;
  env.gradual = true;
  env.variables = {{"object", kDynType}, {"oldObject", kDynType}, {"variables", kDynType}};
  std::vector<ExprIssue> issues;
  std::optional<Expr> expr = Expr::compile(text, env, issues);
  INFO(policy.rule << ": " << text << "\n" << (issues.empty() ? "" : issues.front().message));
  REQUIRE(expr);
  return std::move(*expr);
}

}  // namespace

const AdmissionPolicies& shipped_policies() {
  static const Result<RuleBook> kBook = RuleBook::embedded();
  REQUIRE(kBook);
  static const AdmissionPolicies kPolicies = admission_policies(*kBook, Knowledge::shipped().described());
  return kPolicies;
}

struct PolicyJudge::Compiled {
  std::vector<std::pair<std::string_view, Expr>> variables;
  std::optional<Expr> expression;
  std::optional<Expr> words;
};

PolicyJudge::PolicyJudge(const AdmissionPolicy& policy) : policy_(policy) {
  auto compiled = std::make_unique<Compiled>();
  for (const PolicyVariable& one : policy.variables)
    compiled->variables.emplace_back(one.name, compiled_text(policy, one.expression));
  compiled->expression = compiled_text(policy, policy.expression);
  if (policy.message_expression) compiled->words = compiled_text(policy, *policy.message_expression);
  compiled_ = std::move(compiled);
}

PolicyJudge::PolicyJudge(PolicyJudge&&) noexcept = default;
PolicyJudge::~PolicyJudge() = default;

bool PolicyJudge::is_about(const std::string& api_version, const std::string& kind) const {
  const std::size_t slash = api_version.find('/');
  const std::string group = slash == std::string::npos ? "" : api_version.substr(0, slash);
  const std::string version = slash == std::string::npos ? api_version : api_version.substr(slash + 1);
  return std::ranges::any_of(policy_.resources, [&](const AdmittedResources& one) {
    return one.group == group && (one.version == "*" || one.version == version) &&
           std::ranges::find(one.names, resource_name(kind)) != one.names.end();
  });
}

PolicyVerdict PolicyJudge::judge(const Node& object, const Node& before) const {
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  context.slots = {any_value(object, context), before.exists() ? any_value(before, context) : Value::null(),
                   Value::null()};
  std::vector<MapEntry> made;
  const auto eval = [&](const Expr& expr) {
    context.begin_evaluation();
    return expr.eval(context);
  };
  for (const auto& [name, expr] : compiled_->variables) {
    const Value value = eval(expr);
    if (value.is(Value::Kind::Error)) return {PolicyVerdict::Says::Fails, std::string(value.as_error().message)};
    made.push_back({Value::of(name), value});
    context.slots[2] = make_map(made, context);
  }
  const Value value = eval(*compiled_->expression);
  if (value.is(Value::Kind::Error)) return {PolicyVerdict::Says::Fails, std::string(value.as_error().message)};
  if (!value.is(Value::Kind::Bool)) return {PolicyVerdict::Says::Fails, "it is no bool"};
  if (value.as_bool()) return {};
  PolicyVerdict out{PolicyVerdict::Says::Speaks, policy_.message};
  if (!compiled_->words) return out;
  const Value words = eval(*compiled_->words);
  if (words.is(Value::Kind::String)) out.message = words.as_text();
  return out;
}

}  // namespace muster::test
