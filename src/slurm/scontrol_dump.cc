#include "slurm/scontrol_dump.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 7> kFirstKeys{"AggregatedBlock", "BlockName",  "NodeName", "PartitionName",
                                                     "RingName",        "SwitchName", "TorusName"};

/// The text of a record: to the next that begins with the same key.
std::string_view record_of(std::string_view key, std::string_view text) {
  return text.substr(0, std::min<std::size_t>(text.find("\n" + std::string(key) + "=", 1), 4000));
}

/// Whether a record goes on as scontrol does and no file of Slurm's; `line` is its first, `text` all from there.
bool is_printed(std::string_view key, std::string_view line, std::string_view text) {
  if (key == "NodeName") return contains(text.substr(0, 400), " CPUTot=");
  if (key == "PartitionName")
    return contains(record_of(key, text), " TotalNodes=");  // AllowGroups may stand in slurm.conf, too
  if (key == "SwitchName") return contains(line, " Level=");
  if (key == "BlockName" || key == "AggregatedBlock") return contains(line, " BlockIndex=");
  if (key == "RingName") return contains(line, " RingSize=");
  return false;  // of a torus scontrol prints the line of topology.conf again
}

}  // namespace

std::size_t find_scontrol_config(std::string_view text) {
  constexpr std::string_view kHeading = "Configuration data as of ";
  if (text.starts_with(kHeading)) return 0;
  const std::size_t at = text.find("\n" + std::string(kHeading));
  return at == text.npos ? at : at + 1;
}

std::string_view scontrol_record(std::string_view line) {
  const std::string_view key = line.substr(0, line.find('='));
  return key.size() < line.size() && std::ranges::find(kFirstKeys, key) != kFirstKeys.end() ? key : std::string_view{};
}

bool is_scontrol_dump(std::string_view text) {
  int lines = 0;
  for (std::size_t at = 0; at < text.size() && lines < 50; ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view key = scontrol_record(line);
    if (!key.empty()) return is_printed(key, line, text.substr(at));
    at = end + 1;
  }
  return false;
}

}  // namespace muster
