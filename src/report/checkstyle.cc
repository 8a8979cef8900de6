#include "base/strings.h"
#include "base/utf8.h"
#include "report/report.h"
#include "report/words.h"
#include "report/xml_text.h"

namespace muster {
namespace {

/// Readers show one line of it.
std::string message_of(const Finding& finding) {
  std::string out = printable(finding.message);
  if (!finding.follows.empty()) out += "; what follows: " + printable(replace_all(finding.follows, "\n", " "));
  if (!finding.help.empty()) out += "; help: " + printable(replace_all(finding.help, "\n", " "));
  return out;
}

std::string error_element(const Finding& finding, const SourceMap& sources) {
  const Position at = sources.begin_of(finding.where);
  return "    <error" + xml_attribute("line", at.line) + xml_attribute("column", at.column) +
         xml_attribute("severity", name_of(finding.severity)) + xml_attribute("message", message_of(finding)) +
         xml_attribute("source", qualified(finding.rule)) + "/>\n";
}

}  // namespace

/// Source: checkstyle/checkstyle: XMLLogger (10.12); its severities are error, warning, info and ignore.
std::string render_checkstyle(const Report& report, const RenderOptions&) {
  std::string out = std::string(kXmlHead) + "<checkstyle version=\"10.12\">\n";
  for (const FindingGroup& file : by_file(report)) {
    out += "  <file" + xml_attribute("name", file.name) + ">\n";
    for (const Finding* finding : file.findings) out += error_element(*finding, *report.sources);
    out += "  </file>\n";
  }
  return out + "</checkstyle>\n";
}

}  // namespace muster
