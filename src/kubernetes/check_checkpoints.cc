#include "kubernetes/check_checkpoints.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostCheckpointWords = 1000;

// Sources: huggingface/transformers:src/transformers/training_args.py (4.57); NVIDIA/Megatron-LM:megatron/training/
// arguments.py (0.15); pytorch/torchtitan and Lightning call theirs likewise.
constexpr std::array<std::string_view, 6> kResumes{
    "--resume_from_checkpoint", "--resume-from-checkpoint", "--auto_resume", "--auto-resume", "--resume", "--load"};
constexpr std::array<std::string_view, 10> kSaves{
    "--output_dir", "--output-dir", "--checkpoint_dir", "--checkpoint-dir", "--ckpt_dir",
    "--ckpt-dir",   "--save_dir",   "--save-dir",       "--save",           "--checkpoint_path"};

/// An option, with what stands behind it.
struct ResumeWord {
  std::string_view value;
  Node where;
};

class CheckpointReader {
 public:
  explicit CheckpointReader(const Node& container) : container_(container) {
    for (const std::string_view list : {"command", "args"}) {
      const Node words = container[list];
      for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostCheckpointWords); ++i) {
        for (const std::string_view text : split_blanks(words.item(i).text())) words_.push_back({text, words.item(i)});
      }
    }
  }

  /// What copies files somewhere else, perhaps the checkpoints.
  bool may_copy() const {
    for (const ResumeWord& word : words_) {
      const std::string low = to_lower(word.value);
      for (const std::string_view way :
           {"s3", "gs:", "gsutil", "gcloud", "rclone", "azcopy", "rsync", "push_to_hub", "upload", "://"}) {
        if (contains(low, way)) return true;
      }
      for (const std::string_view way : {"mc", "cp", "scp", "tar", "hub", "blob"}) {
        if (low == way || low.ends_with("/" + std::string(way))) return true;
      }
    }
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMostCheckpointWords); ++i) {
      for (const std::string_view store : {"s3://", "gs://", "az://", "abfs", "hf://"}) {
        if (contains(env.item(i)["value"].text(), store)) return true;
      }
    }
    return false;
  }

  /// Where the last of some options stands that has a value, or none at all (`--resume`).
  template <std::size_t N>
  ResumeWord option(const std::array<std::string_view, N>& names) const {
    ResumeWord out;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string_view word = words_[i].value;
      const std::size_t equals = word.find('=');
      if (std::ranges::find(names, word.substr(0, equals)) == names.end()) continue;
      const bool alone = i + 1 == words_.size() || words_[i + 1].value.starts_with("--");
      if (equals != word.npos) {
        out = {word.substr(equals + 1), words_[i].where};
      } else {
        out = {alone ? std::string_view("yes") : words_[i + 1].value, words_[alone ? i : i + 1].where};
      }
    }
    return out;
  }

  /// The volume that a folder lies in; empty: none of the pod's.
  std::string_view volume_of(std::string_view folder) const {
    std::string_view volume;
    std::size_t most = 0;
    const Node mounts = container_["volumeMounts"];
    for (std::size_t i = 0; mounts.is_sequence() && i < std::min(mounts.size(), kMostCheckpointWords); ++i) {
      std::string_view path = mounts.item(i)["mountPath"].text();
      while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
      const bool within = folder.starts_with(path) && (folder.size() == path.size() || folder[path.size()] == '/');
      if (!within || path.size() < most) continue;
      most = path.size();
      volume = mounts.item(i)["name"].text();
    }
    return volume;
  }

 private:
  Node container_;
  std::vector<ResumeWord> words_;
};

bool is_no(std::string_view value) {
  const std::string low = to_lower(value);
  return low == "false" || low == "none" || low == "null" || low == "no" || low == "0" || low == "never";
}

Node volume_called(const Node& pod, std::string_view name) {
  const Node volumes = pod["volumes"];
  for (std::size_t i = 0; volumes.is_sequence() && i < std::min(volumes.size(), kMostCheckpointWords); ++i) {
    if (!name.empty() && volumes.item(i)["name"].text() == name) return volumes.item(i);
  }
  return {};
}

/// Whether a failed pod is followed by another one, which has other volumes.
bool makes_pods_anew(const Node& job) {
  const Node limit = job["backoffLimit"];
  return job["template"]["spec"]["restartPolicy"].text() == "Never" &&
         (!limit.exists() || (limit.is_scalar() && parse_int(limit.text()).value_or(0) > 0));
}

}  // namespace

/// Source: kubernetes.io/docs/concepts/storage/volumes/#emptydir (1.36): it goes with its pod.
void check_checkpoints(const Node& job, std::vector<Finding>& findings) {
  const Node pod = job["template"]["spec"];
  const Node containers = pod["containers"];
  // Others, and what runs before, may bring the files and take them away.
  if (!makes_pods_anew(job) || !containers.is_sequence() || containers.size() != 1 || pod["initContainers"].size() > 0)
    return;
  const CheckpointReader reader(containers.item(0));
  const ResumeWord resume = reader.option(kResumes);
  const ResumeWord save = reader.option(kSaves);
  if (resume.value.empty() || is_no(resume.value) || !save.value.starts_with('/') || is_placeholder(save.value)) return;
  const std::string_view name = reader.volume_of(save.value);
  const Node volume = volume_called(pod, name);
  if (!volume["emptyDir"].exists() || reader.may_copy()) return;
  const bool model = contains(resume.value, "/") || contains(resume.value, ".");  // by its name, of a hub
  if (model && reader.volume_of(resume.value) != name) return;
  findings.push_back(problem("checkpoint-gone-with-pod", save.where.where(),
                             "checkpoints go to `" + std::string(save.value) + "`, in an emptyDir of the pod"));
  findings.back().field = "args";
  findings.back().related.push_back({volume["emptyDir"].where(), "the volume"});
  findings.back().related.push_back({resume.where.where(), "what is to go on from them"});
  findings.back().about = About::Whole;
}

}  // namespace muster
