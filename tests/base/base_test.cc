#include <limits>

#include "base/date.h"
#include "base/quantity.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/version.h"
#include "support/catch.h"

using muster::Quantity;
using muster::Version;

TEST_CASE("quantities are exact from billionths to exbibytes", "[quantity]") {
  const auto text = [](const char* in) {
    const std::optional<Quantity> quantity = Quantity::parse(in);
    return quantity ? quantity->text() : std::string("none");
  };
  CHECK(text("8") == "8");
  CHECK(text("0.5") == "0.5");
  CHECK(text("500m") == "0.5");
  CHECK(text("1000m") == "1");
  CHECK(text("2k") == "2000");
  CHECK(text("8Ti") == "8796093022208");
  CHECK(text("1.5Gi") == "1610612736");
  CHECK(text("1e3") == "1000");
  CHECK(text("1E3") == "1000");
  CHECK(text("2E") == "2000000000000000000");
  CHECK(text("1Ei") == "1152921504606846976");
  CHECK(text("-3") == "-3");
  CHECK(text("-0.5") == "-0.5");
  CHECK(text(".5") == "0.5");
  CHECK(text("5.") == "5");
  CHECK(text("0.0000000001") == "0.000000001");  // rounded up, as Kubernetes does
  CHECK(text("100Ei") == std::to_string(std::numeric_limits<std::int64_t>::max()));
  for (const char* bad : {"", ".", "-", "8gpus", "1KiB", "1 Gi", "Gi", "1e", "0x8", "1.2.3", "ki"}) {
    INFO(bad);
    CHECK(text(bad) == "none");
  }
}

TEST_CASE("quantities are shown to people as they are written", "[quantity]") {
  const auto shown = [](std::string_view in) { return Quantity::parse(in)->readable(); };
  CHECK(shown("16Gi") == "16Gi");
  CHECK(shown("1536Mi") == "1536Mi");
  CHECK(shown("2048Pi") == "2048Pi");
  CHECK(shown("-2Gi") == "-2Gi");
  CHECK(shown("64") == "64");
  CHECK(shown("4096") == "4096");
  CHECK(shown("500m") == "0.5");
  CHECK(shown("0") == "0");
}

TEST_CASE("quantities compare by value whatever their suffix", "[quantity]") {
  CHECK(*Quantity::parse("1Gi") > *Quantity::parse("1G"));
  CHECK(*Quantity::parse("1000m") == *Quantity::parse("1"));
  CHECK(*Quantity::parse("-1") < *Quantity::parse("-0.5"));
  CHECK((*Quantity::parse("0.6") + *Quantity::parse("0.6")).text() == "1.2");
}

TEST_CASE("versions compare by number and keep their spelling", "[version]") {
  CHECK(*Version::parse("25.05") < *Version::parse("25.11"));
  CHECK(*Version::parse("25.05") == *Version::parse("25.5"));
  CHECK(*Version::parse("1.37") == *Version::parse("v1.37.0"));
  CHECK(*Version::parse("1.9") < *Version::parse("1.10"));
  CHECK(Version::parse("26.05.5-1")->text() == "26.05.5");
  for (const char* bad : {"", "latest", "1..2", "1.2.3.4.5", "x1", "1.a", "99999999999"}) {
    INFO(bad);
    CHECK_FALSE(Version::parse(bad).has_value());
  }
}

TEST_CASE("a slip is of one word alone, and of short words one letter", "[strings]") {
  const std::vector<std::string_view> words{"minMember", "minMembers", "cpu", "gpu", "restartPolicy"};
  CHECK(muster::slip_of("restartPolcy", words) == "restartPolicy");
  CHECK(muster::slip_of("restratPolcy", words) == "restartPolicy");
  CHECK(muster::slip_of("MinMember", words) == "minMember");
  CHECK_FALSE(muster::slip_of("bpu", words).has_value());        // two are as near
  CHECK_FALSE(muster::slip_of("gq", words).has_value());         // two letters of two
  CHECK_FALSE(muster::slip_of("restPolcy", words).has_value());  // four letters
  CHECK(muster::nearest("bpu", words).has_value());
}

TEST_CASE("misspelt words find their neighbour, far ones none", "[strings]") {
  const std::vector<std::string_view> words{"gpus_per_node", "nodes", "name"};
  CHECK(muster::nearest("gpu_per_node", words) == "gpus_per_node");
  CHECK(muster::nearest("ndoes", words) == "nodes");
  CHECK_FALSE(muster::nearest("partition", words).has_value());
  CHECK(muster::did_you_mean("nodez", words) == "; did you mean `nodes`?");
  CHECK(muster::edit_distance("abc", "acb", 3) == 1);
  CHECK(muster::edit_distance("kitten", "sitting", 3) == 3);
}

TEST_CASE("the distance of words is what the whole table says, up to its limit", "[strings]") {
  const auto plain = [](const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
      for (std::size_t j = 0; j <= b.size(); ++j) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
    return d[a.size()][b.size()];
  };
  std::vector<std::string> words{""};
  for (std::size_t i = 0; i < words.size() && words.size() < 400; ++i) {
    for (const char c : {'a', 'b', 'c'}) words.push_back(words[i] + c);
  }
  for (std::size_t i = 0; i < words.size(); i += 3) {
    for (const std::string& other : words) {
      for (const std::size_t limit : {0U, 1U, 2U, 3U}) {
        if (muster::edit_distance(words[i], other, limit) != std::min(plain(words[i], other), limit + 1))
          FAIL(words[i] + " and " + other);
      }
    }
  }
}

TEST_CASE("globs stay within a folder unless they say **", "[strings]") {
  CHECK(muster::glob_matches("vendor/**", "vendor/a/b.yaml"));
  CHECK(muster::glob_matches("**/test/*.yaml", "test/a.yaml"));
  CHECK(muster::glob_matches("**/test/*.yaml", "x/y/test/a.yaml"));
  CHECK(muster::glob_matches("*.yaml", "a.yaml"));
  CHECK_FALSE(muster::glob_matches("*.yaml", "x/a.yaml"));
  CHECK_FALSE(muster::glob_matches("vendor/*", "vendor/a/b.yaml"));
  CHECK(muster::glob_matches("**", "anything/at/all"));
  CHECK_FALSE(muster::glob_matches("a?c", "a/c"));
}

TEST_CASE("a hostile glob ends quickly", "[strings]") {
  const std::string pattern = "**a**a**a**a**a**a**a**a**a**b";
  CHECK_FALSE(muster::glob_matches(pattern, std::string(2000, 'a')));
}

TEST_CASE("what goes to a terminal cannot drive it", "[utf8]") {
  CHECK(muster::printable("a\x1b[31mb") == "a\\x1b[31mb");
  CHECK(muster::printable("a\nb\tc\r") == "a\\nb c\\x0d");
  CHECK(muster::printable("x\xE2\x80\xAEy") == "x\\u202ey");
  CHECK(muster::printable("\xFF") == "\\xff");
  CHECK(muster::printable("grün") == "grün");
}

TEST_CASE("UTF-8 is told from what only looks like it", "[utf8]") {
  CHECK_FALSE(muster::first_invalid_utf8("grün €\xF0\x9F\x98\x80").has_value());
  CHECK(muster::first_invalid_utf8("ab\xC0\x80") == 2u);        // overlong
  CHECK(muster::first_invalid_utf8("\xED\xA0\x80") == 0u);      // surrogate
  CHECK(muster::first_invalid_utf8("\xF4\x90\x80\x80") == 0u);  // above U+10FFFF
  CHECK(muster::first_invalid_utf8("abc\xE2\x82") == 3u);       // cut off
  CHECK(muster::count_code_points("grün") == 4);
}

TEST_CASE("UTF-16 becomes UTF-8, surrogate pairs included", "[utf8]") {
  using namespace std::string_literals;
  CHECK(muster::utf16_to_utf8("a\0\xFC\0\x3D\xD8\x00\xDE"s, muster::ByteOrder::Little) == "aü😀");
  CHECK(muster::utf16_to_utf8("\0a\0\xFC"s, muster::ByteOrder::Big) == "aü");
  CHECK(muster::utf16_to_utf8("\x3D\xD8"s, muster::ByteOrder::Little) == "\xEF\xBF\xBD");
}

TEST_CASE("dates are days of the calendar", "[date]") {
  CHECK(muster::parse_date("2027-01-31").has_value());
  CHECK(muster::parse_date("2028-02-29").has_value());
  for (const char* bad :
       {"2027-02-29", "2027-13-01", "2027-1-1", "27-01-31", "2027/01/31", "", "2027-00-10", "2027--1-10"}) {
    INFO(bad);
    CHECK_FALSE(muster::parse_date(bad).has_value());
  }
}
