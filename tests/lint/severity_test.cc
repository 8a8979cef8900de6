// Severities that follow what a finding is about; the marks of the rules' cases do not tell them.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

using muster::contains;
using muster::test::run_command;

namespace {

/// What `muster check` says of a case of a rule.
std::string said_of(const std::string& path) {
  return run_command({"check", muster::test::source_dir() + "/tests/cases/rules/" + path}).out;
}

}  // namespace

TEST_CASE("a benchmark that a person starts needs no gang scheduler as much as training does", "[lint][severity]") {
  CHECK(contains(said_of("gang-scheduler-missing/fires-benchmark.yaml"), "info[gang-scheduler-missing]"));
  CHECK(contains(said_of("gang-scheduler-missing/fires.yaml"), "warning[gang-scheduler-missing]"));
}

TEST_CASE("a monitor that holds a device weighs more where it need not have one", "[lint][severity]") {
  const std::string said = said_of("release-monitor-holds-device/fires.yaml");
  CHECK(contains(said, "warning[release-monitor-holds-device]: "));
  CHECK(contains(said, "info[release-monitor-holds-device]: "));
}
