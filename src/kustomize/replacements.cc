#include "kustomize/replacements.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/paths.h"
#include "base/strings.h"
#include "kustomize/selector.h"

namespace muster::kustomize {
namespace {

/// `spec.containers.[name=a.b].image`: dots within brackets and behind a backslash part nothing.
std::vector<std::string> dotted_steps(std::string_view path) {
  std::vector<std::string> out(1);
  bool brackets = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size() && path[i + 1] == '.') {
      out.back() += path[++i];
      continue;
    }
    brackets = path[i] == '[' || (brackets && path[i] != ']');
    if (path[i] == '.' && !brackets) {
      out.emplace_back();
    } else {
      out.back() += path[i];
    }
  }
  std::erase(out, "");
  for (std::string& step : out) {  // `[a.b/c]` is a key with dots
    const bool bracketed = step.starts_with('[') && step.ends_with(']') && !contains(step, "=");
    if (bracketed) step = step.substr(1, step.size() - 2);
  }
  return out;
}

/// `[name=x]`.
bool is_match(std::string_view step) { return step.starts_with('[') && step.ends_with(']') && contains(step, "="); }

bool meets(const Tree& item, std::string_view step) {
  const std::size_t sign = step.find('=');
  const std::string_view key = step.substr(1, sign - 1);
  const std::string_view value = step.substr(sign + 1, step.size() - sign - 2);
  return key.empty() ? item.text == value : text_at(item, key) == value;
}

using Visit = std::function<bool(Tree&)>;

class ReplacementPath {
 public:
  ReplacementPath(std::string_view path, Work& work) : path_(path), steps_(dotted_steps(path)), work_(work) {}

  /// Calls `visit` with each field; one is made where `made` is not Null.
  bool each(Tree& at, NodeKind made, const Visit& visit, std::size_t step = 0) {
    if (!work_.spend(1)) return false;
    if (step == steps_.size()) return visit(at);
    const std::string& name = steps_[step];
    if (at.is_scalar()) return work_.fail("muster does not look for `" + path_ + "` within a text");
    if (at.is_null() && made != NodeKind::Null && !is_match(name) && name != "*") at.kind = NodeKind::Mapping;
    if (at.is_mapping()) return in_mapping(at, made, visit, step);
    bool found = false;
    for (std::size_t i = 0; i < at.items.size(); ++i) {
      const bool meant = name == "*" || name == std::to_string(i) || (name == "-" && i + 1 == at.items.size()) ||
                         (is_match(name) && meets(at.items[i], name));
      if (meant && !each(at.items[i], made, visit, step + 1)) return false;
      found = found || meant;
    }
    if (found || made == NodeKind::Null || !is_match(name) || !at.is_sequence()) return true;
    const std::size_t sign = name.find('=');
    Tree item = empty_mapping(at.where);
    item.at(name.substr(1, sign - 1), at.where) = text_of(name.substr(sign + 1, name.size() - sign - 2), at.where);
    at.items.push_back(std::move(item));
    return each(at.items.back(), made, visit, step + 1);
  }

 private:
  bool in_mapping(Tree& at, NodeKind made, const Visit& visit, std::size_t step) {
    const std::string& name = steps_[step];
    if (name == "*") {
      return std::ranges::all_of(at.members, [&](Member& member) { return each(member.value, made, visit, step + 1); });
    }
    Tree* next = at.find(name);
    if (next == nullptr && made == NodeKind::Null) return true;
    if (next == nullptr) {
      next = &at.at(name, at.where);
      next->kind = step + 1 == steps_.size() ? made : NodeKind::Mapping;
    }
    return each(*next, made, visit, step + 1);
  }

  std::string path_;
  std::vector<std::string> steps_;
  Work& work_;
};

/// Labels and annotations are texts, whatever is copied there.
bool is_metadata(std::string_view path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  return path.starts_with("metadata.annotations.") || path.starts_with("metadata.labels.");
}

std::optional<std::size_t> index_in(const Tree* options) {
  if (options == nullptr || text_of_field(*options, "index").empty()) return 0;
  const std::optional<std::int64_t> index = parse_int(text_of_field(*options, "index"));
  return !index || *index < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(*index));
}

std::vector<std::string> pieces_of(const std::string& text, std::string_view delimiter) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (std::size_t at = text.find(delimiter); at != text.npos; at = text.find(delimiter, from)) {
    out.push_back(text.substr(from, at - from));
    from = at + delimiter.size();
  }
  out.push_back(text.substr(from));
  return out;
}

class Replacement {
 public:
  Replacement(Resources& objects, const Tree& entry, Work& work) : objects_(objects), entry_(entry), work_(work) {}

  bool run() {
    const Tree* targets = field_of(entry_, "targets");
    Tree value;
    if (targets == nullptr || !targets->is_sequence()) return work_.fail("an entry of `replacements` has no targets");
    if (!find_value(value)) return false;
    return std::ranges::all_of(targets->items, [&](const Tree& target) { return write(target, value); });
  }

 private:
  static bool is_selected(const Resource& resource, const Tree& selector) {
    const GroupKind type{std::string(text_of_field(selector, "group")), std::string(text_of_field(selector, "version")),
                         std::string(text_of_field(selector, "kind"))};
    const std::string_view name = text_of_field(selector, "name");
    const std::string_view space = text_of_field(selector, "namespace");
    const auto meant = [&](const Id& id) {
      return id.type.selected_by(type) && (name.empty() || id.name == name) &&
             (space.empty() || id.effective_space() == space);
    };
    return meant(resource.id()) || std::ranges::any_of(resource.past, meant);
  }

  bool find_value(Tree& out) {
    if (const Tree* given = field_of(entry_, "sourceValue")) {
      out = *given;
      return true;
    }
    const Tree* source = field_of(entry_, "source");
    if (source == nullptr) return work_.fail("an entry of `replacements` has no source");
    Resource* from = nullptr;
    if (!work_.spend(objects_.size())) return false;
    for (Resource& resource : objects_) {
      if (resource.object.is_null() || !is_selected(resource, *source)) continue;
      if (from != nullptr) return work_.fail("the source of a replacement selects several objects");
      from = &resource;
    }
    if (from == nullptr) return work_.fail("the source of a replacement selects nothing");
    const std::string_view path = text_of_field(*source, "fieldPath");
    bool found = false;
    const bool good = ReplacementPath(path.empty() ? "metadata.name" : path, work_)
                          .each(from->object, NodeKind::Null, [&](Tree& field) {
                            if (!found) out = field;
                            found = true;
                            return true;
                          });
    if (!good) return false;
    const bool empty = !found || out.is_null() || (!out.is_scalar() && out.items.empty() && out.members.empty());
    if (empty) return work_.fail("the source of a replacement has no field `" + std::string(path) + "`");
    return take_piece(field_of(*source, "options"), out);
  }

  bool take_piece(const Tree* options, Tree& out) {
    const std::string_view delimiter = options == nullptr ? std::string_view{} : text_of_field(*options, "delimiter");
    if (delimiter.empty()) return true;
    if (!out.is_scalar()) return work_.fail("a replacement parts what is no text");
    const std::vector<std::string> pieces = pieces_of(out.text, delimiter);
    const std::optional<std::size_t> index = index_in(options);
    if (!index || *index >= pieces.size()) return work_.fail("a replacement takes a piece that is not there");
    out.text = pieces[*index];
    return true;
  }

  bool write(const Tree& target, const Tree& value) {
    const Tree* selector = field_of(target, "select");
    if (selector == nullptr) return work_.fail("a target of a replacement selects nothing");
    std::vector<std::size_t> selected;
    if (!select(objects_, *selector, work_, selected)) return false;
    if (const Tree* rejects = field_of(target, "reject")) {
      for (const Tree& reject : rejects->items) {
        std::vector<std::size_t> rejected;
        if (!select(objects_, reject, work_, rejected)) return false;
        std::erase_if(selected, [&](std::size_t i) { return std::ranges::find(rejected, i) != rejected.end(); });
      }
    }
    const Tree* options = field_of(target, "options");
    const bool create = options != nullptr && text_of_field(*options, "create") == "true";
    const Tree* paths = field_of(target, "fieldPaths");
    const std::vector<Tree> by_name{text_of("metadata.name", target.where)};
    for (const std::size_t i : selected) {
      for (const Tree& path : paths == nullptr || paths->items.empty() ? by_name : paths->items) {
        bool found = false;
        const bool good = ReplacementPath(path.text, work_)
                              .each(objects_[i].object, create ? value.kind : NodeKind::Null, [&](Tree& field) {
                                found = true;
                                const bool is_mark =
                                    contains(path.text, "annotations.") || contains(path.text, "labels.");
                                if (field.is_scalar() && (is_mark || is_metadata(path.text)))
                                  field.style = ScalarStyle::Quoted;
                                return set(field, value, options);
                              });
        if (!good) return false;
        if (!found) return work_.fail("a target of a replacement has no field `" + path.text + "`");
      }
    }
    return true;
  }

  bool set(Tree& field, const Tree& value, const Tree* options) {
    const std::string_view delimiter = options == nullptr ? std::string_view{} : text_of_field(*options, "delimiter");
    if (!work_.spend(size_of(value))) return false;
    if (delimiter.empty()) {
      if (!field.is_scalar() || !value.is_scalar()) {
        field = value;
        return true;
      }
      // The type of what was there stays: a text remains one, whatever it says.
      if (field.is_text()) field.style = ScalarStyle::Quoted;
      field.text = value.text;
    } else {
      if (!field.is_scalar() || !value.is_scalar()) return work_.fail("a replacement parts what is no text");
      std::vector<std::string> pieces = pieces_of(field.text, delimiter);
      const std::optional<std::size_t> index = index_in(options);
      if (!index) {
        pieces.insert(pieces.begin(), value.text);
      } else if (*index >= pieces.size()) {
        pieces.push_back(value.text);
      } else {
        pieces[*index] = value.text;
      }
      field.text = join(pieces, delimiter);
    }
    field.where = value.where;
    return true;
  }

  Resources& objects_;
  const Tree& entry_;
  Work& work_;
};

}  // namespace

bool replace_values(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work) {
  const std::string path(text_at(entry, "path"));
  if (path.empty()) return Replacement(objects, entry, work).run();
  const FileId* file = place.files.find(joined_path(place.folder, path));
  if (file == nullptr) return fail_missing(work, "", path, place.folder, entry.where);
  const std::vector<Tree>* documents = nullptr;
  if (!place.files.documents_of(*file, work, documents)) return false;
  for (const Tree& document : *documents) {
    if (document.is_mapping() && !Replacement(objects, document, work).run()) return false;
    for (const Tree& one : document.items) {
      if (!Replacement(objects, one, work).run()) return false;
    }
  }
  return true;
}

}  // namespace muster::kustomize
