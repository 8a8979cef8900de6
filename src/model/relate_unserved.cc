#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

using Label = std::pair<std::string_view, std::string_view>;

/// Objects with labels or selectors: by each of them, and which keys they have in a folder.
struct ByLabel {
  std::map<Label, std::vector<const WrittenValue*>> all;
  std::set<std::pair<std::string_view, std::string_view>> keys_of_folder;

  /// By its first label alone, as a selector is found that wants all of its own.
  void add_selector(const Manifest& one, const WrittenValue& map) {
    all[{map.keys().front(), map.items().front().text()}].push_back(&map);
    for (const std::string_view key : map.keys()) keys_of_folder.emplace(folder_of(one.file), key);
  }
  void add_labels(const Manifest& one, const WrittenValue& map) {
    for (std::size_t i = 0; i < map.keys().size(); ++i) {
      all[{map.keys()[i], map.items()[i].text()}].push_back(&map);
      keys_of_folder.emplace(folder_of(one.file), map.keys()[i]);
    }
  }
};

constexpr std::size_t kMostOfLabel = 1000;  // of one label

/// Model servers behind no Service and no InferencePool, in folders where Services select pods by a label of theirs.
class Unserved {
 public:
  explicit Unserved(Model& model) : model_(model) {
    for (const Container& one : model.containers) {
      // Workers of Dynamo get their requests over NATS.
      const bool asks = contains(one.image.value, "dynamo");
      if (one.remarks->probe.is_set() && !asks) asked_.insert(object_key(one));
    }
    const ManifestDef* services = &manifest_def("services");
    const ManifestDef* pools = &manifest_def("inference_pools");  // a Gateway sends requests to their pods
    for (const Manifest& one : model.manifests) {
      if (one.def->collection == "helm_releases") open_ = true;
      if (one.def != services && one.def != pools) continue;
      const WrittenValue& selector = one.part("selector");
      open_ = open_ || selector.state == State::Unknown;
      if (selector.is_text_map()) services_.add_selector(one, selector);
    }
  }

  void run() {
    const ManifestDef* makers = &manifest_def("pod_makers");
    std::set<ObjectKey> served;
    for (const Manifest& one : model_.manifests) {
      if (one.def == makers && one.part("pod_labels").is_text_map() && is_served(one.part("pod_labels")))
        served.insert(object_key(one));
    }
    for (Container& one : model_.containers) one.served = served.contains(object_key(one));
    for (Manifest& one : model_.manifests) {
      if (open_ || one.def != makers || (one.kind != "Deployment" && one.kind != "StatefulSet")) continue;
      const WrittenValue& labels = one.part("pod_labels");
      if (!asked_.contains(object_key(one)) || !labels.is_text_map() || is_served(labels)) continue;
      for (std::size_t i = 0; i < labels.keys().size(); ++i) {
        if (!services_.keys_of_folder.contains({folder_of(one.file), labels.keys()[i]})) continue;
        one.remarks.own().unserved = set_to(std::string(labels.keys()[i]) + "=" + std::string(labels.items()[i].text()),
                                            labels.items()[i].where, "labels");
        break;
      }
    }
  }

 private:
  bool is_served(const WrittenValue& labels) const {
    for (std::size_t i = 0; i < labels.keys().size(); ++i) {
      const auto found = services_.all.find({labels.keys()[i], labels.items()[i].text()});
      if (found == services_.all.end()) continue;
      if (found->second.size() > kMostOfLabel) return true;
      for (const WrittenValue* selector : found->second) {
        if (selector->selects(labels)) return true;
      }
    }
    return false;
  }

  Model& model_;
  std::set<ObjectKey> asked_;  // a probe asks the server in it
  ByLabel services_;
  bool open_ = false;
};

/// Services by each label that they select pods by.
using BySelector = std::map<Label, std::vector<const Manifest*>>;

/// Whether a Service selects its pods by the labels that a monitor wants of Services, and has the port that it asks, or
/// one port without a name.
bool is_meant(const Manifest& monitor, const WrittenValue& wanted, const BySelector& services) {
  const auto found = services.find({wanted.keys().front(), wanted.items().front().text()});
  if (found == services.end() || found->second.size() > kMostOfLabel) return false;
  const WrittenValue* names = monitor.part("namespaces").find("matchNames");
  if (monitor.part("namespaces").state != State::Absent && names == nullptr) return false;
  return std::ranges::any_of(found->second, [&](const Manifest* service) {
    const auto asks = [&](const WrittenValue& endpoint) {
      const std::string_view port = endpoint.text_of("port");
      const std::span<const WrittenValue> ports = service->part("ports").items();
      if (ports.size() == 1 && ports.front().find("name") == nullptr) return !port.empty();
      return !port.empty() &&
             std::ranges::any_of(ports, [&](const WrittenValue& one) { return one.text_of("name") == port; });
    };
    // A Service that names none is where its monitor looks, as far as anybody knows.
    const bool here = std::string_view(service->space).empty() ? true
                      : names == nullptr                       ? service->space == monitor.space
                                         : std::ranges::any_of(names->items(), [&](const WrittenValue& name) {
                                             return name.text() == std::string_view(service->space);
                                           });
    return here && wanted.selects(service->part("selector")) &&
           std::ranges::any_of(monitor.part("endpoints").items(), asks);
  });
}

/// Pods by the labels of their templates, to be told from what Services have.
class Templates {
 public:
  explicit Templates(const Model& model) {
    const ManifestDef* makers = &manifest_def("pod_makers");
    const ManifestDef* services = &manifest_def("services");
    for (const Manifest& one : model.manifests) {
      if (one.def == services) services_.push_back(&one.part("selector"));
      const WrittenValue& labels = one.part("pod_labels");
      for (std::size_t i = 0; one.def == makers && labels.is_text_map() && i < labels.keys().size(); ++i)
        pods_[{labels.keys()[i], labels.items()[i].text()}].push_back(&one);
    }
  }

  /// Whether the monitor has the labels of pods of its folder, which no Service selects.
  bool has_meant(const Manifest& monitor, const WrittenValue& wanted) const {
    const auto found = pods_.find({wanted.keys().front(), wanted.items().front().text()});
    if (found == pods_.end() || found->second.size() > kMostOfTemplates || services_.size() > kMostOfTemplates)
      return false;
    return std::ranges::any_of(found->second, [&](const Manifest* pods) {
      const WrittenValue& labels = pods->part("pod_labels");
      return folder_of(pods->file) == folder_of(monitor.file) && wanted.selects(labels) &&
             is_in(monitor, pods->space) && std::ranges::none_of(services_, [&](const WrittenValue* selector) {
               return selector->state == State::Unknown || (selector->is_text_map() && selector->selects(labels));
             });
    });
  }

 private:
  static constexpr std::size_t kMostOfTemplates = 200;

  static bool is_in(const Manifest& monitor, std::string_view space) {
    if (space.empty() || monitor.part("namespaces").state == State::Absent) return true;
    const WrittenValue* names = monitor.part("namespaces").find("matchNames");
    return names != nullptr &&
           std::ranges::any_of(names->items(), [&](const WrittenValue& name) { return name.text() == space; });
  }

  std::map<Label, std::vector<const Manifest*>> pods_;
  std::vector<const WrittenValue*> services_;  // their selectors
};

/// ServiceMonitors that select no Service of the input, in folders with Services that have the label, or that name the
/// labels of the pods behind one.
void find_lost_monitors(Model& model) {
  const ManifestDef* services = &manifest_def("services");
  const ManifestDef* monitors = &manifest_def("service_monitors");
  ByLabel labelled;
  BySelector selecting;
  bool releases = false;
  std::optional<Templates> templates;
  for (const Manifest& one : model.manifests) {
    releases = releases || one.def->collection == "helm_releases";
    if (one.def != services) continue;
    if (one.part("labels").state == State::Unknown) return;
    if (one.part("labels").is_text_map()) labelled.add_labels(one, one.part("labels"));
    const WrittenValue& selector = one.part("selector");
    for (std::size_t i = 0; selector.is_text_map() && i < selector.keys().size(); ++i)
      selecting[{selector.keys()[i], selector.items()[i].text()}].push_back(&one);
  }
  for (Manifest& one : model.manifests) {
    const WrittenValue* wanted = one.def == monitors ? one.part("selector").find("matchLabels") : nullptr;
    if (wanted == nullptr || !wanted->is_text_map() || one.part("selector").find("matchExpressions") != nullptr)
      continue;
    const auto found = labelled.all.find({wanted->keys().front(), wanted->items().front().text()});
    const bool any =
        found != labelled.all.end() &&
        (found->second.size() > kMostOfLabel ||
         std::ranges::any_of(found->second, [&](const WrittenValue* labels) { return wanted->selects(*labels); }));
    const bool beside = std::ranges::any_of(wanted->keys(), [&](std::string_view key) {
      return labelled.keys_of_folder.contains({folder_of(one.file), key});
    });
    const bool alone = !releases && beside && one.part("namespaces").state == State::Absent;
    if (any) continue;
    const bool of_pods = !alone && !is_meant(one, *wanted, selecting);
    if (of_pods) {
      if (!templates) templates.emplace(model);
      if (releases || !templates->has_meant(one, *wanted)) continue;
    }
    // The label that none of them has, where there is one.
    std::size_t lacks = 0;
    for (std::size_t i = wanted->keys().size(); i-- > 0;) {
      if (!labelled.all.contains({wanted->keys()[i], wanted->items()[i].text()})) lacks = i;
    }
    one.remarks.own().no_pods =
        set_to(std::string(wanted->keys()[lacks]) + "=" + std::string(wanted->items()[lacks].text()), wanted->where,
               of_pods ? FieldName("pod_labels") : FieldName("selector"));
  }
}

}  // namespace

void relate_unserved(Model& model) {
  Unserved(model).run();
  find_lost_monitors(model);
}

}  // namespace muster
