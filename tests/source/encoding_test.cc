#include "source/encoding.h"

#include "support/catch.h"
#include "support/model.h"

using namespace muster;
using Verdict = DecodedText::Verdict;

namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

struct Read {
  Verdict verdict;
  std::string text;
  bool operator==(const Read&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Read& read) {
  return out << static_cast<int>(read.verdict) << " `" << read.text << "`";
}

Read read(std::string raw) {
  DecodedText decoded = decode_text(std::move(raw));
  return {decoded.verdict, decoded.text};
}

}  // namespace

TEST_CASE("a byte order mark is no text", "[source]") {
  CHECK(read("a: \u00e9\n") == Read{Verdict::Text, "a: \u00e9\n"});
  CHECK(read(bytes({0xEF, 0xBB, 0xBF}) + "a: \u00e9\r\n") == Read{Verdict::Text, "a: \u00e9\r\n"});
  CHECK(read(bytes({0xEF, 0xBB, 0xBF})) == Read{Verdict::Text, ""});
  CHECK(read("") == Read{Verdict::Text, ""});
}

TEST_CASE("UTF-16 is read by its byte order mark", "[source]") {
  CHECK(read(bytes({0xFF, 0xFE, 'a', 0, 0xE9, 0, 0x3D, 0xD8, 0x00, 0xDE})) == Read{Verdict::Text, "a\u00e9\U0001F600"});
  CHECK(read(bytes({0xFE, 0xFF, 0, 'a', 0, 0xE9, 0xD8, 0x3D, 0xDE, 0x00})) == Read{Verdict::Text, "a\u00e9\U0001F600"});
  SECTION("half a pair becomes the replacement character, half a unit nothing") {
    CHECK(read(bytes({0xFF, 0xFE, 0x3D, 0xD8, 'a', 0})) == Read{Verdict::Text, "\uFFFDa"});
    CHECK(read(bytes({0xFF, 0xFE, 0x00, 0xDE, 'a', 0, 'b'})) == Read{Verdict::Text, "\uFFFDa"});
  }
  SECTION("without the mark its NUL bytes make it binary") {
    CHECK(decode_text(bytes({'a', 0, 'b', 0})).verdict == Verdict::Binary);
  }
}

TEST_CASE("UTF-32 is read by its byte order mark", "[source]") {
  CHECK(read(bytes({0xFF, 0xFE, 0, 0, 'a', 0, 0, 0, 0x00, 0xF6, 0x01, 0})) == Read{Verdict::Text, "a\U0001F600"});
  CHECK(read(bytes({0, 0, 0xFE, 0xFF, 0, 0, 0, 'a', 0, 0x11, 0, 0, 0, 0, 'b'})) == Read{Verdict::Text, "a\uFFFD"});
}

TEST_CASE("carriage returns end lines where nothing else does", "[source]") {
  CHECK(read("a: 1\rb: 2\r") == Read{Verdict::Text, "a: 1\nb: 2\n"});
  CHECK(read("a: 1\rb: 2\n") == Read{Verdict::Text, "a: 1\rb: 2\n"});
}

TEST_CASE("bytes that are not UTF-8 become question marks in their place", "[source]") {
  const DecodedText decoded = decode_text("ab" + bytes({0xFF}) + "\u00e9" + bytes({0xC3}) + "z");
  CHECK(decoded.verdict == Verdict::InvalidUtf8);
  CHECK(decoded.bad_offset == 2);
  CHECK(decoded.text == "ab?\u00e9?z");
  SECTION("overlong forms, surrogates and what lies beyond U+10FFFF are not UTF-8") {
    CHECK(read(bytes({0xC0, 0xAF})) == Read{Verdict::InvalidUtf8, "??"});
    CHECK(read(bytes({0xED, 0xA0, 0x80})) == Read{Verdict::InvalidUtf8, "???"});
    CHECK(read(bytes({0xF4, 0x90, 0x80, 0x80})) == Read{Verdict::InvalidUtf8, "????"});
  }
}

TEST_CASE("NUL bytes make a file binary", "[source]") {
  CHECK(decode_text(bytes({'a', 0})).verdict == Verdict::Binary);
  CHECK(decode_text(bytes({0xEF, 0xBB, 0xBF, 0})).verdict == Verdict::Binary);
}

TEST_CASE("findings are the same whatever the encoding", "[source]") {
  const std::string text = "SwitchName=\u00e9 Nodes=n[3-1]\n";
  std::string wide = bytes({0xFF, 0xFE});
  for (const char c : std::string("SwitchName=")) wide += bytes({c, 0});
  wide += bytes({0xE9, 0});
  for (const char c : std::string(" Nodes=n[3-1]\n")) wide += bytes({c, 0});
  const std::string plain = test::summary_of(test::check_files({{"topology.conf", text}}));
  CHECK(plain.find("topology.conf:1:20 topology-node-list-invalid") != std::string::npos);
  CHECK(test::summary_of(test::check_files({{"topology.conf", bytes({0xEF, 0xBB, 0xBF}) + text}})) == plain);
  CHECK(test::summary_of(test::check_files({{"topology.conf", wide}})) == plain);
}
