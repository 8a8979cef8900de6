#include <algorithm>

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

/// The lines of gres.conf that speak of the devices of one Gres entry.
struct Speaking {
  std::vector<const GresLine*> lines;  ///< of its name
  std::vector<const GresLine*> typed;  ///< of its type, too, where it has one
  bool auto_detect = false;
  bool readable = true;
};

/// Any line of the node switches AutoDetect on for all of its devices, whatever names they have.
Speaking speaking_of(const SlurmSite& site, const NodeDevices& devices, const std::vector<std::size_t>& lines) {
  Speaking out;
  for (const std::size_t i : lines) {
    const GresLine& line = site.gres_lines[i];
    if (line.nodes.state != State::Absent && !line.hosts) {  // it may be of this node
      out.readable = false;
      continue;
    }
    if (line.auto_detect.state != State::Absent)
      out.auto_detect = line.auto_detect.unknown() || !equals_ignoring_case(line.auto_detect.value, "off");
    out.readable = out.readable && !line.name.unknown() && !line.type.unknown() && !line.files.unknown();
    if (!line.name.is_set() || !equals_ignoring_case(line.name.value, devices.name)) continue;
    out.lines.push_back(&line);
    const bool two_lists = line.file.state != State::Absent && line.multiple_files.state != State::Absent;
    const bool odd = line.rest.is_set() || line.mixed_with || line.repeats || !line.leads_with_key || two_lists;
    if (odd || contains(to_lower(line.flags.value), "countonly")) out.readable = false;
    if (devices.type.empty() || (line.type.is_set() && equals_ignoring_case(line.type.value, devices.type)))
      out.typed.push_back(&line);
  }
  return out;
}

void lose(NodeDevices& devices, DeviceLoss loss, std::int64_t left) {
  devices.loss = loss;
  devices.count = left;
}

/// Slurmd takes a GPU without a File for none. Source: SchedMD/slurm:src/interfaces/gres.c, _remove_fileless_gpus.
bool needs_files(const NodeDevices& devices) { return devices.name == "gpu"; }

void compare(const SlurmSite& site, const Speaking& speaking, NodeDevices& devices) {
  if (!speaking.lines.empty()) devices.line = static_cast<std::size_t>(speaking.lines.front() - site.gres_lines.data());
  const std::vector<const GresLine*>& lines = speaking.typed;
  if (!lines.empty()) {
    devices.files = lines.front()->files.value;
    devices.cores = lines.front()->cores.value;
    if (!devices.type.empty()) devices.shown_type = lines.front()->type.value;
  }
  devices.auto_detect = speaking.auto_detect;
  if (!site.has_gres_conf) devices.loss = DeviceLoss::NoConf;
  if (!site.has_gres_conf || speaking.auto_detect || !speaking.readable) return;
  const bool has_files =
      std::ranges::any_of(speaking.lines, [](const GresLine* line) { return line->files.state != State::Absent; });
  const auto has_type = [](const GresLine* line) { return line->type.state != State::Absent; };
  if (speaking.lines.empty()) {
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
  if (needs_files(devices) && !has_files) return lose(devices, DeviceLoss::NoFile, 0);
  if (lines.empty()) {
    const bool others = std::ranges::any_of(speaking.lines, has_type);
    return lose(devices, others ? DeviceLoss::OtherType : DeviceLoss::NoType, 0);
  }
  if (needs_files(devices) && provided < devices.configured) lose(devices, DeviceLoss::Fewer, provided);
}

/// What slurmctld shows of a node in the cloud, whose gres.conf it reads itself. Executed with slurmctld 22.05.8,
/// 24.11.5 and 26.05.5.
void show_as_cloud(const SlurmSite& site, const std::vector<std::size_t>& lines, std::vector<NodeDevices>& devices) {
  const auto has_typed_files = [&](const NodeDevices& one) {
    const Speaking speaking = speaking_of(site, one, lines);
    return !one.type.empty() &&
           std::ranges::any_of(speaking.typed, [](const GresLine* line) { return line->files.state != State::Absent; });
  };
  for (NodeDevices& one : devices) {
    if (one.type.empty() || one.loss == DeviceLoss::Name) continue;
    const bool met = has_typed_files(one);
    const bool other_met = std::ranges::any_of(devices, [&](const NodeDevices& other) {
      return &other != &one && other.name == one.name && has_typed_files(other);
    });
    if (met && one.provided && *one.provided > 0) one.shown = std::min(one.configured, *one.provided);
    if (!met && other_met) one.shown = 0;
    if (!met) one.shown_type = one.type;
  }
}

}  // namespace

std::vector<NodeDevices> resolve_devices(const SlurmSite& site, const SlurmNodes& record,
                                         const std::vector<std::size_t>& lines) {
  std::vector<NodeDevices> out;
  if (!record.gres.is_set()) return out;
  for (const Gres& gres : record.gres_items) {
    const auto same = std::ranges::find_if(
        out, [&](const NodeDevices& one) { return one.name == gres.name && one.type == gres.type; });
    NodeDevices& devices = same == out.end() ? out.emplace_back() : *same;
    devices.name = gres.name;
    devices.type = devices.shown_type = gres.type;
    devices.configured = add_capped(devices.configured, std::max<std::int64_t>(0, gres.count));
  }
  for (NodeDevices& devices : out) {
    devices.count = devices.shown = devices.configured;
    compare(site, speaking_of(site, devices, lines), devices);
    if (site.has_gres_type(devices.name) == false) {
      lose(devices, DeviceLoss::Name, 0);
      devices.shown = 0;
    }
  }
  if (starts_with_ignoring_case(record.state.value, "cloud")) {
    show_as_cloud(site, lines, out);
  } else {
    for (NodeDevices& devices : out) devices.shown_type = devices.type;
  }
  return out;
}

}  // namespace muster
