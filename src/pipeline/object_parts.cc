#include "pipeline/object_parts.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

/// Of paths of what is added to other objects.
constexpr std::string_view kPartWords[] = {"overlay"};

/// Of names of patches. Flux and Argo CD apply on the server's side, so that a file that a kustomization lists among
/// its resources may be a part of an object that others made. Source: fluxcd.io/flux/components/kustomize (2.6).
constexpr std::string_view kPatchWords[] = {"patch"};

/// Of paths of patches, and of what a test reads or expects. Source: kyverno.github.io/chainsaw (0.2).
constexpr std::string_view kSceneWords[] = {"patch",   "assert", "assertion", "bogus",    "chainsaw",  "expected",
                                            "fixture", "golden", "kuttl",     "testdata", "test-data", "test_data"};

/// Of paths of what somebody copies and fills in. The plural is where Helm has whole objects.
constexpr std::string_view kDraftWords[] = {"template", "skeleton"};

/// What lies beside one, or below, is a scene of that test. Sources: kyverno.github.io/chainsaw (0.2), kuttl.dev
/// (0.22), kyverno.io/docs/kyverno-cli (1.15).
constexpr std::string_view kTests[] = {"chainsaw-test.yaml", "chainsaw-test.yml", "kuttl-test.yaml",
                                       "kuttl-test.yml",     "kyverno-test.yaml", "kyverno-test.yml"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the path has the word, also as a plural if that counts, between characters that are no letters.
bool has_word(std::string_view path, std::string_view word, bool plural) {
  for (std::size_t at = path.find(word); at != path.npos; at = path.find(word, at + 1)) {
    std::string_view rest = path.substr(at + word.size());
    for (const std::string_view ending : {"es", "s"}) {
      if (plural && rest.starts_with(ending)) rest.remove_prefix(ending.size());
    }
    if ((at == 0 || !is_letter(path[at - 1])) && (rest.empty() || !is_letter(rest.front()))) return true;
  }
  return false;
}

bool has_any(std::string_view path, std::span<const std::string_view> words, bool plural = true) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(path, word, plural); });
}

/// `test/e2e/data/job.yml`: what the code of a test reads.
bool is_data_of_test(std::string_view path) {
  bool in_test = false;
  const std::vector<std::string_view> parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (in_test && parts[i] == "data") return true;
    in_test = in_test || parts[i] == "test" || parts[i] == "tests" || parts[i] == "e2e";
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

std::vector<Wholeness> find_object_parts(const Inputs& inputs, const Renderings& renderings) {
  const TestFolders tests(inputs);
  std::vector<Wholeness> out(inputs.files.size(), Wholeness::Whole);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const FileContext& file = inputs.files[i].context;
    const auto id = static_cast<FileId>(i);
    // What one kustomization patches with another may use whole; then it is a part all the same.
    if (renderings.patches.contains(id)) out[i] = Wholeness::Part;
    const bool listed = renderings.resources.contains(id);
    if (renderings.patches.contains(id)) continue;
    const std::string path = to_lower(file.path);
    if (listed && has_any(path.substr(path.rfind('/') + 1), kPatchWords)) out[i] = Wholeness::Part;
    if (listed) continue;
    if (tests.contain(file.folder) || has_any(path, kSceneWords) || is_data_of_test(path)) {
      out[i] = Wholeness::Scene;
    } else if (has_any(path, kPartWords)) {
      out[i] = Wholeness::Part;
    } else if (has_any(path, kDraftWords, false)) {
      out[i] = Wholeness::Draft;
    }
  }
  return out;
}

}  // namespace muster
