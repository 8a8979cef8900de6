// What GitHub code scanning asks of SARIF, as its documentation says: docs.github.com, "SARIF support for code
// scanning".
#include <set>

#include "base/strings.h"
#include "report/render.h"
#include "support/catch.h"
#include "support/json.h"

namespace {

using muster::test::SmallReport;
using Json = nlohmann::json;

std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

class Validator {
 public:
  std::string run(const Json& log) {
    need(log.value("version", "") == "2.1.0", "version");
    need(log.value("$schema", "").ends_with("sarif-2.1.0.json"), "$schema");
    need(log["runs"].is_array() && log["runs"].size() == 1, "one run");
    const Json& run = log["runs"][0];
    const Json& driver = run["tool"]["driver"];
    need(!driver.value("name", "").empty() && !driver.value("semanticVersion", "").empty(), "driver");
    need(run.contains("results") && run["results"].is_array(), "results are there, even when there are none");
    need(run["automationDetails"].value("id", "").ends_with('/'), "category");
    need(run.value("columnKind", "") == "unicodeCodePoints", "columnKind");
    std::set<std::string> ids;
    for (const Json& rule : driver["rules"]) check_rule(rule, ids);
    for (const Json& result : run["results"]) check_result(result, driver["rules"]);
    return problems_;
  }

 private:
  void need(bool holds, const std::string& what) {
    if (!holds) problems_ += what + "\n";
  }

  void check_rule(const Json& rule, std::set<std::string>& ids) {
    const std::string id = rule.value("id", "");
    need(!id.empty() && ids.insert(id).second, "rule ids are there and differ");
    for (const char* key : {"shortDescription", "fullDescription"}) need(!rule[key].value("text", "").empty(), key);
    need(rule["shortDescription"]["text"].get<std::string>().size() <= 1024 &&
             rule["fullDescription"]["text"].get<std::string>().size() <= 1024,
         "descriptions of at most 1024 characters");
    need(!rule["help"].value("text", "").empty() && !rule["help"].value("markdown", "").empty(),
         "help as text and Markdown");
    need(rule.value("helpUri", "").starts_with("https://"), "helpUri");
    need(is_level(rule["defaultConfiguration"].value("level", "")), "level of the rule");
    const Json& properties = rule["properties"];
    need(properties["tags"].is_array() && properties["tags"].size() <= 10, "at most ten tags");
    need(std::set<std::string>{"very-high", "high", "medium", "low"}.contains(properties.value("precision", "")),
         "precision");
    need(std::set<std::string>{"error", "warning", "recommendation"}.contains(properties.value("problem.severity", "")),
         "problem.severity");
    need(!properties.contains("security-severity"), "no finding is a security alert");
  }

  void check_result(const Json& result, const Json& rules) {
    const std::size_t index = result.value("ruleIndex", std::size_t{9999});
    need(index < rules.size() && rules[index]["id"] == result["ruleId"], "ruleIndex leads to ruleId");
    need(is_level(result.value("level", "")), "level of the result");
    need(!result["message"].value("text", "").empty(), "message");
    need(result["locations"].is_array() && result["locations"].size() == 1, "one location");
    check_place(result["locations"][0]["physicalLocation"]);
    std::size_t id = 0;
    const Json related = result.value("relatedLocations", Json::array());
    for (const Json& place : related) {
      need(place.value("id", std::size_t{0}) == ++id, "ids of related locations count from 1");
      check_place(place["physicalLocation"]);
      // Only what the message links to is shown.
      need(result["message"]["text"].get<std::string>().find("](" + std::to_string(id) + ")") != std::string::npos,
           "the message links to related location " + std::to_string(id));
    }
    const Json& prints = result["partialFingerprints"];
    need(!prints.value("primaryLocationLineHash", "").empty() && !prints.value("muster/v1", "").empty(),
         "partialFingerprints");
  }

  void check_place(const Json& place) {
    const std::string uri = place["artifactLocation"].value("uri", "");
    need(!uri.empty() && uri.front() != '/' && !uri.starts_with("./") && uri.find("..") == std::string::npos,
         "relative uri " + uri);
    for (std::size_t i = 0; i < uri.size(); ++i) {
      const bool escape = uri[i] == '%' && i + 2 < uri.size() &&
                          std::isxdigit(static_cast<unsigned char>(uri[i + 1])) != 0 &&
                          std::isxdigit(static_cast<unsigned char>(uri[i + 2])) != 0;
      const bool plain = std::isalnum(static_cast<unsigned char>(uri[i])) != 0 ||
                         std::string("-._~/").find(uri[i]) != std::string::npos;
      need(escape || plain, "a character of a uri is not encoded: " + uri);
    }
    need(place["artifactLocation"].value("uriBaseId", "") == "%SRCROOT%", "uriBaseId");
    const Json& region = place["region"];
    const int start_line = region.value("startLine", 0);
    const int start_column = region.value("startColumn", 0);
    const int end_line = region.value("endLine", 0);
    const int end_column = region.value("endColumn", 0);
    need(start_line >= 1 && start_column >= 1 && end_line >= start_line && end_column >= 1, "region");
    need(end_line > start_line || end_column >= start_column, "a region ends where it begins or later");
  }

  static bool is_level(const std::string& level) { return level == "error" || level == "warning" || level == "note"; }

  std::string problems_;
};

Json sarif_of(void (*fill)(SmallReport&)) {
  SmallReport small;
  fill(small);
  return Json::parse(muster::render_sarif(small.report, muster::test::plain_options()));
}

}  // namespace

TEST_CASE("SARIF is what code scanning accepts", "[report][sarif]") {
  CHECK(Validator().run(sarif_of(muster::test::fill_plain)).empty());
  CHECK(Validator().run(sarif_of(muster::test::fill_hostile)).empty());
  CHECK(Validator().run(sarif_of([](SmallReport&) {})).empty());
}

TEST_CASE("the check of SARIF sees what is wrong", "[report][sarif]") {
  const Json good = sarif_of(muster::test::fill_plain);
  const auto wrong = [&](const std::string& pointer, const Json& value) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    INFO(pointer);
    CHECK_FALSE(Validator().run(bad).empty());
  };
  const std::string place = "/runs/0/results/0/locations/0/physicalLocation";
  wrong("/runs/0/results/0/ruleIndex", 1);
  wrong("/runs/0/results/0/partialFingerprints", Json::object());
  wrong("/runs/0/results/0/message/text", "no links");
  wrong(place + "/artifactLocation/uri", "/absolute.yaml");
  wrong(place + "/artifactLocation/uri", "a b.yaml");
  wrong(place + "/region/startLine", 0);
  wrong(place + "/region/endColumn", 1);
  wrong("/runs/0/tool/driver/rules/0/help/markdown", "");
}

TEST_CASE("the uri of a file decodes to its path, whatever its name", "[report][sarif]") {
  const Json log = sarif_of(muster::test::fill_hostile);
  CHECK(percent_decoded(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) ==
        "dir/" + muster::test::hostile_text() + ".yaml");
}

TEST_CASE("no input writes a link into a SARIF message but those to related places", "[report][sarif]") {
  const Json log = sarif_of(muster::test::fill_hostile);
  const std::string text = log["runs"][0]["results"][0]["message"]["text"];
  std::size_t links = 0;
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
    const bool escaped = at > 0 && text[at - 1] == '\\';
    if (!escaped) ++links;
  }
  CHECK(links == 1);
}

TEST_CASE("SARIF keeps what code scanning keeps, errors first, and says what it left out", "[report][sarif]") {
  SmallReport small;
  muster::test::fill_plain(small);
  const muster::Finding error = small.report.findings[0];
  small.report.findings.assign(6000, small.report.findings[1]);
  small.report.findings.push_back(error);
  const auto log = [&] { return Json::parse(muster::render_sarif(small.report, muster::test::plain_options())); };
  const auto note = [](const Json& run) {
    return run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].get<std::string>();
  };
  const Json many = log()["runs"][0];
  CHECK(many["results"].size() == 5000);
  CHECK(many["results"][0]["ruleId"] == "a-rule");
  const std::size_t all = 6001 + small.report.known.size() + small.report.suppressed.size();
  CHECK(note(many).starts_with("1,00" + std::to_string(all - 6000) + " results left out"));

  small.report.findings.assign(200, error);
  for (muster::Finding& finding : small.report.findings) finding.message = std::string(100'000, 'x');
  const std::string text = muster::render_sarif(small.report, muster::test::plain_options());
  CHECK(text.size() < 10'000'000);
  const Json large = Json::parse(text)["runs"][0];
  CHECK(large["results"].size() < 100);
  CHECK(muster::contains(note(large), "left out: code scanning keeps 5,000 results and 10 MB of one run"));

  small.report.findings.assign(1, error);
  muster::Finding& long_one = small.report.findings[0];
  long_one.related = std::vector<muster::RelatedPlace>(150, long_one.related[0]);
  for (int i = 0; i < 1200; ++i) long_one.trace.push_back({i % 2 == 0 ? "a" : "b", long_one.where, "places a pod"});
  const Json result = log()["runs"][0]["results"][0];
  CHECK(result["relatedLocations"].size() == 99);
  const Json& flows = result["codeFlows"][0]["threadFlows"];
  CHECK(flows[0]["locations"].size() + flows[1]["locations"].size() == 1000);
  CHECK(muster::contains(result["message"]["text"].get<std::string>(), "and 51 places more, left out here"));
  CHECK(muster::contains(result["message"]["text"].get<std::string>(), "Of 1,200 steps the first 1,000 are kept."));
}

TEST_CASE("rules of SARIF say what to do, and link only to a page that is", "[report][sarif]") {
  SmallReport small;
  muster::test::fill_plain(small);
  small.report.rules[0].help = "set `X` to ${g.name}";
  small.report.rules[1].shipped = false;
  muster::RenderOptions options = muster::test::plain_options();
  const auto rules = [&] {
    return Json::parse(muster::render_sarif(small.report, options))["runs"][0]["tool"]["driver"]["rules"];
  };
  const Json linked = rules();
  CHECK(linked[0]["helpUri"] == "https://example.com/rules.html#a-rule");
  CHECK_FALSE(linked[1].contains("helpUri"));
  CHECK(muster::contains(linked[0]["help"]["markdown"].get<std::string>(), "**What to do:** set `X` to ..."));
  options.rules_url.clear();
  CHECK_FALSE(rules()[0].contains("helpUri"));
}
