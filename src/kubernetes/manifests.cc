#include "kubernetes/manifests.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/pod_template.h"
#include "input/kind.h"
#include "kubernetes/pod_security.h"
#include "kubernetes/ray_runtime_env.h"
#include "syntax/embedded.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostPartValues = 20'000;  // of one object: aliases repeat
constexpr int kMostTemplateLevels = 40;
constexpr std::size_t kMostTemplateSteps = 200'000;

// Labels and annotations by which people speak to schedulers and operators.
constexpr std::array<std::string_view, 10> kDomains{
    "slinky.slurm.net/", "kueue.x-k8s.io/", "kai.scheduler/",  "runai/",          "ray.io/",
    "volcano.sh/",       "yunikorn.apache", "koordinator.sh/", "jobset.sigs.k8s", "scheduling.x-k8s.io/"};

/// Copies pieces of a document into a block.
class PartReader {
 public:
  explicit PartReader(ValueBlock& block) : block_(block) {}

  void read(const Node& node, FieldName field, int levels, WrittenValue& out) {
    out.field = field;
    out.where = node.where();
    if (!node.exists()) return;
    out.state = State::Set;
    if (++made_ > kMostPartValues) {
      block_.leave_open(out, "an object that is not too long to be looked at");
    } else if (node.is_scalar()) {
      read_scalar(node, out);
    } else if (node.is_sequence() && levels > 0) {
      read_sequence(node, levels, out);
    } else if (node.is_mapping()) {
      read_mapping(node, levels, out);
    }
  }

 private:
  void read_scalar(const Node& node, WrittenValue& out) {
    const std::string_view text = node.text();
    const bool plain = node.style() == ScalarStyle::Plain;
    if (const auto flag = plain ? bool_of(node) : std::nullopt) return block_.set_bool(out, text, *flag);
    if (const auto number = plain ? yaml_int(text) : std::nullopt) return block_.set_int(out, text, *number);
    block_.set_text(out, text);
    // Nobody fills a whole script in.
    if (is_placeholder(text) && !contains(text, "\n"))
      block_.leave_open(out, "a value for `" + std::string(key_.empty() ? out.field.view() : key_) + "`");
  }

  void read_sequence(const Node& node, int levels, WrittenValue& out) {
    const std::span<WrittenValue> items = block_.set_list(out, node.size());
    for (std::size_t i = 0; i < items.size(); ++i) read(node.item(i), out.field, levels - 1, items[i]);
  }

  void read_mapping(const Node& node, int levels, WrittenValue& out) {
    out.kind = WrittenValue::Kind::Map;
    if (node.size() == 1 && node.key(0).is_mapping())  // {{ x }} without quotes
      return block_.leave_open(out, "a value for `" + std::string(out.field) + "`");
    if (levels == 0) return;
    keys_.clear();
    for (std::size_t i = 0; i < node.size(); ++i) keys_.push_back(node.key(i).text());
    const std::span<WrittenValue> items = block_.set_map(out, keys_);
    const std::string_view above = key_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      key_ = node.key(i).text();
      read(node.value(i), out.field, levels - 1, items[i]);
      key_ = above;
      if (!items[i].where.placed()) items[i].where = node.key(i).where();
    }
  }

  ValueBlock& block_;
  std::size_t made_ = 0;
  std::string_view key_;                ///< the nearest above what is read
  std::vector<std::string_view> keys_;  ///< of the map that begins
};

using Paths = std::vector<std::vector<std::string_view>>;

/// A row with its texts taken apart, once for all objects.
struct ManifestForm {
  std::vector<Paths> paths;  ///< of each part, the first that is there counts
  std::vector<FieldName> fields;
};

const std::vector<ManifestForm>& manifest_forms() {
  static const std::vector<ManifestForm> kForms = [] {
    std::vector<ManifestForm> forms;
    for (const ManifestDef& def : manifest_defs()) {
      ManifestForm& form = forms.emplace_back();
      for (const PartDef& part : def.parts) {
        Paths& paths = form.paths.emplace_back();
        for (const std::string_view path : split(part.path, '|')) paths.push_back(split(path, '.'));
        form.fields.push_back(field_of(part));
      }
    }
    return forms;
  }();
  return kForms;
}

using GroupAndKind = std::pair<std::string_view, std::string_view>;

/// The rows of each kind of object.
const std::multimap<GroupAndKind, std::size_t>& rows_of_kinds() {
  static const std::multimap<GroupAndKind, std::size_t> kRows = [] {
    std::multimap<GroupAndKind, std::size_t> rows;
    for (std::size_t row = 0; row < manifest_defs().size(); ++row) {
      const ManifestDef& def = manifest_defs()[row];
      if (def.kinds.empty()) continue;
      for (const std::string_view group : split(def.group, ' ')) {
        for (const std::string_view kind : split(def.kinds, ' ')) rows.emplace(GroupAndKind(group, kind), row);
      }
    }
    return rows;
  }();
  return kRows;
}

/// Finds the values of an object at its paths, many of which begin with the same step.
class PathWalk {
 public:
  explicit PathWalk(const Node& object) : object_(object) {}

  /// The value at `a.b.c`, or at the first of `a.b|a.c` that is there.
  Node at(const Paths& paths) {
    Node first;
    bool none = true;
    for (const std::vector<std::string_view>& path : paths) {
      if (path.front() != step_ || !below_.exists()) below_ = object_[path.front()];
      step_ = path.front();
      Node node = below_;
      for (std::size_t i = 1; i < path.size(); ++i) node = node[path[i]];
      if (node.exists()) return node;
      if (none) first = node;
      none = false;
    }
    return first;
  }

 private:
  Node object_;
  std::string_view step_;  ///< the first of the path before
  Node below_;             ///< what stands there
};

Paths paths_below(const Paths& paths, std::string_view part) {
  Paths out;
  for (const std::vector<std::string_view>& path : paths) {
    if (path.size() > 2 && path[0] == "spec" && path[1] == part) out.emplace_back(path.begin() + 2, path.end());
  }
  return out;
}

/// What a text says that holds a mapping, as values of an Application of Argo CD do; nothing where a template's marks
/// stand in it.
std::optional<Document> map_of_text(const Node& values) {
  if (!values.is_scalar() || contains(values.text(), "{{")) return std::nullopt;
  std::vector<Finding> said_elsewhere;
  std::optional<Document> read = read_text_document(values, &said_elsewhere);
  return read && read->root().is_mapping() ? std::move(read) : std::nullopt;
}

bool is_marked(const Node& marks) {
  for (std::size_t i = 0; marks.is_mapping() && i < marks.size(); ++i) {
    for (const std::string_view domain : kDomains) {
      if (contains(marks.key(i).text(), domain)) return true;
    }
  }
  return false;
}

/// Of ConfigMaps only some are looked at: those by which Knative is set, and those with scripts. Source:
/// knative/serving:config/core/configmaps (1.19).
bool is_map_of(const ManifestDef& def, const Node& object) {
  const std::string_view name = object["metadata"]["name"].text();
  if (def.collection == "knative_settings") return name == "config-features" || name == "config-deployment";
  const Node data = object["data"];
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    if (data.value(i).is_scalar() && data.value(i).text().starts_with("#!")) return true;
  }
  return false;
}

bool tolerates_devices(const Node& tolerations) {
  for (std::size_t i = 0; tolerations.is_sequence() && i < tolerations.size(); ++i) {
    const std::string_view key = tolerations.item(i)["key"].text();
    if (key == "nvidia.com/gpu" || key == "amd.com/gpu" || key == "google.com/tpu") return true;
  }
  return false;
}

class ManifestReader {
 public:
  ManifestReader(const Node& object, std::string_view api_version, std::string_view kind, ValueBlock& block,
                 Boxed<Manifest>& out)
      : object_(object), api_version_(api_version), kind_(kind), block_(block), out_(out), first_(out.size()) {}

  void run() {
    const std::string_view group = api_group(api_version_).empty() ? "-" : api_group(api_version_);
    const auto [first, last] = rows_of_kinds().equal_range({group, kind_});
    const Node metadata = object_["metadata"];
    for (auto at = first; at != last; ++at) {
      const ManifestDef& def = manifest_defs()[at->second];
      if (kind_ != "ConfigMap" || is_map_of(def, object_)) add_all(def);
    }
    if (is_marked(metadata["labels"]) || is_marked(metadata["annotations"]))
      add(manifest_def("marked_objects"), object_);
    if (kind_ == "RayJob") add_runtime_env(object_["spec"]["runtimeEnvYAML"]);
    find_pods(object_, 0);
  }

 private:
  void add_runtime_env(const Node& text) {
    const std::optional<Document> env = map_of_text(text);
    if (!env) return;
    Manifest one = ray_runtime_env::runtime_env_of(env->root(), block_);
    identify(object_, api_version_, kind_, one);
    out_.push_back(std::move(one));
  }

  /// Each of the `sources` of an Application is a release of its own, and `source` beside them is not read. Source:
  /// https://argo-cd.readthedocs.io/en/release-3.3/user-guide/multiple_sources/
  void add_all(const ManifestDef& def) {
    static const ManifestDef& kPodMakers = manifest_def("pod_makers");
    if (&def == &kPodMakers) {
      add(def, object_);
      const Node spec = object_["spec"];
      const Node above = kind_ == "CronJob" ? spec["jobTemplate"]["spec"] : spec;
      out_.back().security = judge_pod_security(kind_ == "Pod" ? spec : above["template"]["spec"]);
      return;
    }
    const Node sources = kind_ == "Application" ? object_["spec"]["sources"] : Node{};
    if (!sources.is_sequence() || sources.size() == 0) return add(def, object_);
    for (std::size_t i = 0; i < sources.size(); ++i) add(def, sources.item(i), "source");
  }

  /// With `below`, the paths behind `spec.BELOW` lead from there, and parts without such a path are those of the
  /// object.
  void add(const ManifestDef& def, const Node& from, std::string_view below = "") {
    Manifest& one = out_.emplace_back();
    one.def = &def;
    if (out_.size() - 1 > first_) {
      static_cast<Object&>(one) = out_[first_];
      one.api_version = out_[first_].api_version;
    } else {
      if (first_ > 0) {  // most are of one kind
        const Manifest& beside = out_[first_ - 1];
        one.id = beside.id;
        one.group = beside.group;
        one.kind = beside.kind;
        one.space = beside.space;
        one.api_version = beside.api_version;
      }
      identify(object_, api_version_, kind_, one);
    }
    one.api_version = SharedText::like(one.api_version, api_version_);
    PartReader reader(block_);
    const ManifestForm& form = manifest_forms()[static_cast<std::size_t>(&def - manifest_defs().data())];
    nodes_.clear();
    nodes_.reserve(form.paths.size());
    PathWalk walk(below.empty() ? from : object_);
    for (const Paths& paths : form.paths) {
      const Paths inner = below.empty() ? Paths() : paths_below(paths, below);
      nodes_.push_back(inner.empty() ? walk.at(paths) : PathWalk(from).at(inner));
    }
    const std::span<WrittenValue> written =
        block_.make_values(static_cast<std::size_t>(std::ranges::count_if(nodes_, &Node::exists)));
    std::vector<Span> nearest;
    std::string nearest_of_row(nodes_.size(), '\0');
    for (std::size_t i = 0, used = 0; i < nodes_.size(); ++i) {
      const PartDef& part = def.parts[i];
      if (!nodes_[i].exists()) {
        const auto at = std::ranges::find(nearest, nodes_[i].where());
        nearest_of_row[i] = static_cast<char>(at - nearest.begin());
        if (at == nearest.end()) nearest.push_back(nodes_[i].where());
        continue;
      }
      WrittenValue& value = written[used++];
      const bool values = part.name == "values" && &def == &manifest_def("helm_releases");
      const std::optional<Document> text = values ? map_of_text(nodes_[i]) : std::nullopt;
      reader.read(text ? text->root() : nodes_[i], form.fields[i], part.levels, value);
      value.row = static_cast<unsigned char>(i);
      if (part.type == PartType::Any) value.where = nodes_[i].key_where();
    }
    one.set_parts(written, block_.make_places(nearest), block_.keep(nearest_of_row));
  }

  /// A pod template is a mapping whose `spec` has containers, one of which asks for accelerators or claims.
  void find_pods(const Node& node, int level) {
    if (level > kMostTemplateLevels || ++steps_ > kMostTemplateSteps) return;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) find_pods(node.item(i), level + 1);
    if (!node.is_mapping()) return;
    const Node spec = node["spec"];
    if (spec.is_mapping() && spec["containers"].is_sequence()) {
      std::vector<Finding> ignored;
      const PodAccelerators asked = read_accelerators(PodTemplate::of(node), ignored);
      if (asked.resource.is_set() || spec["resourceClaims"].size() > 0) {
        static const ManifestDef& kPods = manifest_def("pods");
        add(kPods, node);
        out_.back().security = judge_pod_security(spec);
      } else if (tolerates_devices(spec["tolerations"])) {
        add(manifest_def("device_guests"), node);
      }
    }
    for (std::size_t i = 0; i < node.size(); ++i) find_pods(node.value(i), level + 1);
  }

  Node object_;
  std::string_view api_version_;
  std::string_view kind_;
  ValueBlock& block_;
  Boxed<Manifest>& out_;
  std::size_t first_;        ///< of the object, among them
  std::vector<Node> nodes_;  ///< of the parts of the object under way
  std::size_t steps_ = 0;
};

}  // namespace

void put_into_space(std::string_view space, Boxed<Manifest>& all, std::size_t from) {
  for (std::size_t i = from; !space.empty() && i < all.size(); ++i) {
    if (all[i].space.empty()) all[i].space = SharedText(space);
  }
}

void read_manifests(const Node& object, std::string_view api_version, std::string_view kind, ValueBlock& values,
                    Boxed<Manifest>& out) {
  ManifestReader(object, api_version, kind, values, out).run();
}

Manifest whole_document(const Node& document, std::string_view collection, std::string_view part,
                        std::string_view name_part, const Located<std::string>& name, ValueBlock& block) {
  Manifest one;
  one.def = &manifest_def(collection);
  one.where = document.where();
  one.name = name;
  const std::span<WrittenValue> written = block.make_values(one.def->parts.size());
  for (std::size_t row = 0; row < written.size(); ++row) {
    const PartDef& def = one.def->parts[row];
    WrittenValue& value = written[row];
    value.row = static_cast<unsigned char>(row);
    if (def.name == part) PartReader(block).read(document, FieldName(def.name), def.levels, value);
    if (def.name != name_part || !name.is_set()) continue;
    value.field = FieldName(def.name);
    value.where = name.where;
    value.state = State::Set;
    block.set_text(value, name.value);
  }
  one.set_parts(written, {}, {});
  return one;
}

void keep_document(Manifest one, std::string_view kind, std::string_view name, const NormaliseContext& context) {
  one.kind = std::string(kind);
  one.id = std::string(kind) + "/" + std::string(name);
  one.file = context.file.path;
  one.bundle = context.file.bundle;
  context.model.manifests.push_back(std::move(one));
}

Manifest values_of_chart(const Node& values, std::string_view chart, ValueBlock& block) {
  const Located<std::string> name = set_to(std::string(chart), values.where(), "chart");
  Manifest one = whole_document(values, "helm_releases", "values", "chart", name, block);
  one.kind = "chart";
  one.id = "chart/" + std::string(chart);
  return one;
}

}  // namespace muster
