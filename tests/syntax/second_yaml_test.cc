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
#include "support/yaml_texts.h"
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
    for (const std::string& document : documents_of(bent_yaml(seeds[random() % seeds.size()], random))) {
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
