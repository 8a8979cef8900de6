// docs/devices.md is true: its tables are those of the code, every rule it names exists, and each mistake of others
// that it lists is found in the case beside it.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "model/device_platforms.h"
#include "model/device_releases.h"
#include "rulebook/rule_book.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

using muster::split;
using muster::trim;

std::string page_path() { return muster::test::source_dir() + "/docs/devices.md"; }

std::string or_dash(std::string_view text) { return text.empty() ? "-" : std::string(text); }

std::string since(std::string_view from, std::string_view until) {
  if (from.empty() && until.empty()) return "all";
  if (from.empty()) return "before " + std::string(until);
  return std::string(from) + (until.empty() ? " and later" : " up to before " + std::string(until));
}

std::string apis_table() {
  std::string out = "| API version | kinds | from | deprecated | gone |\n|---|---|---|---|---|\n";
  for (const muster::DeviceApi& row : muster::device_apis())
    out += "| " + std::string(row.api_version) + " | " + std::string(row.kinds) + " | " + std::string(row.since) +
           " | " + or_dash(row.deprecated) + " | " + or_dash(row.gone) + " |\n";
  return out;
}

std::string gates_table() {
  std::string out = "| gate | alpha | beta | on as shipped | stable |\n|---|---|---|---|---|\n";
  for (const muster::DeviceGate& row : muster::device_gates())
    out += "| " + std::string(row.name) + " | " + or_dash(row.alpha) + " | " + or_dash(row.beta) + " | " +
           or_dash(row.on) + " | " + or_dash(row.stable) + " |\n";
  return out;
}

std::string word_of(muster::PlatformGate gate) {
  switch (gate) {
    case muster::PlatformGate::AsShipped: return "as Kubernetes";
    case muster::PlatformGate::On: return "on";
    case muster::PlatformGate::Off: return "off unless stated";
    case muster::PlatformGate::None: return "none";
  }
  return "";
}

std::string platforms_table() {
  std::string out = "| `platform` | gate | Kubernetes | is | says | source |\n|---|---|---|---|---|---|\n";
  for (const muster::DevicePlatform& row : muster::device_platforms())
    out += "| `" + std::string(row.id) + "` | " + std::string(row.gate) + " | " + since(row.from, row.until) + " | " +
           word_of(row.has) + " | " + std::string(row.says) + " | " + std::string(row.source) + ", " +
           std::string(row.read) + (row.dated ? "" : " (no date of its own: look it up again)") + " |\n";
  return out;
}

std::string runtimes_table() {
  std::string out =
      "| runtime | CDI from | on as shipped from | before that it takes | key gone in |\n|---|---|---|---|---|\n";
  for (const muster::DeviceRuntime& row : muster::device_runtimes())
    out += "| " + std::string(row.name) + " | " + std::string(row.able) + " | " + std::string(row.on) + " | " +
           (row.key.empty() ? "-" : "`" + std::string(row.key) + "`") + " | " + or_dash(row.key_gone) + " |\n";
  return out;
}

std::string word_of(muster::ClaimScaling has) {
  switch (has) {
    case muster::ClaimScaling::None: return "no";
    case muster::ClaimScaling::Told: return "where it is told";
    case muster::ClaimScaling::On: return "yes";
  }
  return "";
}

std::string autoscalers_table() {
  std::string out = "| autoscaler | release | nodes for claims | setting | says |\n|---|---|---|---|---|\n";
  for (const muster::DeviceAutoscaler& row : muster::device_autoscalers())
    out += "| " + std::string(row.name) + " | " + since(row.from, row.until) + " | " + word_of(row.has) + " | " +
           (row.setting.empty() ? "-" : "`" + std::string(row.setting) + "`") + " | " + std::string(row.says) + " |\n";
  return out;
}

std::string schedulers_table() {
  std::string out = "| scheduler | reads resource.k8s.io/v1 from | on newer Kubernetes |\n|---|---|---|\n";
  for (const muster::DeviceScheduler& row : muster::device_schedulers())
    out += "| " + std::string(row.name) + " | " +
           (row.since.empty() ? "none: " + std::string(row.why_not) : std::string(row.since)) + " | " +
           (row.later_since.empty()
                ? "-"
                : std::string(row.later_since) + " from Kubernetes " + std::string(row.later_kubernetes) + " on") +
           " |\n";
  return out;
}

/// The names that stand in `[NAME](rules.md#NAME)`.
std::set<std::string> linked_rules(std::string_view text) {
  std::set<std::string> out;
  for (std::size_t at = text.find("](rules.md#"); at != text.npos; at = text.find("](rules.md#", at + 1)) {
    const std::size_t begin = at + std::string_view("](rules.md#").size();
    out.emplace(text.substr(begin, text.find(')', begin) - begin));
  }
  return out;
}

}  // namespace

TEST_CASE("the tables of docs/devices.md are those of the rows", "[docs][dra-versions]") {
  std::string page = muster::test::read_file(page_path());
  const std::vector<std::pair<std::string, std::string>> tables{{"apis", apis_table()},
                                                                {"gates", gates_table()},
                                                                {"platforms", platforms_table()},
                                                                {"runtimes", runtimes_table()},
                                                                {"autoscalers", autoscalers_table()},
                                                                {"schedulers", schedulers_table()}};
  for (const auto& [name, table] : tables) {
    INFO(name);
    const std::string begin = "<!-- " + name + " -->\n";
    const std::size_t at = page.find(begin);
    REQUIRE(at != page.npos);
    const std::size_t end = page.find("<!-- end -->\n", at);
    REQUIRE(end != page.npos);
    const std::size_t from = at + begin.size();
    if (std::getenv("MUSTER_ACCEPT") != nullptr) {
      page.replace(from, end - from, table);
      continue;
    }
    CHECK(page.substr(from, end - from) == table);
  }
  if (std::getenv("MUSTER_ACCEPT") != nullptr) muster::test::write_file(page_path(), page);
}

TEST_CASE("every rule that docs/devices.md names is there", "[docs]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const std::set<std::string> rules = linked_rules(muster::test::read_file(page_path()));
  CHECK(rules.size() > 20);
  for (const std::string& rule : rules) {
    INFO(rule);
    CHECK((book->find(rule) != nullptr || book->find_table(rule) != nullptr));
  }
}

TEST_CASE("mistakes that upstream ships are found in files of their shape", "[docs][cases]") {
  std::map<std::string, muster::test::Case> cases;
  for (const muster::test::Case& one : muster::test::cases_in("rules")) cases[one.name] = one;
  std::istringstream text(muster::test::read_file(page_path()));
  std::set<std::string> kinds;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("| U")) continue;
    INFO(line);
    const std::vector<std::string_view> cells = split(line, '|');
    REQUIRE(cells.size() == 7);
    const std::set<std::string> rules = linked_rules(cells[4]);
    REQUIRE(rules.size() == 1);
    const std::size_t tick = cells[4].find('`');
    const std::string name(cells[4].substr(tick + 1, cells[4].find('`', tick + 1) - tick - 1));
    kinds.emplace(trim(cells[1]));
    const auto found = cases.find("rules/" + *rules.begin() + "/" + name);
    REQUIRE(found != cases.end());
    CHECK(std::ranges::any_of(muster::test::expectations(found->second), [&](const std::string& expected) {
      return expected.ends_with(" " + *rules.begin()) && !expected.starts_with("unknown ");
    }));
  }
  CHECK(kinds.size() == 16);
}
