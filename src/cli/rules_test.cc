#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "pipeline/rule_cases.h"

namespace muster {

int run_rules_test(const Arguments& arguments, Console& console) {
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  const std::string folder = arguments.expression.empty() ? "tests/cases/rules" : arguments.expression;
  Result<std::vector<RuleCase>> cases = run_rule_cases(folder, *options, console.disk);
  if (!cases) return fail(console, cases.error().message);
  if (cases->empty())
    return fail(console,
                "there are no cases in `" + folder + "`; a case is a file or folder in a folder called like its rule");
  std::size_t failed = 0;
  for (const RuleCase& rule_case : *cases) {
    if (rule_case.missing.empty() && rule_case.surplus.empty() && rule_case.loud.empty()) continue;
    ++failed;
    console.out << printable(rule_case.path) << "\n";
    for (const std::string& line : rule_case.missing)
      console.out << "  expected, not found: " << printable(line) << "\n";
    for (const std::string& line : rule_case.surplus)
      console.out << "  found, not expected: " << printable(line) << "\n";
    for (const std::string& place : rule_case.loud)
      console.out << "  not silenced by the change of " << printable(place) << "\n";
  }
  console.out << count_of(cases->size(), "case") << ", " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace muster
