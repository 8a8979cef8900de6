#include "syntax/read_value.h"

#include "support/catch.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// `value`, `absent` or `unknown: what it needs`, at its text, then the finding.
template <class Read>
std::string read_of(const std::string& yaml, Read read_field) {
  const std::string text = "f: " + yaml;
  Document document;
  std::vector<Finding> findings;
  REQUIRE(read_yaml(text, {FileId{0}, 0, static_cast<std::uint32_t>(text.size())}, document, findings));
  const auto got = read_field(document.root()["f"], findings);
  std::string out = got.is_set()    ? value_text(got.value)
                    : got.unknown() ? "unknown: " + std::string(got.needs())
                                    : "absent";
  out += " at " + text.substr(got.where.begin, got.where.end - got.where.begin);
  for (const Finding& finding : findings) out += " | " + finding.rule + ": " + finding.message;
  return out;
}
std::string as_int(const std::string& yaml) {
  return read_of(yaml, [](const Node& node, auto& findings) { return read_int(node, "f", findings); });
}
std::string as_bool(const std::string& yaml) {
  return read_of(yaml, [](const Node& node, auto& findings) { return read_bool(node, "f", findings); });
}
std::string as_text(const std::string& yaml) {
  return read_of(yaml, [](const Node& node, auto& findings) { return read_text(node, "f", findings); });
}
std::string as_double(const std::string& yaml) {
  return read_of(yaml, [](const Node& node, auto& findings) { return read_double(node, "f", findings); });
}

}  // namespace

TEST_CASE("integers are read strictly and wrong ones say what stands there", "[read-value]") {
  CHECK(as_int("8") == "8 at 8");
  CHECK(as_int("9223372036854775807") == "9223372036854775807 at 9223372036854775807");
  CHECK(as_int("9223372036854775808") ==
        "unknown: a value for `f` at 9223372036854775808 | field-type: `f`: expected an integer, got "
        "`9223372036854775808`");
  CHECK(as_int("'8'") == "unknown: a value for `f` at '8' | field-type: `f`: expected an integer, got the text `8`");
  CHECK(as_int("[8]") == "unknown: a value for `f` at [8] | field-type: `f`: expected an integer, got a list");
  CHECK(as_int("{a: 8}") == "unknown: a value for `f` at {a: 8} | field-type: `f`: expected an integer, got a mapping");
  CHECK(as_int("8gpus") == "unknown: a value for `f` at 8gpus | field-type: `f`: expected an integer, got `8gpus`");
  CHECK(read_of("'8'", [](const Node& node, auto& findings) {
          return read_int(node, "f", findings, IntStyle::QuotesToo);
        }) == "8 at '8'");
}

TEST_CASE("integers are those that Kubernetes makes of YAML", "[read-value]") {
  CHECK(as_int("0x10") == "16 at 0x10");
  CHECK(as_int("0XfF") == "255 at 0XfF");
  CHECK(as_int("010") == "8 at 010");
  CHECK(as_int("08") == "8 at 08");  // no octal number, but a float
  CHECK(as_int("0o10") == "8 at 0o10");
  CHECK(as_int("0b101") == "5 at 0b101");
  CHECK(as_int("1_000") == "1000 at 1_000");
  CHECK(as_int("+8") == "8 at +8");
  CHECK(as_int("1e3") == "1000 at 1e3");
  CHECK(as_int("8.0") == "8 at 8.0");
  CHECK(as_int("8.") == "8 at 8.");
  CHECK(as_int("-0") == "0 at -0");
  for (const std::string wrong :
       {"8.5", "1e400", "0x", "0b2", "1:30", ".5", "--1", "+-1", "0x1p3", "1e", "e3", ".", "-x", ".inf", "0o8"}) {
    CHECK(as_int(wrong) ==
          "unknown: a value for `f` at " + wrong + " | field-type: `f`: expected an integer, got `" + wrong + "`");
  }
  CHECK(as_int("'0x10'") ==
        "unknown: a value for `f` at '0x10' | field-type: `f`: expected an integer, got the text `0x10`");
}

TEST_CASE("counts are not negative, unless their reader says so", "[read-value]") {
  CHECK(as_int("-1") ==
        "unknown: a value for `f` at -1 | field-type: `f`: expected an integer that is not negative, got `-1`");
  const auto read_as = [](const std::string& yaml, IntStyle style) {
    return read_of(yaml, [&](const Node& node, auto& findings) { return read_int(node, "f", findings, style); });
  };
  CHECK(read_as("-1", IntStyle::Signed) == "-1 at -1");
  CHECK(read_as("'-1'", IntStyle::QuotesToo) ==
        "unknown: a value for `f` at '-1' | field-type: `f`: expected an integer that is not negative, got the text "
        "`-1`");
  CHECK(read_as("-9223372036854775808", IntStyle::Signed) == "-9223372036854775808 at -9223372036854775808");
}

TEST_CASE("quantities without quotes are numbers first", "[read-value]") {
  const auto as_quantity = [](const std::string& yaml) {
    const std::string text = "f: " + yaml;
    Document document;
    std::vector<Finding> findings;
    REQUIRE(read_yaml(text, {FileId{0}, 0, static_cast<std::uint32_t>(text.size())}, document, findings));
    return read_quantity(document.root()["f"], "f", findings).value.text();
  };
  CHECK(as_quantity("010") == "8");
  CHECK(as_quantity("'010'") == "10");
  CHECK(as_quantity("0x10") == "16");
  CHECK(as_quantity("1.5") == "1.5");
  CHECK(as_quantity("-1") == "-1");
  CHECK(as_quantity("1Gi") == "1073741824");
}

TEST_CASE("a value that is not there is absent, one that is filled in later unknown", "[read-value]") {
  CHECK(as_int("") == "absent at f");
  CHECK(as_int("null") == "absent at f");
  CHECK(as_int("$N") == "unknown: a value for `f` at $N");
  CHECK(as_int("'{{ n }}'") == "unknown: a value for `f` at '{{ n }}'");
  CHECK(as_int("{{ n }}") == "unknown: a value for `f` at {{ n }}");
  CHECK(as_int("NUM_NODES") == "unknown: a value for `f` at NUM_NODES");
  CHECK(as_text("<name>") == "unknown: a value for `f` at <name>");
}

TEST_CASE("booleans are those of YAML 1.1, unquoted", "[read-value]") {
  CHECK(as_bool("yes") == "true at yes");
  CHECK(as_bool("Off") == "false at Off");
  CHECK(as_bool("'true'") ==
        "unknown: a value for `f` at 'true' | field-type: `f`: expected true or false, got the text `true`");
  CHECK(as_bool("1") == "unknown: a value for `f` at 1 | field-type: `f`: expected true or false, got `1`");
}

TEST_CASE("numbers with a point and texts", "[read-value]") {
  CHECK(as_double("1.5") == "1.500000 at 1.5");
  CHECK(as_double("x") == "unknown: a value for `f` at x | field-type: `f`: expected a number, got `x`");
  CHECK(as_text("12") == "12 at 12");
  CHECK(as_text("[]") == "unknown: a value for `f` at [] | field-type: `f`: expected a text, got a list");
}

TEST_CASE("messages repeat no more than a line of a wrong value, cut between characters", "[read-value]") {
  std::string wide;
  for (int i = 0; i < 40; ++i) wide += "\u20ac";
  const std::string got = as_int(wide);
  CHECK(got.find(wide.substr(0, 60) + "...`") != std::string::npos);
  const std::string odd = as_int("x" + wide);
  CHECK(odd.find("got `x" + wide.substr(0, 57) + "...`") != std::string::npos);
}
