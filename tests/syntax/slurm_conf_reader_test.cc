#include "syntax/slurm_conf_reader.h"

#include <regex.h>

#include <random>

#include "source/source_map.h"
#include "support/catch.h"

using namespace muster;

namespace {

/// `LINE: KEY@COLUMN=VALUE@COLUMN ... | rest@COLUMN` for each logical line.
std::string read_conf(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("slurm.conf", text);
  const auto at = [&](const Span& where) {
    const Position begin = sources.begin_of(where);
    return "@" + std::to_string(begin.line) + ":" + std::to_string(begin.column);
  };
  std::string out;
  for (const ConfLine& line : read_slurm_conf(file, text)) {
    if (line.include) out += "include ";
    for (const ConfPair& pair : line.pairs)
      out += pair.key + at(pair.key_where) + "=" + pair.value + at(pair.value_where) + " ";
    if (!line.rest.empty()) out += "| " + line.rest + at(line.rest_where) + " ";
    out.back() = '\n';
  }
  return out;
}

/// The same of one logical line without places, in the way Slurm's own code goes: comments off, lines joined, escapes
/// off, then its regular expression again and again.
std::string read_as_slurm(const std::string& text) {
  std::string out;
  std::string joined;
  const auto finish = [&] {
    std::string line;
    for (std::size_t i = 0; i < joined.size(); ++i) {
      if (joined[i] == '\\' && ++i == joined.size()) break;
      line += joined[i];
    }
    joined.clear();
    static regex_t pattern;
    static const bool compiled =
        regcomp(
            &pattern,
            "^[[:space:]]*([[:alnum:]_.]+)[[:space:]]*[-*+/]?=[[:space:]]*(\"([^\"]*)\"|[^[:space:]]+)([[:space:]]|$)",
            REG_EXTENDED) == 0;
    REQUIRE(compiled);
    std::string words;
    regmatch_t match[5];
    while (regexec(&pattern, line.c_str(), 5, match, 0) == 0) {
      const auto group = [&](int i) {
        return line.substr(static_cast<std::size_t>(match[i].rm_so),
                           static_cast<std::size_t>(match[i].rm_eo - match[i].rm_so));
      };
      words += group(1) + "=" + (match[3].rm_so >= 0 ? group(3) : group(2)) + " ";
      line = line.substr(static_cast<std::size_t>(match[2].rm_eo));
    }
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    if (first != std::string::npos)
      words += "| " + line.substr(first, line.find_last_not_of(" \t\r\n") + 1 - first) + " ";
    if (!words.empty()) out += words + "\n";
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    std::size_t slashes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '#' && slashes % 2 == 0)
        line.resize(i);
      else
        slashes = line[i] == '\\' ? slashes + 1 : 0;
    }
    const std::size_t last = line.find_last_not_of(" \t\r");
    std::size_t tail = 0;
    while (last != std::string::npos && tail <= last && line[last - tail] == '\\') ++tail;
    joined += tail % 2 == 1 ? line.substr(0, last) : line;
    if (tail % 2 == 0) finish();
    at = end + 1;
  }
  finish();
  return out;
}

std::string without_places(const std::string& text) {
  std::string out;
  for (const ConfLine& line : read_slurm_conf(FileId{0}, text)) {
    for (const ConfPair& pair : line.pairs) out += pair.key + "=" + pair.value + " ";
    if (!line.rest.empty()) out += "| " + line.rest + " ";
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("keys and values of slurm.conf know their places", "[slurm-conf]") {
  CHECK(read_conf("# head\nClusterName=lab\n\n  NodeName=n[1-2]  CPUs = 4\tGres=gpu:8 # eight\n") ==
        "ClusterName@2:1=lab@2:13\n"
        "NodeName@4:3=n[1-2]@4:12 CPUs@4:20=4@4:27 Gres@4:29=gpu:8@4:34\n");
}

TEST_CASE("a backslash at the end joins lines and keeps their places", "[slurm-conf]") {
  CHECK(read_conf("NodeName=a \\\n  CPUs=1 \\\r\n  Gres=gpu:1\nA=b\n") ==
        "NodeName@1:1=a@1:10 CPUs@2:3=1@2:8 Gres@3:3=gpu:1@3:8\nA@4:1=b@4:3\n");
  CHECK(read_conf("Node\\\nName=a\\\nb\n") == "NodeName@1:1=ab@2:6\n");
  SECTION("blanks and a comment may stand behind it") {
    CHECK(read_conf("A=b \\  \nC=d \\ # why\nE=f\n") == "A@1:1=b@1:3 C@2:1=d@2:3 E@3:1=f@3:3\n");
  }
  SECTION("an escaped backslash joins nothing") {
    CHECK(read_conf("A=b\\\\\nC=d\n") == "A@1:1=b\\@1:3\nC@2:1=d@2:3\n");
  }
  SECTION("a comment between the lines ends the record") {
    CHECK(read_conf("NodeName=a \\\n# note\nCPUs=1\n") == "NodeName@1:1=a@1:10\nCPUs@3:1=1@3:6\n");
  }
  SECTION("at the end of the file there is nothing to join") { CHECK(read_conf("A=b \\") == "A@1:1=b@1:3\n"); }
}

TEST_CASE("a backslash protects a number sign, but neither blanks nor quotes", "[slurm-conf]") {
  CHECK(read_conf("A=b\\#c # d\n") == "A@1:1=b#c@1:3\n");
  CHECK(read_conf("A=b\\ c=d\n") == "A@1:1=b@1:3 c@1:6=d@1:8\n");
  CHECK(read_conf("A=\"b\\\" c\"\n") == "A@1:1=b@1:3 | c\"@1:8\n");
  CHECK(read_conf("No\\deName=a\n") == "NodeName@1:1=a@1:11\n");
  CHECK(read_conf("A=\"b # c\"\n") == "A@1:1=\"b@1:3\n");
}

TEST_CASE("quotes hold blanks together when they stand around the whole value", "[slurm-conf]") {
  CHECK(read_conf("A=\"b c\" D=e\n") == "A@1:1=b c@1:3 D@1:9=e@1:11\n");
  CHECK(read_conf("A=\"\"\n") == "A@1:1=@1:3\n");
  CHECK(read_conf("A=\"b\"c D=e\n") == "A@1:1=\"b\"c@1:3 D@1:8=e@1:10\n");
  CHECK(read_conf("A=b\"c d\"\n") == "A@1:1=b\"c@1:3 | d\"@1:7\n");
  CHECK(read_conf("A=\"b c\n") == "A@1:1=\"b@1:3 | c@1:6\n");
}

TEST_CASE("what Slurm cannot parse stays as the rest of the line", "[slurm-conf]") {
  CHECK(read_conf("A=b junk C=d\n") == "A@1:1=b@1:3 | junk C=d@1:5\n");
  CHECK(read_conf("Key\n=v\nK+=v\nK ==v\nK-K=v\n") == "| Key@1:1\n| =v@2:1\nK@3:1=v@3:4\nK@4:1==v@4:4\n| K-K=v@5:1\n");
  CHECK(read_conf("A=\nB=c\n") == "| A=@1:1\nB@2:1=c@2:3\n");
}

TEST_CASE("Include counts in column 0 only", "[slurm-conf]") {
  CHECK(read_conf("include  /etc/a.conf \nINCLUDE b\n Include c\nIncludes=d\n") ==
        "include | /etc/a.conf@1:10\ninclude | b@2:9\n| Include c@3:2\nIncludes@4:1=d@4:10\n");
}

TEST_CASE("Windows line ends and byte for byte odd lines are no surprise", "[slurm-conf]") {
  CHECK(read_conf("A=b\r\n\r\nC=\"d\"\r\n") == "A@1:1=b@1:3\nC@3:1=d@3:3\n");
  CHECK(read_conf("").empty());
  CHECK(read_conf("\\").empty());
  CHECK(read_conf("\n \\\n\t\n").empty());
}

TEST_CASE("slurm.conf is read as Slurm's own regular expression reads it", "[slurm-conf]") {
  std::mt19937 random(7);
  const std::string letters = "aB=\"\\# \t\n\r+-x.=\" ";
  for (int run = 0; run < 20'000; ++run) {
    std::string text;
    for (std::size_t length = random() % 24; length > 0; --length) text += letters[random() % letters.size()];
    INFO(text);
    REQUIRE(without_places(text) == read_as_slurm(text));
  }
}
