// --fix and --diff: what is changed, and that nothing else is.
#include <algorithm>
#include <filesystem>
#include <tuple>

#include "base/strings.h"
#include "report/unified_diff.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"

using Json = nlohmann::json;

namespace {

using muster::contains;
using muster::unified_diff;
using muster::test::Ran;
using muster::test::read_file;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::write_file;

constexpr const char* kSite =
    "# ours\r\nClusterName=c\r\nSlurmctldHost=h\r\nFastSchedule=1\r\nSelectType=select/cons_res\r\n"
    "NodeName=n[1-4]   Procs=8 RealMemory=1000  # Procs stays here\r\nPartitionName=p Nodes=ALL";

struct Site {
  Site() { write_file(path(), kSite); }
  std::string path() const { return folder.path() + "/slurm.conf"; }
  std::string text() const { return read_file(path()); }
  Ran run(std::vector<std::string> options) const {
    options.insert(options.begin(), {"check", folder.path(), "--fail-on", "never"});
    return run_command(options);
  }
  TemporaryFolder folder;
};

/// A change as the formats tell it: lines and columns from 1, the end not included.
struct Told {
  std::size_t line, column, end_line, end_column;
  std::string text;
};

/// Where line and column are, in bytes; columns count code points, or bytes.
std::size_t offset_of(const std::string& text, std::size_t line, std::size_t column, bool bytes) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  for (std::size_t i = 1; i < column; ++i) {
    ++at;
    while (!bytes && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

std::string applied(std::string text, std::vector<Told> edits, bool bytes) {
  std::ranges::sort(edits, [](const Told& a, const Told& b) {
    return std::tie(a.line, a.column) > std::tie(b.line, b.column);  // from the end: places before it stay
  });
  for (const Told& edit : edits) {
    const std::size_t begin = offset_of(text, edit.line, edit.column, bytes);
    text.replace(begin, offset_of(text, edit.end_line, edit.end_column, bytes) - begin, edit.text);
  }
  return text;
}

}  // namespace

TEST_CASE("the edits that json, sarif and rdjson tell come to what --fix writes", "[cli][fix][formats]") {
  const Site site;
  const std::string before =
      "ClusterName=c\nSlurmctldHost=h\nFastSchedule=1\nSelectType=select/cons_res\n"
      "NodeName=n[1-4] Comment=größer Procs=8 RealMemory=1000\nPartitionName=p Nodes=ALL\n";
  write_file(site.path(), before);
  std::vector<Told> safe;
  std::vector<Told> all;
  const Json told = Json::parse(site.run({"--format", "json"}).out);
  for (const Json& finding : told["findings"]) {
    if (finding["fix"].is_null()) continue;
    for (const Json& edit : finding["fix"]["edits"]) {
      const Json& place = edit["location"];
      all.push_back({place["line"], place["column"], place["end_line"], place["end_column"], edit["text"]});
      if (finding["fix"]["safety"] == "safe") safe.push_back(all.back());
    }
  }
  std::vector<Told> sarif;
  const Json log = Json::parse(site.run({"--format", "sarif"}).out);
  for (const Json& result : log["runs"][0]["results"]) {
    for (const Json& fix : result.value("fixes", Json::array())) {
      CHECK(fix["artifactChanges"][0]["artifactLocation"] ==
            result["locations"][0]["physicalLocation"]["artifactLocation"]);
      for (const Json& one : fix["artifactChanges"][0]["replacements"]) {
        const Json& region = one["deletedRegion"];
        sarif.push_back({region["startLine"], region["startColumn"], region["endLine"], region["endColumn"],
                         one["insertedContent"]["text"]});
      }
    }
  }
  std::vector<Told> suggested;
  const Json comments = Json::parse(site.run({"--format", "rdjson"}).out);
  for (const Json& one : comments["diagnostics"]) {
    for (const Json& edit : one.value("suggestions", Json::array())) {
      const Json& range = edit["range"];
      suggested.push_back({range["start"]["line"], range["start"]["column"], range["end"]["line"],
                           range["end"]["column"], edit["text"]});
    }
  }
  site.run({"--fix"});
  const std::string safely = site.text();
  CHECK(safely != before);
  CHECK(applied(before, safe, false) == safely);
  CHECK(applied(before, suggested, true) == safely);
  site.run({"--fix", "--unsafe"});
  CHECK(site.text() != safely);
  CHECK(applied(before, all, false) == site.text());
  CHECK(applied(before, sarif, false) == site.text());
}

TEST_CASE("a safe fix changes names and takes out what has no effect, and not a byte more", "[cli][fix]") {
  const Site site;
  const Ran ran = site.run({"--fix"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.err, "2 findings fixed in 1 file; --unsafe would fix 1 more"));
  CHECK(!contains(ran.out, "slurm-key-old-name"));
  const std::string once = site.text();
  CHECK(once ==
        "# ours\r\nClusterName=c\r\nSlurmctldHost=h\r\nSelectType=select/cons_res\r\n"
        "NodeName=n[1-4]   CPUs=8 RealMemory=1000  # Procs stays here\r\nPartitionName=p Nodes=ALL");
  CHECK(contains(site.run({"--fix"}).err, "0 findings fixed in 0 files"));
  CHECK(site.text() == once);
}

TEST_CASE("what is said once of many lines is mended in all of them, and in no comment", "[cli][fix]") {
  const Site site;
  std::string before = "ClusterName=c\nSlurmctldHost=h\n#NodeName=old Procs=8\n";
  std::string after = before;
  for (int i = 0; i < 30; ++i) {
    before += "NodeName=n" + std::to_string(i) + " Procs=8 RealMemory=1000\n";
    after += "NodeName=n" + std::to_string(i) + " CPUs=8 RealMemory=1000\n";
  }
  write_file(site.path(), before + "PartitionName=p Nodes=ALL\n");
  site.run({"--fix"});
  CHECK(site.text() == after + "PartitionName=p Nodes=ALL\n");
  // Where the right name stands there already, two would not agree.
  write_file(site.path(), before + "NodeName=x CPUs=4 Procs=8 RealMemory=1000\nPartitionName=p Nodes=ALL\n");
  CHECK(contains(site.run({"--fix"}).err, "there would then be one more finding: slurm-record-key-repeated"));
  CHECK(contains(site.text(), "NodeName=n0 Procs=8"));
}

TEST_CASE("what then runs differently is changed only where that is asked for", "[cli][fix]") {
  const Site site;
  CHECK(contains(site.run({"--fix", "--unsafe"}).err, "3 findings fixed in 1 file\n"));
  CHECK(contains(site.text(), "SelectType=select/cons_tres\r\n"));
}

TEST_CASE("a diff changes nothing, applies, and ends as the check of what is there", "[cli][fix]") {
  const Site site;
  const Ran ran = site.run({"--diff"});
  CHECK(site.run({"--fix", "--diff"}).out == ran.out);
  CHECK(site.text() == kSite);
  CHECK(contains(ran.out, "-FastSchedule=1\r\n"));
  CHECK(contains(ran.out, "+NodeName=n[1-4]   CPUs=8 RealMemory=1000  # Procs stays here\r\n"));
  CHECK(!contains(ran.out, "warning["));
  CHECK(contains(ran.err, "2 findings would be fixed in 1 file"));
  CHECK(run_command({"check", site.folder.path(), "--diff", "--fail-on", "info"}).code == 1);
}

TEST_CASE("a fix that shows what was hidden goes on with that, one that would bring a finding is left", "[cli][fix]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/job.yaml";
  write_file(
      path,
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      \"restartPolcy\": "
      "Neverr\n      containers: [{name: a, image: \"a:1\"}]\n");
  const Ran ran = run_command({"check", folder.path(), "--fix", "--fail-on", "never"});
  CHECK(contains(read_file(path), "\"restartPolicy\": Never\n"));
  CHECK(contains(ran.err, "fixed in 1 file"));
  // The right name, and a value that the field does not take: no better than before.
  write_file(path,
             "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelsm: many\n  template:\n    spec:\n"
             "      restartPolicy: Never\n      containers: [{name: a, image: \"a:1\"}]\n");
  const Ran left = run_command({"check", folder.path(), "--fix", "--fail-on", "never"});
  CHECK(contains(read_file(path), "parallelsm: many"));
  CHECK(contains(left.err, "not fixed: "));
  CHECK(contains(left.err, "there would then be one more finding: field-type in "));
}

TEST_CASE("a link in a folder is not written through, and options that say nothing are refused", "[cli][fix]") {
  const Site site;
  std::filesystem::create_directory(site.folder.path() + "/linked");
  const std::string link = site.folder.path() + "/linked/slurm.conf";
  std::filesystem::create_symlink("../slurm.conf", link);
  CHECK(contains(site.run({"--fix"}).err,
                 "linked/slurm.conf:4: slurm-fast-schedule-ignored: it stands in no UTF-8 file"));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(!contains(site.text(), "FastSchedule"));
  CHECK(run_command({"check", "-", "--fix"}).code == 2);
  CHECK(site.run({"--unsafe"}).code == 2);
}

TEST_CASE("what a rule that is not selected would find counts as well", "[cli][fix]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/job.yaml";
  write_file(path,
             "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n"
             "      restartPolicy: Never\n      containers: [{name: a, image: \"a:1\", imagePullPolcy: Sometimes}]\n");
  const Ran ran = run_command({"check", folder.path(), "--fix", "--select", "field-unknown", "--fail-on", "never"});
  CHECK(contains(ran.err, "a rule that is not selected would then find more"));
  CHECK(contains(read_file(path), "imagePullPolcy"));
}

TEST_CASE("a name that means something else, and what an older release reads, are no safe fix", "[cli][fix]") {
  const Site site;
  const std::string text =
      "ClusterName=c\nSlurmctldHost=h\nSelectType=select/cons_tres\nCryptoType=crypto/munge\nNodeName=n1 CPUs=8 "
      "RealMemory=9\n"
      "PartitionName=p Nodes=n1 Priority=5\n";
  write_file(site.path(), text);
  CHECK(contains(site.run({"--fix"}).out, "info[slurm-key-old-name]: `Priority`"));
  CHECK(site.text() == text);
  // Read up to 20.02, defunct behind it; which release runs nobody says.
  write_file(site.path(), "ClusterName=c\nSlurmctldHost=h\nFastSchedule=1\n");
  site.run({"--fix", "--target", "slurm=19.05"});
  CHECK(contains(site.text(), "FastSchedule"));
}

TEST_CASE("a diff prints nothing that a runner takes for a command", "[cli][fix]") {
  const Site site;
  write_file(site.path(), "ClusterName=c\nSlurmctldHost=h\n::set-env name=A::b\n# ##[error]x\nFastSchedule=1\n");
  const Ran ran = site.run({"--diff", "--select", "slurm-fast-schedule-ignored"});
  CHECK(contains(ran.out, "-FastSchedule=1\n"));
  CHECK(contains(ran.out, " \\x3a:set-env"));
  CHECK(!contains(ran.out, "##["));
}

TEST_CASE("every rule with a fix has a case that it mends, once and for all", "[cli][fix]") {
  const std::string rules = muster::test::source_dir() + "/tests/cases/rules";
  std::size_t with_fix = 0;
  for (const std::string& rule : muster::test::entries(rules)) {
    if (!contains(run_command({"explain", rule}).out, "\nFix: ")) continue;
    ++with_fix;
    INFO(rule);
    bool mended = false;
    for (const std::string& name : muster::test::entries(rules + "/" + rule)) {
      const TemporaryFolder folder;
      const std::string source = rules + "/" + rule + "/" + name;
      const bool several = muster::test::is_folder(source);
      std::filesystem::copy(source, folder.path() + (several ? "" : "/" + name),
                            std::filesystem::copy_options::recursive);
      const std::vector<std::string> words{"check", folder.path(), "--fix", "--unsafe", "--fail-on", "never"};
      std::vector<std::string> this_rule = words;
      this_rule.insert(this_rule.end(), {"--select", rule});
      mended = mended || !contains(run_command(this_rule).err, "muster: 0 findings fixed");
      run_command(words);
      CHECK(contains(run_command(words).err, "muster: 0 findings fixed in 0 files"));
    }
    CHECK(mended);
  }
  CHECK(with_fix >= 20);
}

TEST_CASE("a unified diff has three lines around each change and says where a last line has no end", "[fix]") {
  CHECK(unified_diff("f", "a\n", "a\n").empty());
  CHECK(unified_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(unified_diff("f", "1\n2", "1\n3") ==
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n\\ No newline at end of file\n");
  CHECK(unified_diff("f", "1\n2\n3\n", "1\n3\n") == "--- a/f\n+++ b/f\n@@ -1,3 +1,2 @@\n 1\n-2\n 3\n");
}
