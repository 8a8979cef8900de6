// Objects of the rules' cases, and what a check says of each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/api_server.h"
#include "support/cases.h"

namespace muster::test {

struct PolicyCase {
  std::string file;   ///< absolute
  std::string place;  ///< rules/gang-of-one/fires.yaml:1
  ManifestText manifest;
  int first_line = 1;
  int last_line = 1;

  /// Whether tests/admission/exceptions.txt says why a policy may say something else of it.
  bool is_excepted(const std::string& rule) const;
};

/// A line of tests/admission/exceptions.txt.
struct PolicyException {
  std::string what;            ///< `PLACE RULE`
  bool of_the_server = false;  ///< only an API server differs, by what it serves or fills in
};
const std::vector<PolicyException>& policy_exceptions();

/// Those of a case that are alone in their document.
std::vector<PolicyCase> policy_cases(const Case& one);

struct Saying {
  bool speaks = false;
  bool open = false;    ///< it is not decided
  std::string message;  ///< of the first finding
};

/// What a check of a case finds, suppressed findings too.
class RuleSayings {
 public:
  Saying of(const std::string& rule, const PolicyCase& object) const;

 private:
  friend RuleSayings sayings_of(const Case& one);
  struct Said {
    std::string rule;
    int line = 0;
    bool open = false;
    std::string message;
  };
  std::multimap<std::string, Said> by_file_;
};
RuleSayings sayings_of(const Case& one);

}  // namespace muster::test
