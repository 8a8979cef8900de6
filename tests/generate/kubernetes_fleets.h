#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "decide/decide.h"
#include "generate/generate.h"
#include "pipeline/check_generated.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"

// Fleets and workloads for the tests of templates for Kubernetes. Included by them alone.

namespace muster::test {

using Files = std::map<std::string, std::string>;

inline const std::vector<TemplateDef>& shipped_templates() {
  static const Result<std::vector<TemplateDef>> result = embedded_templates();
  INFO((result ? "" : result.error().message));
  REQUIRE(result);
  return *result;
}

// What leads to each scheduler: requirements of the fleet, whether its tenants are a tree, feature gates.
struct Leads {
  std::string scheduler;
  std::string requirements;
  bool tree;
  std::string gates;
};
inline const std::vector<Leads> kLeads{
    {"volcano", "keep_default_scheduler: false, support_contract: false, vendor_neutral: true", true, ""},
    {"kai", "keep_default_scheduler: false, support_contract: false, vendor_neutral: false", true, ""},
    {"kueue-topology", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", true, ""},
    {"coscheduling", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", false,
     ", feature_gates: {GenericWorkload: false}"},
    {"native-podgroup", "keep_default_scheduler: true, support_contract: false, vendor_neutral: true", false,
     ", feature_gates: {GenericWorkload: true}"},
};
inline const Leads& leads_to(const std::string& scheduler) {
  return *std::ranges::find(kLeads, scheduler, &Leads::scheduler);
}

inline constexpr const char* kPool =
    "  - {name: h100, nodes: \"n[1-32]\", gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: H100}}\n";
inline constexpr const char* kTree =
    "  - {name: org, guaranteed_gpus: 128, limit_gpus: 256}\n"
    "  - {name: Team_Vision 2, parent: org, guaranteed_gpus: 64, limit_gpus: 128}\n"
    "  - {name: nlp, parent: org, guaranteed_gpus: 64, limit_gpus: 128}\n";
inline constexpr const char* kFlat = "  - {name: nlp, guaranteed_gpus: 64, limit_gpus: 128}\n";
inline constexpr const char* kDomains =
    "    - {name: spine1, level: spine}\n    - {name: leaf1, level: leaf, parent: spine1, nodes: \"n[1-16]\"}\n"
    "    - {name: leaf2, level: leaf, parent: spine1, nodes: \"n[17-32]\"}\n";

inline std::string fleet_of(const Leads& leads, const std::string& tenants, const std::string& pools = kPool,
                            const std::string& domains = kDomains) {
  return "muster: fleet/v1\nname: east-1\ncontrol_planes: [{kind: kubernetes, version: \"1.37\"" + leads.gates +
         "}]\nnode_pools:\n" + pools + "requirements: {" + leads.requirements + "}\n" +
         (domains.empty() ? "" : "topology:\n  levels: [spine, leaf]\n  domains:\n" + domains) +
         (tenants.empty() ? "tenants: []\n" : "tenants:\n" + tenants);
}
inline std::string fleet_for(const std::string& scheduler) {
  const Leads& leads = leads_to(scheduler);
  return fleet_of(leads, leads.tree ? kTree : kFlat);
}

/// A gang of four nodes; `more` comes last and may say a key again that it leaves out with `without`.
inline std::string work(const std::string& name, const std::string& more) {
  return "  - {name: " + name +
         ", tenant: nlp, nodes: 4, gpus_per_node: 8, tightly_coupled: true, bare_metal: false, edge_or_dev: false, "
         "fractional_gpu: false, multi_tenant: true, " +
         more + "}\n";
}
inline constexpr const char* kBatch = "long_lived_services: false, python_native_pipeline: false";
inline constexpr const char* kServer = "long_lived_services: true, python_native_pipeline: false";
inline std::string workloads_of(const std::string& list) { return "muster: workloads/v1\nworkloads:\n" + list; }
inline std::string every_kind() {
  std::string list;
  for (const char* kind : {"job", "jobset", "mpi-job", "pytorch-job", "train-job"})
    list += work("run-" + std::string(kind), std::string("kind: ") + kind + ", " + kBatch);
  list += work("Big Ray", "kind: ray, long_lived_services: false, python_native_pipeline: true");
  list += work("serve", std::string("kind: leader-worker-set, serving: {min_replicas: 2}, ") + kServer);
  return workloads_of(list);
}

/// A pool of four nodes under Kubernetes with these facts.
inline std::string gpu_pool(const std::string& name, const std::string& facts) {
  return "  - {name: " + name + ", nodes: \"" + name + "-[1-4]\", gpus_per_node: 8, control_plane: kubernetes" +
         (facts.empty() ? "" : ", " + facts) + "}\n";
}
inline std::string fleet_with_pools(const std::string& pools) {
  return fleet_of(leads_to("volcano"), kFlat, pools, "");
}

/// Nothing to say of a pool: whole GPUs, and a driver that the operator brings.
inline constexpr const char* kWhole =
    "accelerator: {model: H100, partitioning: none}, runtime: {driver: 580.126.20, driver_in_image: false}";

/// A fleet whose batch work belongs on Slurm and whose services do not, and where joining the planes pays.
inline std::string joined_fleet(const std::string& stage, const std::string& more = "") {
  return "muster: fleet/v1\nname: north\nstage: " + stage +
         "\ncontrol_planes: [{kind: kubernetes, version: \"1.36\"}, {kind: slurm, version: \"25.11\"}]\n"
         "node_pools:\n"
         "  - {name: h100, nodes: \"h[1-8]\", gpus_per_node: 8, control_plane: slurm, accelerator: {model: H100, "
         "partitioning: none}, node: {cpus: 128, memory_mib: 1000000}, runtime: {driver_in_image: true}}\n"
         "  - {name: l40s, nodes: \"l[1-4]\", gpus_per_node: 4, control_plane: kubernetes, accelerator: {model: L40S, "
         "partitioning: none}, runtime: {driver_in_image: true}}\n"
         "topology:\n  levels: [spine, leaf]\n  domains:\n    - {name: spine1, level: spine}\n"
         "    - {name: leaf1, level: leaf, parent: spine1, nodes: \"h[1-4]\"}\n"
         "    - {name: leaf2, level: leaf, parent: spine1, nodes: \"h[5-8]\"}\n"
         "tenants:\n  - {name: nlp, guaranteed_gpus: 16, limit_gpus: 64}\n"
         "requirements: {keep_default_scheduler: false, support_contract: false, vendor_neutral: true, shared_root: "
         "false}\n"
         "economics: {stranded_share: 0.5, gpu_hour_usd: 2.5, two_plane_engineers: 1, engineer_usd_per_year: "
         "100000}\n" +
         more;
}
inline std::string joined_work(const std::string& more = "") {
  return workloads_of(
      "  - {name: pretrain, tenant: nlp, nodes: 4, gpus_per_node: 8, tightly_coupled: true, bare_metal: true, "
      "long_lived_services: false, gpu_hours_share: 0.6}\n"
      "  - {name: chat, kind: deployment, tenant: nlp, nodes: 1, gpus_per_node: 4, tightly_coupled: false, "
      "bare_metal: false, edge_or_dev: false, python_native_pipeline: false, long_lived_services: true, "
      "multi_tenant: true, gpu_hours_share: 0.4}\n" +
      more);
}

struct Written {
  GeneratedAll all;
  std::vector<std::string> findings;
  Files files() const {
    Files out;
    for (const GeneratedFile& file : all.generated.files) out["generated/" + file.path] = file.text;
    return out;
  }
  std::string text(const std::string& path) const {
    const auto found = std::ranges::find(all.generated.files, path, &GeneratedFile::path);
    return found == all.generated.files.end() ? "" : found->text;
  }
  bool wrote(const std::string& id) const { return std::ranges::find(all.templates, id) != all.templates.end(); }
};

inline Written generate_everything(const std::string& fleet, const std::string& workloads) {
  const Workspace workspace = read_files({{"fleet.yaml", fleet}, {"w.yaml", workloads}});
  CHECK(workspace.findings.empty());
  Written out;
  const FleetDecision shared = decide_fleet(workspace.model, *workspace.book, workspace.site, workspace.decisions);
  out.all = generate_all(shipped_templates(), {workspace.model, workspace.decisions, workspace.site.targets,
                                               workspace.inputs.sources, &shared});
  Result<std::vector<std::string>> findings = check_generated(out.all.generated.files, workspace);
  REQUIRE(findings);
  out.findings = *findings;
  return out;
}

inline Result<Generated> generate_one(const std::string& id, const std::string& fleet,
                                      const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Workspace workspace = read_files({{"fleet.yaml", fleet}, {"w.yaml", workloads}});
  CHECK(workspace.findings.empty());
  const auto def = std::ranges::find(shipped_templates(), id, &TemplateDef::id);
  REQUIRE(def != shipped_templates().end());
  const FleetDecision shared = decide_fleet(workspace.model, *workspace.book, workspace.site, workspace.decisions);
  return generate(*def,
                  {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources, &shared});
}
inline std::string text_of(const std::string& id, const std::string& fleet,
                           const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Result<Generated> generated = generate_one(id, fleet, workloads);
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  return generated->files.at(0).text;
}
inline std::string refusal_of(const std::string& id, const std::string& fleet,
                              const std::string& workloads = "muster: workloads/v1\nworkloads: []\n") {
  const Result<Generated> generated = generate_one(id, fleet, workloads);
  REQUIRE_FALSE(generated);
  return generated.error().message;
}

/// What a check of these files against CustomResourceDefinitions says; nothing where there are none.
inline std::optional<std::string> said_by_definitions(const std::vector<GeneratedFile>& files) {
  const std::optional<std::string> reference = reference_dir();
  if (!reference || !std::filesystem::exists(*reference + "/crds")) return std::nullopt;
  const TemporaryFolder folder;
  for (const GeneratedFile& file : files) write_file(folder.path() + "/" + file.path, file.text);
  FILE* pipe =
      popen(("python3 " + *reference + "/tools/validate_crd.py --all " + folder.path() + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) said += line.data();
  CHECK(pclose(pipe) == 0);
  return said;
}

inline bool has(const std::string& text, const std::string& piece) { return text.find(piece) != text.npos; }
inline std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != text.npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

}  // namespace muster::test
