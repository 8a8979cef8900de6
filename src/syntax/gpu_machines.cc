#include "syntax/gpu_machines.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

/// g4dn, g5, g6e, gr6, p4d, p5en, p6-b200, p6e-gb200.
bool is_gpu_family(std::string_view word) {
  const bool p = word.starts_with('p');
  if (!p && !word.starts_with('g')) return false;
  word.remove_prefix(!p && word.starts_with("gr") ? 2 : 1);
  return !word.empty() && word.front() >= (p ? '3' : '4') && word.front() <= '9';
}

bool is_family_letter(char c) { return is_word_char(c) || c == '-'; }

}  // namespace

bool names_gpu_instance(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1)) {
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < 12 && is_family_letter(text[begin - 1])) --begin;
    const std::string_view size = text.substr(dot + 1, text.find_first_not_of("0123456789", dot + 1) - dot - 1);
    const std::string_view behind = text.substr(dot + 1 + size.size());
    const bool sized = behind.starts_with("xlarge") || (size.empty() && behind.starts_with("metal"));
    if (sized && is_gpu_family(text.substr(begin, dot - begin))) return true;
  }
  return false;
}

namespace {

struct MachineGpus {
  std::string_view name;
  std::int64_t gpus;
};

/// Machine types that come with their GPUs. Of A2, A3 and A4 the name says how many: a2-highgpu-4g. Source:
/// GoogleCloudPlatform/cluster-toolkit:pkg/config/hardware.go, AcceleratorShorthandMap (1.95);
/// cloud.google.com/compute/docs/gpus (November 2026).
constexpr std::array kGoogleMachines{
    MachineGpus{"g2-standard-12", 1},  MachineGpus{"g2-standard-16", 1}, MachineGpus{"g2-standard-24", 2},
    MachineGpus{"g2-standard-32", 1},  MachineGpus{"g2-standard-4", 1},  MachineGpus{"g2-standard-48", 4},
    MachineGpus{"g2-standard-8", 1},   MachineGpus{"g2-standard-96", 8}, MachineGpus{"g4-standard-192", 4},
    MachineGpus{"g4-standard-384", 8}, MachineGpus{"g4-standard-48", 1}, MachineGpus{"g4-standard-96", 2},
};
constexpr std::array<std::string_view, 7> kNumberedMachines{
    "a2-highgpu-", "a2-megagpu-", "a2-ultragpu-", "a3-highgpu-", "a3-megagpu-", "a3-ultragpu-", "a4-highgpu-"};

/// Source: docs.aws.amazon.com/ec2/latest/instancetypes/ac.html (November 2026).
constexpr std::array kAwsMachines{
    MachineGpus{"g4dn.12xlarge", 4}, MachineGpus{"g4dn.16xlarge", 1},    MachineGpus{"g4dn.2xlarge", 1},
    MachineGpus{"g4dn.4xlarge", 1},  MachineGpus{"g4dn.8xlarge", 1},     MachineGpus{"g4dn.metal", 8},
    MachineGpus{"g4dn.xlarge", 1},   MachineGpus{"g5.12xlarge", 4},      MachineGpus{"g5.16xlarge", 1},
    MachineGpus{"g5.24xlarge", 4},   MachineGpus{"g5.2xlarge", 1},       MachineGpus{"g5.48xlarge", 8},
    MachineGpus{"g5.4xlarge", 1},    MachineGpus{"g5.8xlarge", 1},       MachineGpus{"g5.xlarge", 1},
    MachineGpus{"g6.12xlarge", 4},   MachineGpus{"g6.16xlarge", 1},      MachineGpus{"g6.24xlarge", 4},
    MachineGpus{"g6.2xlarge", 1},    MachineGpus{"g6.48xlarge", 8},      MachineGpus{"g6.4xlarge", 1},
    MachineGpus{"g6.8xlarge", 1},    MachineGpus{"g6.xlarge", 1},        MachineGpus{"g6e.12xlarge", 4},
    MachineGpus{"g6e.16xlarge", 1},  MachineGpus{"g6e.24xlarge", 4},     MachineGpus{"g6e.2xlarge", 1},
    MachineGpus{"g6e.48xlarge", 8},  MachineGpus{"g6e.4xlarge", 1},      MachineGpus{"g6e.8xlarge", 1},
    MachineGpus{"g6e.xlarge", 1},    MachineGpus{"p3.16xlarge", 8},      MachineGpus{"p3.2xlarge", 1},
    MachineGpus{"p3.8xlarge", 4},    MachineGpus{"p3dn.24xlarge", 8},    MachineGpus{"p4d.24xlarge", 8},
    MachineGpus{"p4de.24xlarge", 8}, MachineGpus{"p5.48xlarge", 8},      MachineGpus{"p5e.48xlarge", 8},
    MachineGpus{"p5en.48xlarge", 8}, MachineGpus{"p6-b200.48xlarge", 8},
};
/// Source: learn.microsoft.com/azure/virtual-machines/sizes/overview, GPU accelerated (November 2026).
constexpr std::array kAzureMachines{
    MachineGpus{"Standard_NC12s_v3", 2},         MachineGpus{"Standard_NC16as_T4_v3", 1},
    MachineGpus{"Standard_NC24ads_A100_v4", 1},  MachineGpus{"Standard_NC24rs_v3", 4},
    MachineGpus{"Standard_NC24s_v3", 4},         MachineGpus{"Standard_NC40ads_H100_v5", 1},
    MachineGpus{"Standard_NC48ads_A100_v4", 2},  MachineGpus{"Standard_NC4as_T4_v3", 1},
    MachineGpus{"Standard_NC64as_T4_v3", 4},     MachineGpus{"Standard_NC6s_v3", 1},
    MachineGpus{"Standard_NC80adis_H100_v5", 2}, MachineGpus{"Standard_NC8as_T4_v3", 1},
    MachineGpus{"Standard_NC96ads_A100_v4", 4},  MachineGpus{"Standard_ND96amsr_A100_v4", 8},
    MachineGpus{"Standard_ND96asr_v4", 8},       MachineGpus{"Standard_ND96isr_H100_v5", 8},
    MachineGpus{"Standard_ND96isr_H200_v5", 8},
};

std::optional<std::int64_t> gpus_in(const auto& machines, std::string_view type) {
  const auto found = std::ranges::find(machines, type, &MachineGpus::name);
  return found == machines.end() ? std::nullopt : std::optional(found->gpus);
}

}  // namespace

std::optional<std::int64_t> gpus_of_google_machine(std::string_view type) {
  if (const auto gpus = gpus_in(kGoogleMachines, type)) return gpus;
  const auto family = std::ranges::find_if(kNumberedMachines, [&](auto name) { return type.starts_with(name); });
  if (family == kNumberedMachines.end() || !type.ends_with('g')) return std::nullopt;
  return parse_int(type.substr(family->size(), type.size() - family->size() - 1));
}

std::optional<std::int64_t> gpus_of_aws_machine(std::string_view type) {
  if (const auto gpus = gpus_in(kAwsMachines, type)) return gpus;
  const bool plain = contains(type, ".") && type.find_first_of("${} ") == type.npos;
  const bool of_gpus = type.starts_with('g') || type.starts_with('p');
  return plain && !of_gpus ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::optional<std::int64_t> gpus_of_azure_machine(std::string_view type) {
  if (const auto gpus = gpus_in(kAzureMachines, type)) return gpus;
  const bool plain = type.starts_with("Standard_") && type.find_first_of("${} ") == type.npos;
  return plain && !type.starts_with("Standard_N") ? std::optional<std::int64_t>(0) : std::nullopt;
}

}  // namespace muster
