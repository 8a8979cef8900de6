#include "report/junit_text.h"

#include <algorithm>

#include "report/xml_text.h"

namespace muster {
namespace {

std::size_t count_of_outcome(const JUnitSuite& suite, JUnitTest::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(suite.tests, outcome, &JUnitTest::outcome));
}

std::string test_element(const JUnitTest& test) {
  std::string out = "    <testcase" + xml_attribute("classname", test.class_name) + xml_attribute("name", test.name) +
                    xml_attribute("time", "0");
  if (test.inside.empty()) return out + "/>\n";
  return out + ">\n" + test.inside + "    </testcase>\n";
}

std::string suite_element(const JUnitSuite& suite) {
  std::string out = "  <testsuite" + xml_attribute("name", suite.name) + xml_attribute("tests", suite.tests.size()) +
                    xml_attribute("failures", count_of_outcome(suite, JUnitTest::Outcome::Failed)) +
                    xml_attribute("errors", std::size_t{0}) +
                    xml_attribute("skipped", count_of_outcome(suite, JUnitTest::Outcome::Skipped)) +
                    xml_attribute("time", "0") + ">\n";
  for (const JUnitTest& test : suite.tests) out += test_element(test);
  return out + "  </testsuite>\n";
}

}  // namespace

std::string junit_outcome(std::string_view what, std::string_view type, const std::string& message,
                          const std::string& body) {
  return "      <" + std::string(what) + xml_attribute("type", type) + xml_attribute("message", message) + ">" +
         xml_text(body) + "</" + std::string(what) + ">\n";
}

std::string junit_output(const std::string& body) { return "      <system-out>" + xml_text(body) + "</system-out>\n"; }

std::string junit_document(const std::vector<JUnitSuite>& suites) {
  std::string out;
  std::size_t tests = 0;
  std::size_t failures = 0;
  for (const JUnitSuite& suite : suites) {
    out += suite_element(suite);
    tests += suite.tests.size();
    failures += count_of_outcome(suite, JUnitTest::Outcome::Failed);
  }
  return std::string(kXmlHead) + "<testsuites" + xml_attribute("name", "muster") + xml_attribute("tests", tests) +
         xml_attribute("failures", failures) + xml_attribute("errors", std::size_t{0}) + ">\n" + out +
         "</testsuites>\n";
}

}  // namespace muster
