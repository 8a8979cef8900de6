// docs/catalogue.md is true: every entry is there, every rule it names exists and fires in the case beside it, and a
// change of the field that decides makes the rule quiet.
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "pipeline/rule_cases.h"
#include "rulebook/rule_book.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

using muster::split;
using muster::trim;

struct Entry {
  std::string id;
  std::map<std::string, std::string> cases;  ///< by rule
  std::string reason;
};

/// The rows of the table.
std::vector<Entry> entries_of_page() {
  std::vector<Entry> out;
  std::istringstream text(muster::test::read_file(muster::test::source_dir() + "/docs/catalogue.md"));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("| G")) continue;
    const std::vector<std::string_view> cells = split(line, '|');
    INFO(line);
    REQUIRE(cells.size() == 6);
    Entry entry{std::string(trim(cells[1])), {}, std::string(trim(cells[4]))};
    for (const std::string_view named : split(cells[3], ',')) {
      if (trim(named).empty()) continue;
      // [ID](rules.md#ID) `CASE`
      const std::string_view one = trim(named);
      const std::size_t close = one.find(']');
      const std::size_t tick = one.find('`');
      REQUIRE(one.front() == '[');
      REQUIRE(close != one.npos);
      REQUIRE(tick != one.npos);
      entry.cases[std::string(one.substr(1, close - 1))] = one.substr(tick + 1, one.size() - tick - 2);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

TEST_CASE("the catalogue has every entry once, with rules that fire or a reason", "[catalogue]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  std::map<std::string, muster::test::Case> cases;
  for (const muster::test::Case& one : muster::test::cases_in("rules")) cases[one.name] = one;
  const std::vector<Entry> entries = entries_of_page();
  REQUIRE(entries.size() == 160);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    INFO(entry.id);
    const std::string number = std::to_string(i + 1);
    CHECK(entry.id == "G" + std::string(number.size() < 2 ? "0" : "") + number);
    CHECK(entry.reason.size() > 2);
    if (entry.cases.empty())
      CHECK((entry.reason.starts_with("not decidable: ") || entry.reason.starts_with("not yet: ")));
    for (const auto& [rule, name] : entry.cases) {
      INFO(rule << " " << name);
      CHECK(book->find(rule) != nullptr);
      const auto found = cases.find("rules/" + rule + "/" + name);
      REQUIRE(found != cases.end());
      const std::multiset<std::string> expected = muster::test::expectations(found->second);
      const std::string ending = " " + rule;
      CHECK(std::ranges::any_of(
          expected, [&](const std::string& line) { return line.ends_with(ending) && !line.starts_with("unknown "); }));
    }
  }
}

TEST_CASE("a change of the decisive field silences every rule of the catalogue", "[catalogue][cases]") {
  const muster::DiskFileSystem disk;
  muster::Options options;
  options.today = *muster::parse_date("2026-06-01");
  const auto cases = muster::run_rule_cases(muster::test::source_dir() + "/tests/cases/rules", options, disk);
  REQUIRE(cases);
  std::set<std::string> silenced;
  for (const muster::RuleCase& one : *cases) {
    INFO(one.path);
    CHECK(one.loud == std::multiset<std::string>{});
    if (one.changes > 0) silenced.insert(std::filesystem::path(one.path).parent_path().filename().string());
  }
  for (const Entry& entry : entries_of_page()) {
    for (const auto& [rule, name] : entry.cases) {
      INFO(entry.id << " " << rule);
      CHECK(silenced.contains(rule));
    }
  }
}
