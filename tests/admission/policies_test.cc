// Admission policies, judged by our own CEL on all cases of the rule book. tests/kubernetes/admission_test.cc has the
// real API server do the same.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/strings.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
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
  std::set<std::string> excepted;
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
        const bool differs =
            saying.open ? speaks : verdict.says == PolicyVerdict::Says::Fails || speaks != saying.speaks;
        if (object.is_excepted(rule)) {
          if (differs) excepted.insert(object.place + " " + rule);
          continue;
        }
        // What a rule does not decide nobody may be denied.
        if (saying.open) {
          CHECK_FALSE(speaks);
          continue;
        }
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
  for (const test::PolicyException& one : test::policy_exceptions()) {
    INFO("tests/admission/exceptions.txt says it in vain: " << one.what);
    CHECK((one.of_the_server || excepted.contains(one.what)));
  }
}

TEST_CASE("lists of a policy have items of one type, as the API server wants them", "[admission]") {
  std::string found;
  for (const PolicyVariable& one : policy_of("server-model-above-memory").variables) found += one.expression;
  CHECK(contains(found, "[dyn(\"accelerator=nvidia-l4$\"), dyn(22.5)]"));
  CHECK_FALSE(contains(found, "\", 22.5]"));
}

TEST_CASE("conditions with comments and of several lines are policies that mean the same", "[admission]") {
  const auto rule = [](const std::string& when) {
    return "id: site-job-group\nsince: \"0.1\"\nseverity: warning\nplane: workload\nreversibility: reversible\n"
           "effect: ignored\nfor: j in kubernetes_jobs\nwhen:\n" +
           when +
           "at: j.parallelism\nmessage: \"Job `${j.name}` is wide\"\nhelp: \"make\\nit less\"\nwhy: |\n  A site has"
           " its own reasons, and writes\n  them down here.\nsources: [\"docs (1)\"]\n";
  };
  const auto policies = [&](const std::string& when) {
    const test::Ran ran = test::run_command({"generate", "admission-policy", "--rules", "site"},
                                            test::FakeDisk({{"site/workload/site-job-group.yaml", rule(when)}}));
    INFO(ran.err);
    CHECK(ran.code == 0);
    const std::size_t at = ran.out.find("name: muster-site-job-group\n");
    REQUIRE(at != std::string::npos);
    return replace_all(ran.out.substr(at, ran.out.find("---\n", at) - at), "\n        ", " ");
  };
  const std::string plain =
      policies("  - has(j.parallelism)\n  - j.parallelism > 8 || j.parallelism == 5\n  - j.name != \"a\\nb\"\n");
  CHECK(contains(plain, "is wide; make\\nit less"));
  CHECK(contains(plain, "(j.spec.parallelism > 8 || j.spec.parallelism == 5) && object.metadata.name != \"a\\nb\""));
  CHECK(
      policies(
          "  - has(j.parallelism)  // there\n  - |\n    j.parallelism > 8  // many\n    ||\n    j.parallelism == 5 // "
          "or five\n  - |\n    j.name != \"\"\"a\n    b\"\"\"\n") == plain);
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
