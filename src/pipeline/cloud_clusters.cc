#include "pipeline/cloud_clusters.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/custom_slurm_settings.h"
#include "pipeline/input_names.h"
#include "pipeline/parallel_cluster_keys.h"
#include "syntax/document.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// Where a value of the configuration stands: `Scheduling/SlurmQueues`.
std::string level_below(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : std::string(path) + "/" + std::string(key);
}

bool has_cluster_key(std::string_view path, std::string_view key) {
  return std::ranges::any_of(split(parallel_cluster_keys(path), ' '), [&](std::string_view one) { return one == key; });
}

/// What a person wrote, other than what a template or CloudFormation makes of it.
bool is_plain_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) { return is_word_char(c); }) && key != "Ref";
}

/// A configuration of AWS ParallelCluster 3.
class ParallelCluster {
 public:
  explicit ParallelCluster(std::vector<Finding>& findings) : findings_(findings) {}

  void run(const Node& root) {
    level(root, "");
    scripts(root);
    idle(root["Scheduling"]);
    storage(root["SharedStorage"]);
  }

 private:
  void level(const Node& node, const std::string& path) {
    if (node.is_sequence()) {
      for (std::size_t i = 0; i < node.size(); ++i) {
        if (node.item(i).is_mapping()) level(node.item(i), path);
      }
      return;
    }
    if (!node.is_mapping() || parallel_cluster_keys(path).empty()) return;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string_view key = node.key(i).text();
      if (has_cluster_key(path, key)) {
        level(node.value(i), level_below(path, key));
      } else if (is_plain_key(key)) {
        strange(node.key(i).where(), key, path);
      }
    }
  }

  /// A key of another level that is above or right below, or a slip of one of its own.
  void strange(const Span& where, std::string_view key, const std::string& path) {
    const std::string here = path.empty() ? "the configuration" : "`" + path + "`";
    const std::vector<std::string_view> own = split(parallel_cluster_keys(path), ' ');
    std::string where_to;
    for (std::size_t end = path.rfind('/'); where_to.empty() && !path.empty(); end = path.rfind('/', end - 1)) {
      const std::string above = end == path.npos ? std::string() : path.substr(0, end);
      if (has_cluster_key(above, key)) where_to = above.empty() ? "the configuration itself" : "`" + above + "`";
      if (end == path.npos || end == 0) break;
    }
    for (std::size_t i = 0; where_to.empty() && i < own.size(); ++i) {
      if (has_cluster_key(level_below(path, own[i]), key)) where_to = "`" + level_below(path, own[i]) + "`";
    }
    const std::string text = here + " has no key `" + std::string(key) + "`";
    if (!where_to.empty()) return say("parallel-cluster-key-unknown", where, text + ", which is one of " + where_to);
    std::optional<std::string_view> meant = slip_of(key, own);
    for (const std::string_view one : own) {
      if (equals_ignoring_case(one, key)) meant = one;
    }
    if (meant) say("parallel-cluster-key-unknown", where, text + "; did you mean `" + std::string(*meant) + "`?");
  }

  /// ScaledownIdletime of a cluster whose nodes are all static: MinCount of them stay, and there are no others.
  void idle(const Node& scheduling) {
    const Node time = scheduling["SlurmSettings"]["ScaledownIdletime"];
    const Node queues = scheduling["SlurmQueues"];
    if (!time.exists() || time.text() == "-1" || !queues.is_sequence()) return;
    std::size_t all = 0;
    for (std::size_t q = 0; q < queues.size(); ++q) {
      const Node resources = queues.item(q)["ComputeResources"];
      for (std::size_t r = 0; resources.is_sequence() && r < resources.size(); ++r, ++all) {
        const std::string_view least = resources.item(r)["MinCount"].text();
        if (least.empty() || least == "0" || least != resources.item(r)["MaxCount"].text()) return;
      }
    }
    if (all == 0) return;
    say("parallel-cluster-idle-time-unused", time.where(),
        "every node is static, MinCount is MaxCount: none is taken away, however long it is idle");
  }

  /// File systems that the cluster makes, and that go with it as nothing else is written.
  void storage(const Node& all) {
    constexpr std::array<std::string_view, 3> kSettings{"FsxLustreSettings", "EbsSettings", "EfsSettings"};
    for (std::size_t i = 0; all.is_sequence() && i < all.size(); ++i) {
      const Node one = all.item(i);
      for (const std::string_view key : kSettings) {
        const Node settings = one[key];
        const bool own = !settings["FileSystemId"].exists() && !settings["VolumeId"].exists();
        if (!settings.is_mapping() || !own || settings["DeletionPolicy"].exists() || settings["<<"].exists()) continue;
        say("parallel-cluster-storage-deleted", one["MountDir"].exists() ? one["MountDir"].where() : one.where(),
            "what lies in `" + std::string(one["MountDir"].text()) + "` is deleted together with the cluster");
      }
    }
  }

  void scripts(const Node& root) {
    std::vector<Node> owners{root["HeadNode"]};
    const Node queues = root["Scheduling"]["SlurmQueues"];
    for (std::size_t i = 0; queues.is_sequence() && i < queues.size(); ++i) owners.push_back(queues.item(i));
    std::set<std::string, std::less<>> known;
    for (const Node& owner : owners) {
      for (const std::string_view bucket : buckets_of(owner)) known.emplace(bucket);
    }
    for (const Node& owner : owners) {
      if (may_read_anything(owner)) continue;
      const std::vector<std::string_view> own = buckets_of(owner);
      each_script(owner, [&](const Node& script) {
        const std::string_view bucket = bucket_of(script.text());
        if (bucket.empty() || !known.contains(bucket) || std::ranges::find(own, bucket) != own.end()) return;
        const std::string_view name = owner["Name"].text();
        say("parallel-cluster-script-without-access", script.where(),
            (name.empty() ? "the head node" : "queue `" + std::string(name) + "`") + " has no S3Access to `" +
                std::string(bucket) + "`, which another part of the cluster has");
      });
    }
  }

  /// Of `s3://BUCKET/KEY`; empty where it is filled in or no such address.
  static std::string_view bucket_of(std::string_view address) {
    constexpr std::string_view kBegin = "s3://";
    if (!address.starts_with(kBegin)) return {};
    const std::string_view bucket = address.substr(kBegin.size(), address.find('/', kBegin.size()) - kBegin.size());
    return bucket.find_first_of("${<%") == bucket.npos ? bucket : std::string_view();
  }

  static std::vector<std::string_view> buckets_of(const Node& owner) {
    std::vector<std::string_view> out;
    const Node access = owner["Iam"]["S3Access"];
    for (std::size_t i = 0; access.is_sequence() && i < access.size(); ++i)
      out.push_back(access.item(i)["BucketName"].text());
    return out;
  }

  /// By a role or policy of which only its own text tells, or by a bucket that is filled in.
  static bool may_read_anything(const Node& owner) {
    constexpr std::array<std::string_view, 5> kWithoutBuckets{
        "AmazonEC2ContainerRegistryReadOnly", "AmazonSSMManagedInstanceCore", "AmazonSSMPatchAssociation",
        "CloudWatchAgentServerPolicy", "SecretsManagerReadWrite"};
    const Node iam = owner["Iam"];
    if (iam["InstanceRole"].exists() || iam["InstanceProfile"].exists()) return true;
    const Node policies = iam["AdditionalIamPolicies"];
    for (std::size_t i = 0; i < policies.size(); ++i) {
      const std::string_view policy = policies.is_sequence() ? policies.item(i)["Policy"].text() : std::string_view();
      if (!policy.starts_with("arn:aws:iam::aws:policy/") ||
          std::ranges::find(kWithoutBuckets, last_part(policy)) == kWithoutBuckets.end())
        return true;
    }
    return std::ranges::any_of(buckets_of(owner), [](std::string_view bucket) {
      return bucket.empty() || bucket.find_first_of("*?${<%") != bucket.npos;
    });
  }

  static void each_script(const Node& owner, const auto& visit) {
    for (const char* when : {"OnNodeStart", "OnNodeConfigured", "OnNodeUpdated"}) {
      const Node action = owner["CustomActions"][when];
      if (action["Script"].is_scalar()) visit(action["Script"]);
      const Node several = action["Sequence"];
      for (std::size_t i = 0; several.is_sequence() && i < several.size(); ++i) {
        if (several.item(i)["Script"].is_scalar()) visit(several.item(i)["Script"]);
      }
    }
  }

  void say(std::string_view rule, const Span& where, std::string message) {
    constexpr std::size_t kMost = 50;  // of a file; that there are more is said
    if (++said_ > kMost) return;
    if (said_ == kMost) message += "; and more like it, which are not listed";
    findings_.push_back(problem(rule, where, std::move(message)));
  }

  std::vector<Finding>& findings_;
  std::size_t said_ = 0;
};

/// A blueprint of the Cluster Toolkit: its partitions of Slurm-GCP 6 are exclusive where they do not say otherwise.
class Blueprint {
 public:
  Blueprint(const Node& root, std::vector<Finding>& findings) : root_(root), findings_(findings) {}

  void run() {
    each_module([&](const Node& module) {
      const Node count = module["settings"]["node_count_static"];
      const std::optional<std::int64_t> number = parse_int(count.text());
      if (is_module(module, "schedmd-slurm-gcp-v6-nodeset") && number && *number > 0)
        static_.emplace(module["id"].text(), count.where());
    });
    // A variable of the deployment is a setting of each module that has one of the name.
    if (static_.empty() || root_["vars"]["exclusive"].exists()) return;
    each_module([&](const Node& module) {
      if (is_module(module, "schedmd-slurm-gcp-v6-partition")) partition(module);
    });
  }

 private:
  void each_module(const auto& visit) const {
    const Node groups = root_["deployment_groups"];
    for (std::size_t g = 0; groups.is_sequence() && g < groups.size(); ++g) {
      const Node modules = groups.item(g)["modules"];
      for (std::size_t m = 0; modules.is_sequence() && m < modules.size(); ++m) visit(modules.item(m));
    }
  }

  /// Of a path or an address: `github.com/.../NAME?ref=v1.40`.
  static bool is_module(const Node& module, std::string_view name) {
    std::string_view source = module["source"].text();
    source = source.substr(0, source.find('?'));
    return last_part(source) == name;
  }

  void partition(const Node& module) {
    const Node settings = module["settings"];
    const Node exclusive = settings["exclusive"];
    if (exclusive.exists() && exclusive.text() != "true") return;
    const Node uses = module["use"];
    for (std::size_t i = 0; uses.is_sequence() && i < uses.size(); ++i) {
      const auto found = static_.find(uses.item(i).text());
      if (found == static_.end()) continue;
      Finding finding =
          problem("toolkit-static-nodes-exclusive", exclusive.exists() ? exclusive.where() : module["id"].where(),
                  "partition `" + std::string(module["id"].text()) + "` is exclusive" +
                      (exclusive.exists() ? "" : ", as it does not say otherwise") + ", and nodeset `" + found->first +
                      "` has static nodes");
      finding.related.push_back({found->second, "the static nodes"});
      findings_.push_back(std::move(finding));
      return;
    }
  }

  Node root_;
  std::vector<Finding>& findings_;
  std::map<std::string, Span, std::less<>> static_;
};

/// Whether a text may be of one of them: a look before it is parsed.
bool may_be_cluster(std::string_view text) {
  return (contains(text, "SlurmQueues:") && (contains(text, "HeadNode:") || contains(text, "CustomSlurmSettings:"))) ||
         (contains(text, "deployment_groups:") && contains(text, "schedmd-slurm-gcp-v6-partition"));
}

/// `pcluster create-cluster --suppress-validators ...` in some file.
bool suppresses_validators(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (contains(inputs.sources.file(static_cast<FileId>(i)).text(), "suppress-validators")) return true;
  }
  return false;
}

}  // namespace

void find_cloud_clusters(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<bool> suppressed;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const bool plain = is_yaml_file(path);
    if (!plain && !path.ends_with(".tmpl") && !path.ends_with(".template")) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!may_be_cluster(text)) continue;
    const bool sets = contains(text, "CustomSlurmSettings:") && !contains(text, "{%");
    if (sets && !suppressed) suppressed = suppresses_validators(inputs);
    std::vector<Finding> of_reader;  // said where the file is read
    for (const Span& where : split_yaml_documents(file, text)) {
      Document document;
      if (!read_yaml(text, where, document, of_reader)) continue;
      if (plain && document.root()["deployment_groups"].is_sequence()) Blueprint(document.root(), findings).run();
      // Templates of CloudFormation hold one within them.
      for (const Node& node : document.mappings()) {
        if (!node["Scheduling"]["SlurmQueues"].is_sequence()) continue;
        if (plain && node["HeadNode"].is_mapping()) ParallelCluster(findings).run(node);
        if (sets) check_custom_slurm_settings(node, !*suppressed, findings);
      }
    }
  }
}

}  // namespace muster
