#include "support/proofs.h"

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace muster::test {

nlohmann::json prove_files(const std::map<std::string, std::string>& files, std::vector<std::string> words) {
  FakeDisk disk({});
  for (const auto& [name, text] : files) disk.files["r/" + name] = text;
  words.insert(words.begin(), {"prove", "/r", "--format", "json"});
  const Ran ran = run_command(words, disk);
  INFO(ran.err);
  REQUIRE_FALSE(ran.out.empty());
  return nlohmann::json::parse(ran.out);
}

nlohmann::json prove_jobs(const std::string& fleet, const std::string& manifest, std::vector<std::string> words) {
  return prove_files({{"fleet.yaml", fleet}, {"jobs.yaml", manifest}}, std::move(words));
}

std::string told(const nlohmann::json& answer) {
  if (!answer["results"].empty()) return answer["results"][0]["verdict"];
  return answer["left_out"].empty() ? "nothing" : "left out: " + answer["left_out"][0]["needs"].get<std::string>();
}

std::string told_of(const std::string& fleet, const std::string& manifest, const std::string& property) {
  return told(prove_jobs(fleet, manifest, {"--property", property}));
}

std::vector<std::string> rests_on(const nlohmann::json& answer) {
  std::vector<std::string> out;
  const nlohmann::json& first = answer["results"].at(0);
  for (const nlohmann::json& source : first.value("rests_on", nlohmann::json::array())) out.push_back(source["says"]);
  return out;
}

std::string plain_job(const std::string& name, int pods, int gpus, const std::string& command, const std::string& spec,
                      const std::string& metadata) {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name + metadata +
         "}\nspec:\n  completionMode: Indexed\n  completions: " + std::to_string(pods) +
         "\n  parallelism: " + std::to_string(pods) + "\n  template: {spec: {restartPolicy: Never, " + spec +
         "containers: [{name: w, image: 'e/t:1', command: [" + command +
         "], resources: {limits: {nvidia.com/gpu: " + std::to_string(gpus) + "}}}]}}\n";
}

std::string plain_fleet(int nodes, const std::string& more) {
  return "muster: fleet/v1\nname: lab\nnode_pools: [{name: gpu, nodes: 'n[1-" + std::to_string(nodes) +
         "]', gpus_per_node: 8" + more + "}]\n";
}

}  // namespace muster::test
