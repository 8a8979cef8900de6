// Each format is read by what others read it with: schemas, an XML parser, the schema language of XML, GitHub's own
// Markdown. No bytes in messages, paths or values get out of their place.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/render.h"
#include "report/report.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_schema.h"
#include "support/skip.h"

namespace {

using muster::test::JsonSchema;
using muster::test::SmallReport;
using muster::test::source_dir;
using Json = nlohmann::json;

constexpr std::size_t kReports = 60;

/// What gets out of one format or another, and any bytes.
std::string any_words(std::mt19937& dice) {
  static constexpr std::string_view kPieces[] = {"`",
                                                 "``",
                                                 "```",
                                                 "|",
                                                 "@team",
                                                 "@org/team",
                                                 "#12",
                                                 "GH-12",
                                                 "!7",
                                                 "<b>",
                                                 "<!--",
                                                 "-->",
                                                 "]]>",
                                                 "</details>",
                                                 "<script>",
                                                 "&lt;",
                                                 "&#64;x",
                                                 "&",
                                                 "[a](b)",
                                                 "![a](b)",
                                                 "http:/",
                                                 "/e.x",
                                                 "www.evil.com",
                                                 "a@evil.com",
                                                 "deadbeef01",
                                                 ":tada:",
                                                 "\n",
                                                 "\r\n",
                                                 "\t",
                                                 "\\",
                                                 "\"",
                                                 "'",
                                                 "%0A",
                                                 "::error::",
                                                 "##[group]",
                                                 "- ",
                                                 "1. ",
                                                 "# ",
                                                 "> ",
                                                 "    ",
                                                 "---",
                                                 "***",
                                                 "__x__",
                                                 "~~x~~",
                                                 "$x$",
                                                 "\x1b[",
                                                 "\x7f",
                                                 "\xff",
                                                 "\xc3",
                                                 "\xef\xbf\xbe",
                                                 "\xef\xbf\xbf",
                                                 "\xe2\x80\xae",
                                                 "gr\xc3\xb6\xc3\x9f",
                                                 "word",
                                                 "the",
                                                 " ",
                                                 "(",
                                                 ")",
                                                 ".",
                                                 ",",
                                                 "://",
                                                 "{{ x }}",
                                                 "${x}"};
  std::string out;
  const std::size_t pieces = 1 + dice() % 12;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (dice() % 6 == 0) {
      out += static_cast<char>(dice() % 256);
    } else {
      out += kPieces[dice() % std::size(kPieces)];
    }
    if (dice() % 2 == 0) out += ' ';
  }
  return out;
}

/// Calls `visit` with reports of any bytes, and first with the plain, the hostile and the empty one.
void each_report(const std::function<void(const std::string& name, const muster::Report& report)>& visit) {
  const std::pair<const char*, void (*)(SmallReport&)> known[] = {
      {"plain", muster::test::fill_plain}, {"hostile", muster::test::fill_hostile}, {"empty", [](SmallReport&) {}}};
  for (const auto& [name, fill] : known) {
    SmallReport small;
    fill(small);
    visit(name, small.report);
  }
  std::mt19937 dice(7);
  for (std::size_t i = 0; i < kReports; ++i) {
    SmallReport small;
    muster::test::fill_with(small, [&] { return any_words(dice); });
    visit("any" + std::to_string(i), small.report);
  }
}

std::string render(const std::string& format, const muster::Report& report) {
  return muster::find_report_format(format)->render(report, muster::test::plain_options());
}

JsonSchema own_schema(const std::string& name) {
  return JsonSchema(muster::test::read_file(source_dir() + "/tests/report/schemas/" + name + ".schema.json"));
}

/// Writes each report in these formats into a folder, under NAME.FORMAT.
void write_reports(const std::string& folder, const std::vector<std::string>& formats) {
  each_report([&](const std::string& name, const muster::Report& report) {
    for (const std::string& format : formats)
      muster::test::write_file(folder + "/" + name + "." + format, render(format, report));
  });
}

bool runs(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

std::string wellformed(const std::string& what, const std::string& folder) {
  return "python3 -B '" + source_dir() + "/tests/report/wellformed.py' " + what + " '" + folder + "'";
}

/// Where scripts/test puts the schema of SARIF, which is OASIS's to give away.
std::string sarif_schema_path() {
  const char* path = std::getenv("MUSTER_SARIF_SCHEMA");
  return path != nullptr ? path : source_dir() + "/build/judges/sarif/package/lib/schemas/sarif-2.1.0-rtm.5.json";
}

}  // namespace

TEST_CASE("Code Quality reports have GitLab's keys, and no fingerprint twice", "[report][formats]") {
  const JsonSchema schema = own_schema("gitlab");
  each_report([&](const std::string& name, const muster::Report& report) {
    INFO(name);
    const Json written = Json::parse(render("gitlab", report));
    CHECK(schema.complaint(written) == "");
    CHECK(written.size() == report.findings.size());
  });
  Json wrong = Json::parse(R"([{"description": "d", "check_name": "c", "fingerprint": "0123456789abcdef",
                                "severity": "major", "location": {"path": "a", "lines": {"begin": 1}}}])");
  CHECK(schema.accepts(wrong));
  wrong[0]["location"]["path"] = "./a";
  CHECK_FALSE(schema.accepts(wrong));
  wrong[0]["location"] = {{"path", "a"}, {"lines", {{"begin", 0}}}};
  CHECK_FALSE(schema.accepts(wrong));
}

TEST_CASE("rdjson is what reviewdog's definition of it says, with columns in bytes", "[report][formats]") {
  const JsonSchema schema = own_schema("rdjson");
  each_report([&](const std::string& name, const muster::Report& report) {
    INFO(name);
    CHECK(schema.complaint(Json::parse(render("rdjson", report))) == "");
  });
  SmallReport small;
  muster::test::fill_plain(small);
  const Json written = Json::parse(render("rdjson", small.report));
  // `größe: 8  # ünïcode before`: two bytes more than characters up to the comment, and two more within it.
  CHECK(written["diagnostics"][1]["location"]["range"] ==
        Json{{"start", {{"line", 4}, {"column", 15}}}, {"end", {{"line", 4}, {"column", 33}}}});
  CHECK(written["diagnostics"][0]["code"] ==
        Json{{"value", "a-rule"}, {"url", "https://example.com/rules.html#a-rule"}});
  CHECK_FALSE(schema.accepts(Json{{"diagnostics", {{{"message", "m"}}}}}));
}

TEST_CASE("SARIF is valid by the schema of SARIF 2.1.0", "[report][formats][sarif]") {
  if (!std::filesystem::exists(sarif_schema_path()))
    return muster::test::skip("sarif schema", sarif_schema_path() + " is not there");  // NOLINT
  const JsonSchema schema(muster::test::read_file(sarif_schema_path()), JsonSchema::Draft::Four);
  each_report([&](const std::string& name, const muster::Report& report) {
    INFO(name);
    CHECK(schema.complaint(Json::parse(render("sarif", report))) == "");
  });
  for (const char* example : {"/examples/training-repo", "/examples/kubernetes", "/examples/worlds"}) {
    const muster::test::Ran ran = muster::test::run_command({"check", source_dir() + example, "--format", "sarif"});
    INFO(example << ran.err);
    CHECK(schema.complaint(Json::parse(ran.out)) == "");
  }
  CHECK_FALSE(schema.accepts(Json{{"version", "2.1.0"}}));
}

TEST_CASE("an XML parser reads JUnit and Checkstyle whatever they hold", "[report][formats]") {
  if (!runs("python3 --version")) return muster::test::skip("python3", "python3 is not installed");  // NOLINT
  const muster::test::TemporaryFolder folder;
  write_reports(folder.path(), {"junit", "checkstyle"});
  CHECK(std::system(wellformed("xml", folder.path()).c_str()) == 0);
  muster::test::write_file(folder.path() + "/z.junit", "<testsuites tests=\"2\"><testsuite name=\"<\"/></testsuites>");
  CHECK_FALSE(runs(wellformed("xml", folder.path())));
}

TEST_CASE("JUnit fits its schema", "[report][formats]") {
  if (!runs("xmllint --version")) return muster::test::skip("xmllint", "xmllint is not installed");  // NOLINT
  const muster::test::TemporaryFolder folder;
  write_reports(folder.path(), {"junit"});
  const std::string command =
      "xmllint --noout --schema '" + source_dir() + "/tests/report/schemas/junit.xsd' '" + folder.path() + "'/*.junit";
  CHECK(runs(command));
  muster::test::write_file(folder.path() + "/z.junit", "<testsuites name=\"a\" tests=\"1\"/>");
  CHECK_FALSE(runs(command));
}

TEST_CASE("GitHub's Markdown makes nothing live of what a report holds", "[report][formats]") {
  if (!runs("cmark-gfm --version") || !runs("python3 --version"))
    return muster::test::skip("cmark-gfm", "cmark-gfm or python3 is not installed");  // NOLINT
  const muster::test::TemporaryFolder folder;
  write_reports(folder.path(), {"markdown", "rdjson"});
  CHECK(std::system(wellformed("markdown", folder.path()).c_str()) == 0);
  for (const char* live : {"@team", "<b>x</b>", "[a](https://evil.example)", "www.evil.example", "</details>"}) {
    muster::test::write_file(folder.path() + "/z.markdown", live);
    INFO(live);
    CHECK_FALSE(runs(wellformed("markdown", folder.path())));
  }
}

TEST_CASE("no bytes begin a line of GitHub's commands", "[report][formats]") {
  each_report([&](const std::string& name, const muster::Report& report) {
    INFO(name);
    const std::string text = render("github", report);
    CHECK(text.find("##[") == std::string::npos);
    for (const std::string_view line : muster::split(text, '\n')) {
      INFO(line);
      if (!line.starts_with("::")) continue;
      const bool known = line.starts_with("::error title=muster (") || line.starts_with("::warning title=muster") ||
                         line.starts_with("::notice title=muster");
      CHECK(known);
    }
  });
}

TEST_CASE("a comment stays within GitHub's bound and says what it left out", "[report][formats]") {
  SmallReport small;
  muster::test::fill_plain(small);
  muster::Finding one = small.report.findings[1];
  one.message = std::string(300, '@');
  one.follows = "something @that long" + std::string(300, '`');
  small.report.findings.resize(1);
  for (int rule = 0; rule < 40; ++rule) {
    one.rule = "rule-" + std::to_string(100 + rule);
    small.report.findings.insert(small.report.findings.end(), 50, one);
  }
  const muster::Finding late = small.report.findings.front();
  small.report.findings.erase(small.report.findings.begin());
  small.report.findings.push_back(late);  // an error behind 2,000 warnings
  for (const auto& [format, bound] :
       {std::pair<std::string, std::size_t>{"markdown", 65'536}, {"github-summary", 1'048'576}}) {
    const std::string text = render(format, small.report);
    INFO(format);
    CHECK(text.size() < bound);
    CHECK(text.find("<code>a-rule</code>") < text.find("<code>rule-100</code>"));
    CHECK((text.find("Left out here: ") != std::string::npos) == (format == "markdown"));
    CHECK(text.find("what was not judged") != std::string::npos);
  }
  CHECK(muster::contains(render("markdown", small.report), "`muster check` prints the rest"));
}

TEST_CASE("JUnit fails for what fails the run, and for nothing else", "[report][formats]") {
  SmallReport small;
  muster::test::fill_plain(small);
  muster::RenderOptions options = muster::test::plain_options();
  const auto failures = [&] {
    const std::string text = muster::render_junit(small.report, options);
    std::size_t count = 0;
    for (std::size_t at = text.find("<failure "); at != std::string::npos; at = text.find("<failure ", at + 1)) ++count;
    return count;
  };
  CHECK(failures() == 1);
  options.fail_on = muster::Severity::Warning;
  CHECK(failures() == 2);
  options.fail_on = muster::Severity::Info;
  CHECK(failures() == 3);
  options.fail_on.reset();
  CHECK(failures() == 0);
  options.fail_on_unknown = true;
  CHECK(failures() == 3);  // two things are not known, and the kind of four GPU objects
}

TEST_CASE("the help, the README and docs/formats.md name every format", "[report][formats][docs]") {
  const std::string help = muster::test::run_command({"check", "--help"}).out;
  const std::string readme = muster::test::read_file(source_dir() + "/README.md");
  const std::string page = muster::test::read_file(source_dir() + "/docs/formats.md");
  for (const muster::ReportFormat& format : muster::report_formats()) {
    INFO(format.name);
    CHECK(muster::contains(help, "\n  " + std::string(format.name) + " "));
    CHECK(muster::contains(help, std::string(format.doc) + "\n"));
    CHECK(muster::contains(readme, "`" + std::string(format.name) + "`"));
    CHECK(muster::contains(page, "\n| `" + std::string(format.name) + "` | "));
  }
  const std::string prove = muster::test::run_command({"prove", "--help"}).out;
  for (const std::string name : {"json", "junit", "markdown", "svg", "text"}) {
    INFO(name);
    CHECK(muster::contains(prove, "\n  " + name + " "));
    const std::string world = source_dir() + "/examples/worlds/two-jobs.yaml";
    CHECK(muster::test::run_command({"prove", world, "--format", name}).code == 1);
  }
}

TEST_CASE("verdicts of the prover are tests and a comment", "[report][formats][prove]") {
  if (!runs("cmark-gfm --version") || !runs("xmllint --version") || !runs("python3 --version"))
    return muster::test::skip("cmark-gfm", "cmark-gfm, xmllint or python3 is not installed");  // NOLINT
  const muster::test::TemporaryFolder folder;
  const std::string world = folder.path() + "/world.yaml";
  std::string text = muster::test::read_file(source_dir() + "/examples/worlds/two-jobs.yaml");
  // Names that would like to be more than names.
  text = muster::replace_all(text, "name: a,", "name: \"@a ]]>|` #1 [x](y)&amp;\",");
  REQUIRE(muster::contains(text, "@a"));
  muster::test::write_file(world, text);
  for (const std::string format : {"junit", "markdown"}) {
    const muster::test::Ran ran = muster::test::run_command({"prove", world, "--format", format});
    INFO(ran.err);
    CHECK(ran.code == 1);
    CHECK(muster::contains(ran.out, format == "junit" ? "<failure type=\"counterexample\"" : "counterexample: <code>"));
    muster::test::write_file(folder.path() + "/proof." + format, ran.out);
  }
  CHECK(runs("xmllint --noout --schema '" + source_dir() + "/tests/report/schemas/junit.xsd' '" + folder.path() +
             "/proof.junit'"));
  CHECK(std::system(wellformed("xml", folder.path()).c_str()) == 0);
  CHECK(std::system(wellformed("markdown", folder.path()).c_str()) == 0);
}

TEST_CASE("links to rules lead to sections that docs/rules.md has, and there are none without a page",
          "[report][formats][docs]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const std::string reference = "\n" + muster::test::read_file(source_dir() + "/docs/rules.md");
  for (const muster::Rule& rule : book->rules()) {
    INFO(rule.info.id);
    CHECK(muster::contains(reference, "\n### " + rule.info.id + "\n"));
    // GitHub's and GitLab's anchor of such a heading is the heading itself.
    CHECK(rule.info.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  }
  const std::string example = source_dir() + "/examples/training-repo";
  for (const muster::ReportFormat& format : muster::report_formats()) {
    INFO(format.name);
    const std::string name(format.name);
    const muster::test::Ran plain = muster::test::run_command({"check", example, "--format", name});
    CHECK_FALSE(muster::contains(plain.out, "https://muster"));
    CHECK_FALSE(muster::contains(plain.out, "helpUri"));
    const muster::test::Ran linked =
        muster::test::run_command({"check", example, "--format", name, "--rules-url", "https://h.example/r.html"});
    const bool links = name == "markdown" || name == "github-summary" || name == "rdjson" || name == "sarif";
    CHECK(muster::contains(linked.out, "https://h.example/r.html#slurm-gres-type-missing") == links);
  }
  CHECK(muster::test::run_command({"check", example, "--rules-url", "javascript:x"}).code == 2);
  CHECK(muster::test::run_command({"check", example, "--rules-url", "https://x/)<b>"}).code == 2);
}
