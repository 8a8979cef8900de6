#include <algorithm>

#include "base/strings.h"
#include "inventory/readers.h"
#include "slurm/scontrol_dump.h"

namespace muster {
namespace {

/// ctl1 of ctl1(10.0.0.1): the address stands behind the name where it is another.
std::string controller_of(std::string_view value) {
  const std::string_view host = value.substr(0, value.find('('));
  return is_node_name(host) ? std::string(host) : "";
}

void take(std::string_view key, std::string_view value, bool& accounted, Dump& dump) {
  if (key == "ClusterName" && value != "(null)") dump.cluster = value;
  if (key == "SLURM_VERSION" && is_node_name(value)) dump.release = value;
  if (key == "SlurmctldHost[0]") dump.controller = controller_of(value);
  if (key == "AccountingStorageHost") dump.database = controller_of(value);
  if (key == "AccountingStorageType") accounted = value == "accounting_storage/slurmdbd";
}

}  // namespace

// Source: SchedMD/slurm:src/api/config_info.c, slurm_print_ctl_conf; executed with 22.05.8 and 26.05.5.
void read_scontrol_config(FileId file, DumpContext& context) {
  const std::string_view text = context.sources.file(file).text();
  const std::size_t begin = find_scontrol_config(text);
  if (begin == text.npos) return;
  Dump dump;
  dump.file = file;
  dump.format = "scontrol show config";
  dump.rank = 10;
  dump.scope = Scope::Slurm;
  dump.plane = "slurm";
  dump.where = {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin)};
  bool accounted = false;  // AccountingStorageHost has a default, with or without a database
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (at > begin && !scontrol_record(line).empty()) break;
    if (const std::size_t equals = line.find('='); equals != line.npos)
      take(trim(line.substr(0, equals)), trim(line.substr(equals + 1)), accounted, dump);
    at = end + 1;
  }
  if (!accounted) dump.database.clear();
  dump.release_where = dump.where;
  context.dumps.push_back(std::move(dump));
}

}  // namespace muster
