// Generated topologies and a sample of verdicts, held against the slurmctld of newer releases in chroots.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/hostlist.h"
#include "base/strings.h"
#include "generate/generate.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/json.h"
#include "support/model.h"
#include "support/skip.h"
#include "support/slurmctld.h"

using namespace muster;

namespace {

const char* const kNoChroots =
    "MUSTER_SLURM_CHROOTS names no folder of chroots, or this is not root: scripts/slurm-versions makes them";

/// Nodes n1 to nN in units of the given sizes, one behind the other.
struct Cluster {
  std::vector<int> sizes;
  int fan = 0;  ///< children of a switch above the leaves; 0: blocks

  int nodes() const {
    int all = 0;
    for (const int size : sizes) all += size;
    return all;
  }
};

std::string range(int first, int last) {
  return "n" + (first == last ? std::to_string(first) : "[" + std::to_string(first) + "-" + std::to_string(last) + "]");
}

std::string fleet_of(const Cluster& world, const std::string& release) {
  std::string text = "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: slurm, version: \"" + release +
                     "\"}]\nnode_pools:\n  - {name: h100, nodes: \"" + range(1, world.nodes()) +
                     "\", gpus_per_node: 8, control_plane: slurm, accelerator: {model: H100}, node: {cpus: 96, "
                     "sockets: 2, cores_per_socket: 48, memory_mib: 2000000}}\n" +
                     "topology:\n  levels: " + (world.fan == 0 ? "[block]" : "[top, row, leaf]") + "\n  domains:\n";
  const int units = static_cast<int>(world.sizes.size());
  if (world.fan > 0) {
    text += "    - {name: top, level: top}\n";
    for (int row = 0; row * world.fan < units; ++row)
      text += "    - {name: row" + std::to_string(row) + ", level: row, parent: top}\n";
  }
  int next = 1;
  for (int i = 0; i < units; ++i) {
    const int last = next + world.sizes[static_cast<std::size_t>(i)] - 1;
    text += "    - {name: u" + std::to_string(i) +
            ", level: " + (world.fan == 0 ? "block" : "leaf, parent: row" + std::to_string(i / world.fan)) +
            ", nodes: \"" + range(next, last) + "\"}\n";
    next = last + 1;
  }
  return text;
}

/// Words of a line of `scontrol show topology`, by key.
std::map<std::string, std::string> words_of(const std::string& line) {
  std::map<std::string, std::string> words;
  for (const std::string_view word : split_blanks(line)) {
    if (const std::size_t sign = word.find('='); sign != word.npos)
      words[std::string(word.substr(0, sign))] = word.substr(sign + 1);
  }
  return words;
}

/// What Slurm has to show, counted from the world alone.
std::set<std::string> expected(const Cluster& world, std::int64_t base, const std::vector<std::int64_t>& above) {
  std::set<std::string> out;
  std::vector<std::pair<int, int>> ranges;
  int next = 1;
  for (const int size : world.sizes) {
    ranges.emplace_back(next, next + size - 1);
    next += size;
  }
  const int units = static_cast<int>(ranges.size());
  const auto span = [&](int first, int end) {
    return range(ranges[static_cast<std::size_t>(first)].first, ranges[static_cast<std::size_t>(end - 1)].second);
  };
  if (world.fan == 0) {
    for (int i = 0; i < units; ++i)
      out.insert("block u" + std::to_string(i) + " " + span(i, i + 1) + " " + std::to_string(base));
    for (const std::int64_t size : above) {
      const int group = static_cast<int>(size / base);
      for (int i = 0; i + group <= units; i += group)
        out.insert("blocks " + std::to_string(group) + " " + span(i, i + group) + " " + std::to_string(size));
    }
    return out;
  }
  for (int i = 0; i < units; ++i) out.insert("switch u" + std::to_string(i) + " 0 " + span(i, i + 1));
  for (int row = 0; row * world.fan < units; ++row)
    out.insert("switch row" + std::to_string(row) + " 1 " +
               span(row * world.fan, std::min(units, (row + 1) * world.fan)));
  out.insert("switch top 2 " + span(0, units));
  return out;
}

/// What it showed, in the same words. A group at the end that is not full is Slurm's own affair.
std::set<std::string> shown(const test::SlurmVerdict& verdict, const std::set<std::string>& wanted) {
  std::set<std::string> out;
  for (const std::string& line : verdict.topology) {
    std::map<std::string, std::string> words = words_of(line);
    if (words.contains("SwitchName"))
      out.insert("switch " + words["SwitchName"] + " " + words["Level"] + " " + words["Nodes"]);
    if (words.contains("BlockName"))
      out.insert("block " + words["BlockName"] + " " + words["Nodes"] + " " + words["BlockSize"]);
    if (!words.contains("AggregatedBlock")) continue;
    const Result<Hostlist> names = Hostlist::parse(words["AggregatedBlock"]);
    REQUIRE(names);
    const std::string text =
        "blocks " + std::to_string(names->size()) + " " + words["Nodes"] + " " + words["BlockSize"];
    const bool partial =
        !wanted.contains(text) &&
        names->contains(
            "u" +
            std::to_string(
                std::ranges::count_if(wanted, [](const std::string& one) { return one.starts_with("block u"); }) - 1));
    if (!partial) out.insert(text);
  }
  return out;
}

std::string written(const std::string& id, const Cluster& world, const std::string& release) {
  static const Result<std::vector<TemplateDef>> templates = embedded_templates();
  REQUIRE(templates);
  const auto def = std::ranges::find(*templates, id, &TemplateDef::id);
  REQUIRE(def != templates->end());
  const Workspace workspace = test::read_files({{"fleet.yaml", fleet_of(world, release)}});
  const Result<Generated> generated =
      generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  return generated->files.at(0).text;
}

/// The numbers of BlockSizes=18,36 or of block_sizes with its list.
std::vector<std::int64_t> sizes_in(const std::string& text) {
  std::vector<std::int64_t> sizes;
  bool list = false;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.starts_with("BlockSizes=")) {
      for (const std::string_view size : split(line.substr(11), ',')) sizes.push_back(parse_int(size).value_or(-1));
    }
    if (list && line.starts_with("- ") && parse_int(line.substr(2))) sizes.push_back(*parse_int(line.substr(2)));
    list =
        line.starts_with("block_sizes:") || (list && line.starts_with("- ") && parse_int(line.substr(2)).has_value());
  }
  return sizes;
}

std::vector<Cluster> worlds() {
  std::vector<Cluster> out;
  for (const int fan : {0, 4}) {
    out.push_back({std::vector<int>(1, 16), fan});
    out.push_back({std::vector<int>(8, 18), fan});
    out.push_back({{16, 18, 17, 16, 18}, fan});
    out.push_back({std::vector<int>(64, 16), fan == 0 ? 0 : 16});
    out.push_back({std::vector<int>(256, 16), fan == 0 ? 0 : 16});
    out.push_back({std::vector<int>(256, 64), fan == 0 ? 0 : 16});
  }
  return out;
}

std::string release_of(const test::SlurmInstall& install) {
  return install.release.substr(0, install.release.rfind('.'));
}

std::string log_of(const test::SlurmVerdict& verdict) {
  std::string out;
  for (const std::string& line : verdict.log) out += line + "\n";
  return out;
}

}  // namespace

TEST_CASE("the slurmctld of newer releases loads generated trees and blocks of 16 to 16,384 nodes and shows the same",
          "[slurm-versions]") {
  const std::vector<test::SlurmInstall> installs = test::slurm_chroots();
  if (installs.empty()) return test::skip("slurm versions", kNoChroots);
  for (const test::SlurmInstall& install : installs) {
    const std::string release = release_of(install);
    for (const Cluster& world : worlds()) {
      for (const std::string id : {"topology-conf", "topology-yaml"}) {
        if (id == "topology-yaml" && *Version::parse(release) < *Version::parse("25.05")) continue;
        const std::string text = written(id, world, release);
        const std::vector<std::int64_t> sizes = sizes_in(text);
        INFO(install.release << ", " << id << ", " << (world.fan == 0 ? "blocks" : "tree") << ", " << world.nodes()
                             << " nodes\n"
                             << (world.nodes() < 200 ? text : ""));
        REQUIRE((world.fan > 0 || !sizes.empty()));
        const std::set<std::string> wanted =
            expected(world, sizes.empty() ? 0 : sizes.front(),
                     sizes.empty() ? sizes : std::vector<std::int64_t>(sizes.begin() + 1, sizes.end()));
        std::string records = "GresTypes=gpu\n";
        if (id == "topology-conf")
          records += std::string("TopologyPlugin=topology/") + (world.fan == 0 ? "block" : "tree") + "\n";
        records += "NodeName=" + range(1, world.nodes()) +
                   " CPUs=96 Boards=1 SocketsPerBoard=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 "
                   "Gres=gpu:h100:8 State=CLOUD\n" +
                   "PartitionName=gpu Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
        const std::map<std::string, std::string> files{
            {"nodes.conf", records},
            {id == "topology-conf" ? "topology.conf" : "topology.yaml", text},
            {"gres.conf", "NodeName=" + range(1, world.nodes()) + " Name=gpu Type=h100 File=/dev/nvidia[0-7]\n"}};
        const test::SlurmVerdict verdict = test::run_slurmctld("", files, install);
        INFO(log_of(verdict));
        REQUIRE(verdict.up);
        CHECK(shown(verdict, wanted) == wanted);
        CHECK(log_of(verdict).find("opology") == std::string::npos);
      }
    }
  }
}

// Every seventh verdict that was recorded of the release; of a release without records those of the newest.
TEST_CASE("the slurmctld of newer releases and muster agree on a sample of the recorded files", "[slurm-versions]") {
  const std::vector<test::SlurmInstall> installs = test::slurm_chroots();
  if (installs.empty()) return test::skip("slurm versions", kNoChroots);
  std::map<std::string, std::vector<nlohmann::json>> rows;
  std::istringstream lines(test::read_file(test::source_dir() + "/tests/oracles/slurmctld-verdicts.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::string full = row["slurm"];
    rows[full.substr(0, full.rfind('.'))].push_back(row);
  }
  for (const test::SlurmInstall& install : installs) {
    const std::string release = release_of(install);
    const bool recorded = rows.contains(release);
    const std::vector<nlohmann::json>& of_release = recorded ? rows[release] : rows.rbegin()->second;
    for (std::size_t i = 0; i < of_release.size(); i += 7) {
      const auto files = of_release[i]["files"].get<std::map<std::string, std::string>>();
      const test::SlurmVerdict verdict = test::run_slurmctld_as_is(files, install);
      std::map<std::string, std::string> own;
      for (const auto& [name, text] : files) own["etc/" + name] = text;
      const test::Checked checked = test::check_files(own, {{"slurm", *Version::parse(install.release)}});
      const bool stops = std::ranges::any_of(checked.report.findings, [](const Finding& finding) {
        return finding.effect == Effect::Rejected || finding.effect == Effect::Crash;
      });
      INFO(install.release << " " << of_release[i]["group"] << "/" << of_release[i]["case"] << "\n"
                           << log_of(verdict) << test::summary_of(checked));
      if (recorded) CHECK(verdict.up == (of_release[i]["verdict"] == "up"));
      CHECK(stops == !verdict.up);
    }
  }
}
