#include "kustomize/generate.h"

#include <algorithm>

#include "base/base64.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "kustomize/merge.h"

namespace muster::kustomize {
namespace {

constexpr std::size_t kLineOfBase64 = 70;

/// In lines of 70, as kustomize writes it. Source: sigs.k8s.io/kustomize/kyaml v0.21.1, yaml/datamap.go.
std::string in_lines(std::string base64) {
  if (base64.size() < kLineOfBase64) return base64;
  std::string lines;
  for (std::size_t at = 0; at < base64.size(); at += kLineOfBase64) lines += base64.substr(at, kLineOfBase64) + "\n";
  return lines;
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

class Generator {
 public:
  Generator(std::string_view kind, const Tree& entry, const ReadFile& read, Work& work, Resource& out,
            std::vector<std::string>& missing)
      : secret_(kind == "Secret"), entry_(entry), read_(read), work_(work), out_(out), missing_(missing) {
    const Tree* name = entry.find("name");
    where_ = name == nullptr ? entry.where : name->where;
    Tree& object = out_.object;
    object = empty_mapping(entry.where);
    object.at("apiVersion", where_) = text_of("v1", where_);
    object.at("kind", where_) = text_of(std::string(kind), where_);
    object.at("metadata", where_) = empty_mapping(where_);
    out_.set_metadata("name", text_at(entry, "name"), where_);
  }

  bool run(const Tree* options) {
    if (text_at(entry_, "name").empty()) return work_.fail("a generator has no name");
    if (const Tree* space = entry_.find("namespace"); space != nullptr && !space->text.empty())
      out_.set_metadata("namespace", space->text, space->where);
    if (secret_) {
      const std::string_view type = text_at(entry_, "type");
      out_.object.at("type", where_) = text_of(type.empty() ? "Opaque" : std::string(type), where_);
    }
    const std::string_view behavior = text_at(entry_, "behavior");
    out_.behavior = behavior == "merge"     ? Resource::Behavior::Merge
                    : behavior == "replace" ? Resource::Behavior::Replace
                                            : Resource::Behavior::Create;
    return read_sources() && take_options(options);
  }

 private:
  bool read_sources() {
    if (const Tree* file = entry_.find("env"); file != nullptr && file->is_scalar() && !read_env(*file)) return false;
    for (const std::string_view list : {"envs", "literals", "files"}) {
      const Tree* sources = entry_.find(list);
      for (std::size_t i = 0; sources != nullptr && i < sources->items.size(); ++i) {
        const Tree& source = sources->items[i];
        const bool good = list == "envs"       ? read_env(source)
                          : list == "literals" ? read_literal(source)
                                               : read_file(source);
        if (!good) return false;
      }
    }
    return true;
  }

  bool add(std::string_view key, std::string_view value, const Span& where) {
    if (key.empty()) return work_.fail("a generator has a value without a key");
    const bool text = !first_invalid_utf8(value);
    Tree& data = out_.object.at(secret_ || text ? "data" : "binaryData", where_);
    if (!work_.spend(data.members.size() + value.size() / 64 + 1)) return false;
    if (data.is_mapping() && data.find(key) != nullptr)
      return work_.fail("a generator has the key `" + std::string(key) + "` twice");
    data.at(key, where) = text_of(secret_ || !text ? in_lines(to_base64(value)) : std::string(value), where, ScalarStyle::Quoted);
    return true;
  }

  bool read_literal(const Tree& source) {
    const std::size_t sign = source.text.find('=');
    if (sign == source.text.npos || sign == 0) return work_.fail("a literal of a generator is no `KEY=VALUE`");
    return add(source.text.substr(0, sign), without_quotes(std::string_view(source.text).substr(sign + 1)),
               source.where);
  }

  bool read_file(const Tree& source) {
    const std::string_view text = source.text;
    const std::size_t sign = text.find('=');
    const std::string_view path = sign == text.npos ? text : text.substr(sign + 1);
    const std::string_view key = sign == text.npos ? text.substr(text.rfind('/') + 1) : text.substr(0, sign);
    Span where = source.where;
    const std::optional<std::string_view> content = read_(path, where);
    if (content) return add(key, *content, where);
    missing_.emplace_back(path);
    return add(key, "", where);  // its key is known; what is empty was not read
  }

  bool read_env(const Tree& source) {
    Span where = source.where;
    const std::optional<std::string_view> content = read_(source.text, where);
    if (!content) missing_.push_back(source.text);
    std::uint32_t at = 0;
    for (std::string_view line : content ? split(*content, '\n') : std::vector<std::string_view>{}) {
      const auto size = static_cast<std::uint32_t>(line.size());
      const Span place = where.end > where.begin ? Span{where.file, at, at + size} : where;
      at += size + 1;
      while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      const std::size_t sign = line.find('=');
      const std::string_view value = sign == line.npos ? std::string_view{} : line.substr(sign + 1);
      if (!add(line.substr(0, sign), value, place)) return false;
    }
    return true;
  }

  bool take_options(const Tree* global) {
    const Tree* own = entry_.find("options");
    out_.needs_hash = true;
    for (const Tree* options : {global, own}) {
      if (options == nullptr) continue;
      for (const std::string_view list : {"labels", "annotations"}) {
        const Tree* pairs = options->find(list);
        for (std::size_t i = 0; pairs != nullptr && i < pairs->members.size(); ++i) {
          const Member& pair = pairs->members[i];
          Tree& into = out_.object.at("metadata", where_).at(list, pairs->where);
          into.at(pair.key, pair.where) = text_of(pair.value.text, pair.value.where, ScalarStyle::Quoted);
        }
      }
      if (text_at(*options, "disableNameSuffixHash") == "true") out_.needs_hash = false;
      if (text_at(*options, "immutable") == "true")
        out_.object.at("immutable", options->where) = text_of("true", options->where);
    }
    return true;
  }

  bool secret_;
  const Tree& entry_;
  const ReadFile& read_;
  Work& work_;
  Resource& out_;
  std::vector<std::string>& missing_;
  Span where_;
};

/// Pairs of the older object below a key, those of the newer one in their place.
bool merge_pairs(const Tree& old_parent, Tree& new_parent, std::string_view key, Work& work) {
  const Tree* older = old_parent.find(key);
  if (older == nullptr || !older->is_mapping()) return true;
  Tree& newer = new_parent.at(key, older->where);
  if (!work.spend((older->members.size() + 1) * (newer.members.size() + 1))) return false;
  std::vector<Member> out = older->members;
  for (Member& member : newer.members) {
    const auto same = std::ranges::find(out, member.key, &Member::key);
    if (same == out.end())
      out.push_back(std::move(member));
    else
      *same = std::move(member);
  }
  newer.kind = NodeKind::Mapping;
  newer.members = std::move(out);
  return true;
}

bool take_over(const Resource& older, Resource& newer, Work& work) {
  const Tree* metadata = older.object.find("metadata");
  if (metadata == nullptr) return true;
  Tree& own = newer.object.at("metadata", metadata->where);
  if (!merge_pairs(*metadata, own, "labels", work) || !merge_pairs(*metadata, own, "annotations", work)) return false;
  for (const std::string_view key : {"name", "namespace"}) {
    own.erase(key);
    if (const Tree* value = metadata->find(key)) own.at(key, value->where) = *value;
  }
  newer.past = older.past;
  newer.prefixes = older.prefixes;
  newer.suffixes = older.suffixes;
  newer.needs_hash = newer.needs_hash && older.needs_hash;
  return true;
}

}  // namespace

bool generate_object(std::string_view kind, const Tree& entry, const Tree* options, const ReadFile& read, Work& work,
                     Resource& out, std::vector<std::string>& missing) {
  return Generator(kind, entry, read, work, out, missing).run(options);
}

bool absorb(std::vector<Resource>& objects, Resource generated, Work& work) {
  const Id id = generated.id();
  if (!work.spend(objects.size())) return false;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].is_called(id)) found.push_back(i);
  }
  const bool create = generated.behavior == Resource::Behavior::Create;
  if (found.size() > 1) return work.fail("there are several objects that " + id.text() + " may change");
  if (found.empty() && !create) return work.fail("there is no " + id.text() + " to merge or replace");
  if (found.empty()) {
    objects.push_back(std::move(generated));
    return true;
  }
  if (create) return work.fail("there is a " + id.text() + " already");
  Resource& older = objects[found.front()];
  if (!take_over(older, generated, work)) return false;
  if (generated.behavior == Resource::Behavior::Merge &&
      (!merge_pairs(older.object, generated.object, "data", work) ||
       !merge_pairs(older.object, generated.object, "binaryData", work)))
    return false;
  older = std::move(generated);
  return true;
}

}  // namespace muster::kustomize
