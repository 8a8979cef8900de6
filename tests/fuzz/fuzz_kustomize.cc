// Folders of kustomizations, built.
// Reads: src/kustomize/*
// Seeds: tests/cases/rules/*/*/ tests/cases/kinds/*/*/ examples/kubernetes/*/
// With: kustomization
// Input: files
#include "fuzz/fuzz.h"
#include "kustomize/render.h"
#include "source/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  SourceMap sources;
  std::map<std::string, FileId, std::less<>> by_path;
  std::set<std::string, std::less<>> empty;
  for (const auto& [path, text] : fuzz::files_of(fuzz::text_of(data, size), "kustomization.yaml"))
    by_path.emplace(path, sources.add(path, decode_text(text).text));
  for (const auto& [path, id] : by_path) {
    if (path.find("empty") != path.npos) empty.insert(path);
  }
  for (const std::string& path : empty) by_path.erase(path);
  const Renderings made = render_kustomizations({sources, by_path, empty, {}});
  for (const Rendering& one : made.all) {
    fuzz::expect(one.trouble.empty() || one.objects.empty(), "objects of what cannot be built");
    for (const LackingEntry& entry : one.lacking) fuzz::stay_within(entry.where, sources);
    for (const Document& object : one.objects) fuzz::stay_within(object.root(), sources);
  }
  return 0;
}
