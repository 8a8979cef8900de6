// Admission policies, judged by our own CEL on all cases of the rule book. tests/kubernetes/admission_test.cc has the
// real API server do the same.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/strings.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/policies.h"
#include "support/policy_cases.h"
#include "support/refusals.h"
#include "syntax/yaml_reader.h"

using namespace muster;
using test::PolicyJudge;
using test::PolicyVerdict;

namespace {

Document document_of(const std::string& text) {
  Document out;
  std::vector<Finding> ignored;
  REQUIRE(read_yaml(text, {FileId{0}, 0, static_cast<std::uint32_t>(text.size())}, out, ignored));
  return out;
}

const AdmissionPolicy& policy_of(const std::string& rule) {
  const auto& all = test::shipped_policies().policies;
  const auto found = std::ranges::find(all, rule, &AdmissionPolicy::rule);
  INFO(rule);
  REQUIRE(found != all.end());
  return *found;
}

constexpr const char* kPinned =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n    - name: main\n"
    "      env: [{name: NVIDIA_VISIBLE_DEVICES, value: \"0\"}]\n      resources: {limits: {nvidia.com/gpu: 1}}\n";

}  // namespace

TEST_CASE("policies say of each object of the cases what their rules say", "[admission]") {
  std::vector<PolicyJudge> judges;
  for (const AdmissionPolicy& policy : test::shipped_policies().policies) judges.emplace_back(policy);
  std::set<std::string> speaking;
  std::size_t judged = 0;
  for (const test::Case& one : test::cases_in("rules")) {
    std::optional<test::RuleSayings> sayings;  // checking is most of the work: only where a policy says something
    const std::string own = std::filesystem::path(one.name).parent_path().filename().string();
    for (const test::PolicyCase& object : test::policy_cases(one)) {
      const Document document = document_of(object.manifest.text);
      for (const PolicyJudge& judge : judges) {
        const std::string& rule = judge.policy().rule;
        if (!judge.is_about(object.manifest.api_version, object.manifest.kind)) continue;
        const PolicyVerdict verdict = judge.judge(document.root());
        ++judged;
        const bool speaks = verdict.says == PolicyVerdict::Says::Speaks;
        if (speaks) speaking.insert(rule);
        if (!speaks && own != rule) continue;
        if (!sayings) sayings = test::sayings_of(one);
        const test::Saying saying = sayings->of(rule, object);
        INFO(object.place << " " << rule << "\npolicy: " << verdict.message << "\nrule: " << saying.message);
        if (saying.open || object.is_excepted(rule)) continue;
        CHECK(verdict.says != PolicyVerdict::Says::Fails);
        CHECK(speaks == saying.speaks);
        if (speaks && saying.speaks && judge.policy().message_expression)
          CHECK(verdict.message.substr(0, saying.message.size()) == saying.message);
      }
    }
  }
  std::cout << "admission policies: " << judges.size() << ", " << judged << " verdicts on objects of cases\n";
  for (const PolicyJudge& judge : judges) {
    INFO("no case on which this policy speaks: " << judge.policy().rule);
    CHECK(speaking.contains(judge.policy().rule));
  }
}

TEST_CASE("an update of what was so before is let through", "[admission]") {
  const PolicyJudge judge(policy_of("container-pins-device"));
  const std::string text = kPinned;
  const Document pinned = document_of(text);
  std::string free_text = text;
  free_text.replace(free_text.find("value: \"0\""), 10, "value: none");
  const Document free = document_of(free_text);
  CHECK(judge.judge(pinned.root()).says == PolicyVerdict::Says::Speaks);
  CHECK(judge.judge(free.root()).says == PolicyVerdict::Says::Quiet);
  CHECK(judge.judge(pinned.root(), free.root()).says == PolicyVerdict::Says::Speaks);
  CHECK(judge.judge(pinned.root(), pinned.root()).says == PolicyVerdict::Says::Quiet);
}

TEST_CASE("each rule is a policy or is left out with a reason", "[admission]") {
  const Result<RuleBook> book = RuleBook::embedded();
  REQUIRE(book);
  std::multiset<std::string> seen;
  for (const AdmissionPolicy& policy : test::shipped_policies().policies) seen.insert(policy.rule);
  for (const UnstatedRules& one : test::shipped_policies().left_out) {
    CHECK(!one.reason.empty());
    seen.insert(one.rules.begin(), one.rules.end());
  }
  std::multiset<std::string> rules;
  for (const Rule& rule : book->rules()) rules.insert(rule.info.id);
  CHECK(seen == rules);
  CHECK(test::shipped_policies().policies.size() >= 60);
}

TEST_CASE("what is written are policies and bindings by their names, without any input", "[admission]") {
  const test::Ran ran = test::run_command({"generate", "admission-policy"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  std::multiset<std::string> names;
  for (const Span& where : split_yaml_documents(FileId{0}, ran.out)) {
    Document document;
    std::vector<Finding> ignored;
    REQUIRE(read_yaml(ran.out, where, document, ignored));
    const Node root = document.root();
    names.emplace(root["metadata"]["name"].text());
    if (root["kind"].text() != "ValidatingAdmissionPolicy") continue;
    CHECK(root["spec"]["failurePolicy"].text() == "Ignore");
    const AdmissionPolicy& policy = policy_of(std::string(root["metadata"]["name"].text().substr(7)));
    CHECK(root["spec"]["validations"].item(0)["expression"].text() == policy.expression);
    REQUIRE(root["spec"]["variables"].size() == policy.variables.size());
    for (std::size_t i = 0; i < policy.variables.size(); ++i)
      CHECK(root["spec"]["variables"].item(i)["expression"].text() == policy.variables[i].expression);
  }
  std::multiset<std::string> expected;
  for (const AdmissionPolicy& policy : test::shipped_policies().policies) {
    expected.insert({policy.name, policy.name});
    const std::vector<std::string> actions = policy.severity == Severity::Error ? std::vector<std::string>{"Deny"}
                                             : policy.severity == Severity::Warning
                                                 ? std::vector<std::string>{"Warn", "Audit"}
                                                 : std::vector<std::string>{"Audit"};
    CHECK(policy.actions == actions);
  }
  CHECK(names == expected);
  CHECK(contains(ran.out, "# refused already, by the API server, an operator's webhook or slurmctld:\n"));
}
