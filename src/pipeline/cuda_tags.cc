#include "pipeline/cuda_tags.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kCuda = "nvidia/cuda";

/// `12.2-base-ubuntu22.04`, `11.0-base`, `latest`: others have three numbers. Source: NVIDIA/nvidia-docker#1768;
/// gitlab.com/nvidia/container-images/cuda:doc/unsupported-tags.md.
bool is_gone_tag(std::string_view tag) {
  constexpr std::array<std::string_view, 5> kWords{"base", "runtime", "devel", "cudnn", "ubuntu"};
  if (tag == "latest") return true;
  if (tag.size() < 4 || tag[0] != '1' || tag[1] > '3' || !is_digit(tag[1]) || tag[2] != '.') return false;
  std::size_t at = 3;
  while (at < tag.size() && is_digit(tag[at])) ++at;
  if (at == 3 || at > 5 || at == tag.size()) return at == tag.size() && at > 3;
  if (tag[at] != '-') return false;
  return std::ranges::any_of(kWords, [&](std::string_view word) { return tag.substr(at + 1).starts_with(word); });
}

/// What tells of changes names images that were.
bool is_history(std::string_view path) {
  const std::string name = to_lower(last_part(path));
  return name.starts_with("change") || name.starts_with("history") || name.starts_with("release");
}

/// Whether a line takes the image that stands at `at` of it.
bool takes_image(std::string_view line, std::size_t at, std::string_view path) {
  constexpr std::array<std::string_view, 12> kCommands{
      "docker run",   "docker pull", "docker container run", "podman run",      "podman pull", "nerdctl run",
      "nerdctl pull", "kubectl run", "ctr image pull",       "ctr images pull", "crictl pull", "ctr run"};
  const std::string_view words = trim(line);
  const std::string_view before = line.substr(0, at);
  if (words.starts_with('#') || words.starts_with("//") || contains(before, " #")) return false;
  if (is_dockerfile(path)) return words.starts_with("FROM ") || words.starts_with("from ");
  if (is_yaml_file(path) && contains(before, "image:")) return true;
  if (contains(before, "docker://"))
    return contains(before, "pull ") || contains(before, "exec ") || contains(before, "run ");
  const bool prose = language_of(path) == Language::Prose || path.ends_with(".txt");
  std::string_view begun = words;
  for (const std::string_view mark : {"$ ", "> ", "sudo "}) {
    if (prose && begun.starts_with(mark)) begun = trim(begun.substr(mark.size()));
  }
  return std::ranges::any_of(
      kCommands, [&](std::string_view one) { return prose ? begun.starts_with(one) : contains(before, one); });
}

class CudaTags {
 public:
  CudaTags(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      const std::string_view path = file.context.path;
      if (file.reading != Reading::Whole || (language_of(path) == Language::Program && !is_dockerfile(path))) continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (!contains(text, kCuda) || is_history(path)) continue;
      built_ = is_yaml_file(path) && contains(text, "services:") && contains(text, "build:");
      said_ = 0;
      some_line_with(text, kCuda,
                     [&](std::string_view line) { return look(static_cast<FileId>(i), text, line, path); });
    }
  }

 private:
  /// True: enough was said of the file.
  bool look(FileId file, std::string_view text, std::string_view line, std::string_view path) {
    constexpr std::size_t kMostOfFile = 20;
    constexpr std::size_t kLongLine = 2000;
    const std::size_t at = line.find(kCuda);
    if (line.size() > kLongLine || !takes_image(line, at, path)) return false;
    if (built_ && contains(line.substr(0, at), "image:")) return false;
    // `docker.io/nvidia/cuda`; that of another registry is a copy of somebody's.
    std::string_view host = line.substr(0, at);
    host = host.substr(host.find_last_of(" \t\"'=`") + 1);  // npos + 1 is 0
    if (!host.empty() && host != "docker.io/" && host != "docker://" && host != "registry.hub.docker.com/" &&
        host != "docker://docker.io/")
      return false;
    std::string_view tag = line.substr(at + kCuda.size());
    if (!tag.starts_with(':')) return false;
    tag.remove_prefix(1);
    tag = tag.substr(0,
                     static_cast<std::size_t>(
                         std::ranges::find_if_not(tag, [](char c) { return is_word_char(c) || c == '.' || c == '-'; }) -
                         tag.begin()));
    const std::size_t behind = at + kCuda.size() + 1 + tag.size();
    if (behind < line.size() && (line[behind] == '$' || line[behind] == '{' || line[behind] == '@')) return false;
    if (!is_gone_tag(tag)) return false;
    const std::string_view image = line.substr(at, kCuda.size() + 1 + tag.size());
    findings_.push_back(problem("cuda-image-tag-gone", span_of_part(file, text, image),
                                "Docker Hub has no image `" + std::string(image) + "` any more, or never had"));
    return ++said_ >= kMostOfFile;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  // Of one file:
  std::size_t said_ = 0;
  bool built_ = false;  ///< Compose builds images of it, and calls them as it likes
};

}  // namespace

void find_cuda_tags(const Inputs& inputs, std::vector<Finding>& findings) { CudaTags(inputs, findings).run(); }

}  // namespace muster
