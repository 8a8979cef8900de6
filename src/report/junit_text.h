#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A test, and what became of it: an element inside of it, or nothing when it passed.
struct JUnitTest {
  enum class Outcome { Passed, Failed, Skipped };
  std::string class_name;
  std::string name;  ///< any bytes; of one class no two have the same: GitLab would show one of them
  Outcome outcome = Outcome::Passed;
  std::string inside;  ///< of junit_outcome or junit_output
};

struct JUnitSuite {
  std::string name;
  std::vector<JUnitTest> tests;
};

/// `what`: failure or skipped. The body is printable lines.
std::string junit_outcome(std::string_view what, std::string_view type, const std::string& message,
                          const std::string& body);
/// What a test says that passed.
std::string junit_output(const std::string& body);

/// The whole. Source: jenkinsci/xunit-plugin: types/model/xsd/junit-10.xsd; what GitLab, Azure and CircleCI read is
/// less.
std::string junit_document(const std::vector<JUnitSuite>& suites);

}  // namespace muster
