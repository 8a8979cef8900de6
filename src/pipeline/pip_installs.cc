#include "pipeline/pip_installs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "base/version.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kWheels = "download.pytorch.org/whl/";
constexpr std::size_t kMostPipSaid = 20;  // of one file

/// First and last releases of PyTorch that were built for a CUDA; an empty last one: it goes on. Sources:
/// https://pytorch.org/get-started/previous-versions; https://data.pyg.org/whl (November 2026).
struct CudaBuilds {
  std::string_view name;
  std::string_view first;
  std::string_view last;
};
constexpr std::array<CudaBuilds, 10> kCudaBuilds{{{"cu113", "1.10.0", "1.12.1"},
                                                  {"cu116", "1.12.0", "1.13.1"},
                                                  {"cu117", "1.13.0", "2.0.1"},
                                                  {"cu118", "2.0.0", "2.7.1"},
                                                  {"cu121", "2.1.0", "2.5.1"},
                                                  {"cu124", "2.4.0", "2.6.0"},
                                                  {"cu126", "2.6.0", ""},
                                                  {"cu128", "2.7.0", ""},
                                                  {"cu129", "2.8.0", ""},
                                                  {"cu130", "2.9.0", ""}}};

/// A line that may go on behind `\`, without what stands behind a ` #`.
struct PipLine {
  std::string_view whole;
  std::size_t next = 0;  ///< behind it
};

PipLine pip_line_at(std::string_view text, std::size_t begin) {
  constexpr int kMostLines = 40;
  std::size_t end = std::min(text.find('\n', begin), text.size());
  for (int i = 0; i < kMostLines && end < text.size(); ++i) {
    const std::string_view line = text.substr(begin, end - begin);
    if (!line.ends_with('\\') && !line.ends_with("\\\r")) break;
    end = std::min(text.find('\n', end + 1), text.size());
  }
  return {text.substr(begin, end - begin), end + 1};
}

/// Whether a `;` is that of `"torch==2.2.2; sys_platform == 'darwin'"`, and ends no command.
bool is_marker(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 4> kNames{"sys_platform", "platform_", "python_", "os_name"};
  const std::string_view behind = trim(line.substr(at + 1, 20));
  return std::ranges::any_of(kNames, [&](std::string_view one) { return behind.starts_with(one); });
}

/// The commands of a line: what `&&`, `||`, `;` and `|` part, and the words of conditions.
std::vector<std::string_view> commands_of(std::string_view line) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view rest = line.substr(at);
    const bool word = rest.starts_with(" then ") || rest.starts_with(" else ");
    const bool ends = rest.starts_with("&&") || line[at] == '|' || (line[at] == ';' && !is_marker(line, at));
    if (!word && !ends) continue;
    out.push_back(line.substr(begin, at - begin));
    begin = at + (word ? 5 : line.substr(at, 2) == "||" || line[at] == '&' ? 2 : 1);
    at = begin - 1;
  }
  out.push_back(line.substr(begin));
  return out;
}

bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

/// The release in `torch==2.2.0` or `torch==2.2.0+cu124`, as it is written; empty: none is named.
std::string_view torch_release(std::string_view line) {
  constexpr std::string_view kTorch = "torch==";
  for (std::size_t at = line.find(kTorch); at != line.npos; at = line.find(kTorch, at + 1)) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t' && !is_quote(line[at - 1])) continue;
    const std::size_t begin = at + kTorch.size();
    std::size_t end = begin;
    while (end < line.size() && (is_word_char(line[end]) || line[end] == '.' || line[end] == '+')) ++end;
    // For other machines: `; sys_platform == "darwin"`.
    const std::size_t sign = line.find_first_not_of(" \t", end);
    if (sign != line.npos && line[sign] == ';' && is_marker(line, sign)) continue;
    return line.substr(begin, end - begin);
  }
  return {};
}

/// The CUDA of an index that is asked alone, `--index-url https://download.pytorch.org/whl/cu124`; empty: none is.
std::string_view only_index(std::string_view line) {
  const std::size_t at = line.find(kWheels);
  if (at == line.npos) return {};
  std::string_view before = line.substr(0, at);
  before = before.substr(0, before.rfind("http"));
  while (!before.empty() &&
         (is_white(before.back()) || is_quote(before.back()) || before.back() == '=' || before.back() == '\\'))
    before.remove_suffix(1);
  if ((!before.ends_with("--index-url") && !before.ends_with(" -i")) || contains(line, "--extra-index-url") ||
      contains(line, "--find-links"))
    return {};
  std::string_view name = line.substr(at + kWheels.size());
  std::size_t end = 0;
  while (end < name.size() && is_word_char(name[end])) ++end;
  return name.substr(0, end);
}

/// Whether a word names FlashAttention for an index: no file, no address.
bool is_flash_attention(std::string_view word) {
  while (!word.empty() && is_quote(word.front())) word.remove_prefix(1);
  while (!word.empty() && is_quote(word.back())) word.remove_suffix(1);
  word = word.substr(0, word.find_first_of("=<>!~;["));
  return word == "flash-attn" || word == "flash_attn";
}

class PipInstalls {
 public:
  PipInstalls(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view all = text(i);
      if (inputs_.files[i].reading != Reading::Whole) continue;
      const bool torch = contains(all, "torch==");
      const bool flash = contains(all, "flash-attn") || contains(all, "flash_attn");
      if (!torch && !flash) continue;
      const std::string_view path = inputs_.files[i].context.path;
      const std::string_view name = last_part(path);
      const bool list = name.starts_with("requirements") && name.ends_with(".txt");
      const Language language = language_of(path);
      const bool image = is_dockerfile(path) || name.ends_with(".def");
      if (!list && !image && language != Language::Script && language != Language::Data && !path.ends_with(".md") &&
          !path.ends_with(".sbatch") && !path.ends_with(".slurm"))
        continue;
      if (path.ends_with(".py")) continue;
      lines(i, list, torch, flash && (list || !is_built_as_before(all)));
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void lines(std::size_t i, bool list, bool torch, bool flash) {
    const std::string_view all = text(i);
    const std::size_t before = findings_.size();
    const std::string_view of_all = list ? index_of_list(all) : std::string_view();
    const bool guide = inputs_.files[i].context.path.ends_with(".md");
    bool block = false;  // of a guide: what it says of commands that fail is prose
    for (std::size_t at = 0; at < all.size() && findings_.size() < before + kMostPipSaid;) {
      const PipLine line = pip_line_at(all, at);
      at = line.next;
      const std::string_view words = trim(line.whole);
      block = block != words.starts_with("```");
      if (guide && !block) continue;
      if (words.starts_with('#') || words.starts_with("//")) continue;
      const bool installs = contains(words, "pip install") || contains(words, "pip3 install");
      if (!list && !installs) continue;
      if (torch && list) release(i, line.whole, of_all);
      if (torch && !list) {
        for (const std::string_view command : commands_of(line.whole)) release(i, command, only_index(command));
      }
      if (flash && (list ? is_flash_attention(words.substr(0, words.find_first_of(" \t"))) : true))
        flash_attention(i, line.whole, list);
    }
  }

  /// Of requirements: the one index that they are taken from.
  static std::string_view index_of_list(std::string_view all) {
    if (contains(all, "--extra-index-url") || contains(all, "--find-links")) return {};
    const std::size_t at = all.find("--index-url");
    if (at == all.npos || (at > 0 && all[at - 1] != '\n')) return {};
    return only_index(all.substr(at, std::min(all.find('\n', at), all.size()) - at));
  }

  void release(std::size_t i, std::string_view line, std::string_view cuda) {
    const std::string_view written = torch_release(line);
    const std::size_t plus = written.find('+');
    const std::string_view number = written.substr(0, plus);
    if (plus != written.npos) cuda = written.substr(plus + 1);
    const auto builds = std::ranges::find(kCudaBuilds, cuda, &CudaBuilds::name);
    const std::optional<Version> release = Version::parse(number);
    if (builds == kCudaBuilds.end() || !release || number.find_first_not_of("0123456789.") != number.npos) return;
    const bool early = *release < *Version::parse(builds->first);
    const bool late = !builds->last.empty() && *release > *Version::parse(builds->last);
    if (!early && !late) return;
    findings_.push_back(problem("torch-not-for-cuda", span_of_part(static_cast<FileId>(i), text(i), written),
                                "PyTorch " + std::string(number) + " was not built for `" + std::string(cuda) + "`, " +
                                    (early ? "which begins with " + std::string(builds->first)
                                           : "which ends with " + std::string(builds->last))));
  }

  /// Source: Dao-AILab/flash-attention:setup.py, which imports torch (2.8); README.md, pip install flash-attn
  /// --no-build-isolation.
  void flash_attention(std::size_t i, std::string_view line, bool list) {
    std::string_view found;
    std::string_view before;
    for (const std::string_view word : split_blanks(line)) {
      // `-v flash-attn:/x`, `cd flash-attn`: behind pip alone, and no name that an option takes.
      if (is_flash_attention(word) && (list || (!before.starts_with('-') || before == "-U"))) found = word;
      if (word == "&&" || word == ";" || word == "|") {
        if (!found.empty()) break;
        before = {};
      }
      before = word;
    }
    if (found.empty() || (!list && !stands_behind_pip(line, found)) || contains(line, "isolation")) return;
    if (contains(line, "@ http") || contains(line, ".whl")) return;
    if (list && !is_taken(i)) return;
    if (!isolated()) return;
    findings_.push_back(problem("flash-attention-built-alone", span_of_part(static_cast<FileId>(i), text(i), found),
                                "pip builds FlashAttention in an environment of its own, which has no PyTorch"));
  }

  static bool stands_behind_pip(std::string_view line, std::string_view word) {
    const std::string_view before = line.substr(0, static_cast<std::size_t>(word.data() - line.data()));
    const std::size_t pip = std::max(before.rfind("pip install") + 1, before.rfind("pip3 install") + 1);
    if (pip == 0) return false;
    const std::string_view between = before.substr(pip);
    return between.find_first_of(";|&") == between.npos;
  }

  /// An image that has it, or builds it as pip did before 25.3: without an environment where setuptools and wheel are
  /// installed, as they are in these. Sources: pypa/pip:NEWS.rst (25.3); docker-library/python:3.11 (setuptools and
  /// wheel up to 3.11); packages.ubuntu.com/jammy/python3-pip, packages.debian.org/bookworm/python3-pip (dependencies).
  static bool is_built_as_before(std::string_view text) {
    constexpr std::array<std::string_view, 16> kOldPips{"ubuntu20.04",  "ubuntu22.04",  "ubuntu:20.04", "ubuntu:22.04",
                                                        "ubuntu:focal", "ubuntu:jammy", "debian:11",    "debian:12",
                                                        "debian:bull",  "debian:book",  "python:3.8",   "python:3.9",
                                                        "python:3.10",  "python:3.11",  "conda",        "mamba"};
    const bool newer = contains(text, "--upgrade pip") || contains(text, "-U pip");
    if (!newer && std::ranges::any_of(kOldPips, [&](std::string_view one) { return contains(text, one); })) return true;
    constexpr std::array<std::string_view, 6> kBuiltAsBefore{
        "nvcr.io/nvidia/pytorch", "pytorch/pytorch:", "rocm/", "wheel", "pip<", "pip=="};
    return std::ranges::any_of(kBuiltAsBefore, [&](std::string_view one) { return contains(text, one); });
  }

  /// Whether some command installs this list of requirements, and none of them where FlashAttention may be built. A
  /// file takes the list beside it, or the one whose folder it names.
  bool is_taken(std::size_t i) {
    const std::string_view path = inputs_.files[i].context.path;
    const std::string_view name = last_part(path);
    bool taken = false;
    const bool before = names_.is_said_in_line(name, [&](std::size_t file, std::string_view line) {
      if (file == i) return false;
      const std::string_view folder = folder_of(inputs_.files[file].context.path);
      const bool option =
          contains(line, "-r ") || contains(line, "-r" + std::string(name)) || contains(line, "--requirement");
      const std::string_view last = last_part(folder_of(path));
      const bool own = names_.called(name).size() == 1 || folder == folder_of(path) ||
                       (!last.empty() && contains(line, std::string(last) + "/"));
      if (!contains(line, "pip") || !option || !own) return false;
      taken = true;
      return is_built_as_before(text(file));
    });
    return taken && !before;
  }

  /// Whether nobody takes the environment away, for all that he installs.
  bool isolated() {
    if (!isolated_) {
      isolated_ = !names_.of_some_text([](std::size_t, std::string_view text) {
        return contains(text, "BUILD_ISOLATION") || contains(text, "no-build-isolation") ||
               contains(text, "extra-build-dependencies");
      });
    }
    return *isolated_;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
  std::optional<bool> isolated_;
};

}  // namespace

void find_pip_slips(const Inputs& inputs, std::vector<Finding>& findings) { PipInstalls(inputs, findings).run(); }

}  // namespace muster
