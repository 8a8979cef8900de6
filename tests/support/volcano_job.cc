#include "support/volcano_job.h"

namespace muster::test {

std::string volcano_job(const std::string& name, int min_available) {
  return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: " + name +
         "}\nspec:\n  minAvailable: " + std::to_string(min_available) +
         "\n  policies: [{event: PodEvicted, action: RestartJob}]\n  plugins: {pytorch: [\"--master=master\"]}\n"
         "  tasks:\n  - name: worker\n    replicas: 8\n    template: {spec: {containers: [{name: c, image: e/t:1, "
         "command: [python, t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}\n";
}

}  // namespace muster::test
