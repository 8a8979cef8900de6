// What `muster prove` says of a repository in memory.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/json.h"

namespace muster::test {

/// The answer about files below /r, as JSON, with these words more on the command line.
nlohmann::json prove_files(const std::map<std::string, std::string>& files, std::vector<std::string> words);
/// About a fleet file and a manifest.
nlohmann::json prove_jobs(const std::string& fleet, const std::string& manifest, std::vector<std::string> words = {});

/// Its first verdict; "left out: " and what is needed where nothing is judged.
std::string told(const nlohmann::json& answer);
std::string told_of(const std::string& fleet, const std::string& manifest, const std::string& property);

/// What the first verdict rests on, as the sentences say it.
std::vector<std::string> rests_on(const nlohmann::json& answer);

/// A Job of so many pods with so many GPUs each that run `command`; `spec`: lines of the pod's spec in flow style.
std::string plain_job(const std::string& name, int pods, int gpus, const std::string& command = "torchrun, --nnodes=4",
                      const std::string& spec = "", const std::string& metadata = "");

/// Nodes n1.. of eight GPUs in one pool; `more`: other keys of it in flow style.
std::string plain_fleet(int nodes, const std::string& more = "");

}  // namespace muster::test
