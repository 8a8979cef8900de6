#include "kustomize/render.h"

#include <algorithm>

#include "kustomize/build.h"

namespace muster {
namespace {

using kustomize::Work;

constexpr std::size_t kStepsForAll = 100'000'000;

class Renderer {
 public:
  explicit Renderer(KustomizeInput input)
      : files_(input.sources, std::move(input.by_path), std::move(input.empty), std::move(input.templates)) {}

  Renderings run() {
    std::set<std::string> open;
    for (const auto& [folder, file] : files_.kustomizations()) {
      open.insert(folder);
      mentioned_.emplace(folder, kustomize::mentioned_by(files_, folder));
    }
    for (const auto& [folder, mentioned] : mentioned_) {
      out_.patches.insert(mentioned.patches.begin(), mentioned.patches.end());
      out_.resources.insert(mentioned.resources.begin(), mentioned.resources.end());
      if (!mentioned.outside.empty()) out_.outside.push_back(mentioned.outside.front());
      for (const std::string& other : mentioned.folders) {
        if (other != folder) open.erase(other);
      }
    }
    roots_ = open;
    std::set<std::string> done;
    while (!open.empty()) {
      const std::string folder = *open.begin();
      open.erase(open.begin());
      if (!done.insert(folder).second || is_component(folder) || render(folder)) continue;
      for (const std::string& part : mentioned_[folder].folders) open.insert(part);
    }
    for (const auto& [folder, file] : files_.kustomizations()) {  // whose only users are in a circle with them
      if (!covered_.contains(file) && done.insert(folder).second && !is_component(folder)) render(folder);
    }
    for (const std::string& folder : roots_) {
      if (!is_component(folder)) continue;
      for (const auto& [path, where] : mentioned_[folder].absent) out_.lacking.push_back({path, where});
    }
    std::ranges::sort(out_.all, {}, &Rendering::kustomization);
    return std::move(out_);
  }

 private:
  bool is_component(const std::string& folder) {
    Work work;
    const std::vector<kustomize::Tree>* documents = nullptr;
    return files_.documents_of(*files_.kustomization_in(folder), work, documents) && !documents->empty() &&
           text_at(documents->front(), "kind") == "Component";
  }

  bool render(const std::string& folder) {
    Rendering rendering;
    rendering.kustomization = *files_.kustomization_in(folder);
    rendering.whole = roots_.contains(folder);
    Work work;
    work.left = std::min(work.left, left_);
    const std::size_t before = work.left;
    kustomize::Built built;
    bool good = build(files_, folder, work, built);
    for (const kustomize::Resource& resource : built.objects) {
      if (!good) break;
      rendering.objects.emplace_back();
      if (!work.spend(size_of(resource.object)) || !to_document(resource.object, rendering.objects.back()))
        good = work.fail("an object is nested too deeply");
    }
    left_ -= before - work.left;
    if (good) {
      rendering.targets = std::move(work.targets);
      rendering.lost_images = std::move(work.lost_images);
      covered_.insert(built.parts.begin(), built.parts.end());
      rendering.parts.assign(built.parts.begin(), built.parts.end());
      rendering.missing = std::move(built.missing);
      for (auto& [path, where] : built.unread) rendering.lacking.push_back({std::move(path), where});
    } else {
      rendering.objects.clear();
      rendering.trouble = work.trouble;
      if (!work.lacking.empty()) rendering.lacking.push_back({work.lacking, work.lacking_where});
      for (const auto& [path, where] : mentioned_[folder].absent) {
        if (where != work.lacking_where) rendering.lacking.push_back({path, where});
      }
    }
    out_.all.push_back(std::move(rendering));
    return good;
  }

  kustomize::Files files_;
  std::map<std::string, kustomize::Mentioned> mentioned_;
  Renderings out_;
  std::set<std::string> roots_;  ///< that no other one refers to
  std::set<FileId> covered_;
  std::size_t left_ = kStepsForAll;
};

}  // namespace

Renderings render_kustomizations(KustomizeInput input) { return Renderer(std::move(input)).run(); }

}  // namespace muster
