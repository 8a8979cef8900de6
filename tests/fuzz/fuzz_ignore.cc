// Any text as patterns of .gitignore and of .helmignore, its lines as paths.
// Reads: src/pipeline/git_ignore.cc src/helm/helm_ignore.cc
#include "base/strings.h"
#include "fuzz/fuzz.h"
#include "helm/helm_ignore.h"
#include "pipeline/git_ignore.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  const IgnorePatterns git(text);
  const helm::IgnoreRules helm(text);
  std::size_t asked = 0;
  for (const std::string_view line : split(text, '\n')) {
    for (const FileSystem::Kind kind : {FileSystem::Kind::File, FileSystem::Kind::Folder}) git.verdict(line, kind);
    helm.ignores(std::string(line));
    if (++asked == 50) break;
  }
  for (const char* path : {"a", "a/b", "a/b/c.yaml", "src/x.conf", "deep/er/folder/file.tar.gz"}) {
    git.verdict(path, FileSystem::Kind::File);
    helm.ignores(path);
  }
  return 0;
}
