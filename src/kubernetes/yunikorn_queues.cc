#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/task_groups.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

namespace muster::yunikorn_queues {
namespace {

// Source: apache/yunikorn-k8shim:pkg/common/constants/constants.go (1.9), DefaultConfigMapName and ConfigMapQueues.
constexpr std::string_view kKey = "queues.yaml";
constexpr std::string_view kSort = "application.sort.policy";
constexpr int kMostQueueLevels = 32;
constexpr std::size_t kMostQueues = 10'000;

class QueueFile {
 public:
  QueueFile(const Embedded& text, const Object& object, const NormaliseContext& context)
      : text_(text), object_(object), context_(context) {}

  void run() {
    const Node partitions = text_.document.root()["partitions"];
    for (std::size_t i = 0; partitions.is_sequence() && i < partitions.size(); ++i) {
      const Node partition = partitions.item(i);
      check_resources(partition["queues"]);
      const Node rules = partition["placementrules"];
      // Other rules than this one send applications elsewhere than they ask for.
      const bool provided = rules.size() == 0 || (rules.is_sequence() && rules.item(0)["name"].text() == "provided");
      if (partition["name"].text() != "default" || !provided) continue;
      const Node queues = partition["queues"];
      const bool rooted = queues.is_sequence() && queues.size() == 1 && queues.item(0)["name"].text() == "root";
      if (rooted) {
        read(queues.item(0), "", {}, 0);
      } else {
        for (std::size_t q = 0; queues.is_sequence() && q < queues.size(); ++q) read(queues.item(q), "root", {}, 0);
      }
    }
  }

 private:
  /// `sort` is what the queue above has: it is inherited.
  void read(const Node& node, const std::string& above, Located<std::string> sort, int level) {
    const std::string name(node["name"].text());
    if (name.empty() || level > kMostQueueLevels || ++count_ > kMostQueues) return;
    Queue queue;
    static_cast<Object&>(queue) = object_;
    const std::string path = above.empty() ? name : above + "." + name;
    queue.system = GangSystem::Yunikorn;
    queue.kind = "queues.yaml";
    queue.id = object_.id + "/" + path;
    queue.where = text_.where(node["name"].where());
    queue.name = set_to(path, queue.where, "name");
    if (!above.empty()) queue.parent = set_to(above, queue.where, "queues");
    if (const Node own = node["properties"][kSort]; own.exists())
      sort = set_to(std::string(own.text()), text_.where(own.where()), FieldName(kSort));
    queue.sort_policy = sort;
    const Node most = node["resources"]["max"];
    for (std::size_t i = 0; most.is_mapping() && i < most.size(); ++i) {
      Located<Quantity> limit = read_quantity(most.value(i), "max", context_.findings);
      limit.where = text_.where(limit.where);
      const std::string_view resource = most.key(i).text();
      queue.quotas.push_back({resource_called(resource), "", std::move(limit), {}, {}, {}});
    }
    context_.model.queues.push_back(std::move(queue));
    const Node below = node["queues"];
    for (std::size_t i = 0; below.is_sequence() && i < below.size(); ++i) read(below.item(i), path, sort, level + 1);
  }

  using Amounts = std::map<std::string, Quantity>;

  /// Nothing where some amount cannot be read.
  static std::optional<Amounts> amounts_in(const Node& node) {
    Amounts out;
    for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
      const std::optional<Quantity> amount = Quantity::parse(node.value(i).text());
      if (!amount) return std::nullopt;
      out[resource_called(node.key(i).text())] = *amount;
    }
    return out;
  }

  void refuse(const Node& queue, std::string why) {
    said_ = true;
    context_.findings.push_back(problem("yunikorn-queue-resources-refused", text_.where(queue["name"].where()),
                                        "queue `" + std::string(queue["name"].text()) + "` " + std::move(why)));
    context_.findings.back().object = object_.id;
  }

  /// The first resource of which `asked` has more than `allowed` says; what that does not name has no bound.
  static std::optional<std::string> beyond(const Amounts& asked, const Amounts& allowed) {
    for (const auto& [resource, amount] : asked) {
      const auto found = allowed.find(resource);
      if (found != allowed.end() && amount > found->second) return resource;
    }
    return std::nullopt;
  }

  /// What is guaranteed to a queue or to those below it. Source: apache/yunikorn-core:pkg/common/configs/
  /// configvalidator.go (1.9), checkQueueResource and checkResourceConfig. Nothing: it is refused, or unknown.
  std::optional<Amounts> guaranteed(const Node& queue, int level) {
    if (level > kMostQueueLevels) return std::nullopt;
    const std::optional<Amounts> own = amounts_in(queue["resources"]["guaranteed"]);
    const std::optional<Amounts> most = amounts_in(queue["resources"]["max"]);
    if (!own || !most) return std::nullopt;
    if (const auto more = beyond(*own, *most))
      return refuse(queue, "is guaranteed more `" + *more + "` than its max"), std::nullopt;
    if (const auto more = beyond(*most, bounds_))
      return refuse(queue, "has a max of `" + *more + "` above that of a queue over it"), std::nullopt;
    std::vector<std::pair<std::string, std::optional<Quantity>>> before;  // what the queues above have
    for (const auto& [resource, amount] : *most) {
      const auto found = bounds_.find(resource);
      before.emplace_back(resource, found == bounds_.end() ? std::nullopt : std::optional(found->second));
      bounds_[resource] = amount;
    }
    Amounts sum;
    const Node below = queue["queues"];
    for (std::size_t i = 0; below.is_sequence() && i < below.size(); ++i) {
      const std::optional<Amounts> one = guaranteed(below.item(i), level + 1);
      if (!one) return std::nullopt;
      for (const auto& [resource, amount] : *one) sum[resource] = sum[resource] + amount;
    }
    if (const auto more = beyond(sum, *own))
      return refuse(queue, "is guaranteed less `" + *more + "` than the queues below it together"), std::nullopt;
    if (const auto more = beyond(sum, bounds_))
      return refuse(queue, "has a max of `" + *more + "` below what the queues below it are guaranteed together"),
             std::nullopt;
    for (const auto& [resource, amount] : before) {
      if (amount)
        bounds_[resource] = *amount;
      else
        bounds_.erase(resource);
    }
    const bool none = std::ranges::all_of(*own, [](const auto& one) { return one.second == Quantity{}; });
    return none ? sum : *own;
  }

  void check_resources(const Node& queues) {
    for (std::size_t i = 0; queues.is_sequence() && i < queues.size() && !said_; ++i) {
      bounds_.clear();
      guaranteed(queues.item(i), 0);
    }
  }

  const Embedded& text_;
  const Object& object_;
  const NormaliseContext& context_;
  std::size_t count_ = 0;
  Amounts bounds_;  ///< of the queue that is read: the least max of it and those above
  bool said_ = false;
};

}  // namespace

bool recognises(const Artifact& artifact) {
  const Node text = artifact.object["data"][kKey];
  return text.is_scalar() && contains(text.text(), "partitions:");
}

/// v1 ConfigMap with the queues of YuniKorn.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Embedded text = read_embedded(artifact.object["data"][kKey], context.sources.file(artifact.file).text());
  const Object object = read_object(artifact, context);
  if (text.readable) QueueFile(text, object, context).run();
}

}  // namespace muster::yunikorn_queues
