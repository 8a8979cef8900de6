#include "kubernetes/check_read_only.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// An absolute path that is written out.
std::string_view path_in(std::string_view word) {
  const std::size_t first = word.find_first_not_of("\"'");
  if (first == word.npos) return {};
  word = word.substr(first, word.find_first_of("\"';)&|", first) - first);
  const bool plain =
      std::ranges::all_of(word, [](char c) { return is_word_char(c) || c == '/' || c == '.' || c == '-'; });
  return plain && word.size() > 1 && word.front() == '/' ? word : std::string_view();
}

bool is_of_kernel(std::string_view path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/") || path.starts_with("/sys/");
}

/// What is mounted into a container.
class WritablePlaces {
 public:
  void add(std::string_view at) {
    if (at.starts_with('/')) mounts_.insert(real_path(at));
  }

  bool has(std::string_view written) const {
    constexpr std::size_t kLongestPath = 4096;
    if (is_of_kernel(written) || written.size() > kLongestPath || mounts_.contains("/")) return true;
    const std::string path = real_path(written);
    for (std::string_view at = path; at.size() > 1; at = at.substr(0, at.rfind('/'))) {
      if (mounts_.contains(at)) return true;
    }
    return false;
  }

  /// Whether mkdir may find the folder there: every image has some, and the parents of a mount are made for it.
  bool may_have(std::string_view written) const {
    constexpr std::array<std::string_view, 11> kOfImages{"/etc/",       "/home/",    "/mnt/",    "/opt/",
                                                         "/root/",      "/usr/",     "/var/",    "/usr/local/",
                                                         "/var/cache/", "/var/lib/", "/var/log/"};
    if (has(written)) return true;
    const std::string path = real_path(written);
    const std::string_view above = std::string_view(path).substr(0, path.rfind('/') + 1);
    if (above == "/" || std::ranges::find(kOfImages, above) != kOfImages.end()) return true;
    const auto below = mounts_.lower_bound(path + "/");
    return below != mounts_.end() && below->starts_with(path + "/");
  }

 private:
  /// Of links that nearly every image has. Source:
  /// https://www.debian.org/doc/debian-policy/ch-opersys.html#run-and-run-lock
  static std::string real_path(std::string_view path) {
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    for (const auto& [link, real] : {std::pair{"/var/run", "/run"}, std::pair{"/var/lock", "/run/lock"}}) {
      const std::string_view behind = path.substr(std::min(path.size(), std::string_view(link).size()));
      if (path.starts_with(link) && (behind.empty() || behind.front() == '/')) return real + std::string(behind);
    }
    return std::string(path);
  }

  std::set<std::string, std::less<>> mounts_;
};

/// The quote that is open behind a word; 0: none.
char quote_behind(std::string_view word, char open) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c == '\\' && open != '\'') {
      ++i;
    } else if (open == 0 && (c == '"' || c == '\'')) {
      open = c;
    } else if (c == open) {
      open = 0;
    }
  }
  return open;
}

/// Of each word whether the line goes on where its command fails, `mkdir /x || true`.
std::vector<bool> goes_on_without(const std::vector<std::string_view>& words) {
  constexpr std::array<std::string_view, 6> kEnds{"exit", "exit;", "false", "return", "{", "("};
  std::vector<bool> out(words.size());
  bool on = false;
  for (std::size_t i = words.size(); i > 0; --i) {
    const std::string_view word = words[i - 1];
    if (word.ends_with(';')) on = false;
    if (word == "||") on = i < words.size() && std::ranges::find(kEnds, words[i]) == kEnds.end();
    out[i - 1] = on;
  }
  return out;
}

/// The first that a line of a script writes to where nothing is mounted. `quote`: the one that is open behind the line.
std::string_view written_in(std::string_view line, const WritablePlaces& places, char& quote) {
  constexpr std::array<std::string_view, 8> kOptions{"--output",   "--output-dir",   "--output_dir", "--output-path",
                                                     "--save-dir", "--download-dir", "--log-dir",    "--logdir"};
  const bool reads_logs = contains(line, "tensorboard");
  const auto is_option = [&](std::string_view word) {
    return std::ranges::find(kOptions, word) != kOptions.end() && !(reads_logs && word == "--logdir");
  };
  std::string_view command;  // that takes what comes
  std::string_view before;
  bool otherwise = false;  // it runs where another fails: `[ -d /x ] || mkdir /x`
  const std::vector<std::string_view> words = split_blanks(line);
  const std::vector<bool> without = goes_on_without(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool quoted = quote != 0;
    if (!quoted && word.starts_with('#')) break;
    quote = quote_behind(word, quote);
    if (!quoted) {
      std::string_view path;
      const std::size_t arrow = word.find_first_not_of("12&>");
      const std::size_t equals = word.find('=');
      if (before == ">" || before == ">>" || is_option(before)) path = path_in(word);
      if (word.starts_with('>') && arrow != word.npos) path = path_in(word.substr(arrow));
      if (equals != word.npos && is_option(word.substr(0, equals))) path = path_in(word.substr(equals + 1));
      const bool made = command == "mkdir" && path.empty();
      if (made || command == "tee") path = path_in(word);
      if ((command == "curl" && before == "-o") || (command == "wget" && before == "-O")) path = path_in(word);
      if (!path.empty() && !otherwise && !without[i] && !(made ? places.may_have(path) : places.has(path))) return path;
      for (const std::string_view one : {"mkdir", "tee", "curl", "wget"}) {
        if (word == one) command = one;
      }
    }
    const bool ends = word == "&&" || word == "||" || word == "|" || word.ends_with(';');
    if (ends) command = {};
    otherwise = word == "||" || (otherwise && !ends);
    before = quoted ? std::string_view() : word;
  }
  return {};
}

/// Whether a script leaves its container, or gives itself what it may write to.
bool goes_elsewhere(std::string_view text) {
  return contains(text, "chroot ") || contains(text, "nsenter") || contains(text, "mount -") || contains(text, "<<") ||
         contains(text, "kubectl exec") || contains(text, "ssh ");
}

/// Whether it is a client that does something in another container or machine, as `exec` of kubectl.
bool is_client(std::string_view image, std::string_view words) {
  constexpr std::array<std::string_view, 6> kClients{"crictl", "docker", "kubectl", "nerdctl", "oc", "podman"};
  constexpr std::array<std::string_view, 4> kElsewhere{"cp", "debug", "exec", "run"};
  const auto names = [&](std::string_view word) {
    return std::ranges::find(kClients, word.substr(word.rfind('/') + 1)) != kClients.end();  // npos + 1 is 0
  };
  bool client = contains(image, "kubectl") || contains(image, "docker:") || contains(image, "crictl");
  bool elsewhere = false;
  for (const std::string_view word : split_blanks(words)) {
    client = client || names(word);
    elsewhere = elsewhere || std::ranges::find(kElsewhere, word) != kElsewhere.end();
  }
  return client && elsewhere;
}

/// Nothing: some mount is not known.
std::optional<WritablePlaces> places_of(const Node& container) {
  // Sources: kubernetes/kubernetes:pkg/kubelet/kubelet_pods.go, makeHostsMount, and kuberuntime_container.go,
  // makeMounts (1.36); the others are mounted by operators of KubeRay, KServe and MPI.
  constexpr std::array<std::string_view, 4> kMounted{"/etc/hosts", "/etc/mpi", "/mnt/models", "/tmp/ray"};
  const Node mounts = container["volumeMounts"];
  if (mounts.exists() && !mounts.is_null() && !mounts.is_sequence()) return std::nullopt;
  WritablePlaces out;
  for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
    if (!mounts.item(i).is_mapping() || is_unsaid(mounts.item(i)["mountPath"])) return std::nullopt;
    out.add(mounts.item(i)["mountPath"].text());
  }
  for (const std::string_view one : kMounted) out.add(one);
  out.add(container["terminationMessagePath"].text());
  return out;
}

void check_read_only_one(const Node& container, std::vector<Finding>& findings) {
  const Node read_only = container["securityContext"]["readOnlyRootFilesystem"];
  if (!is_true(read_only)) return;
  const std::optional<WritablePlaces> places = places_of(container);
  if (!places) return;
  std::string line;  // words that are handed over one by one
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < words.size(); ++i) {
      const std::string_view text = words.item(i).text();
      line += std::string(text.find_first_of(" \n") == text.npos ? text : "\n" + std::string(text) + "\n") + " ";
    }
  }
  if (goes_elsewhere(line) || is_client(container["image"].text(), line)) return;
  char quote = 0;
  for (const std::string_view one : split(line, '\n')) {
    const std::string_view path = written_in(one, *places, quote);
    if (path.empty() && quote != 0) return;  // what follows is text
    if (path.empty()) continue;
    findings.push_back(problem("container-writes-read-only", read_only.where(),
                               "container " + in_ticks(container["name"].text()) + " writes to " + in_ticks(path) +
                                   ", where it has no volume, and its own files are read-only"));
    findings.back().field = "readOnlyRootFilesystem";
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace

void check_read_only(const Node& pod, std::vector<Finding>& findings) {
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c)
      check_read_only_one(containers.item(c), findings);
  }
}

}  // namespace muster
