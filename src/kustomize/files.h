#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/tree.h"

namespace muster::kustomize {

/// Whether a file of that path is a kustomization by its name.
bool is_kustomization(std::string_view path);

/// Whether something is fetched from elsewhere: a URL or a repository.
bool is_remote(std::string_view path);
/// Fails for a path that is not in the input: `named` within `folder`, at `where`. `what` begins the trouble.
bool fail_missing(Work& work, std::string_view what, const std::string& named, const std::string& folder, Span where);

/// The input as kustomizations see it, each file read once.
class Files {
 public:
  /// `by_path`: paths as shown; `empty`: files that hold nothing; `templates`: those that have to be rendered first.
  Files(const SourceMap& sources, std::map<std::string, FileId, std::less<>> by_path,
        std::set<std::string, std::less<>> empty, std::set<FileId> templates);

  const SourceMap& sources() const { return sources_; }
  const FileId* find(std::string_view path) const;
  std::string_view text_of(std::string_view path, std::string_view folder) const;
  bool is_empty(std::string_view path) const { return empty_.contains(path); }
  /// The kustomization in a folder; nullptr where there is none, or several.
  const FileId* kustomization_in(std::string_view folder) const;
  /// Folders that hold one, sorted.
  const std::map<std::string, FileId, std::less<>>& kustomizations() const { return kustomizations_; }

  /// The documents of a file. False where they cannot be read.
  bool documents_of(FileId file, Work& work, const std::vector<Tree>*& out);
  /// The documents in a text of a file.
  bool documents_in(const Tree& text, Work& work, std::vector<Tree>& out) const;

 private:
  struct Read {
    std::vector<Tree> documents;
    std::string trouble;
    std::size_t size = 0;
  };

  const SourceMap& sources_;
  std::map<std::string, FileId, std::less<>> by_path_;
  std::set<std::string, std::less<>> empty_;
  std::set<FileId> templates_;
  std::map<std::string, FileId, std::less<>> kustomizations_;
  std::map<FileId, Read> read_;
};

}  // namespace muster::kustomize
