#include "kinds/custom_kinds.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "kustomize/files.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// What the kustomizations of the input take of their own files.
std::set<std::string, std::less<>> files_listed(const std::vector<ParsedFile>& all,
                                                const FileOf& file_of) {
  std::set<std::string, std::less<>> out;
  for (const ParsedFile& file : all) {
    const SourceFile* source = file_of(file.file);
    if (source == nullptr || !kustomize::is_kustomization(source->path())) continue;
    const std::string_view path = source->path();
    // Most have neither apiVersion nor kind, so that nobody has parsed them.
    const std::vector<Span> pieces = split_yaml_documents(file.file, source->text());
    Document document;
    std::vector<Finding> ignored;
    if (pieces.empty() || !read_yaml(source->text(), pieces.front(), document, ignored)) continue;
    const Node list = document.root()["resources"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i)
      out.insert(kustomize::joined_path(path.substr(0, path.rfind('/') + 1), list.item(i).text()));
  }
  return out;
}

}  // namespace

CustomKinds::CustomKinds(const std::vector<ParsedFile>& all, const FileOf& file_of) {
  for (const ParsedFile& file : all) {
    const SourceFile* source = file.definitions.empty() ? nullptr : file_of(file.file);
    const std::string_view path = source == nullptr ? std::string_view() : source->path();
    for (const Node& definition : file.definitions) defined_.add(definition, path);
  }
  if (defined_.any_twice()) defined_.keep_listed(files_listed(all, file_of));
  for (const ParsedFile& file : all) {
    for (const CustomObject& object : file.custom) defined_.meet(object.api_version, object.kind);
  }
  defined_.drop_old();
}

void CustomKinds::settle(ParsedFile& file) {
  for (CustomObject& object : file.custom) {
    if (defined_.defines(object.api_version, object.kind)) {
      const Node version = object.node.exists() ? object.node["apiVersion"] : Node();
      std::erase_if(file.findings, [&](const Finding& finding) {
        return finding.rule == "api-version-of-other-kinds" && version.exists() && finding.where == version.where();
      });
      object.findings = object.node.exists() ? defined_.check(object.node, object.api_version, object.kind)
                                             : std::vector<Finding>();  // of a template
    }
    say_of_objects(object.findings);
    std::ranges::move(object.findings, std::back_inserter(file.findings));
    object.findings.clear();
  }
  for (Manifest& one : file.manifests) one.defined = defined_.defines(one.api_version, one.kind);
}

}  // namespace muster
