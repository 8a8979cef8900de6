// What can stand where the cursor is, and what it means.
#include <algorithm>

#include "base/strings.h"
#include "lsp/client.h"
#include "lsp/files.h"
#include "lsp/yaml_outline.h"
#include "support/catch.h"
#include "support/json.h"

namespace {

using muster::contains;
using muster::yaml_outline_at;
using muster::YamlOutline;
using muster::test::Files;
using muster::test::Json;
using muster::test::LspClient;

/// A text with `|` where the cursor stands, in a file of that name.
struct Cursor {
  Cursor(const std::string& name, const std::string& marked) : file(name), client(Files{}) {
    const std::size_t at = marked.find('|');
    text = marked.substr(0, at) + marked.substr(at + 1);
    line = static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    column = static_cast<std::uint32_t>(at - (marked.rfind('\n', at) + 1));
    client.start();
    client.open(file, text);
  }
  Json items() {
    const Json result = client.ask("textDocument/completion", file, line, column);
    return result.is_null() ? Json::array() : result["items"];
  }
  std::vector<std::string> labels() {
    std::vector<std::string> out;
    for (const Json& item : items()) out.push_back(item["label"].get<std::string>());
    return out;
  }
  bool offers(const std::string& word) {
    const std::vector<std::string> all = labels();
    return std::ranges::find(all, word) != all.end();
  }
  std::string hover() {
    const Json result = client.ask("textDocument/hover", file, line, column);
    return result.is_null() ? "" : result["contents"]["value"].get<std::string>();
  }
  /// After the item of that name was taken.
  std::string taking(const std::string& word) {
    for (const Json& item : items()) {
      if (item["label"] != word) continue;
      const Json& range = item["textEdit"]["range"];
      const std::size_t start = text.rfind('\n', text.size()) == std::string::npos ? 0 : line_start();
      std::string out = text;
      const std::size_t begin = start + range["start"]["character"].get<std::size_t>();
      const std::size_t end = start + range["end"]["character"].get<std::size_t>();
      return out.replace(begin, end - begin, item["textEdit"]["newText"].get<std::string>());
    }
    return "";
  }
  std::size_t line_start() const {
    std::size_t start = 0;
    for (std::uint32_t i = 0; i < line; ++i) start = text.find('\n', start) + 1;
    return start;
  }
  std::string file;
  std::string text;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  LspClient client;
};

std::string path_of(const std::string& marked) {
  const std::size_t at = marked.find('|');
  const YamlOutline outline = yaml_outline_at(marked.substr(0, at) + marked.substr(at + 1), at);
  std::string out;
  for (const std::string& key : outline.path) out += key + "/";
  return out + (outline.is_value ? "=" + outline.key : "");
}

constexpr const char* kJob =
    "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: a\nspec:\n  completions: 2\n  template:\n    spec:\n"
    "      containers:\n        - name: c\n          image: i\n          ";

}  // namespace

TEST_CASE("the lines around a place tell its path, also where the text is no YAML yet", "[lsp]") {
  CHECK(path_of("a:\n  b:\n    |") == "a/b/");
  CHECK(path_of("a:\n  b: 1\n  |c") == "a/");
  CHECK(path_of("a:\n  b: 1\n|") == "");
  CHECK(path_of("a:\n  b: |") == "a/=b");
  CHECK(path_of("a:\n  - x: 1\n    y|") == "a/-/");
  CHECK(path_of("a:\n- x: 1\n  y|") == "a/-/");
  CHECK(path_of("a:\n- x|") == "a/-/");
  CHECK(path_of("a:\n- x:\n    y:\n    - z: |") == "a/-/x/y/-/=z");
  CHECK(path_of("a:\n  - - x|") == "a/-/-/");
  CHECK(path_of("a:\n  # b:\n\n  c|") == "a/");
  CHECK(path_of("a:\n  b: 1\n---\nc:\n  |") == "c/");
  CHECK(path_of("a:\n  |\n---\nb: 1") == "a/");
  CHECK(path_of("a:\n  url: http://x\n  \"q r\":\n    |") == "a/q r/");
  CHECK(path_of("|") == "");
}

TEST_CASE("fields of an object of Kubernetes are those of its kind that it does not have yet", "[lsp]") {
  Cursor spec("job.yaml", std::string(kJob).replace(std::string(kJob).find("  completions"), 0, "  |\n"));
  CHECK(spec.offers("parallelism"));
  CHECK(spec.offers("backoffLimit"));
  CHECK_FALSE(spec.offers("completions"));
  CHECK_FALSE(spec.offers("containers"));
  Cursor container("job.yaml", std::string(kJob) + "|");
  CHECK(container.offers("resources"));
  CHECK_FALSE(container.offers("image"));
  CHECK(container.taking("resources").ends_with("          resources:"));
  CHECK(container.taking("workingDir").ends_with("          workingDir: "));
  Cursor value("job.yaml", std::string(kJob) + "imagePullPolicy: |");
  CHECK(value.labels() == std::vector<std::string>{"Always", "IfNotPresent", "Never"});
  Cursor other("job.yaml", "kind: Other\napiVersion: example.com/v1\nspec:\n  |");
  CHECK(other.items().empty());
}

TEST_CASE("a field tells its type", "[lsp]") {
  const std::string said = Cursor("job.yaml", std::string(kJob) + "res|ources: {}").hover();
  CHECK(contains(said, "**`resources`**: object"));
  CHECK(contains(said, "batch/v1"));
  CHECK(Cursor("job.yaml", std::string(kJob) + "nothing|: 1").hover().empty());
}

TEST_CASE("muster's own files have the words of their schemas", "[lsp]") {
  Cursor top("muster.yaml", "muster: config/v1\n|");
  CHECK(top.offers("targets"));
  CHECK(top.offers("suppress"));
  CHECK_FALSE(top.offers("muster"));
  Cursor target("muster.yaml", "muster: config/v1\ntargets:\n  k|");
  CHECK(target.labels() == std::vector<std::string>{"kai", "kubernetes", "kuberay", "kueue", "slurm", "volcano"});
  CHECK(target.taking("kueue").ends_with("\n  kueue: "));
  Cursor severity("muster.yaml", "rules:\n  severity:\n    gang-min-above-size: |");
  CHECK(severity.labels() == std::vector<std::string>{"error", "warning", "info", "off", "false"});
  CHECK(severity.taking("off").ends_with(": \"off\""));
  CHECK(Cursor("muster.yaml", "rules:\n  severity:\n    |").offers("gang-min-above-size"));
  CHECK(Cursor("muster.yaml", "suppress:\n  - rule: |").offers("gang-min-above-size"));
  CHECK(Cursor("muster.yaml", "suppress:\n  - rule: x\n    |").labels() ==
        std::vector<std::string>{"path", "where", "reason", "until"});
  CHECK(Cursor("fleet.yaml", "muster: fleet/v1\nname: c\nnode_pools:\n  - name: p\n    |").offers("gpus_per_node"));
  CHECK(Cursor("jobs.yaml", "muster: workloads/v1\n|").offers("workloads"));
  CHECK(contains(Cursor("muster.yaml", "muster: config/v1\nbase|line: x\n").hover(), "findings in it do not fail"));
}

TEST_CASE("Slurm's files have the keys and words that its releases know", "[lsp]") {
  CHECK(Cursor("slurm.conf", "ClusterName=c\n|").offers("SelectType"));
  CHECK(Cursor("slurm.conf", "ClusterName=c\n|").offers("NodeName"));
  CHECK_FALSE(Cursor("slurm.conf", "ClusterName=c\n|").offers("RealMemory"));
  Cursor node("slurm.conf", "NodeName=n1 CPUs=4 |");
  CHECK(node.offers("RealMemory"));
  CHECK_FALSE(node.offers("CPUs"));
  CHECK_FALSE(node.offers("SelectType"));
  CHECK(node.taking("RealMemory") == "NodeName=n1 CPUs=4 RealMemory=");
  Cursor plugin("slurm.conf", "SelectType=select/|");
  CHECK(plugin.offers("select/cons_tres"));
  CHECK(plugin.taking("select/cons_tres") == "SelectType=select/cons_tres");
  CHECK(Cursor("slurm.conf", "AccountingStorageEnforce=limits,|").taking("qos") ==
        "AccountingStorageEnforce=limits,qos");
  CHECK(Cursor("gres.conf", "NodeName=n1 |").offers("AutoDetect"));
  CHECK(Cursor("topology.conf", "|").labels() ==
        std::vector<std::string>{"SwitchName", "BlockName", "BlockSizes", "BlockLevels", "RingName"});
  CHECK(Cursor("topology.conf", "SwitchName=s1 |").labels() ==
        std::vector<std::string>{"LinkSpeed", "Nodes", "Switches"});
  CHECK(Cursor("slurm.conf", "# ClusterName=c |").items().empty());
  CHECK(contains(Cursor("slurm.conf", "fast|schedule=1\n").hover(), "FastSchedule"));
  CHECK(Cursor("muster.yaml", "muster: config/v1\n# |").items().empty());
  CHECK(Cursor("muster.yaml", "muster: config/v1 # the |").items().empty());
  CHECK(Cursor("slurm.conf.yaml", "|").items().empty());
  CHECK(Cursor("notes.txt", "|").items().empty());
}

TEST_CASE("what is written in place of a word stands on the line and around the cursor", "[lsp]") {
  const Files texts{
      {"slurm.conf", "ClusterName=c  # one\nSelectType=select/cons_tres\nNodeName=n[1-2] \\\n  CPUs=8   \n\n"},
      {"job.yaml", std::string(muster::test::kLspJob) + "x:   \n  - \n  'y' : {a: b, c: }\n"},
      {"muster.yaml", "muster: config/v1\nfail_on:   \ntargets: {slurm: \"25.05\"}\n"}};
  LspClient client(Files{});
  client.start();
  std::size_t offered = 0;
  for (const auto& [file, text] : texts) {
    client.open(file, text);
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    for (const char letter : text) {
      const Json result = client.ask("textDocument/completion", file, line, column);
      if (!result.is_null() && !result["items"].empty()) {
        const Json& range = result["items"][0]["textEdit"]["range"];
        INFO(file << " " << line << ":" << column << " " << range.dump());
        CHECK(range["start"]["line"] == line);
        CHECK(range["end"]["line"] == line);
        CHECK(range["start"]["character"] <= column);
        CHECK(range["end"]["character"] >= column);
        ++offered;
      }
      ++column;
      if (letter == '\n') {
        ++line;
        column = 0;
      }
    }
  }
  CHECK(offered > 50);
}
