#include "kustomize/transform.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/strings.h"

namespace muster::kustomize {
namespace {

constexpr std::int64_t kMaxPatternMemory = 1 << 20;

bool is_binding(const Resource& resource) {
  const std::string_view kind = text_at(resource.object, "kind");
  return kind == "RoleBinding" || kind == "ClusterRoleBinding";
}

/// The service account `default` is that of the namespace.
void set_default_subjects(Tree& object, const std::string& space, const Span& where) {
  Tree* subjects = object.find("subjects");
  for (std::size_t i = 0; subjects != nullptr && i < subjects->items.size(); ++i) {
    Tree& subject = subjects->items[i];
    if (text_at(subject, "name") == "default") subject.at("namespace", where) = text_of(space, where);
  }
}

bool keeps_its_name(const Id& id) {
  return id.type.kind == "CustomResourceDefinition" || id.type.kind == "Namespace" ||
         (id.type.kind == "APIService" && id.type.group == "apiregistration.k8s.io");
}

enum class Side { Front, Back };

bool add_affix(Resources& objects, const std::string& affix, Side side, const std::vector<FieldSpec>& fields,
               Work& work) {
  for (Resource& resource : objects) {
    if (resource.object.is_null()) continue;
    const Id first = resource.first_id();
    if (keeps_its_name(first)) continue;
    for (const FieldSpec& field : fields) {
      if (!first.type.selected_by(field.type)) continue;
      if (field.path == "metadata/name") {
        (side == Side::Front ? resource.prefixes : resource.suffixes).push_back(affix);
        resource.remember_id();
      }
      const bool good = each_field(resource.object, field, NodeKind::Scalar, work, [&](Tree& name) {
        name.text = side == Side::Front ? affix + name.text : name.text + affix;
        return true;
      });
      if (!good) return false;
    }
  }
  return true;
}

/// `[host[:port]/]name[:tag][@digest]`.
struct Image {
  std::string name;
  std::string tag;
  std::string digest;

  static Image of(const std::string& text) {
    const std::size_t slash = text.find('/');
    const std::size_t from = slash == text.npos || slash == 0 ? 0 : slash;
    const std::size_t at = text.find('@', from);
    const std::size_t colon = text.find(':', from);
    if (at != text.npos && (colon == text.npos || at < colon)) return {text.substr(0, at), "", text.substr(at + 1)};
    if (colon == text.npos) return {text, "", ""};
    if (at == text.npos) return {text.substr(0, colon), text.substr(colon + 1), ""};
    return {text.substr(0, colon), text.substr(colon + 1, at - colon - 1), text.substr(at + 1)};
  }
  std::string text() const { return name + (tag.empty() ? "" : ":" + tag) + (digest.empty() ? "" : "@" + digest); }
};

class ImageChange {
 public:
  ImageChange(const Tree& entry, Work& work) : entry_(entry), work_(work), pattern_(pattern_of(entry), quiet()) {}

  bool good() const {
    for (const Member& member : entry_.members) {
      if (!member.value.is_text() && !member.value.is_null())
        return work_.fail("`" + member.key + "` of an entry of `images` is no text: it needs quotes");
    }
    return pattern_.ok() || work_.fail("an entry of `images` has a name that is no pattern");
  }

  bool change(Tree& image) const {
    if (!image.is_scalar()) return work_.fail("an image is no text");
    if (!RE2::FullMatch(image.text, pattern_)) return true;
    Image out = Image::of(image.text);
    const std::string_view name = text_at(entry_, "newName");
    const std::string_view tag = text_at(entry_, "newTag");
    const std::string_view digest = text_at(entry_, "digest");
    const std::string_view suffix = text_at(entry_, "tagSuffix");
    if (!name.empty()) out.name = name;
    if (!tag.empty() || !digest.empty()) {
      out.tag = tag;
      out.digest = digest;
    } else if (!suffix.empty()) {
      out.tag += suffix;
      out.digest.clear();
    }
    image.text = out.text();
    for (const std::string_view key : {"newTag", "digest", "newName", "tagSuffix"}) {
      const Tree* said = entry_.find(key);
      if (said == nullptr) continue;
      image.where = said->where;
      break;
    }
    return true;
  }

  /// The images of containers, wherever in an object they stand.
  bool change_all(Tree& tree) const {
    if (!work_.spend(1)) return false;
    for (Tree& item : tree.items) {
      if (!change_all(item)) return false;
    }
    for (Member& member : tree.members) {
      if (!change_all(member.value)) return false;
      if (member.key != "containers" && member.key != "initContainers") continue;
      for (Tree& container : member.value.items) {
        Tree* image = container.find("image");
        if (image != nullptr && !image->is_null() && !change(*image)) return false;
      }
    }
    return true;
  }

 private:
  static std::string pattern_of(const Tree& entry) {
    return "(?:" + std::string(text_at(entry, "name")) + ")(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?";
  }
  static RE2::Options quiet() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kMaxPatternMemory);
    return options;
  }

  const Tree& entry_;
  Work& work_;
  RE2 pattern_;
};

}  // namespace

bool are_distinct(const Resources& objects, Work& work) {
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::string>> seen;
  for (const Resource& resource : objects) {
    if (resource.object.is_null()) continue;
    const Id id = resource.id();
    if (!seen.emplace(id.type.group, id.type.version, id.type.kind, id.name, id.effective_space()).second)
      return work.fail("there are two objects " + id.text());
  }
  return work.spend(objects.size());
}

bool set_namespace(Resources& objects, const std::string& space, const Span& where,
                   const std::vector<FieldSpec>& fields, Work& work) {
  const ChangeField set = [&](Tree& field) {
    if (field.is_mapping() || field.is_sequence()) return work.fail("a field for a namespace holds no text");
    field = text_of(space, where, ScalarStyle::Quoted);
    return true;
  };
  for (Resource& resource : objects) {
    if (resource.object.is_null()) continue;
    resource.remember_id();
    const Id id = resource.id();
    if (!id.is_cluster_wide()) resource.set_metadata("namespace", space, where);
    if (is_binding(resource)) set_default_subjects(resource.object, space, where);
    for (const FieldSpec& field : fields) {
      if (field.path == "metadata/namespace") continue;
      if (field.path == "metadata/name" && text_at(resource.object, "apiVersion") != "v1") continue;
      if (is_binding(resource) && field.path == "subjects/namespace") continue;
      if (!each_field(resource.object, field, NodeKind::Scalar, work, set)) return false;
    }
  }
  return are_distinct(objects, work);
}

bool add_prefix(Resources& objects, const std::string& prefix, const std::vector<FieldSpec>& fields, Work& work) {
  return add_affix(objects, prefix, Side::Front, fields, work);
}

bool add_suffix(Resources& objects, const std::string& suffix, const std::vector<FieldSpec>& fields, Work& work) {
  return add_affix(objects, suffix, Side::Back, fields, work);
}

bool add_pairs(Resources& objects, const Pairs& pairs, const std::vector<FieldSpec>& fields, Work& work) {
  for (const Member& pair : pairs) {
    const ChangeField set = [&](Tree& mapping) {
      if (!mapping.is_mapping() && !mapping.is_null()) return work.fail("labels or annotations are no mapping");
      if (!work.spend(mapping.members.size())) return false;
      mapping.erase(pair.key);
      mapping.at(pair.key, pair.where) = text_of(pair.value.text, pair.value.where, ScalarStyle::Quoted);
      return true;
    };
    for (Resource& resource : objects) {
      for (const FieldSpec& field : fields) {
        if (!resource.object.is_null() && !each_field(resource.object, field, NodeKind::Mapping, work, set))
          return false;
      }
    }
  }
  return true;
}

bool set_replicas(Resources& objects, const Tree& entry, const std::vector<FieldSpec>& fields, Work& work) {
  const std::string name(text_at(entry, "name"));
  const Tree* count = entry.find("count");
  const Tree none = text_of("0", entry.where);
  if (count == nullptr || !count->is_scalar()) count = &none;
  bool found = false;
  if (!work.spend(objects.size() * fields.size() * 4)) return false;
  for (const FieldSpec& field : fields) {
    for (Resource& resource : objects) {
      if (resource.object.is_null()) continue;
      const auto is_meant = [&](const Id& id) { return id.name == name && id.type.selected_by(field.type); };
      if (!is_meant(resource.id()) && std::ranges::none_of(resource.past, is_meant)) continue;
      found = true;
      const bool good = each_field(resource.object, field, NodeKind::Scalar, work, [&](Tree& replicas) {
        replicas = text_of(count->text, count->where);
        return true;
      });
      if (!good) return false;
    }
  }
  return found || work.fail("`replicas` speaks of `" + name + "`, which is not there");
}

bool set_image(Resources& objects, const Tree& entry, const std::vector<FieldSpec>& fields, Work& work) {
  const ImageChange change(entry, work);
  if (!change.good()) return false;
  for (Resource& resource : objects) {
    if (resource.object.is_null() || text_at(resource.object, "kind") == "CustomResourceDefinition") continue;
    if (!change.change_all(resource.object)) return false;
    for (const FieldSpec& field : fields) {
      const bool good =
          each_field(resource.object, field, NodeKind::Null, work, [&](Tree& image) { return change.change(image); });
      if (!good) return false;
    }
  }
  return true;
}

}  // namespace muster::kustomize
