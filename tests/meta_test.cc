// What the repository promises about itself: nothing is added without its words, sources and cases.
#include <algorithm>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "cli/run.h"
#include "facts/object_type.h"
#include "finding/rule_info.h"
#include "kinds/registry.h"
#include "model/gang.h"
#include "model/topology.h"
#include "report/report.h"
#include "rulebook/rule_book.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

const muster::RuleBook& book() {
  static const muster::Result<muster::RuleBook> result = muster::RuleBook::embedded();
  REQUIRE(result);
  return *result;
}

bool is_kebab(const std::string& id) {
  return !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
         id.front() != '-' && id.back() != '-';
}

}  // namespace

TEST_CASE("every rule has words, sources and a name that fits", "[meta]") {
  CHECK(book().rules().size() >= 24);
  for (const muster::Rule& rule : book().rules()) {
    INFO(rule.file);
    CHECK(is_kebab(rule.info.id));
    CHECK_FALSE(rule.info.since.empty());
    CHECK(rule.info.why.size() > 60);
    CHECK_FALSE(rule.info.help.empty());
    CHECK_FALSE(rule.info.sources.empty());
    CHECK(rule.file == "rules/" + rule.info.family + "/" + rule.info.id + ".yaml");
    CHECK((rule.collection != nullptr || rule.check == "reader" || rule.check == "prover"));
    if (rule.message) CHECK(rule.message->text().back() != '.');  // a message has no full stop
  }
}

TEST_CASE("every rule has a case that fires and one that does not", "[meta]") {
  std::set<std::string> firing;
  std::set<std::string> quiet;
  for (const muster::test::Case& test_case : muster::test::cases_in("rules")) {
    const std::string folder =
        muster::split(test_case.name, '/')[1] == "" ? "" : std::string(muster::split(test_case.name, '/')[1]);
    INFO(test_case.name);
    CHECK((book().find(folder) != nullptr));  // no cases of rules that are gone
    const std::multiset<std::string> expected = muster::test::expectations(test_case);
    const bool fires = std::ranges::any_of(expected, [&](const std::string& line) {
      return line.ends_with(" " + folder) && !line.starts_with("unknown ");
    });
    (fires ? firing : quiet).insert(folder);
  }
  // A file that cannot be read is no file of a repository: tests/pipeline/discover_test.cc has it.
  firing.insert("unreadable-file");
  quiet.insert("unreadable-file");
  // Those of `muster inventory` are about dumps: tests/inventory/cases_test.cc holds their cases against the goldens.
  for (const std::string& name : muster::test::entries(muster::test::source_dir() + "/tests/cases/inventory")) {
    const std::string text = muster::test::read_file(muster::test::source_dir() + "/tests/cases/inventory/" + name +
                                                     "/expected.findings.txt");
    for (const muster::Rule& rule : book().rules()) {
      if (rule.info.family == "inventory")
        (muster::contains(text, "[" + rule.info.id + "]") ? firing : quiet).insert(rule.info.id);
    }
  }
  for (const muster::Rule& rule : book().rules()) {
    INFO(rule.info.id);
    CHECK(firing.count(rule.info.id) == 1);
    CHECK(quiet.count(rule.info.id) == 1);
  }
}

TEST_CASE("every kind has a case that is recognised as it", "[meta]") {
  const std::vector<std::string> folders = muster::test::entries(muster::test::source_dir() + "/tests/cases/kinds");
  const muster::DiskFileSystem disk;
  for (const muster::Kind& kind : muster::all_kinds()) {
    INFO(kind.id);
    std::ostringstream out;
    std::ostringstream err;
    muster::Console console{out, err, disk};
    const std::string folder = muster::test::source_dir() + "/tests/cases/kinds/" + std::string(kind.id);
    REQUIRE(muster::run({"dump", "artifacts", folder}, console) == 0);
    CHECK(muster::contains(out.str(), ": " + std::string(kind.id) + "\n"));
  }
  for (const std::string& folder : folders) {
    INFO(folder);
    CHECK(muster::find_kind(folder) != nullptr);
  }
}

TEST_CASE("unknown is a state of a field, never one of its words", "[meta]") {
  for (const muster::ObjectType* type : muster::object_types()) {
    for (const muster::Field& field : type->fields) {
      for (const std::string_view word : field.type.words) {
        INFO(type->name << "." << field.name);
        CHECK(word != "unknown");
      }
    }
  }
}

TEST_CASE("fields are sorted, so that they can be looked up, and documented", "[meta]") {
  for (const muster::ObjectType* type : muster::object_types()) {
    INFO(type->name);
    CHECK(std::ranges::is_sorted(type->fields, {}, &muster::Field::name));
    for (const muster::Field& field : type->fields) CHECK(field.doc.size() > 5);
  }
}

TEST_CASE("every row of a decision table has a reason and every table its sources", "[meta]") {
  REQUIRE(book().tables().size() >= 3);
  for (const muster::Table& table : book().tables()) {
    INFO(table.id);
    CHECK_FALSE(table.sources.empty());
    CHECK_FALSE(table.why.empty());
    for (const muster::TableRow& row : table.rows) CHECK(row.because.size() > 20);
  }
}

TEST_CASE("documents and scripts name no folder of somebody's machine", "[meta]") {
  for (const char* path :
       {"README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/configuration.md", "docs/gangs.md",
        "scripts/muster", "scripts/setup.sh", "scripts/slurm-versions", "scripts/test", ".ci/run"}) {
    const std::string text = muster::test::read_file(muster::test::source_dir() + "/" + path);
    INFO(path);
    for (const char* folder : {"/home/", "/root/", "/Users/", "/tmp/"}) CHECK(text.find(folder) == std::string::npos);
  }
}
