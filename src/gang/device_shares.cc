#include "gang/device_shares.h"

#include "gang/manifest.h"

namespace muster {
namespace {

/// Who reads the shares of a role's pods: the scheduler they name, or one that their operator may write into them.
const Scheduler* sharer_of(const Gang& gang, const Role& role, const Node& metadata, const SchedulerBook& book) {
  if (role.scheduler.is_set()) return book.named(role.scheduler.value);
  if (gang.operator_id.empty()) return nullptr;
  for (const Scheduler& row : book.schedulers) {
    for (const std::string& key : row.shares.keys) {
      if (metadata["annotations"][key].exists()) return &row;
    }
  }
  return nullptr;
}

}  // namespace

bool read_shares(Gang& gang, const std::vector<PodTemplate>& templates, const SchedulerBook& book,
                 std::vector<Finding>& findings) {
  bool some = false;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    Role& role = gang.roles[i];
    const Node& metadata = templates[i].metadata;
    const Scheduler* row = role.accelerator.is_set() ? nullptr : sharer_of(gang, role, metadata, book);
    if (row == nullptr) continue;
    for (const std::string& key : row->shares.keys) {
      const Located<std::string> share = read_annotation(metadata, FieldName(key), findings);
      if (share.state == State::Absent) continue;
      Located<std::int64_t> devices = read_count_annotation(metadata, FieldName(row->shares.devices), findings);
      if (devices.state == State::Absent) devices = set_to<std::int64_t>(1, share.where, FieldName(key));
      role.accelerator = set_to(key, share.where, FieldName(key));
      role.gpus_each = std::move(devices);
      role.share = share;
      some = true;
      break;
    }
  }
  return some;
}

}  // namespace muster
