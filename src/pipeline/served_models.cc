#include "pipeline/served_models.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

/// Whether a list of arguments is written out and names no model; KServe hands it on as it is.
bool names_none(const WrittenValue* args) {
  if (args == nullptr) return true;
  return args->state == State::Set && args->kind == WrittenValue::Kind::List &&
         std::ranges::all_of(args->items(), [](const WrittenValue& word) {
           const std::string_view text = word.text();
           return word.state == State::Set && text.starts_with("-") && !contains(text, "--model") &&
                  !contains(text, "--config") && !contains(text, "$") && !contains(text, "{{");
         });
}

/// The makers' image as it is.
bool starts_bare_server(const WrittenValue& container) {
  const std::string_view image = container.text_of("image");
  return (image.starts_with("vllm/vllm-openai") || contains(image, "/vllm/vllm-openai")) &&
         container.find("command") == nullptr && names_none(container.find("args"));
}

}  // namespace

void find_unnamed_models(const Model& model, std::vector<Finding>& findings) {
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> runtimes;  // nullptr: not all are such
  for (const Manifest& one : model.manifests) {
    if (one.def->collection != "serving_runtimes" || !one.name.is_set()) continue;
    const std::span<const WrittenValue> containers = one.part("containers").items();
    const bool bare = containers.size() == 1 && starts_bare_server(containers.front());
    const auto [at, fresh] = runtimes.try_emplace({one.bundle, one.name.value}, bare ? &one : nullptr);
    if (!fresh && !bare) at->second = nullptr;
  }
  for (const Manifest& one : model.manifests) {
    if (runtimes.empty() || one.def->collection != "inference_services") continue;
    const WrittenValue& served = one.part("model");
    const WrittenValue* runtime = served.find("runtime");
    const WrittenValue* place = served.find("storageUri");
    if (runtime == nullptr || !runtime->is_text() || place == nullptr || served.find("command") != nullptr) continue;
    const auto found = runtimes.find({one.bundle, runtime->text()});
    // Options with their values in words of their own are left alone.
    if (found == runtimes.end() || found->second == nullptr || !names_none(served.find("args"))) continue;
    findings.push_back(problem("server-model-not-given", runtime->where,
                               "neither `" + one.name.value + "` nor its runtime tells vLLM to load /mnt/models"));
    findings.back().related.push_back({found->second->place_of("containers"), "the runtime"});
  }
}

}  // namespace muster
