#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "slurm/number_ranges.h"
#include "slurm/pairs.h"
#include "slurm/records.h"

namespace muster {
namespace {

/// What a line is for: its nodes one by one, or its list as it is written where that is no list or a long one.
std::vector<std::string> nodes_of(const GresLine& line, std::uint64_t& left) {
  std::optional<std::vector<std::string>> names = line.hosts ? line.hosts->expand(left) : std::nullopt;
  if (!names) return {line.nodes.value};
  left -= names->size();
  return std::move(*names);
}

/// Relates each line to the earlier lines of its name, as slurmctld does when it reads them for a node.
/// Source: SchedMD/slurm:src/interfaces/gres.c; executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
void relate_lines(std::vector<GresLine>& lines) {
  // Lines for other nodes never meet; one for all nodes and one for some are left to those who know both. Of each set
  // of lines that meet: the first with and without a type, with and without files.
  std::map<std::tuple<std::string, std::string, FileId>, std::array<std::optional<std::size_t>, 4>> first_of;
  std::uint64_t left = 65536;  // nodes that are looked at one by one
  const auto take_earlier = [](std::optional<std::size_t>& into, const std::optional<std::size_t>& line) {
    if (line && (!into || *line < *into)) into = line;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    GresLine& line = lines[i];
    if (!line.name.is_set()) continue;
    const std::size_t form =
        (line.files.state != State::Absent ? 2U : 0U) + (line.type.state != State::Absent ? 1U : 0U);
    for (const std::string& node : nodes_of(line, left)) {
      std::array<std::optional<std::size_t>, 4>& first = first_of[{to_lower(line.name.value), node, line.where.file}];
      for (std::size_t other = 0; other < first.size(); ++other) {
        if (other != form) take_earlier(line.mixed_with, first[other]);
      }
      if (form == 0 && first[form] != i) take_earlier(line.repeats, first[form]);
      if (!first[form]) first[form] = i;
    }
  }
}

/// A file of settings alone.
void read_setting_lines(const Artifact& artifact, std::string_view scope, std::vector<SlurmSetting>& out,
                        std::vector<Finding>& findings) {
  std::set<std::string> seen;
  for (const ConfLine& line : *artifact.lines) {
    if (line.include) continue;
    report_unread_rest(line, findings);
    if (line.pairs.size() > 1) {
      const ConfPair& second = line.pairs[1];
      findings.push_back(problem("slurm-conf-syntax", whole_pair(second),
                                 "`" + second.key + "` stands on the line of `" + line.pairs.front().key +
                                     "`: Slurm reads one setting a line"));
    }
    if (line.pairs.empty()) continue;
    const SlurmSetting& setting = out.emplace_back(setting_of(line.pairs.front(), scope));
    if (!seen.insert(setting.lower_key).second) {
      findings.push_back(
          problem("slurm-record-key-repeated", setting.key_where,
                  "`" + setting.key + "` is set twice in this file; Slurm uses this value and forgets the first"));
    }
  }
}

}  // namespace

void read_gres_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings) {
  site.has_gres_conf = true;
  for (const ConfLine& line : *artifact.lines) {
    if (line.include) continue;
    GresLine gres;
    gres.where = line.where;
    gres.nodes = take_pair(line, "nodename");
    gres.name = take_pair(line, "name");
    gres.type = take_pair(line, "type");
    gres.count = take_pair(line, "count");
    gres.file = take_pair(line, "file");
    if (gres.file.state == State::Absent) gres.file = take_pair(line, "files");
    gres.multiple_files = take_pair(line, "multiplefiles");
    gres.files = gres.file.state != State::Absent ? gres.file : gres.multiple_files;
    gres.cores = take_pair(line, "cores");
    if (gres.cores.state == State::Absent) gres.cores = take_pair(line, "cpus");
    if (gres.cores.is_set()) gres.highest_core = highest_of(number_ranges(gres.cores.value));
    gres.flags = take_pair(line, "flags");
    gres.auto_detect = take_pair(line, "autodetect");
    if (!line.rest.empty()) gres.rest = set_to(line.rest, line.rest_where);
    if (gres.files.is_set()) {
      if (const Result<Hostlist> list = Hostlist::parse(gres.files.value))
        gres.file_count = static_cast<std::int64_t>(list->size());
    }
    if (gres.nodes.is_set()) {
      if (Result<Hostlist> list = Hostlist::parse(gres.nodes.value)) gres.hosts = std::move(*list);
    }
    if (!line.pairs.empty()) {
      const std::string first = to_lower(line.pairs.front().key);
      const bool name_first = std::none_of(line.pairs.begin() + 1, line.pairs.end(), [](const ConfPair& pair) {
        return equals_ignoring_case(pair.key, "nodename");
      });
      gres.leads_with_key = name_first && (first == "nodename" || first == "name" || first == "autodetect");
      if (first == "name" && gres.auto_detect.is_set()) {
        // Source: SchedMD/slurm src/interfaces/gres.c (20.11-26.05), executed with slurmctld 22.05.8.
        findings.push_back(problem("gres-auto-detect-without-node", gres.auto_detect.where,
                                   "nobody reads AutoDetect in a line that begins with Name="));
        gres.auto_detect = {};
      }
    }
    report_repeated(line, 0, findings);
    for (const ConfPair& pair : line.pairs) site.record_pairs.push_back(setting_of(pair, "gres.conf"));
    site.gres_lines.push_back(std::move(gres));
  }
  relate_lines(site.gres_lines);
}

void read_cgroup_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings) {
  site.has_cgroup_conf = true;
  read_setting_lines(artifact, "cgroup.conf", site.cgroup, findings);
}

void read_database_lines(const Artifact& artifact, SlurmSite& site, std::vector<Finding>& findings) {
  site.database_known = !artifact.in_part && std::ranges::none_of(*artifact.lines, &ConfLine::include);
  read_setting_lines(artifact, "slurmdbd.conf", site.database, findings);
}

}  // namespace muster
