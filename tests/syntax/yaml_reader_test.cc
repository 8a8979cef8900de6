#include "syntax/yaml_reader.h"

#include <chrono>

#include "support/catch.h"
#include "support/outline.h"

using namespace muster;
using muster::test::list_findings;
using muster::test::outline;

namespace {

/// Outlines of the documents of a stream, with what is wrong with each.
std::string read_documents(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("a.yaml", text);
  std::string out;
  for (const Span& where : split_yaml_documents(file, sources.file(file).text())) {
    if (!out.empty()) out += "----\n";
    Document document;
    std::vector<Finding> findings;
    if (read_yaml(sources.file(file).text(), where, document, findings)) out += outline(document, sources);
    out += list_findings(findings, sources);
  }
  return out;
}

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  for (const Span& where : split_yaml_documents(FileId{0}, text))
    out.push_back(text.substr(where.begin, where.end - where.begin));
  return out;
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}

double seconds_of(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  Document document;
  std::vector<Finding> findings;
  for (const Span& where : split_yaml_documents(FileId{0}, text)) read_yaml(text, where, document, findings);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("every key and value of a YAML document knows its place", "[yaml]") {
  CHECK(read_documents("a: 1\nb:\n  - x\n  - 'it''s'\n  - {c: \"d\\n\", e: [f]}\n") ==
        "1:1-5:23 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:4-1:5 plain 1\n"
        "  2:1-2:2 key plain b\n"
        "  3:3-5:23 sequence\n"
        "    3:5-3:6 plain x\n"
        "    4:5-4:12 quoted it's\n"
        "    5:5-5:23 mapping\n"
        "      5:6-5:7 key plain c\n"
        "      5:9-5:14 quoted d\\n\n"
        "      5:16-5:17 key plain e\n"
        "      5:19-5:22 sequence\n"
        "        5:20-5:21 plain f\n");
}

TEST_CASE("columns count code points, not bytes", "[yaml]") {
  CHECK(read_documents("# \u00e9\u00e9\n\u00e9: [\u20ac, \U0001F600, z]\nb: c\n") ==
        "2:1-3:5 mapping\n"
        "  2:1-2:2 key plain \u00e9\n"
        "  2:4-2:13 sequence\n"
        "    2:5-2:6 plain \u20ac\n"
        "    2:8-2:9 plain \U0001F600\n"
        "    2:11-2:12 plain z\n"
        "  3:1-3:2 key plain b\n"
        "  3:4-3:5 plain c\n");
}

TEST_CASE("Windows line ends move no place and stay out of values", "[yaml]") {
  CHECK(read_documents("a: 1\r\nb: |\r\n  x\r\n  y\r\nc: d\r\n") ==
        "1:1-5:5 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:4-1:5 plain 1\n"
        "  2:1-2:2 key plain b\n"
        "  2:4-4:4 quoted x\\ny\\n\n"
        "  5:1-5:2 key plain c\n"
        "  5:4-5:5 plain d\n");
}

TEST_CASE("literal and folded blocks keep or join their lines", "[yaml]") {
  CHECK(read_documents("a: |-\n  x\n\n   y\nb: >\n  p\n  q\n\n  r\nc: end\n") ==
        "1:1-10:7 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:4-4:5 quoted x\\n\\n y\n"
        "  5:1-5:2 key plain b\n"
        "  5:4-9:4 quoted p q\\nr\\n\n"
        "  10:1-10:2 key plain c\n"
        "  10:4-10:7 plain end\n");
}

TEST_CASE("an empty value stands at its key", "[yaml]") {
  CHECK(read_documents("a:\nb: ~\nc: null\nd: \"\"\n") ==
        "1:1-4:6 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:1-1:2 null\n"
        "  2:1-2:2 key plain b\n"
        "  2:1-2:2 null\n"
        "  3:1-3:2 key plain c\n"
        "  3:1-3:2 null\n"
        "  4:1-4:2 key plain d\n"
        "  4:4-4:6 quoted \n");
}

TEST_CASE("tags and anchors do not belong to a value's place", "[yaml]") {
  CHECK(read_documents("a: &x !!str 12\nb: !!map\n  c: &y\n    - d\ne: *y\n") ==
        "1:1-5:6 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:13-1:15 quoted 12\n"
        "  2:1-2:2 key plain b\n"
        "  3:3-4:8 mapping\n"
        "    3:3-3:4 key plain c\n"
        "    4:5-4:8 sequence\n"
        "      4:7-4:8 plain d\n"
        "  5:1-5:2 key plain e\n"
        "  4:5-4:8 sequence\n"
        "    4:7-4:8 plain d\n");
}

TEST_CASE("a key given twice is kept and reported once, wherever it is used", "[yaml]") {
  CHECK(read_documents("a: &m {x: 1, \"x\": 2}\nb: *m\nc: *m\n") ==
        "1:1-3:6 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:7-1:21 mapping\n"
        "    1:8-1:9 key plain x\n"
        "    1:11-1:12 plain 1\n"
        "    1:14-1:17 key quoted x\n"
        "    1:19-1:20 plain 2\n"
        "  2:1-2:2 key plain b\n"
        "  1:7-1:21 mapping\n"
        "    1:8-1:9 key plain x\n"
        "    1:11-1:12 plain 1\n"
        "    1:14-1:17 key quoted x\n"
        "    1:19-1:20 plain 2\n"
        "  3:1-3:2 key plain c\n"
        "  1:7-1:21 mapping\n"
        "    1:8-1:9 key plain x\n"
        "    1:11-1:12 plain 1\n"
        "    1:14-1:17 key quoted x\n"
        "    1:19-1:20 plain 2\n"
        "1:14-1:17 duplicate-key: `x` is given twice\n");
}

TEST_CASE("a duplicate key is reported however deep it stands", "[yaml]") {
  CHECK(read_documents(repeated("[", 100) + "{a: 1, a: 2}" + repeated("]", 100))
            .ends_with("1:108-1:109 duplicate-key: `a` is given twice\n"));
}

TEST_CASE("a value that contains itself is refused in kubectl's words", "[yaml]") {
  CHECK(read_documents("a: &a [1, *a]\n") == "1:11-1:13 yaml-syntax: anchor `a` value contains itself\n");
  CHECK(read_documents("a: &a {<<: *a}\nb: 1\n") == "1:12-1:14 yaml-syntax: anchor `a` value contains itself\n");
}

TEST_CASE("what was read of a value that contains itself has an end", "[yaml]") {
  const std::string text = "a: &a\n  b: *a\n";
  Document document;
  std::vector<Finding> findings;
  CHECK_FALSE(read_yaml(text, split_yaml_documents(FileId{0}, text).front(), document, findings));
  CHECK_FALSE(document.root()["a"]["b"].is_mapping());
}

TEST_CASE("an anchor may be given twice: an alias means the one before it", "[yaml]") {
  CHECK(read_documents("[&a 1, *a, &a 2, *a]") ==
        "1:1-1:21 sequence\n"
        "  1:5-1:6 plain 1\n"
        "  1:5-1:6 plain 1\n"
        "  1:15-1:16 plain 2\n"
        "  1:15-1:16 plain 2\n");
}

TEST_CASE("an alias of nothing is refused in kubectl's words", "[yaml]") {
  CHECK(read_documents("a: *nowhere\nb: 1\n") == "1:4-1:12 yaml-syntax: unknown anchor `nowhere` referenced\n");
}

TEST_CASE("a document that aliases blow up is refused in kubectl's words, at once", "[yaml]") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level <= 9; ++level) {
    const std::string before = "*a" + std::to_string(level - 1);
    const std::string name = "a" + std::to_string(level);
    bomb += name + ": &" + name + " [" + before + repeated(", " + before, 9) + "]\n";
  }
  CHECK(read_documents(bomb) == "1:1-1:2 yaml-syntax: document contains excessive aliasing\n");
}

TEST_CASE("a thousand uses of one alias are no bomb", "[yaml]") {
  const std::string text = "a: &a {x: 1}\nb: [*a" + repeated(", *a", 999) + "]\n";
  CHECK(read_documents(text).find("yaml-syntax") == std::string::npos);
}

TEST_CASE("documents are split where YAML splits them", "[yaml]") {
  CHECK(pieces("a: 1\n---\nb: 2\n") == std::vector<std::string>{"a: 1\n", "---\nb: 2\n"});
  CHECK(pieces("--- a\n--- # c\nb\n") == std::vector<std::string>{"--- a\n", "--- # c\nb\n"});
  CHECK(pieces("a\n...\n# between\nb\n") == std::vector<std::string>{"a\n", "# between\nb\n"});
  CHECK(pieces("%YAML 1.1\n%TAG ! x\n---\na\n...\n%YAML 1.1\n---\nb\n") ==
        std::vector<std::string>{"%YAML 1.1\n%TAG ! x\n---\na\n", "%YAML 1.1\n---\nb\n"});
  CHECK(pieces("a: |\n  ---\n  ...\n ---\n---x: 1\nb: ---\n") ==
        std::vector<std::string>{"a: |\n  ---\n  ...\n ---\n---x: 1\nb: ---\n"});
  CHECK(pieces("a\r\n---\r\nb\r\n") == std::vector<std::string>{"a\r\n", "---\r\nb\r\n"});
  CHECK(pieces("---\n---\n# nothing\n---\n\n").empty());
  CHECK(pieces("").empty());
}

TEST_CASE("places of later documents count from the start of the file", "[yaml]") {
  CHECK(read_documents("\u00e9: 1\n---\n\u00e9: {b: 2}\n") ==
        "1:1-1:5 mapping\n"
        "  1:1-1:2 key plain \u00e9\n"
        "  1:4-1:5 plain 1\n"
        "----\n"
        "3:1-3:10 mapping\n"
        "  3:1-3:2 key plain \u00e9\n"
        "  3:4-3:10 mapping\n"
        "    3:5-3:6 key plain b\n"
        "    3:8-3:9 plain 2\n");
}

TEST_CASE("a broken document does not hurt its neighbours", "[yaml]") {
  CHECK(read_documents("a: 1\n---\nb: [1\n---\nc: 3\n") ==
        "1:1-1:5 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:4-1:5 plain 1\n"
        "----\n"
        "4:1-4:1 yaml-syntax: while parsing a flow sequence: did not find expected ',' or ']'\n"
        "----\n"
        "5:1-5:5 mapping\n"
        "  5:1-5:2 key plain c\n"
        "  5:4-5:5 plain 3\n");
}

TEST_CASE("a tab as indentation is an error at the tab, in kubectl's words", "[yaml]") {
  CHECK(read_documents("a:\n\tb: 1\n") ==
        "2:1-2:2 yaml-syntax: while scanning for the next token: found character that cannot start any token\n");
  CHECK(read_documents("a: \t1\n") ==
        "1:1-1:6 mapping\n"
        "  1:1-1:2 key plain a\n"
        "  1:5-1:6 plain 1\n");
}

TEST_CASE("ten thousand levels are a finding, not a crash", "[yaml]") {
  CHECK(read_documents(repeated("[", 10'000)) == "1:501-1:502 yaml-syntax: nested too deeply (more than 500 levels)\n");
  CHECK(read_documents(repeated("- ", 10'000) + "x") ==
        "1:1001-1:1002 yaml-syntax: nested too deeply (more than 500 levels)\n");
  CHECK(read_documents(repeated("{a: ", 10'000)) ==
        "1:2001-1:2002 yaml-syntax: nested too deeply (more than 500 levels)\n");
}

TEST_CASE("one line of a megabyte costs time in proportion", "[yaml]") {
  const auto line = [](std::size_t items) { return "x: [" + repeated("{a: \"\u00e9\", b: 12}, ", items) + "1]"; };
  const double small = seconds_of(line(5'000));
  CHECK(seconds_of(line(50'000)) < 40 * small + 0.5);
}
