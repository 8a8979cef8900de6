#include "support/usual_yaml.h"

#include "support/outline.h"
#include "syntax/usual_yaml.h"
#include "syntax/yaml_reader.h"

namespace muster::test {

UsualReading usual_reading(const std::string& document) {
  SourceMap sources;
  const FileId file = sources.add("a.yaml", document);
  const std::string_view text = sources.file(file).text();
  const Span where{file, 0, static_cast<std::uint32_t>(text.size())};
  UsualReading out;
  Document usual;
  out.read = read_usual_yaml(text, where, usual);
  if (!out.read) return out;
  Document by_libyaml;
  std::vector<Finding> findings;
  read_with_libyaml(text, where, by_libyaml, findings);
  const std::string expected = list_findings(findings, sources) + outline(by_libyaml, sources);
  const std::string got = outline(usual, sources);
  if (got != expected) out.wrong = "expected\n" + expected + "got\n" + got;
  return out;
}

}  // namespace muster::test
