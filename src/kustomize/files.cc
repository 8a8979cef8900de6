#include "kustomize/files.h"

#include <algorithm>

#include "base/paths.h"
#include "base/strings.h"
#include "syntax/yaml_reader.h"

namespace muster::kustomize {
namespace {

constexpr std::string_view kNames[] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};

bool read_documents(std::string_view text, const std::vector<Span>& documents, const SourceMap& sources,
                    const Span* all_at, Work& work, std::vector<Tree>& out) {
  for (const Span& where : documents) {
    Document document;
    std::vector<Finding> findings;
    if (!read_yaml(text, where, document, findings))
      return work.fail(findings.empty() ? "it is no YAML" : "it is no YAML: " + findings.front().message);
    out.emplace_back();
    if (!copy_of(document.root(), sources, all_at, work, out.back())) return false;
  }
  return true;
}

}  // namespace

bool is_kustomization(std::string_view path) {
  return std::ranges::find(kNames, path.substr(path.rfind('/') + 1)) != std::end(kNames);
}

bool is_remote(std::string_view path) {
  return contains(path, "://") || contains(path, "?ref=") || contains(path, ".git") || path.starts_with("git@") ||
         path.starts_with("github.com/") || path.starts_with("git::");
}

bool fail_missing(Work& work, std::string_view what, const std::string& named, const std::string& folder, Span where) {
  const bool remote = is_remote(named);
  if (!remote && work.trouble.empty()) {
    work.lacking = joined_path(folder, named);
    work.lacking_where = where;
  }
  return work.fail(std::string(what) + "`" + named + "` is " +
                   (remote ? "fetched from elsewhere" : "not in the input"));
}

Files::Files(const SourceMap& sources, std::map<std::string, FileId, std::less<>> by_path,
             std::set<std::string, std::less<>> empty, std::set<FileId> templates)
    : sources_(sources), by_path_(std::move(by_path)), empty_(std::move(empty)), templates_(std::move(templates)) {
  std::set<std::string> several;
  for (const auto& [path, file] : by_path_) {
    const std::size_t slash = path.rfind('/');
    if (!is_kustomization(path)) continue;
    const std::string folder = slash == path.npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
    if (!kustomizations_.emplace(folder, file).second) several.insert(folder);
  }
  for (const std::string& folder : several) kustomizations_.erase(folder);
}

const FileId* Files::find(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &found->second;
}

std::string_view Files::text_of(std::string_view path, std::string_view folder) const {
  const FileId* file = find(joined_path(folder, path));
  return file == nullptr ? std::string_view{} : sources_.file(*file).text();
}

const FileId* Files::kustomization_in(std::string_view folder) const {
  const auto found = kustomizations_.find(folder);
  return found == kustomizations_.end() ? nullptr : &found->second;
}

bool Files::documents_of(FileId file, Work& work, const std::vector<Tree>*& out) {
  const auto [found, fresh] = read_.try_emplace(file);
  Read& read = found->second;
  if (fresh) {
    Work own;
    const std::string_view text = sources_.file(file).text();
    if (templates_.contains(file)) own.fail("it is a template");
    if (own.trouble.empty())
      read_documents(text, split_yaml_documents(file, text), sources_, nullptr, own, read.documents);
    read.trouble = own.trouble;
    for (const Tree& document : read.documents) read.size += size_of(document);
  }
  if (!read.trouble.empty()) return work.fail("`" + sources_.file(file).path() + "`: " + read.trouble);
  out = &read.documents;
  return work.spend(read.size);
}

bool Files::documents_in(const Tree& text, Work& work, std::vector<Tree>& out) const {
  const std::string_view source = sources_.file(text.where.file).text();
  const std::size_t line_end = source.find('\n', text.where.begin);
  const bool block = source.substr(text.where.begin, 1) == "|" && line_end < text.where.end;
  if (block && !contains(text.text, "\n---")) {
    // A block, without its first line, is a document of its own: its values have places.
    const Span body{text.where.file, static_cast<std::uint32_t>(line_end + 1), text.where.end};
    Work own;
    if (read_documents(source, {body}, sources_, nullptr, own, out)) return work.spend(size_of(out.back()));
    out.clear();
  }
  return read_documents(text.text, split_yaml_documents(text.where.file, text.text), sources_, &text.where, work, out);
}

}  // namespace muster::kustomize
