#include <algorithm>
#include <map>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "slurm/records.h"

namespace muster {
namespace {

/// Devices that a line describes; nothing where its numbers are no numbers. Shares of GPUs count apart from the files.
std::optional<std::int64_t> described_by(const GresLine& line) {
  const bool shared = equals_ignoring_case(line.name.value, "mps") || equals_ignoring_case(line.name.value, "shard");
  if (shared && line.count.state == State::Absent) return std::nullopt;
  if (!shared && line.files.state != State::Absent) return line.file_count;
  if (line.count.state == State::Absent) return 1;
  if (!line.count.is_set()) return std::nullopt;
  return parse_gres("x:" + line.count.value).front().count;
}

/// Lines of gres.conf with one name, or with one name and type.
struct GresLines {
  std::vector<const GresLine*> lines;
  bool readable = true;
  bool files = false;  ///< one has a file
  bool types = false;  ///< one has a type
};

/// The lines of gres.conf that speak of the devices of one Gres entry.
struct Speaking {
  const GresLines& named;  ///< of its name
  const GresLines& typed;  ///< of its type, too, where it has one
  bool auto_detect = false;
  bool readable = true;
};

/// The lines of gres.conf that may be of a node.
class NodeLines {
 public:
  NodeLines(const SlurmSite& site, const std::vector<std::size_t>& lines) {
    for (const std::size_t i : lines) add(site.gres_lines[i]);
  }

  /// Any line of the node switches AutoDetect on for all of its devices, whatever names they have.
  Speaking speaking_of(const NodeDevices& devices) const {
    const GresLines& named = of(devices.name, {});
    return {named, of(devices.name, devices.type), auto_detect_, readable_ && named.readable};
  }

 private:
  const GresLines& of(std::string_view name, std::string_view type) const {
    static const GresLines none;
    const auto found = lines_.find({to_lower(name), to_lower(type)});
    return found == lines_.end() ? none : found->second;
  }

  void add(const GresLine& line) {
    if (line.nodes.state != State::Absent && !line.hosts) {  // it may be of this node
      readable_ = false;
      return;
    }
    if (line.auto_detect.state != State::Absent)
      auto_detect_ = line.auto_detect.unknown() || !equals_ignoring_case(line.auto_detect.value, "off");
    readable_ = readable_ && !line.name.unknown() && !line.type.unknown() && !line.files.unknown();
    if (!line.name.is_set()) return;
    add(line, {});
    if (line.type.is_set() && !line.type.value.empty()) add(line, to_lower(line.type.value));
  }
  void add(const GresLine& line, const std::string& type) {
    GresLines& out = lines_[{to_lower(line.name.value), type}];
    out.lines.push_back(&line);
    const bool two_lists = line.file.state != State::Absent && line.multiple_files.state != State::Absent;
    const bool odd = line.rest.is_set() || line.mixed_with || line.repeats || !line.leads_with_key || two_lists;
    if (odd || contains(to_lower(line.flags.value), "countonly")) out.readable = false;
    out.files = out.files || line.files.state != State::Absent;
    out.types = out.types || line.type.state != State::Absent;
  }

  std::map<std::pair<std::string, std::string>, GresLines> lines_;  ///< by name and type; all of a name: no type
  bool auto_detect_ = false;
  bool readable_ = true;
};

void lose(NodeDevices& devices, DeviceLoss loss, std::int64_t left) {
  devices.loss = loss;
  devices.count = left;
}

/// Slurmd takes a GPU without a File for none. Source: SchedMD/slurm:src/interfaces/gres.c, _remove_fileless_gpus.
bool needs_files(const NodeDevices& devices) { return devices.name == "gpu"; }

void compare(const SlurmSite& site, const Speaking& speaking, NodeDevices& devices) {
  if (!speaking.named.lines.empty())
    devices.line = static_cast<std::size_t>(speaking.named.lines.front() - site.gres_lines.data());
  const std::vector<const GresLine*>& lines = speaking.typed.lines;
  if (!lines.empty()) {
    devices.files = lines.front()->files.value;
    devices.cores = lines.front()->cores.value;
    if (!devices.type.empty()) devices.shown_type = lines.front()->type.value;
  }
  devices.auto_detect = speaking.auto_detect;
  if (!site.has_gres_conf) devices.loss = DeviceLoss::NoConf;
  if (!site.has_gres_conf || speaking.auto_detect || !speaking.readable) return;
  if (speaking.named.lines.empty()) {
    devices.provided = 0;
    if (needs_files(devices)) lose(devices, DeviceLoss::NoLine, 0);
    return;
  }
  std::int64_t provided = 0;
  for (const GresLine* line : lines) {
    const std::optional<std::int64_t> each = described_by(*line);
    if (!each) return;
    provided = add_capped(provided, *each);
  }
  devices.provided = provided;
  if (needs_files(devices) && !speaking.named.files) return lose(devices, DeviceLoss::NoFile, 0);
  if (lines.empty()) return lose(devices, speaking.named.types ? DeviceLoss::OtherType : DeviceLoss::NoType, 0);
  if (needs_files(devices) && provided < devices.configured) lose(devices, DeviceLoss::Fewer, provided);
}

/// A file that stands twice in what slurmd makes devices of: it ends then. What is above the counts of Gres it leaves
/// out before it looks. Source: SchedMD/slurm:src/plugins/gres/common/gres_common.c (21.08 to 23.11),
/// src/interfaces/gres.c (24.05 to 26.05); executed with slurmd 22.05.8.
void find_twice(const SlurmSite& site, const NodeLines& lines, std::vector<NodeDevices>& devices) {
  constexpr std::uint64_t kMostFiles = 256;  // no node has so many devices of a name
  std::set<std::string_view> seen_names;
  for (NodeDevices& one : devices) {
    if (!seen_names.insert(one.name).second || one.name == "mps" || one.name == "shard") continue;
    const bool all_count = std::ranges::all_of(devices, [&](const NodeDevices& other) {
      return other.name != one.name || (other.provided && *other.provided <= other.configured);
    });
    if (!all_count) continue;
    std::set<std::string> seen;
    for (const GresLine* line : lines.speaking_of(one).named.lines) {
      if (!line->file.is_set()) continue;
      const Result<Hostlist> files = Hostlist::parse(line->file.value);
      const std::optional<std::vector<std::string>> names = files ? files->expand(kMostFiles) : std::nullopt;
      if (!names) break;
      for (const std::string& name : *names) {
        if (seen.insert(name).second || one.twice_line) continue;
        one.twice = name;
        one.twice_line = static_cast<std::size_t>(line - site.gres_lines.data());
      }
    }
  }
}

/// What slurmctld shows of a node in the cloud, whose gres.conf it reads itself. Executed with slurmctld 22.05.8,
/// 24.11.5 and 26.05.5.
void show_as_cloud(const NodeLines& lines, std::vector<NodeDevices>& devices) {
  std::vector<bool> met;
  std::map<std::string_view, std::size_t> met_of_name;
  for (const NodeDevices& one : devices) {
    met.push_back(!one.type.empty() && lines.speaking_of(one).typed.files);
    met_of_name[one.name] += met.back() ? 1 : 0;
  }
  for (std::size_t i = 0; i < devices.size(); ++i) {
    NodeDevices& one = devices[i];
    if (one.type.empty() || one.loss == DeviceLoss::Name) continue;
    if (met[i] && one.provided && *one.provided > 0) one.shown = std::min(one.configured, *one.provided);
    if (!met[i] && met_of_name[one.name] > 0) one.shown = 0;
    if (!met[i]) one.shown_type = one.type;
  }
}

}  // namespace

std::vector<NodeDevices> resolve_devices(const SlurmSite& site, const SlurmNodes& record,
                                         const std::vector<std::size_t>& lines) {
  std::vector<NodeDevices> out;
  if (!record.gres.is_set()) return out;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> place_of;
  for (const Gres& gres : record.gres_items) {
    const auto [found, fresh] = place_of.try_emplace({gres.name, gres.type}, out.size());
    if (fresh) out.emplace_back();
    NodeDevices& devices = out[found->second];
    devices.name = gres.name;
    devices.type = devices.shown_type = gres.type;
    devices.configured = add_capped(devices.configured, std::max<std::int64_t>(0, gres.count));
  }
  const NodeLines node_lines(site, lines);
  for (NodeDevices& devices : out) {
    devices.count = devices.shown = devices.configured;
    compare(site, node_lines.speaking_of(devices), devices);
    if (site.has_gres_type(devices.name) == false) {
      lose(devices, DeviceLoss::Name, 0);
      devices.shown = 0;
    }
  }
  find_twice(site, node_lines, out);
  if (starts_with_ignoring_case(record.state.value, "cloud")) {
    show_as_cloud(node_lines, out);
  } else {
    for (NodeDevices& devices : out) devices.shown_type = devices.type;
  }
  return out;
}

}  // namespace muster
