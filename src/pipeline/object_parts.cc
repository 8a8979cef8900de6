#include "pipeline/object_parts.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace muster {
namespace {

/// Of paths of patches, and of what a test holds against objects. Source: kyverno.github.io/chainsaw (0.2).
constexpr std::string_view kPartWords[] = {"patch", "overlay", "assert", "assertion", "chainsaw", "kuttl"};

/// What lies beside one, or below, is a scene of that test. Sources: kyverno.github.io/chainsaw (0.2), kuttl.dev
/// (0.22), kyverno.io/docs/kyverno-cli (1.15).
constexpr std::string_view kTests[] = {"chainsaw-test.yaml", "chainsaw-test.yml", "kuttl-test.yaml",
                                       "kuttl-test.yml",     "kyverno-test.yaml", "kyverno-test.yml"};

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

/// Folders that hold a test, and those below.
class TestFolders {
 public:
  explicit TestFolders(const Inputs& inputs) {
    for (const InputFile& file : inputs.files) {
      const std::string& path = file.context.path;
      if (std::ranges::find(kTests, std::string_view(path).substr(path.rfind('/') + 1)) != std::end(kTests))
        folders_.insert(file.context.folder);
    }
  }

  bool contain(std::string_view folder) const {
    while (!folders_.empty()) {
      if (folders_.contains(folder)) return true;
      const std::size_t slash = folder.rfind('/');
      if (folder.empty()) return false;
      folder = folder.substr(0, slash == folder.npos ? 0 : slash);
    }
    return false;
  }

 private:
  std::set<std::string, std::less<>> folders_;
};

}  // namespace

std::vector<bool> find_object_parts(const Inputs& inputs, const Renderings& renderings) {
  const TestFolders tests(inputs);
  std::vector<bool> out(inputs.files.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const FileContext& file = inputs.files[i].context;
    // What one kustomization patches with another may use whole; then it is a part all the same.
    out[i] = renderings.patches.contains(static_cast<FileId>(i)) ||
             (!renderings.resources.contains(static_cast<FileId>(i)) &&
              (tests.contain(file.folder) ||
               std::ranges::any_of(kPartWords, [&](std::string_view word) { return has_word(file.path, word); })));
  }
  return out;
}

}  // namespace muster
