#include "kinds/template_objects.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/api_versions.h"
#include "kubernetes/field_table.h"
#include "kubernetes/removed_objects.h"

namespace muster {
namespace {

constexpr std::size_t kMostObjects = 200;  // of one file

/// `apiVersion: apps/v1` at the beginning of a line; the value without quotes and comment.
std::string_view value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.substr(key.size(), 1) != ":") return {};
  std::string_view value = line.substr(key.size() + 1);
  value = trim(value.substr(0, value.find(" #")));
  const bool quoted =
      value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

class TemplateObjects {
 public:
  TemplateObjects(FileId file, std::string_view text) : file_(file), text_(text) {}

  std::vector<TemplateObject> run() {
    for (std::size_t at = 0; at < text_.size() && out_.size() < kMostObjects;) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      line(text_.substr(at, end - at));
      actions(text_.substr(at, end - at));
      at = end + 1;
    }
    object();
    return std::move(out_);
  }

 private:
  void line(std::string_view line) {
    if (line.starts_with("---")) return object();
    if (line.starts_with("apiVersion:")) {
      versions_ += some_ > 0 ? 2 : 1;
      version_ = value_of(line, "apiVersion");
    } else if (line.starts_with("kind:")) {
      ++kinds_seen_;
      kind_ = value_of(line, "kind");
    }
  }

  /// Keeps count of the blocks that only some renderings have. What `not` stands before is usually not set.
  void actions(std::string_view line) {
    for (std::size_t at = line.find("{{"); at != line.npos; at = line.find("{{", at + 2)) {
      std::string_view body = line.substr(at + 2, line.find("}}", at) - at - 2);
      if (body.starts_with('-')) body.remove_prefix(1);
      body = trim(body);
      const std::string_view word = body.substr(0, body.find(' '));
      if (word == "if" || word == "with" || word == "range" || word == "define" || word == "block") {
        blocks_.push_back(word != "if" || !body.starts_with("if not .Values."));
        some_ += blocks_.back() ? 1 : 0;
      } else if (word == "else" && !blocks_.empty() && !blocks_.back()) {
        blocks_.back() = true;
        ++some_;
      } else if (word.starts_with("end") && !blocks_.empty()) {
        some_ -= blocks_.back() ? 1 : 0;
        blocks_.pop_back();
      }
    }
  }

  /// What the lines since the last `---` say. Two of a key are two ways to render it.
  void object() {
    const bool one = versions_ == 1 && kinds_seen_ == 1 && !contains(version_, "{{") && !contains(kind_, "{{");
    versions_ = kinds_seen_ = 0;
    if (!one || version_.empty() || kind_.empty()) return;
    out_.push_back({span_of_part(file_, text_, version_), version_, kind_});
  }

  FileId file_;
  std::string_view text_;
  std::vector<TemplateObject> out_;
  std::string_view version_;
  std::string_view kind_;
  std::vector<bool> blocks_;  ///< that are open, and whether only some renderings have what stands there
  std::size_t some_ = 0;      ///< of those, how many
  std::size_t versions_ = 0;
  std::size_t kinds_seen_ = 0;
};

}  // namespace

std::vector<TemplateObject> objects_of_template(FileId file, std::string_view text) {
  for (const std::string_view word : {"Capabilities", "semverCompare", "KubeVersion", "kubeVersion"}) {
    if (contains(text, word)) return {};
  }
  return TemplateObjects(file, text).run();
}

void note_objects_of_template(const std::vector<TemplateObject>& objects, const Span& piece, const KindTable& kinds,
                              ParsedFile& out) {
  for (const TemplateObject& one : objects) {
    if (one.where.begin < piece.begin || one.where.end > piece.end) continue;
    const std::string_view group = api_group(one.api_version);
    if (is_built_in_group(group)) {
      if (auto object = removed_object(one.api_version, one.kind, one.where)) out.removed.push_back(std::move(*object));
      continue;
    }
    std::vector<std::string> versions;
    for (const std::string_view known : FieldTable::shipped().versions_of(group, one.kind))
      versions.emplace_back(known);
    if (versions.empty()) versions = kinds.versions_of(one.api_version, one.kind);
    if (std::ranges::find(versions, one.api_version) != versions.end()) continue;
    CustomObject custom{{}, std::string(one.api_version), std::string(one.kind), {}};
    report_version(one.where, one.api_version, one.kind, versions, custom.findings);
    if (!custom.findings.empty()) out.custom.push_back(std::move(custom));
  }
}

}  // namespace muster
