// What each format writes: goldens of a small report, read by a person, and what no input may do to them.
#include "report/report.h"

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"
#include "report/render.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"

namespace {

using muster::test::SmallReport;
using OrderedJson = nlohmann::ordered_json;

std::string golden(const std::string& name) { return muster::test::source_dir() + "/tests/report/golden/" + name; }

std::string render(const std::string& format, void (*fill)(SmallReport&)) {
  SmallReport small;
  fill(small);
  return muster::find_report_format(format)->render(small.report, muster::test::plain_options());
}

std::string hostile(const std::string& format) { return render(format, muster::test::fill_hostile); }

/// Bytes that a terminal would obey or not show: nothing but line ends and printable text is left when it is empty.
std::string unprintable(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7F || byte == 0xFF) out += "<" + std::to_string(byte) + ">";
  }
  for (const char* sequence : {"\xE2\x80\xAE", "\xC2\x9B"}) {
    if (text.find(sequence) != std::string::npos) out += "<deceptive>";
  }
  return out;
}

}  // namespace

TEST_CASE("each format writes a small report as its golden shows", "[report]") {
  for (const muster::ReportFormat& format : muster::report_formats()) {
    const std::string name(format.name);
    muster::test::check_golden(golden(name + ".txt"), render(name, muster::test::fill_plain));
    muster::test::check_golden(golden(name + "-hostile.txt"), hostile(name));
  }
}

TEST_CASE("an empty report is whole in every format", "[report]") {
  for (const muster::ReportFormat& format : muster::report_formats()) {
    const std::string name(format.name);
    muster::test::check_golden(golden(name + "-empty.txt"), render(name, [](SmallReport&) {}));
  }
}

TEST_CASE("quiet text is the findings and nothing else", "[report]") {
  SmallReport small;
  muster::test::fill_plain(small);
  muster::RenderOptions options = muster::test::plain_options();
  const std::string full = muster::render_text(small.report, options);
  options.quiet = true;
  const std::string quiet = muster::render_text(small.report, options);
  CHECK(full.starts_with(quiet));
  CHECK(full.substr(quiet.size()).starts_with("not decided"));
}

TEST_CASE("color adds escapes and changes no word", "[report]") {
  SmallReport small;
  muster::test::fill_plain(small);
  muster::RenderOptions options = muster::test::plain_options();
  const std::string plain = muster::render_text(small.report, options);
  options.color = muster::Color::Always;
  std::string colored = muster::render_text(small.report, options);
  CHECK(colored.starts_with("\x1b[1;31merror[a-rule]\x1b[0m: "));
  for (const char* code : {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1m", "\x1b[34m", "\x1b[0m"})
    colored = muster::replace_all(colored, code, "");
  CHECK(colored == plain);
}

TEST_CASE("no input sends control characters or hidden ones to a terminal, in any format", "[report]") {
  for (const muster::ReportFormat& format : muster::report_formats()) {
    INFO(format.name);
    CHECK(unprintable(hostile(std::string(format.name))).empty());
  }
}

TEST_CASE("no input begins a line of the text, or of GitHub's commands, of its own", "[report]") {
  const std::string text = hostile("text");
  CHECK(text.find("##[") == std::string::npos);
  for (const std::string_view line : muster::split(text, '\n')) {
    INFO(line);
    CHECK_FALSE(muster::trim(line).starts_with("::e"));
    CHECK_FALSE(muster::trim(line).starts_with("::s"));
  }
  const std::string commands = hostile("github");
  REQUIRE(commands.ends_with('\n'));
  REQUIRE(std::ranges::count(commands, '\n') == 7);
  for (const std::string_view line : muster::split(std::string_view(commands).substr(commands.find('\n') + 1), '\n'))
    CHECK((line.empty() || line.starts_with("::notice title=muster::") || line.starts_with("muster: 1 error, ")));
  REQUIRE(commands.starts_with("::error title="));
  // The runner reads properties up to the next `::`; what stands behind is the message.
  const std::string properties = commands.substr(0, commands.find("::", 2));
  CHECK(std::ranges::count(properties, ',') == 3);
  CHECK(properties.find("title=muster (a-rule),file=dir/x\\n%3A%3Aerror%3A%3Ay\\x0d\\n%250A%3A%3Aset-output") !=
        std::string::npos);
}

TEST_CASE("beyond ten of a level GitHub gets plain lines, none of them a command", "[report]") {
  SmallReport small;
  muster::test::fill_hostile(small);
  small.report.findings.resize(12, small.report.findings.front());
  for (std::size_t i = 0; i < 12; ++i) small.report.findings[i].rule = "rule-" + std::to_string(i);
  const std::string text = muster::render_github(small.report, muster::test::plain_options());
  const std::vector<std::string_view> lines = muster::split(text, '\n');
  REQUIRE(lines.size() == 20);
  for (std::size_t i = 0; i < 10; ++i) CHECK(lines[i].starts_with("::error "));
  for (std::size_t i = 10; i < 12; ++i) {
    CHECK(lines[i].starts_with("error: dir/x\\n"));
    CHECK(lines[i].find("##[") == std::string_view::npos);
    CHECK(lines[i].ends_with("(rule-" + std::to_string(i) + ")"));
  }
  CHECK(lines[17] ==
        "::notice title=muster::2 more of level error are in the log and not annotated, because GitHub shows 10");
}

TEST_CASE("what has one cause is annotated once on GitHub, and all of it is in the log", "[report]") {
  SmallReport small;
  muster::test::fill_hostile(small);
  small.report.findings.resize(12, small.report.findings.front());
  const std::string text = muster::render_github(small.report, muster::test::plain_options());
  const std::vector<std::string_view> lines = muster::split(text, '\n');
  REQUIRE(lines.size() >= 12);
  CHECK(lines[0].starts_with("::error "));
  CHECK(muster::contains(lines[0], "%0A... and 11 more like it, in the log"));
  for (std::size_t i = 1; i < 12; ++i) CHECK(lines[i].starts_with("error: dir/x\\n"));
  CHECK_FALSE(muster::contains(text, "more of level"));
}

TEST_CASE("JSON has every key that is promised, and gives back what was put in", "[report]") {
  const auto keys = [](const OrderedJson& json) {
    std::string out;
    for (const auto& [key, value] : json.items()) out += key + " ";
    return out;
  };
  const OrderedJson plain = OrderedJson::parse(render("json", muster::test::fill_plain));
  CHECK(
      keys(plain) ==
      "version findings undecided suppressed known templates installed_slurm installed_kubernetes configured selected "
      "compared shard coverage summary ");
  CHECK(plain["version"] == "muster.check/v1");
  for (const OrderedJson& finding : plain["findings"]) {
    CHECK(keys(finding) ==
          "rule severity message fingerprint location related trace follows help object plane effect assumes fix ");
    CHECK(keys(finding["location"]) == "file line column end_line end_column ");
    for (const OrderedJson& related : finding["related"]) CHECK(keys(related) == "message location ");
  }
  for (const OrderedJson& open : plain["undecided"]) CHECK(keys(open) == "rule object location needs ");
  CHECK(keys(plain["summary"]) ==
        "errors warnings infos undecided suppressed known artifacts files skipped templates ");
  // Columns count code points.
  CHECK(plain["findings"][1]["location"] ==
        OrderedJson{{"file", "jobs/train.yaml"}, {"line", 4}, {"column", 13}, {"end_line", 4}, {"end_column", 29}});

  const OrderedJson back = OrderedJson::parse(hostile("json"));
  const std::string bad = muster::replace_all(muster::test::hostile_text(), "\xFF", "\xEF\xBF\xBD");
  CHECK(back["findings"][0]["message"] == bad);
  CHECK(back["findings"][0]["object"] == bad);
  CHECK(back["findings"][0]["location"]["file"] == "dir/" + bad + ".yaml");
  CHECK(back["undecided"][0]["needs"][0] == bad);
}

TEST_CASE("JSON is written finding by finding as the whole value would be", "[report]") {
  for (auto fill : {muster::test::fill_plain, muster::test::fill_hostile}) {
    for (const std::size_t times : {0, 1, 2, 700}) {
      SmallReport small;
      fill(small);
      const std::vector<muster::Finding> findings = small.report.findings;
      small.report.findings.clear();
      for (std::size_t i = 0; i < times; ++i)
        small.report.findings.insert(small.report.findings.end(), findings.begin(), findings.end());
      CHECK(muster::render_json(small.report, muster::test::plain_options()) ==
            muster::to_json_text(muster::report_value(small.report)));
    }
  }
}
