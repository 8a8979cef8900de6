// Two readers of YAML that share nothing, libyaml's behind ours and yaml-cpp, make the same trees of the same text:
// kinds, texts and styles of scalars, order, duplicate keys, what aliases stand for, and where scalars begin.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <random>
#include <sstream>

#include "source/encoding.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/second_yaml.h"
#include "support/seeds.h"
#include "support/skip.h"
#include "syntax/template_probe.h"
#include "syntax/yaml_reader.h"

using namespace muster::test;

namespace {

namespace fs = std::filesystem;

/// Where the two differ, and who is right. Each has a smallest text, on which the difference is seen, and words that an
/// error says where only one of them reads a text; without such words, both read it and make different trees.
struct Difference {
  std::string_view text;
  std::string_view first;   ///< what libyaml says; empty: it reads the text
  std::string_view second;  ///< the same of yaml-cpp
  std::string_view why;
};
constexpr Difference kDifferences[] = {
    {"? a\n: b\nc\n", "could not find expected ':'", "",
     "a last key without a colon is a key of null to yaml-cpp; the specification wants the colon"},
    {"a: \"b\n", "found unexpected end of stream", "", "yaml-cpp closes a quoted text at the end of the file"},
    {"a: {  : b}\n", "did not find expected node content", "", "an empty key in a flow mapping, which YAML 1.2 allows"},
    {"a:\n  - : b\n", "did not find expected key", "", "an empty key in a block mapping, which YAML 1.2 allows"},
    {"a: {b:,c: d}\n", "found unexpected ':'", "", "libyaml wants a blank behind a key's colon in a flow mapping"},
    {"a: \"\\'\"\n", "found unknown escape character", "", "yaml-cpp takes `\\'` for a quote"},
    {"- \ta\n", "found character that cannot start any token", "",
     "a tab as indentation behind a dash, or a sign that YAML reserves behind an odd colon"},
    {"a: {? : b}\n", "", "",
     "a question mark and a colon: an empty key of `b` to libyaml, a mapping as key to yaml-cpp"},
    {"%YAML 1.3\n---\na\n", "found incompatible YAML document", "", "a later version of YAML"},
    {"%\na\n", "could not find expected directive name", "", "a directive without a name"},
    {"%a: b\n---\na\n", "found unexpected non-alphabetical character", "", "a directive's name with a sign in it"},
    {"a: &: b\n", "did not find expected alphabetic or numeric character", "",
     "anchors of signs, which YAML 1.2 allows"},
    {"a: ! b\n", "", "", "`!` leaves the type open in YAML 1.1 and says `a text` in YAML 1.2"},
    {"!\n", "", "", "an empty text with a tag is null to yaml-cpp"},
    {"a: >-\n  b\n  ", "", "", "blanks on a last line that does not end belong to a folded text for yaml-cpp"},
    {"a: b\rc: d\r", "", "illegal map value", "a carriage return alone ends no line for yaml-cpp"},
    {"{a\n b, c: d}\n", "", "end of map flow not found", "a key of a flow mapping on two lines, without a value"},
};

bool says(const std::string& error, std::string_view words) {
  return words.empty() ? error.empty() : error.find(words) != std::string::npos;
}

/// Whether the messages are those of a difference in the list.
bool is_known(const YamlTree& first, const YamlTree& second) {
  return std::ranges::any_of(kDifferences, [&](const Difference& known) {
    return !(known.first.empty() && known.second.empty()) && says(first.error, known.first) &&
           says(second.error, known.second);
  });
}

std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream one(a);
  std::istringstream other(b);
  std::string left;
  std::string right;
  while (std::getline(one, left) && std::getline(other, right) && left == right) {
  }
  return "`" + left + "` and `" + right + "`";
}

/// What is wrong, or nothing. Two that refuse a text agree, whatever they say of it.
std::string disagreement(std::string_view document) {
  const YamlTree first = first_reading(document);
  const YamlTree second = second_reading(document);
  if (first.error.empty() != second.error.empty())
    return is_known(first, second) ? "" : "only one reads it: `" + first.error + "` and `" + second.error + "`";
  return first.error.empty() && first.text != second.text ? first_difference(first.text, second.text) : "";
}

std::vector<std::string> documents_of(const std::string& text) {
  std::vector<std::string> out;
  for (const muster::Span& where : muster::split_yaml_documents(muster::FileId{0}, text))
    out.push_back(text.substr(where.begin, where.end - where.begin));
  return out;
}

std::string generated_scalar(std::mt19937_64& random) {
  constexpr std::string_view kScalars[] = {"a",
                                           "8",
                                           "~",
                                           "null",
                                           "true",
                                           "b c",
                                           "x:y",
                                           "-1",
                                           "\"q \\n \\\" \\u00e9\"",
                                           "'it''s'",
                                           "\"two\n    lines\"",
                                           "\u00e9\u00df",
                                           "\"\"",
                                           "''",
                                           "0x1f",
                                           "a#b",
                                           "http://x/y"};
  return std::string(kScalars[random() % std::size(kScalars)]);
}

std::string generated_flow(std::mt19937_64& random, int depth) {
  if (depth == 0 || random() % 3 == 0) return generated_scalar(random);
  std::string out;
  const bool mapping = random() % 2 == 0;
  for (std::uint64_t i = random() % 4; i > 0; --i) {
    out += (out.empty() ? "" : ", ") + (mapping ? "k" + std::to_string(random() % 3) + ": " : std::string()) +
           generated_flow(random, depth - 1);
  }
  return mapping ? "{" + out + "}" : "[" + out + "]";
}

/// A block of some indentation, with a line end behind it.
std::string generated_block(std::mt19937_64& random, std::size_t indent, int depth, int& anchors) {
  const std::string margin(indent, ' ');
  std::string out;
  const bool mapping = random() % 3 != 0;
  for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
    if (random() % 8 == 0) out += margin + "# a comment\n";
    out += margin + (mapping ? "k" + std::to_string(random() % 5) + ":" : "-");
    switch (random() % (depth > 0 ? 8 : 5)) {
      case 0: out += "\n"; break;
      case 1: out += " " + generated_flow(random, 2) + "\n"; break;
      case 2:
        out +=
            (random() % 2 == 0 ? " |\n" : " >-\n") + margin + "  one\n" + margin + "   two\n\n" + margin + "  three\n";
        break;
      case 3:
        out += anchors > 0 ? " *a" + std::to_string(random() % static_cast<std::uint64_t>(anchors)) + "\n"
                           : " " + generated_scalar(random) + "\n";
        break;
      case 4: {
        const std::string value = generated_scalar(random);
        out += " &a" + std::to_string(anchors++) + " " + value + "\n";
        break;
      }
      default: out += "\n" + generated_block(random, indent + 2, depth - 1, anchors); break;
    }
  }
  return out;
}

std::string bent(std::string text, std::mt19937_64& random) {
  constexpr std::string_view kWords[] = {
      "\n", "---\n", "\\",      "#",    "\"",  "'",       "{",     "}",      "[",       "]",         ": ",
      "- ", "&a ",   "*a",      "<<: ", "|\n", ">-\n",    "? ",    "|2\n",   "  ",      ", ",        "@",
      "`",  "[1-4]", "{{ x }}", "null", "~",   "\u00e9z", "\\x41", "x: y\n", "- - a\n", "? a\n: b\n"};
  for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % (text.size() + 1);
    const std::size_t length = random() % 20;
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kWords[random() % std::size(kWords)]); break;
      case 3: text.replace(at, length, kWords[random() % std::size(kWords)]); break;
      default: text.resize(at); break;
    }
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("each known difference of the two YAML readers is one", "[second-yaml]") {
  for (const Difference& known : kDifferences) {
    INFO(known.text);
    const YamlTree first = first_reading(known.text);
    const YamlTree second = second_reading(known.text);
    CHECK(says(first.error, known.first));
    CHECK(says(second.error, known.second));
    if (known.first.empty() && known.second.empty()) CHECK(first.text != second.text);
  }
}

namespace {

/// Compares the documents of all YAML files below a folder that are no templates; returns how many there are.
std::size_t compare_folder(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".yaml" && extension != ".yml")) continue;
    const muster::DecodedText decoded = muster::decode_text(read_file(entry.path().string()));
    if (decoded.verdict != muster::DecodedText::Verdict::Text || muster::probe_template(decoded.text)) continue;
    for (const std::string& document : documents_of(decoded.text)) {
      ++count;
      const std::string wrong = disagreement(document);
      if (!wrong.empty()) FAIL_CHECK(entry.path().string() + ": " + wrong);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("two YAML readers agree on the real files", "[second-yaml]") {
  const std::optional<std::string> reference = reference_dir();
  if (!reference || !is_folder(*reference + "/corpus"))
    return skip("reference material", "there is no ../shared/corpus");
  const std::size_t count = compare_folder(*reference + "/corpus");
  std::cout << "two YAML readers agree on " << count << " documents\n";
  CHECK(count > 1000);
}

// Among them what muster has written: the goldens of fleet files and of worlds.
TEST_CASE("two YAML readers agree on the files of this repository", "[second-yaml]") {
  for (const char* folder : {"examples", "rules", "tests"}) CHECK(compare_folder(source_dir() + "/" + folder) > 0);
}

TEST_CASE("two YAML readers agree on generated documents", "[second-yaml]") {
  std::mt19937_64 random(20261122);
  for (int i = 0; i < 2000; ++i) {
    int anchors = 0;
    const std::string text = generated_block(random, 0, 4, anchors);
    const std::string wrong = disagreement(text);
    if (wrong.empty()) continue;
    INFO(text);
    FAIL_CHECK(wrong);
    return;
  }
}

TEST_CASE("two YAML readers agree on bent documents, but for what is known", "[second-yaml]") {
  std::mt19937_64 random(42);
  std::vector<std::string> seeds{
      "a: |\n  x\n   y\n\nb: >-\n  z\n  w\n\n  v\nc: \"d\\n\n  e\"\nf: 'g\n\n  h'\n? i\n: - j\n  - k: l\n    m: [n, "
      "{o: p}, q]\nr: &s {t: u}\nv: *s\n"};
  for (const Seed& seed : kSeeds) {
    if (seed.name.ends_with(".yaml") && seed.name != "chart.yaml") seeds.emplace_back(seed.text);
  }
  for (int i = 0; i < 6000; ++i) {
    for (const std::string& document : documents_of(bent(seeds[random() % seeds.size()], random))) {
      // Tags, tabs, directives and carriage returns are where the two differ without a word; muster reads no other
      // bytes than UTF-8.
      if (document.find_first_of("!\t\r%") != document.npos || document.find("? :") != document.npos ||
          document.back() != '\n')
        continue;
      if (muster::decode_text(document).verdict != muster::DecodedText::Verdict::Text) continue;
      const std::string wrong = disagreement(document);
      if (wrong.empty()) continue;
      INFO(document);
      FAIL_CHECK(wrong);
      return;
    }
  }
}

TEST_CASE("neither YAML reader follows more than 500 levels or a text without an end", "[second-yaml]") {
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  CHECK(first_reading(deep).error == "nested too deeply (more than 500 levels)");
  CHECK_FALSE(second_reading(deep).error.empty());
}
