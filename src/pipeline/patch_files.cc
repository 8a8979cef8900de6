#include "pipeline/patch_files.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::string_view kKustomizations[] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};

/// Of paths of patches, and of what a test holds against objects. Source: kyverno.github.io/chainsaw (0.2).
constexpr std::string_view kPartWords[] = {"patch", "overlay", "assert", "assertion", "chainsaw", "kuttl"};

bool is_kustomization(std::string_view path) {
  return std::ranges::find(kKustomizations, path.substr(path.rfind('/') + 1)) != std::end(kKustomizations);
}

/// `a/b` and `../c/d.yaml` make `a/c/d.yaml`.
std::string joined(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  const std::string whole = std::string(folder) + "/" + std::string(path);
  for (const std::string_view part : split(whole, '/')) {
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
  }
  const std::string out = join({parts.begin(), parts.end()}, "/");
  return folder.starts_with('/') ? "/" + out : out;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the path has the word, also as a plural, between characters that are no letters.
bool has_word(std::string_view path, std::string_view word) {
  for (std::size_t at = path.find(word); at != path.npos; at = path.find(word, at + 1)) {
    std::string_view rest = path.substr(at + word.size());
    for (const std::string_view ending : {"es", "s"}) {
      if (rest.starts_with(ending)) rest.remove_prefix(ending.size());
    }
    if ((at == 0 || !is_letter(path[at - 1])) && (rest.empty() || !is_letter(rest.front()))) return true;
  }
  return false;
}

class PatchFiles {
 public:
  explicit PatchFiles(const Inputs& inputs) : inputs_(inputs), patches_(inputs.files.size()) {}

  std::vector<bool> run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string& path = inputs_.files[i].context.path;
      by_path_[path] = i;
      patches_[i] = std::ranges::any_of(kPartWords, [&](std::string_view word) { return has_word(path, word); });
    }
    // What one kustomization patches with another may use whole; then it is a part all the same.
    for (const bool is_patch : {false, true}) {
      for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
        if (is_kustomization(inputs_.files[i].context.path)) read(i, is_patch);
      }
    }
    return std::move(patches_);
  }

 private:
  void read(std::size_t i, bool is_patch) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs_.sources.file(file).text();
    for (const Span& where : split_yaml_documents(file, text)) {
      Document document;
      std::vector<Finding> ignored;
      if (!read_yaml(text, where, document, ignored)) continue;
      const Node root = document.root();
      if (!is_patch) {
        mark(i, root["resources"], is_patch);
        continue;
      }
      for (const std::string_view key : {"patches", "patchesStrategicMerge", "patchesJson6902"})
        mark(i, root[key], is_patch);
    }
  }

  /// A list of paths, or of mappings with one.
  void mark(std::size_t kustomization, const Node& list, bool is_patch) {
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node item = list.item(i);
      const std::string_view path = item.is_mapping() ? item["path"].text() : item.text();
      const auto found = by_path_.find(joined(inputs_.files[kustomization].context.folder, path));
      if (found != by_path_.end()) patches_[found->second] = is_patch;
    }
  }

  const Inputs& inputs_;
  std::vector<bool> patches_;
  std::map<std::string, std::size_t, std::less<>> by_path_;
};

}  // namespace

std::vector<bool> find_patch_files(const Inputs& inputs) { return PatchFiles(inputs).run(); }

}  // namespace muster
