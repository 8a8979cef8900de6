#include "generate/generate.h"

#include <sstream>

#include "generate/quote.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"
#include "support/second_yaml.h"
#include "support/skip.h"
#include "support/slurmctld.h"
#include "syntax/yaml_reader.h"

using namespace muster;

namespace {

const TemplateDef& find_template(const std::vector<TemplateDef>& templates, const std::string& id) {
  for (const TemplateDef& def : templates) {
    if (def.id == id) return def;
  }
  FAIL("no template " << id);
  return templates.front();
}

const std::vector<TemplateDef>& templates() {
  static const Result<std::vector<TemplateDef>> result = embedded_templates();
  INFO((result ? "" : result.error().message));
  REQUIRE(result);
  return *result;
}

Result<Generated> generate_from(const std::string& id, const std::map<std::string, std::string>& files) {
  const Workspace workspace = test::read_files(files);
  CHECK(workspace.findings.empty());
  Result<Generated> generated =
      generate(find_template(templates(), id),
               {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  for (std::size_t i = 0; generated && i < generated->files.size(); ++i) {
    const std::string& text = generated->files[i].text;
    if (!generated->files[i].path.ends_with(".yaml")) continue;
    for (const Span& where : split_yaml_documents(FileId{0}, text)) {
      const std::string document = text.substr(where.begin, where.end - where.begin);
      CHECK(test::second_reading(document).error.empty());
      CHECK(test::second_reading(document).text == test::first_reading(document).text);
    }
  }
  return generated;
}

/// A fleet of `leaves` leaf switches of `each` nodes below one spine.
std::string fleet_of(int leaves, int each) {
  std::ostringstream out;
  out << "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-" << leaves * each
      << "]\", gpus_per_node: 8, control_plane: slurm}\n"
      << "topology:\n  levels: [spine, leaf]\n  domains:\n    - {name: spine, level: spine}\n";
  for (int i = 0; i < leaves; ++i) {
    out << "    - {name: leaf" << i + 1 << ", level: leaf, parent: spine, nodes: \"n[" << i * each + 1 << "-"
        << (i + 1) * each << "]\"}\n";
  }
  return out.str();
}

std::string refusal(const std::string& id, const std::map<std::string, std::string>& files) {
  const Result<Generated> generated = generate_from(id, files);
  REQUIRE_FALSE(generated);
  return generated.error().message;
}

}  // namespace

TEST_CASE("topology.conf has every node under one leaf, children first", "[generate]") {
  const Result<Generated> generated = generate_from("topology-conf", {{"fleet.yaml", fleet_of(2, 8)}});
  REQUIRE(generated);
  const std::string& text = generated->files.at(0).text;
  CHECK(text.substr(text.find("SwitchName")) ==
        "SwitchName=leaf1 Nodes=n[1-8]\nSwitchName=leaf2 Nodes=n[9-16]\nSwitchName=spine Switches=leaf[1-2]\n");
}

TEST_CASE("what topology-conf writes passes the check with the cluster it is for", "[generate]") {
  const Result<Generated> generated = generate_from("topology-conf", {{"fleet.yaml", fleet_of(16, 16)}});
  REQUIRE(generated);
  const test::Checked checked =
      test::check_files({{"etc/slurm.conf",
                          "ClusterName=lab\nSlurmctldHost=ctl\nTaskPlugin=task/cgroup\nTopologyPlugin=topology/"
                          "tree\nGresTypes=gpu\nNodeName=n[1-256] CPUs=96 RealMemory=1000 "
                          "Gres=gpu:8\nPartitionName=all Nodes=ALL Default=YES\n"},
                         {"etc/topology.conf", generated->files.at(0).text}});
  CHECK(test::summary_of(checked) == "");
  CHECK(checked.report.undecided.empty());
}

TEST_CASE("the real slurmctld loads a generated topology.conf and shows the same tree", "[generate][slurmctld]") {
  if (!test::slurmctld_path()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  const Result<Generated> generated = generate_from("topology-conf", {{"fleet.yaml", fleet_of(4, 16)}});
  REQUIRE(generated);
  const test::SlurmVerdict verdict = test::run_slurmctld("n[1-64]", {{"topology.conf", generated->files.at(0).text}});
  std::string log;
  for (const std::string& line : verdict.log) log += line + "\n";
  INFO(log);
  REQUIRE(verdict.up);
  CHECK(log.find("switches lack access") == std::string::npos);
  CHECK(log.find("TOPOLOGY") == std::string::npos);
  const auto shows = [&](const std::string& line) {
    for (const std::string& shown : verdict.topology) {
      if (shown.find(line) != std::string::npos) return true;
    }
    return false;
  };
  for (const char* line :
       {"SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-16]", "SwitchName=leaf4 Level=0 LinkSpeed=1 Nodes=n[49-64]",
        "SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[1-64] Switches=leaf[1-4]"}) {
    INFO(line);
    CHECK(shows(line));
  }
}

TEST_CASE("topology-conf refuses what Slurm would, and names it", "[generate]") {
  const auto fleet = [](const std::string& domains) {
    return std::map<std::string, std::string>{
        {"fleet.yaml",
         "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: p, nodes: \"n[1-4]\", control_plane: "
         "slurm}\ntopology:\n  levels: [spine, leaf]\n  domains:\n" +
             domains}};
  };
  CHECK(refusal("topology-conf", fleet("    - {name: l1, level: leaf, nodes: \"n[1-3]\"}\n"))
            .find("no place in topology.domains: n4") != std::string::npos);
  CHECK(
      refusal(
          "topology-conf",
          fleet("    - {name: l1, level: leaf, nodes: \"n[1-3]\"}\n    - {name: l2, level: leaf, nodes: \"n[3-4]\"}\n"))
          .find("in two domains: n3") != std::string::npos);
  CHECK(refusal("topology-conf", fleet("    - {name: l1, level: leaf, parent: top, nodes: \"n[1-4]\"}\n"))
            .find("parent of domain `l1`") != std::string::npos);
  CHECK(refusal("topology-conf", fleet("    - {name: a, level: leaf, parent: b}\n    - {name: b, level: leaf, parent: "
                                       "a}\n    - {name: l, level: leaf, nodes: \"n[1-4]\"}\n"))
            .find("cycle") != std::string::npos);
  CHECK(refusal("topology-conf", fleet("    - {name: \"l 1\", level: leaf, nodes: \"n[1-4]\"}\n"))
            .find("cannot be a SwitchName") != std::string::npos);
  CHECK(refusal("topology-conf", fleet("    - {name: s, level: spine, nodes: \"n[1-2]\"}\n    - {name: l, level: leaf, "
                                       "parent: s, nodes: \"n[3-4]\"}\n"))
            .find("has nodes and child domains") != std::string::npos);
  CHECK(refusal("topology-conf", {{"fleet.yaml", "muster: fleet/v1\nname: east\n"}}).find("is empty") !=
        std::string::npos);
  CHECK(refusal("topology-conf", {{"w.yaml", "muster: workloads/v1\nworkloads: []\n"}}).find("needs a fleet file") !=
        std::string::npos);
}

namespace {

std::string kubernetes_fleet() {
  return "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-16]\", gpus_per_node: 8, "
         "control_plane: kubernetes}\n"
         "tenants:\n  - {name: research, guaranteed_gpus: 64, limit_gpus: 128}\n";
}

std::string workload(const std::string& facts) {
  return "muster: workloads/v1\nworkloads:\n  - {name: finetune, bare_metal: false, python_native_pipeline: false, "
         "edge_or_dev: false, long_lived_services: false, " +
         facts + "}\n";
}

}  // namespace

TEST_CASE("a generated Volcano Job is a gang of all its pods, in a generated Queue, and passes the check",
          "[generate]") {
  const std::map<std::string, std::string> files{
      {"fleet.yaml", kubernetes_fleet()},
      {"w.yaml", workload("tenant: research, tightly_coupled: true, nodes: 16, gpus_per_node: 8")}};
  const Result<Generated> generated = generate_from("volcano-job", files);
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  const Result<Generated> queues = generate_from("volcano-queues", files);
  INFO((queues ? "" : queues.error().message));
  REQUIRE(queues);
  const test::Checked checked =
      test::check_files({{"job.yaml", generated->files.at(0).text}, {"queues.yaml", queues->files.at(0).text}});
  CHECK(test::summary_of(checked) == "");
  CHECK(checked.report.undecided.empty());
  REQUIRE(checked.workspace.model.gangs.size() == 1);
  const Gang& gang = checked.workspace.model.gangs.front();
  CHECK(gang.size.value == 16);
  CHECK(gang.guaranteed.value == 16);
  CHECK(gang.gpus.value == 128);
  CHECK(gang.path.value == Path::In);
  CHECK(gang.mechanism.value == Mechanism::Atomic);
  CHECK(gang.tightly_coupled.value);
  CHECK(gang.queue_found.value);
}

TEST_CASE("volcano-job refuses on a missing fact and names it", "[generate]") {
  const auto with = [](const std::string& facts) {
    return std::map<std::string, std::string>{{"fleet.yaml", kubernetes_fleet()}, {"w.yaml", workload(facts)}};
  };
  CHECK(refusal("volcano-job", with("tightly_coupled: true, nodes: 4"))
            .find("`gpus_per_node` of workload `finetune` is missing") != std::string::npos);
  CHECK(refusal("volcano-job", with("tightly_coupled: true, gpus_per_node: 8"))
            .find("`nodes` of workload `finetune` is missing") != std::string::npos);
  CHECK(refusal("volcano-job", with("nodes: 4, gpus_per_node: 8"))
            .find("`tightly_coupled` of workload `finetune` is missing") != std::string::npos);
  CHECK(refusal("volcano-job", with("tightly_coupled: true, nodes: 17, gpus_per_node: 8"))
            .find("no Kubernetes pool of the fleet has 17 nodes") != std::string::npos);
  CHECK(refusal("volcano-job", with("tightly_coupled: true, nodes: 4, gpus_per_node: 8, tenant: nobody"))
            .find("tenant of `finetune`") != std::string::npos);
  CHECK(refusal("volcano-job", with("tightly_coupled: false, nodes: 4, gpus_per_node: 8"))
            .find("no workload is a tightly coupled one") != std::string::npos);
}

TEST_CASE("values cannot change the shape of a file", "[generate]") {
  CHECK(quote("a: b\n- c", ValueKind::Quoted, OutputFormat::Yaml) == "\"a: b\\n- c\"");
  CHECK(quote("true", ValueKind::Quoted, OutputFormat::Yaml) == "\"true\"");
  CHECK(quote("007", ValueKind::Quoted, OutputFormat::Yaml) == "\"007\"");
  CHECK(quote("8", ValueKind::Quoted, OutputFormat::Yaml) == "8");
  CHECK(quote("n[1-8]", ValueKind::Quoted, OutputFormat::SlurmConf) == "n[1-8]");
  for (const char* bad : {"a b", "a#b", "a\nSwitchName=x", "", "a\"b", "a\\"}) {
    INFO(bad);
    CHECK_FALSE(quote(bad, ValueKind::Quoted, OutputFormat::SlurmConf).has_value());
  }
  CHECK_FALSE(quote("a b", ValueKind::Word, OutputFormat::Yaml).has_value());
  CHECK(quote("x\ny", ValueKind::Comment, OutputFormat::Yaml) == "x\\ny");
  CHECK(quote("n[1-8],$(x) `y`", ValueKind::Quoted, OutputFormat::Shell) == "'n[1-8],$(x) `y`'");
  for (const char* bad : {"", "it's", "a\nb"})
    CHECK_FALSE(quote(bad, ValueKind::Quoted, OutputFormat::Shell).has_value());
  CHECK_FALSE(read_back("among 'n[1-8]'\n", OutputFormat::Shell, {"n[1-8]"}).has_value());
  CHECK(read_back("# among 'n[1-8]'\n", OutputFormat::Shell, {"n[1-8]"}).has_value());
  // Whatever is quoted reads back as itself.
  for (const char* text : {"plain", "with: colon", "# hash", "\"quotes\"", "back\\slash", "line\nbreak", "tab\there",
                           "yes", "1e3", "0x10", "", "ünicode", "- dash", "*a", "&a", "!t", "%", "@x", "`"}) {
    const std::string yaml = "key: " + *quote(text, ValueKind::Quoted, OutputFormat::Yaml) + "\n";
    INFO(yaml);
    CHECK_FALSE(read_back(yaml, OutputFormat::Yaml, {text}).has_value());
  }
  CHECK(read_back("key: other\n", OutputFormat::Yaml, {"value"}).has_value());
  CHECK(read_back("SwitchName=a Nodes=n[1-2] x\n", OutputFormat::SlurmConf, {}).has_value());
}

TEST_CASE("a template with a marker nobody sets, or a value nobody uses, is refused", "[generate]") {
  const std::string head =
      "id: t\ndoc: d\nneeds: [fleet]\nfiles:\n  - path: out.yaml\n    format: yaml\n    text: t.tpl\n    values: "
      "{NAME: fleet.name}\nsources: [x]\n";
  CHECK(load_template("templates/t", {{"template.yaml", head}, {"t.tpl", "name: {{NAME}}\n"}}));
  CHECK(load_template("templates/t", {{"template.yaml", head}, {"t.tpl", "name: {{NAEM}}\n"}})
            .error()
            .message.find("no value sets the marker {{NAEM}}") != std::string::npos);
  CHECK(load_template("templates/t", {{"template.yaml", head}, {"t.tpl", "name: x\n"}})
            .error()
            .message.find("no marker {{NAME}}") != std::string::npos);
  CHECK(load_template("templates/t", {{"template.yaml", head + "nonsense: 1\n"}, {"t.tpl", "name: {{NAME}}\n"}})
            .error()
            .message.find("unknown key `nonsense`") != std::string::npos);
}
