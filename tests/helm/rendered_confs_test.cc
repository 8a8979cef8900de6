// Files of Slurm's in ConfigMaps that a chart writes, judged where the template or its values say it.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"

namespace {

using Json = nlohmann::json;

class SlurmChart {
 public:
  SlurmChart() {
    put("Chart.yaml", "apiVersion: v2\nname: slurm\nversion: 0.1.0\n");
    put("values.yaml", "user: root\nnodes: 4\ngpus: 2\ncpus: 2\n");
    put("templates/_conf.tpl",
        "{{- define \"conf\" -}}\nClusterName=c\nSlurmctldHost=h\nAuthType=auth/munge\nGresTypes=gpu\n"
        "SlurmUser={{ .Values.user }}\nInclude /etc/slurm/nodes.conf\nPartitionName=p Nodes=ALL Default=YES\n"
        "{{- end }}\n");
    // A comment first: the text alone is no YAML with a slurm.conf in it.
    put("templates/static.yaml",
        "{{/* mounted at /etc/slurm */}}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: static}\ndata:\n"
        "  slurm.conf: |\n{{ include \"conf\" . | indent 4 }}\n");
    // Two values with one text, of which each is printed once behind a `=`.
    put("templates/nodes.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nodes}\ndata:\n  nodes.conf: |\n"
        "    {{ printf \"NodeName=n[1-%v] CPUs=64 Weight=%v RealMemory=500000 Gres=gpu:%v\" .Values.nodes .Values.cpus "
        ".Values.gpus }}\n  gres.conf: |\n    Name=gpu Count={{ .Values.gpus }} File=/dev/nvidia0\n");
  }

  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(folder_.path() + "/templates");
    muster::test::write_file(folder_.path() + "/" + path, text);
  }

  std::multiset<std::string> found() const {
    const muster::test::Ran ran =
        muster::test::run_command({"check", folder_.path(), "--format", "json", "--fail-on", "never"});
    REQUIRE(ran.code == 0);
    std::multiset<std::string> out;
    const Json report = Json::parse(ran.out);
    for (const Json& finding : report["findings"]) {
      const std::string file = finding["location"]["file"];
      out.insert(finding["rule"].get<std::string>() + " " + file.substr(file.rfind('/') + 1) + ":" +
                 std::to_string(finding["location"]["line"].get<int>()));
    }
    return out;
  }

 private:
  muster::test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a slurm.conf that a chart writes is a site with all that its ConfigMaps hold", "[helm][slurm]") {
  SlurmChart chart;
  const std::multiset<std::string> first = chart.found();
  // An action that includes the whole text is the place of all that is in it.
  CHECK(first.contains("slurm-user-root static.yaml:7"));
  CHECK(first.contains("gres-count-not-files values.yaml:3"));
  CHECK(first.contains("gres-fewer-than-configured nodes.yaml:6"));
  // Each file of values is a site of its own; what all have is said once.
  chart.put("values.yaml", "user: slurm\nnodes: 4\ngpus: 1\ncpus: 2\n");
  const std::multiset<std::string> quiet = chart.found();
  const std::string everywhere = "slurm-devices-without-task-plugin static.yaml:7";
  CHECK(quiet.count(everywhere) == 1);
  for (const std::string& one : quiet) CHECK_FALSE(one.starts_with("gres-"));
  chart.put("values-large.yaml", "gpus: 8\n");
  const std::multiset<std::string> large = chart.found();
  CHECK(large.contains("gres-count-not-files values-large.yaml:1"));
  CHECK(large.count(everywhere) == 1);
}
