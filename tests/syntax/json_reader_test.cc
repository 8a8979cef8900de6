#include "syntax/json_reader.h"

#include <random>

#include "support/catch.h"
#include "support/json.h"
#include "support/outline.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

std::string read_json(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("a.json", text);
  Document document;
  std::vector<Finding> findings;
  std::string out;
  if (read_json(file, text, document, findings)) out = test::outline(document, sources);
  return out + test::list_findings(findings, sources);
}

Json random_value(std::mt19937& random, int depth) {
  switch (random() % (depth > 4 ? 7u : 9u)) {
    case 0: return nullptr;
    case 1: return random() % 2 == 0;
    case 2: return static_cast<std::int64_t>(random()) - 2'000'000'000;
    case 3: return static_cast<double>(random()) / 1024;
    case 4: return "tab\t \"quoted\" \\ \u00e9 \u20ac \U0001F600 line\n";
    case 5: return std::string(random() % 5, 'x') + ",:[]{} ";
    case 6: return std::uint64_t{18'000'000'000'000'000'000u} + random();
    case 7: {
      Json list = Json::array();
      for (std::size_t i = random() % 5; i > 0; --i) list.push_back(random_value(random, depth + 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::size_t i = random() % 5; i > 0; --i)
        object[std::string("k\u00e9") + std::to_string(i)] = random_value(random, depth + 1);
      return object;
    }
  }
}

/// The DOM and our tree say the same, and the text at each of our places, parsed alone, is that value.
void agree(const Json& expected, const Node& node, std::string_view text) {
  const Span where = node.where();
  REQUIRE(where.end <= text.size());
  if (expected.is_null()) {
    REQUIRE(node.is_null());
    return;
  }
  const std::string_view piece = text.substr(where.begin, where.end - where.begin);
  INFO(piece);
  REQUIRE(Json::parse(piece) == expected);
  if (expected.is_array()) {
    REQUIRE(node.is_sequence());
    REQUIRE(node.size() == expected.size());
    for (std::size_t i = 0; i < node.size(); ++i) agree(expected[i], node.item(i), text);
  } else if (expected.is_object()) {
    REQUIRE(node.is_mapping());
    REQUIRE(node.size() == expected.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      agree(Json(std::string(node.key(i).text())), node.key(i), text);
      agree(expected.at(std::string(node.key(i).text())), node.value(i), text);
    }
  } else if (expected.is_string()) {
    REQUIRE(node.style() == ScalarStyle::Quoted);
    REQUIRE(node.text() == expected.get<std::string>());
  } else {
    REQUIRE(node.style() == ScalarStyle::Plain);
    REQUIRE(Json::parse(node.text()) == expected);
  }
}

}  // namespace

TEST_CASE("JSON values and places agree with another reader on generated documents", "[json]") {
  std::mt19937 random(11);
  for (int run = 0; run < 400; ++run) {
    const Json value = random_value(random, 0);
    const int indent = static_cast<int>(random() % 4) - 1;
    const std::string text = " \n" + value.dump(indent, ' ', random() % 2 == 0) + "\r\n";
    SourceMap sources;
    const FileId file = sources.add("a.json", text);
    Document document;
    std::vector<Finding> findings;
    INFO(text);
    REQUIRE(read_json(file, text, document, findings));
    REQUIRE(findings.empty());
    agree(value, document.root(), text);
  }
}

TEST_CASE("every value of a JSON text knows its place", "[json]") {
  CHECK(read_json("{\"\u00e9\" : -1.5e3 ,\n \"b\":[ true,null , \"x\\u0041\" ],\"c\":{} }") ==
        "1:1-2:40 mapping\n"
        "  1:2-1:5 key quoted \u00e9\n"
        "  1:8-1:14 plain -1.5e3\n"
        "  2:2-2:5 key quoted b\n"
        "  2:6-2:31 sequence\n"
        "    2:8-2:12 plain true\n"
        "    2:13-2:13 null\n"
        "    2:20-2:29 quoted xA\n"
        "  2:32-2:35 key quoted c\n"
        "  2:36-2:38 mapping\n");
}

TEST_CASE("numbers at the limits of 64 bits keep their digits", "[json]") {
  CHECK(read_json("[9223372036854775807,-9223372036854775808,18446744073709551615,18446744073709551616,1e300]") ==
        "1:1-1:91 sequence\n"
        "  1:2-1:21 plain 9223372036854775807\n"
        "  1:22-1:42 plain -9223372036854775808\n"
        "  1:43-1:63 plain 18446744073709551615\n"
        "  1:64-1:84 plain 18446744073709551616\n"
        "  1:85-1:90 plain 1e300\n");
  CHECK(read_json("1e400") == "1:5-1:6 json-syntax: number overflow parsing '1e400'\n");
  CHECK(read_json("-0") == "1:1-1:3 plain -0\n");
}

TEST_CASE("a JSON key given twice is kept and reported", "[json]") {
  CHECK(read_json("{\"a\": 1, \"\\u0061\": 2}") ==
        "1:1-1:22 mapping\n"
        "  1:2-1:5 key quoted a\n"
        "  1:7-1:8 plain 1\n"
        "  1:10-1:18 key quoted a\n"
        "  1:20-1:21 plain 2\n"
        "1:10-1:18 duplicate-key: `a` is given twice\n");
}

TEST_CASE("ten thousand levels of JSON are a finding, not a crash", "[json]") {
  CHECK(read_json(std::string(10'000, '[')) == "1:501-1:502 json-syntax: nested too deeply (more than 500 levels)\n");
}

TEST_CASE("what is not JSON is reported where it stops being it", "[json]") {
  CHECK(read_json("{\"a\": 1} x").find("1:10-1:11 json-syntax: ") == 0);
  CHECK(read_json("[1, 2").find("1:6-1:6 json-syntax: ") == 0);
  CHECK(read_json("{\"a\" 1}").find("1:6-1:7 json-syntax: ") == 0);
  CHECK(read_json("").find("1:1-1:1 json-syntax: ") == 0);
  CHECK(read_json("[1,]").find("1:4-1:5 json-syntax: ") == 0);
  CHECK(read_json("[tru]").find("json-syntax: ") != std::string::npos);
  CHECK(read_json("[\"a\nb\"]").find("json-syntax: ") != std::string::npos);
}

TEST_CASE("a zero byte ends no JSON text", "[json]") {
  const std::string text = "[]\n" + std::string(1, '\0') + " x";
  CHECK(read_json(text).find("2:1-2:2 json-syntax: ") != std::string::npos);
  CHECK(read_json(std::string("[]\0", 3)).find("1:3-1:4 json-syntax: ") != std::string::npos);
}

TEST_CASE("a document of more values than any configuration has is refused", "[json]") {
  std::string text = "[0";
  for (std::size_t i = 0; i < DocumentBuilder::kMaxValues; ++i) text += ",0";
  CHECK(read_json(text + "]") == "1:1-1:2 json-syntax: more than 2,000,000 values\n");
}
