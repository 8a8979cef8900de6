// What muster predicts of a topology, held against what real slurmctld of three releases did with it.
#include <algorithm>
#include <regex>
#include <sstream>

#include "lint/lint.h"
#include "pipeline/discover.h"
#include "pipeline/read_model.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"

using namespace muster;

namespace {

using Files = std::map<std::string, std::string>;

/// One run of slurmctld.
struct Run {
  std::string name;
  std::string release;
  bool refused = false;
  Files files;
};

/// The runs about topology.conf and topology.yaml; each line of the file is one.
std::vector<Run> topology_runs() {
  std::vector<Run> out;
  std::istringstream lines(test::read_file(test::source_dir() + "/tests/oracles/slurmctld-verdicts.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::string group = row.at("group");
    if (group != "tree" && group != "block" && group != "yaml") continue;
    Run run{group + "/" + row.at("case").get<std::string>(), row.at("slurm"), row.at("verdict") != "up", {}};
    for (const auto& [name, text] : row.at("files").items())
      run.files["etc/" + name] = std::regex_replace(text.get<std::string>(), std::regex("\\$PORT"), "6817");
    out.push_back(std::move(run));
  }
  return out;
}

/// The findings of a set of files. The rules are read once: there are hundreds of sets.
std::vector<Finding> findings_of(const Files& files, const std::string& release) {
  static const Result<RuleBook> book = RuleBook::embedded();
  REQUIRE(book);
  const MemoryFileSystem disk(files);
  std::vector<Finding> findings;
  const Result<Inputs> inputs = discover({{"."}, {}, {}, {}}, disk, findings);
  REQUIRE(inputs);
  std::vector<ParsedFile> parsed = parse_all(*inputs, 1, findings);
  const Model model = normalise_all(parsed, *inputs, {}, findings);
  complete_from_rules(findings, *book);
  LintResult linted = lint({model, {}, *book, {{"slurm", *Version::parse(release)}}, {}});
  std::ranges::move(linted.findings, std::back_inserter(findings));
  return findings;
}

bool predicts_refusal(const Files& files, const std::string& release) {
  return std::ranges::any_of(findings_of(files, release), [](const Finding& finding) {
    return finding.effect == Effect::Rejected || finding.effect == Effect::Crash;
  });
}

/// Every run whose prediction is wrong, one a line.
std::string disagreements(const std::vector<Run>& runs) {
  std::string out;
  for (const Run& run : runs) {
    if (predicts_refusal(run.files, run.release) == run.refused) continue;
    out += run.name + " on " + run.release + ": slurmctld " + (run.refused ? "refuses" : "accepts") + "\n";
    for (const Finding& finding : findings_of(run.files, run.release))
      out += "  " + finding.rule + ": " + finding.message + "\n";
  }
  return out;
}

std::vector<Run> changed(const std::vector<Run>& runs,
                         std::string (*change)(const std::string& path, const std::string& text)) {
  std::vector<Run> out = runs;
  for (Run& run : out) {
    for (auto& [path, text] : run.files) text = change(path, text);
  }
  return out;
}

bool is_topology(const std::string& path) { return path.find("topology.") != path.npos; }

std::string rename_nodes(const std::string&, const std::string& text) {
  return std::regex_replace(text, std::regex("\\bnode(\\[|[0-9])"), "gpu-b200-$1");
}

/// Names of switches, blocks, rings and topologies.
std::string rename_units(const std::string& path, const std::string& text) {
  if (!is_topology(path)) return text;
  std::string out = std::regex_replace(text, std::regex("\\b(spine|top|sw_root)\\b"), "Fabric$1");
  out = std::regex_replace(out, std::regex("\\b(leaf|d|s|b|r)([0-9]|\\[[0-9])"), "x-$1-$2");
  return out;
}

/// The last record first. Slurm's verdict depends on the order only in trees deeper than it has passes.
std::string reverse_records(const std::string& path, const std::string& text) {
  if (!path.ends_with("topology.conf") || text.find('\\') != text.npos) return text;
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.size() > 20) return text;
  std::string out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) out += *line + "\n";
  return out;
}

/// `text` with each match replaced by what `replace` makes of it.
template <class Replace>
std::string replace_each(const std::string& text, const std::regex& pattern, Replace replace) {
  std::string out;
  auto at = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    out.append(at, (*match)[0].first);
    out += replace(*match);
    at = (*match)[0].second;
  }
  return out.append(at, text.end());
}

constexpr int kScale = 4;

std::string padded(int number) {
  const std::string digits = std::to_string(number);
  return std::string(4 - std::min<std::size_t>(4, digits.size()), '0') + digits;
}

/// Every node becomes four, every block size four times as large. Rings have a fixed limit and toruses a shape: they
/// stay.
std::string scale_counts(const std::string& path, const std::string& text) {
  const auto range = [](const std::smatch& match) {
    const int low = std::stoi(match[1]);
    const int high = match[2].matched ? std::stoi(match[2]) : low;
    return "node[" + padded((low - 1) * kScale + 1) + "-" + padded(high * kScale) + "]";
  };
  std::string out = replace_each(text, std::regex("\\bnode\\[([0-9]+)-([0-9]+)\\]"), range);
  out = replace_each(out, std::regex("\\bnode([0-9]+)()\\b"), [&](const std::smatch& match) {
    return "node[" + padded((std::stoi(match[1]) - 1) * kScale + 1) + "-" + padded(std::stoi(match[1]) * kScale) + "]";
  });
  if (!is_topology(path)) return out;
  const auto times = [](const std::smatch& match) {
    return match[1].str() + std::to_string(std::stol(match[2]) * kScale);
  };
  out = replace_each(out, std::regex("(BlockSizes=[0-9, ]*?)([0-9]+)(?=$|\n)"), times);
  for (int comma = 0; comma < 4; ++comma) {
    out = replace_each(out, std::regex("(BlockSizes=(?:[0-9]+,){" + std::to_string(comma) + "})([0-9]+)(?=, *[0-9])"),
                       times);
  }
  return replace_each(out, std::regex("((?:block_sizes:|\n      -) )([0-9]+)(?=\n)"), times);
}

}  // namespace

TEST_CASE("muster refuses a topology exactly where slurmctld of that release does", "[topology][oracle]") {
  const std::vector<Run> runs = topology_runs();
  REQUIRE(runs.size() == 93);
  CHECK(disagreements(runs) == "");
}

TEST_CASE("names of nodes and switches decide nothing", "[topology][oracle]") {
  CHECK(disagreements(changed(topology_runs(), rename_nodes)) == "");
  CHECK(disagreements(changed(topology_runs(), rename_units)) == "");
}

TEST_CASE("the order of a file's records decides nothing", "[topology][oracle]") {
  CHECK(disagreements(changed(topology_runs(), reverse_records)) == "");
}

TEST_CASE("a cluster four times as large is judged the same", "[topology][oracle]") {
  std::vector<Run> runs = topology_runs();
  std::erase_if(runs, [](const Run& run) {
    const auto yaml = run.files.find("etc/topology.yaml");
    return yaml != run.files.end() &&
           (yaml->second.find("ring:") != std::string::npos || yaml->second.find("torus3d:") != std::string::npos);
  });
  CHECK(disagreements(changed(runs, scale_counts)) == "");
}

TEST_CASE("what slurmctld 22.05 was seen to do with odd lines is what muster predicts", "[topology][oracle]") {
  const auto refused = [](const std::string& lines) {
    return predicts_refusal({{"etc/slurm.conf",
                              "ClusterName=lab\nSlurmctldHost=ctl\nTopologyPlugin=topology/tree\nNodeName=n[1-8] "
                              "CPUs=8\nPartitionName=p Nodes=ALL\n"},
                             {"etc/topology.conf", lines}},
                            "22.05");
  };
  const auto speed = [&](const std::string& value) {
    return refused("SwitchName=a Nodes=n[1-8] LinkSpeed=" + value + "\n");
  };
  for (const char* good : {"12k", "12K", "0x10", "UNLIMITED"}) CHECK_FALSE(speed(good));
  for (const char* bad : {"12m", "12kb", "8000000k", "-1", "4294967296"}) CHECK(speed(bad));
  CHECK(refused("SwitchName=a Nodes=n[1-8]\nSwitchName=b Switches=,\n"));
  CHECK(refused("SwitchName=a Nodes=n[1-8]\nSwitchName=b Switches=,\nSwitchName=c Switches=a,b\n"));
}
