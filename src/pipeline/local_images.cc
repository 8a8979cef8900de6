#include "pipeline/local_images.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kMostBuilt = 200;
constexpr std::size_t kMostPulledOfFile = 20;  // of one file

/// `slurm-node:latest` of `slurm-node`; empty for a name with a registry, a project or something to fill in.
std::string local_name(std::string_view word) {
  constexpr std::string_view kNameChars = "abcdefghijklmnopqrstuvwxyz0123456789-_.:";
  if (word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front())
    word = word.substr(1, word.size() - 2);
  if (word.empty() || word.find_first_not_of(kNameChars) != word.npos) return {};
  return std::string(word) + (contains(word, ":") ? "" : ":latest");
}

/// Notes the images that a line such as `docker build -t slurm-node .` makes.
void note_built(std::string_view line, std::set<std::string, std::less<>>& out) {
  constexpr std::array<std::string_view, 5> kBuilds{"docker build ", "podman build ", "nerdctl build ",
                                                    "docker buildx build ", "minikube image build "};
  if (std::ranges::none_of(kBuilds, [&](std::string_view build) { return contains(line, build); })) return;
  const std::vector<std::string_view> words = split_blanks(line);
  for (std::size_t w = 0; w < words.size(); ++w) {
    const bool apart = (words[w] == "-t" || words[w] == "--tag") && w + 1 < words.size();
    const bool within = words[w].starts_with("--tag=");
    if (!apart && !within) continue;
    if (std::string name = local_name(apart ? words[w + 1] : words[w].substr(6)); !name.empty())
      out.insert(std::move(name));
  }
}

/// Whether some line gives the image another name, in a registry or in the manifests that have it.
bool is_renamed_image(const Inputs& inputs, std::string_view image) {
  constexpr std::array<std::string_view, 8> kRenames{"docker tag", "podman tag", "nerdctl tag", "set image",
                                                     "sed ",       "skopeo",     "yq ",         "kubectl patch"};
  // Kustomize, Skaffold and Tilt put names or tags of their own in.
  constexpr std::array<std::string_view, 5> kTools{"newName:", "newTag:", "digest:", "skaffold/", "docker_build("};
  const std::string_view name = image.substr(0, image.find(':'));
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, name)) continue;
    if (std::ranges::any_of(kTools, [&](std::string_view word) { return contains(text, word); })) return true;
    const bool renames = some_line_with(text, name, [&](std::string_view line) {
      return std::ranges::any_of(kRenames, [&](std::string_view word) { return contains(line, word); });
    });
    if (renames) return true;
  }
  return false;
}

/// Where the key of a line begins, behind the dash of an item.
std::size_t column_of_key(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != line.npos && line.substr(first).starts_with("- ") ? line.find_first_not_of(' ', first + 1) : first;
}

bool begins_list_item(std::string_view line) { return trim(line).starts_with("- "); }

/// The value of `imagePullPolicy` beside the line of an image; empty: none is there; `?`: it may be too far away.
std::string_view policy_beside(const std::vector<TextLine>& lines, std::size_t at) {
  const std::size_t column = column_of_key(lines[at].text);
  const auto policy = [&](std::size_t i) {
    const std::string_view line = lines[i].text;
    const std::size_t key = column_of_key(line);
    if (key != column || !line.substr(key).starts_with("imagePullPolicy:")) return std::string_view();
    const std::string_view value = trim(line.substr(key + 16));
    const std::string_view word = trim(value.substr(0, value.find('#')));
    const bool quoted = word.size() > 1 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0];
    return quoted ? word.substr(1, word.size() - 2) : word;
  };
  const auto is_inside = [&](std::size_t i) {
    const std::size_t key = column_of_key(lines[i].text);
    return lines[i].blank() || trim(lines[i].text).starts_with('#') || (key != std::string_view::npos && key >= column);
  };
  constexpr std::size_t kMostLines = 300;
  for (std::size_t i = at;; --i) {
    if (at - i > kMostLines) return "?";
    if (!is_inside(i)) break;
    if (const std::string_view found = policy(i); !found.empty()) return found;
    if (i == 0 || (begins_list_item(lines[i].text) && column_of_key(lines[i].text) == column)) break;
  }
  for (std::size_t i = at + 1; i < lines.size() && is_inside(i); ++i) {
    if (i - at > kMostLines) return "?";
    if (begins_list_item(lines[i].text) && column_of_key(lines[i].text) == column) break;
    if (const std::string_view found = policy(i); !found.empty()) return found;
  }
  return {};
}

}  // namespace

const std::set<std::string, std::less<>>& LocalImages::built(const Inputs& inputs) {
  if (built_) return *built_;
  built_.emplace();
  for (std::size_t i = 0; i < inputs.files.size() && built_->size() < kMostBuilt; ++i) {
    // One search of each text: manifests are many, and few of them have the word.
    some_line_with(inputs.sources.file(static_cast<FileId>(i)).text(), "build ", [&](std::string_view line) {
      note_built(line, *built_);
      return false;
    });
  }
  return *built_;
}

bool LocalImages::is_only_built(const Inputs& inputs, std::string_view name) {
  if (name.empty() || !built(inputs).contains(name)) return false;
  const auto known = renamed_.find(name);
  return !(known != renamed_.end() ? known->second
                                   : renamed_.emplace(name, is_renamed_image(inputs, name)).first->second);
}

void LocalImages::find_in_manifests(FileId file, const Inputs& inputs, std::vector<Finding>& findings) {
  constexpr std::size_t kMostLooked = 200;
  std::size_t looked = 0;
  std::size_t reported = 0;
  const std::string_view text = inputs.sources.file(file).text();
  const std::vector<TextLine> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size() && reported < kMostPulledOfFile; ++i) {
    const std::string_view line = lines[i].text;
    const std::size_t key = column_of_key(line);
    if (key == line.npos || !line.substr(key).starts_with("image: ")) continue;
    std::string_view word = trim(line.substr(key + 7));
    word = trim(word.substr(0, word.find(" #")));
    const std::string name = local_name(word);
    if (name.empty() || !built(inputs).contains(name) || ++looked > kMostLooked) continue;
    const std::string_view policy = policy_beside(lines, i);
    if (policy.empty() ? !name.ends_with(":latest") : policy != "Always") continue;
    if (!is_only_built(inputs, name)) continue;
    ++reported;
    findings.push_back(
        problem("local-image-pulled", span_of_part(file, text, word),
                "`" + std::string(word) + "` is built here, and the kubelet asks docker.io for it: " +
                    (policy.empty() ? "of `latest` imagePullPolicy is Always" : "imagePullPolicy is Always")));
  }
}

void LocalImages::find_pulled(const Inputs& inputs, std::vector<Finding>& findings) {
  if (built(inputs).empty()) return;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!is_yaml_file(inputs.files[i].context.path) || !contains(text, "apiVersion:") || !contains(text, "containers:"))
      continue;
    // Spark gives its pods a policy of its own, IfNotPresent. Source: apache/spark, BasicDriverFeatureStep.scala (4.0).
    if (contains(text, "SparkApplication")) continue;
    find_in_manifests(static_cast<FileId>(i), inputs, findings);
  }
}

void LocalImages::drop_floating(const Inputs& inputs, std::vector<Finding>& findings) {
  std::erase_if(findings, [&](const Finding& one) {
    return one.rule == "container-image-floating" && one.where.placed() &&
           is_only_built(inputs, local_name(inputs.sources.text_of(one.where)));
  });
}

}  // namespace muster
