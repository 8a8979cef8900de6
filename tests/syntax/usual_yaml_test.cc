// What kubectl and Helm write is read without libyaml; the tree and its places are those that libyaml's events make.
#include <filesystem>
#include <iostream>

#include "source/encoding.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/skip.h"
#include "support/usual_yaml.h"
#include "support/yaml_texts.h"

using namespace muster::test;

namespace {

namespace fs = std::filesystem;

/// Each is read without libyaml.
constexpr std::string_view kUsual[] = {
    "---\n# a comment\napiVersion: v1\nkind: Pod\nmetadata:\n  name: a  # the name\n  labels: {app: a, \"tier\": "
    "'b'}\n",
    "a:\nb: ~\nc: null\nd: \"\"\ne:   # nothing\n  # nothing\nf: 1\n",
    "spec:\n  containers:\n  - name: c\n    image: \"example.com/a:1\"\n    args: [--a, -b, 1, 'it''s', ]\n  -   name: "
    "d\n",
    "a:\n  - - x\n    - y\n  -\n    z: 1\n  -\n  - 'q': r\n    s: t\nu: v\n",
    "a: |\n  x\n   y\n\n  z\n\n\nb: |-\n  x\nc: |+\n  x\n\nd: end\n",
    "a: >\n  p\n  q\n\n  r\n   s\n  t\n\nb: >-\n\n  x\n  \n  y\nc: >+\n  z\n\n",
    "a: |\n    # no comment\n    \tb\n",
    "a: \"tab\\tline\\nquote\\\" \\\\ 'x'\"\nb: 'a \"b\" \\n'\n",
    "a: {b: [c, {d: e}],\n    f: g,  # a comment\n    h: http://x/y}\ni: []\nj: {}\n",
    "  a: b\n  c:\n    d: -1\n    e: x:y#z\n",
    "- a\n- b: c\n- [d]\n- |\n  e\n-\n",
    "a:\n- |-\n  x\n- y\nb: c",
    "a b: c d\ne : f\n<<: g\n\"h\" : i\n",
    "a\n",
    "{a: b}\n",
};

/// Each is left to libyaml, whether it is YAML or not.
constexpr std::string_view kOther[] = {
    "a: &x b\n",
    "a: *x\n",
    "a: !!str b\n",
    "? a\n: b\n",
    "a: b\n c\n",
    "a: b\n\n  c: d\n",
    "a: b: c\n",
    "a: \"b\n  c\"\n",
    "a: 'b\n  c'\n",
    "a: \"\\u00e9\"\n",
    "\xC3\xA9: b\n",
    "a:\tb\n",
    "a:\n\tb: c\n",
    "a: b\r\n",
    "a: |2\n  b\n",
    "a: | # c\n  b\n",
    "a: |\nb: c\n",
    "a: |\n\n    \n  b\n",
    "a: |\n  b",
    "a: |\n    b\n\tc\n",
    "a: - b\n",
    "a: [b, c: d]\n",
    "a: {b}\n",
    "a: {b: , c: d}\n",
    "a: {{ b }}\n",
    "a: {\"b\":1}\n",
    "a: [b\nc: d\n",
    "a: [b\n  c]\n",
    "a: {b: c}: d\n",
    "a: [b]#c\n",
    "a: @b\n",
    "a: `b`\n",
    "a: %b\n",
    "- a\nb: c\n",
    "a: b\n- c\n",
    "a:\n    b: c\n  d: e\n",
    "a:\n  - b\n c: d\n",
    "%YAML 1.1\n---\na: b\n",
    "--- a\n",
    "a: b\n--- c\n",
    "a: \x7F\n",
    "\"a\"b: c\n",
    "",
    "# nothing\n",
};

struct Share {
  std::size_t all = 0;
  std::size_t usual = 0;
};

/// Counts the document, and says where the two readers differ.
void compare(const std::string& document, const std::string& from, Share& share) {
  const UsualReading reading = usual_reading(document);
  ++share.all;
  share.usual += reading.read ? 1 : 0;
  if (!reading.wrong.empty()) FAIL_CHECK(from + ":\n" + document + "\n" + reading.wrong);
}

Share compare_files_of(const std::string& folder) {
  Share share;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".yaml" && extension != ".yml")) continue;
    const muster::DecodedText decoded = muster::decode_text(read_file(entry.path().string()));
    if (decoded.verdict != muster::DecodedText::Verdict::Text) continue;
    for (const std::string& document : documents_of(decoded.text)) compare(document, entry.path().string(), share);
  }
  return share;
}

}  // namespace

TEST_CASE("usual YAML is read without libyaml, to the same tree and places", "[yaml][usual-yaml]") {
  for (const std::string_view text : kUsual) {
    INFO(text);
    const UsualReading reading = usual_reading(std::string(text));
    CHECK(reading.read);
    CHECK(reading.wrong == "");
  }
}

TEST_CASE("what is not usual is left to libyaml", "[yaml][usual-yaml]") {
  for (const std::string_view text : kOther) {
    INFO(text);
    CHECK_FALSE(usual_reading(std::string(text)).read);
  }
}

TEST_CASE("nesting and keys that libyaml refuses are left to it", "[yaml][usual-yaml]") {
  CHECK(usual_reading(std::string(400, '[') + std::string(400, ']')).read);
  CHECK_FALSE(usual_reading(std::string(600, '[') + std::string(600, ']')).read);
  CHECK(usual_reading(std::string(900, 'k') + ": v\n").wrong == "");
  CHECK_FALSE(usual_reading(std::string(1100, 'k') + ": v\n").read);
  CHECK_FALSE(usual_reading("{" + std::string(1100, 'k') + ": v}\n").read);
}

TEST_CASE("the usual reader and libyaml agree on generated documents", "[yaml][usual-yaml]") {
  std::mt19937_64 random(7);
  Share share;
  for (int i = 0; i < 4000; ++i) {
    int anchors = 0;
    compare(generated_block(random, 0, 3, anchors), "generated", share);
  }
  CHECK(share.usual > 100);
}

TEST_CASE("the usual reader and libyaml agree on bent documents", "[yaml][usual-yaml]") {
  std::mt19937_64 random(11);
  Share share;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text(kUsual[random() % std::size(kUsual)]);
    for (const std::string& document : documents_of(bent_yaml(text, random))) compare(document, "bent", share);
  }
  CHECK(share.usual > 1000);
  CHECK(share.usual < share.all);
}

TEST_CASE("the usual reader and libyaml agree on the files of this repository", "[yaml][usual-yaml]") {
  Share share;
  for (const char* folder : {"examples", "rules", "tests"}) {
    const Share part = compare_files_of(source_dir() + "/" + folder);
    share.all += part.all;
    share.usual += part.usual;
  }
  std::cout << "of " << share.all << " documents of this repository, " << share.usual << " are usual\n";
  CHECK(share.usual > share.all / 2);
}

TEST_CASE("the usual reader and libyaml agree on the real files", "[yaml][usual-yaml]") {
  const std::optional<std::string> reference = reference_dir();
  if (!reference || !is_folder(*reference + "/corpus"))
    return skip("reference material", "there is no ../shared/corpus");
  const Share share = compare_files_of(*reference + "/corpus");
  std::cout << "of " << share.all << " real documents, " << share.usual << " are usual\n";
  CHECK(share.usual > share.all / 2);
}
