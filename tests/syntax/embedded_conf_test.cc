// Files of Slurm within other texts: which are found, and where their values stand.
#include "syntax/embedded_conf.h"

#include <array>

#include "support/catch.h"

using namespace muster;

namespace {

constexpr std::array<std::string_view, 2> kNames{"gres.conf", "slurm.conf"};

/// `NAME[+]: TEXT` of each, a bar for a line end.
std::vector<std::string> found(std::string_view text) {
  std::vector<std::string> out;
  for (const EmbeddedConf& conf : find_embedded_confs(text, kNames)) {
    std::string one = conf.name + (conf.appended ? "+: " : ": ");
    for (const char c : conf.text) one += c == '\n' ? '|' : c;
    out.push_back(one);
  }
  return out;
}

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("here-documents that write a file of Slurm are found", "[embedded-conf]") {
  CHECK(found("cat > /etc/slurm/slurm.conf <<EOF\nA=1\nB=2\nEOF\nC=3\n") == Found{"slurm.conf: A=1|B=2|"});
  CHECK(found("cat <<'EOF' | sudo tee /etc/slurm/gres.conf >/dev/null\nA=$x\nEOF\n") == Found{"gres.conf: A=$x|"});
  CHECK(found("sudo tee -a \"$DIR/slurm.conf\" <<-END\nA=1\n\tEND\n") == Found{"slurm.conf+: A=1|"});
  CHECK(found("cat >>gres.conf << EOF\nA=1\nEOF\n") == Found{"gres.conf+: A=1|"});
  CHECK(found("sudo bash -c 'cat > /etc/slurm/slurm.conf' <<EOF\nA=1\nEOF\n") == Found{"slurm.conf: A=1|"});
}

TEST_CASE("what a shell fills in is a mark of the same length", "[embedded-conf]") {
  CHECK(found("cat >slurm.conf <<EOF\nSlurmctldHost=$(hostname -s)\nCPUs=${CPUS} X=`nproc`\nNodes=$N\nA=\\$b\nEOF\n") ==
        Found{"slurm.conf: SlurmctldHost={xxxxxxxxxxxx}|CPUs={xxxxx} X={xxxxx}|        |A=\\$b|"});
}

TEST_CASE("blocks of YAML under the name of a file, or beside its path, are found", "[embedded-conf]") {
  CHECK(found("data:\n  slurm.conf: |\n    A=1\n\n    B=2\n  other: x\n") == Found{"slurm.conf: A=1||B=2|"});
  CHECK(
      found(
          "write_files:\n  - path: /etc/slurm/gres.conf\n    owner: root\n    content: |\n      A=1\n  - path: b\n") ==
      Found{"gres.conf: A=1|"});
  CHECK(found("- copy:\n    content: |-\n      A=1\n    dest: /etc/slurm/slurm.conf\n") == Found{"slurm.conf: A=1|"});
  CHECK(found("data:\n  \"slurm.conf\": |2\n     A=1\n") == Found{"slurm.conf:  A=1|"});
}

TEST_CASE("what only looks like one is not", "[embedded-conf]") {
  CHECK(found("cat /etc/slurm/slurm.conf\nread x <<EOF\nA=1\nEOF\n").empty());
  CHECK(found("cat > /etc/motd <<EOF\nsee slurm.conf\nEOF\n").empty());
  CHECK(found("cat > slurm.conf <<EOF\nA=1\n").empty());               // it has no end
  CHECK(found("grep x slurm.conf <<< \"$a\"\n").empty());              // a here-string
  CHECK(found("# cat > slurm.conf <<EOF\n# A=1\n# EOF\n").empty());    // a comment
  CHECK(found("data:\n  slurm.conf: >\n    A=1\n    B=2\n").empty());  // lines are joined
  CHECK(found("- path: /etc/slurm/slurm.conf\n- path: b\n  content: |\n    A=1\n").empty());
  CHECK(found("a:\n  path: /etc/slurm.conf\nb:\n  content: |\n    A=1\n").empty());
}

TEST_CASE("here-documents that do not end are not looked for line after line", "[embedded-conf][growth]") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "cat > slurm.conf <<W" + std::to_string(i) + "\n";
  CHECK(found(text).empty());  // 5,000,000,000 lines would be compared
  CHECK(found(text + "cat > slurm.conf <<EOF\nA=1\nEOF\n") == Found{"slurm.conf: A=1|"});
}

TEST_CASE("values know where they stand in the text around them", "[embedded-conf]") {
  const std::string text = "data:\n  slurm.conf: |\n    NodeName=n1 CPUs=4\n    Port=\\\n      5\n";
  const std::vector<EmbeddedConf> all = find_embedded_confs(text, kNames);
  REQUIRE(all.size() == 1);
  std::vector<ConfLine> lines = read_slurm_conf(FileId{0}, all.front().text);
  move_places(all.front(), lines);
  REQUIRE(lines.size() == 2);
  const auto words = [&](const Span& span) { return text.substr(span.begin, span.end - span.begin); };
  CHECK(words(lines[0].where) == "NodeName=n1 CPUs=4");
  CHECK(words(lines[0].pairs[1].value_where) == "4");
  CHECK(words(lines[1].pairs[0].key_where) == "Port");
}
