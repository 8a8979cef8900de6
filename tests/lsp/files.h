#pragma once

#include <map>
#include <string>

namespace muster::test {

// Files that contradict each other, for the tests of the language server.

inline constexpr const char* kLspJob = R"(apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: train
spec:
  schedulerName: volcano
  minAvailable: 9
  queue: research
  policies:
    - {event: PodEvicted, action: RestartJob}
    - {event: PodFailed, action: RestartJob}
  tasks:
    - name: worker
      replicas: 8
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: train
              image: registry.example/train:1
              resources:
                limits:
                  nvidia.com/gpu: 8
)";
inline constexpr const char* kLspQueue = R"(apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: research
spec:
  capability:
    nvidia.com/gpu: 32
)";

}  // namespace muster::test
