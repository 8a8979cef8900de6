#include <algorithm>

#include "base/check.h"
#include "kubernetes/kind_file.h"
#include "rulebook/book_assets.h"

namespace muster {

const std::vector<KindFile>& shipped_kind_files() {
  static const std::vector<KindFile> kShipped = [] {
    std::vector<KindFile> all = load_book_assets("rules/kinds/", load_kind);
    for (const KindFile& file : all) {
      for (const std::string& made : file.pods.makes)
        MUSTER_CHECK(std::ranges::binary_search(all, made, {}, &KindFile::id), file.id + " makes objects of no kind");
      for (const std::string& user : file.used_by)
        MUSTER_CHECK(std::ranges::binary_search(all, user, {}, &KindFile::id), file.id + " is used by no kind");
    }
    return all;
  }();
  return kShipped;
}

Kind kind_of(const KindFile& file) {
  return {file.id,
          Format::Manifest,
          file.group,
          file.versions,
          file.kind,
          file.doc,
          nullptr,
          [](const Artifact& artifact, const NormaliseContext& context) {
            normalise_kind(*artifact.kind->file, artifact, context);
          },
          &file};
}

}  // namespace muster
