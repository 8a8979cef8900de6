// The resolved nodes of Slurm sites as rules see them.
#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

const SlurmSite& site_of_devices(const void* object, const ReadContext& context) {
  return context.model->slurm_sites[static_cast<const SiteDevices*>(object)->site];
}

Value devices_record(const void* object, const ReadContext& context) {
  return Value::object(&kSlurmNodesType,
                       &site_of_devices(object, context).nodes[static_cast<const SiteDevices*>(object)->record]);
}

template <std::optional<std::size_t> NodeDevices::*index>
Value devices_line(const void* object, const ReadContext& context) {
  const std::optional<std::size_t>& line = static_cast<const SiteDevices*>(object)->*index;
  return line ? Value::object(&kGresLineType, &site_of_devices(object, context).gres_lines[*line]) : Value::absent();
}

SharedText devices_id(const void* object, const ReadContext& context) {
  const auto& devices = *static_cast<const SiteDevices*>(object);
  return context.model->slurm_sites[devices.site].file + "/NodeName/" + devices.nodes + "/" + devices.name +
         (devices.type.empty() ? "" : ":" + devices.type);
}

constexpr Type kRecordObject = object_of(kSlurmNodesType);
constexpr Type kDeviceLineObject = object_of(kGresLineType);
constexpr Type kLossType = enum_type<DeviceLoss>();

constexpr std::array kDevicesFields{
    Field{"auto_detect", kBoolType, kAlways, "gres.conf has slurmd look for the devices itself",
          read<SiteDevices, &SiteDevices::auto_detect>},
    Field{"cloud", kBoolType, kAlways, "the nodes are State=CLOUD", read<SiteDevices, &SiteDevices::cloud>},
    Field{"configured", kIntType, kAlways, "how many of them Gres of the NodeName line says",
          read<SiteDevices, &SiteDevices::configured>},
    Field{"count", kIntType, kAlways, "how many of them a job can be given", read<SiteDevices, &SiteDevices::count>},
    Field{"line", kDeviceLineObject, kOptional, "the first line of gres.conf of their name for the nodes",
          devices_line<&NodeDevices::line>},
    Field{"loss", kLossType, kAlways, "why a job can be given fewer than configured",
          read<SiteDevices, &SiteDevices::loss>},
    Field{"name", kStringType, kAlways, "gpu and the like", read<SiteDevices, &SiteDevices::name>},
    Field{"nodes", kStringType, kAlways, "their node list", read<SiteDevices, &SiteDevices::nodes>},
    Field{"own_conf", kBoolType, kAlways,
          "the nodes may have a gres.conf of their own: another one names them, or this one is of one other node",
          read<SiteDevices, &SiteDevices::own_conf>},
    Field{"provided", kIntType, kOptional, "how many of them gres.conf describes, where it says so",
          read<SiteDevices, &SiteDevices::provided>},
    Field{"record", kRecordObject, kAlways, "the NodeName line", devices_record},
    Field{"site", kSiteObject, kAlways, "the site they belong to", site_of<SiteDevices>},
    Field{"twice", kStringType, kAlways, "a device file that gres.conf has twice for them; empty: none known",
          read<SiteDevices, &SiteDevices::twice>},
    Field{"twice_line", kDeviceLineObject, kOptional, "the line of gres.conf that has it again",
          devices_line<&NodeDevices::twice_line>},
    Field{"type", kStringType, kAlways, "their type; empty where Gres says none",
          read<SiteDevices, &SiteDevices::type>},
};

}  // namespace

const ObjectType kSlurmDevicesType{"slurm_devices", "what a NodeName line has of a Gres", kDevicesFields,
                                   where_of<SiteDevices>, devices_id};

}  // namespace muster
