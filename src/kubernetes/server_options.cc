#include "kubernetes/server_options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>

#include "base/check.h"
#include "base/strings.h"
#include "base/version.h"
#include "embed/assets.h"
#include "kubernetes/server_ranks.h"
#include "kubernetes/server_values.h"
#include "kubernetes/server_variables.h"
#include "syntax/placeholder.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMaxServerWords = 1000;      // of a command
constexpr std::size_t kMaxServerScript = 100'000;  // bytes of one
constexpr std::size_t kMostRefused = 20;           // of one container

/// A program and what its command line begins with.
struct Program {
  std::string_view server;
  std::string_view image;   ///< of its makers
  bool entrypoint = false;  ///< its image takes options for arguments
  std::array<std::string_view, 2> starts;
};
// Sources: vllm-project/vllm:docker/Dockerfile (0.4-0.33), ENTRYPOINT; sgl-project/sglang:docker/Dockerfile (0.5).
constexpr std::array<Program, 2> kPrograms{{
    {"vllm", "vllm/vllm-openai", true, {"vllm serve", "vllm.entrypoints.openai.api_server"}},
    {"sglang", "lmsysorg/sglang", false, {"sglang.launch_server", "sglang serve"}},
}};
// Images of servers that were changed: they take options of their own.
constexpr std::array<std::string_view, 10> kChanged{"ascend", "gaudi",    "hpu",  "modh/", "neuron",
                                                    "omni",   "openvino", "tgis", "tpu",   "xpu"};

bool is_option_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-'; }

/// What a word of a shell begins with; empty where a variable may change a name.
std::string leading_text(const ShellWord& word) {
  if (word.parts.empty() || word.parts[0].kind != ShellPart::Kind::Text) return {};
  const std::string& text = word.parts[0].text;
  return word.parts.size() == 1 || contains(text, "=") ? text : std::string();
}

/// v0.6.3.post1-cu124 is 0.6.3.
std::string release_of_tag(std::string_view image) {
  const std::size_t colon = image.rfind(':');
  if (colon == image.npos || contains(image, "@") || contains(image.substr(colon), "/")) return {};
  std::string_view tag = image.substr(colon + 1);
  if (tag.starts_with('v')) tag.remove_prefix(1);
  tag = tag.substr(0, tag.find_first_not_of("0123456789."));
  while (tag.ends_with('.')) tag.remove_suffix(1);
  return std::count(tag.begin(), tag.end(), '.') >= 2 ? std::string(tag) : std::string();
}

/// The makers' image, or the copy of it that a registry keeps under its name and tag: `ml/vllm-openai:v0.7.3`.
bool is_makers(std::string_view image, const Program& program) {
  if (contains(image, program.image)) return true;
  const std::string_view name = program.image.substr(program.image.find('/'));
  const std::size_t colon = image.rfind(':');
  if (program.server != "vllm" || colon == image.npos || !image.substr(0, colon).ends_with(name)) return false;
  const std::string_view tag = image.substr(colon + 1);
  return tag.size() > 1 && tag.front() == 'v' && tag.substr(1) == release_of_tag(image);
}

/// Whatever is newest when a pod starts.
bool is_floating(std::string_view image) {
  const std::size_t slash = image.rfind('/');
  return !contains(image, "@") &&
         (image.ends_with(":latest") || image.find(':', slash == image.npos ? 0 : slash) == image.npos);
}

bool is_before(std::string_view one, std::string_view other) {
  const std::optional<Version> a = Version::parse(one);
  const std::optional<Version> b = Version::parse(other);
  return a && b && *a < *b;
}

class OptionCheck {
 public:
  OptionCheck(const Node& container, bool own_pods, std::vector<Finding>& findings)
      : container_(container), image_(container["image"].text()), own_pods_(own_pods), findings_(findings) {}

  void run() {
    for (const std::string_view list : {"command", "args"}) {
      const Node items = container_[list];
      for (std::size_t i = 0; items.is_sequence() && i < std::min(items.size(), kMaxServerWords); ++i) {
        words_.push_back(items.item(i));
        texts_.push_back(items.item(i).text());
      }
    }
    if (!names_server() || (!image_.empty() && is_placeholder(image_))) return;
    if (std::ranges::any_of(kChanged, [&](std::string_view one) { return contains(image_, one); })) return;
    // vLLM-Omni is a package beside vLLM that takes options of its own.
    if (std::ranges::any_of(texts_, [](std::string_view text) { return contains(text, "--omni"); })) return;
    for (const Program& program : kPrograms) {
      program_ = &program;
      if (!read_lists()) continue;
      if (program.server == "vllm") unread_variables();
      return;
    }
  }

 private:
  /// Most containers run another program.
  bool names_server() const {
    return contains(image_, "vllm") || std::ranges::any_of(texts_, [](std::string_view text) {
             return contains(text, "vllm") || contains(text, "sglang");
           });
  }

  /// Whether the container runs that program.
  bool read_lists() {
    const bool of_image = program_->entrypoint && !container_["command"].exists() && is_makers(image_, *program_);
    const std::size_t from = of_image ? 0 : behind_start(texts_);
    bool found = from < words_.size();
    by_module_ = program_->server == "vllm" && found &&
                 (of_image ? starts_module(release_of_tag(image_)) : texts_[from - 1] != "serve");
    if (of_image && by_module_) model_by_place(words_[0]);
    for (std::size_t i = from; i < words_.size() && words_[i].is_scalar() && !contains(texts_[i], "{{"); ++i) {
      const bool served = !of_image && program_->server == "vllm" && texts_[from - 1] == "serve";
      if (served && texts_[i] == "--model") model_as_option(words_[i]);
      if (is_unsplit(texts_[i])) unsplit(words_[i]);
      judge(texts_[i], i + 1 < texts_.size() ? texts_[i + 1] : std::string_view(), words_[i]);
      value(std::span(texts_).subspan(from), i - from, words_[i], true);
    }
    if (program_->server == "vllm" && (of_image || found)) whole_line(std::span(texts_).subspan(from));
    if (from < words_.size()) ranks(std::span(texts_).subspan(from), words_[from - (from > 0 ? 1 : 0)]);
    for (const Node& word : words_) found = read_script(word) || found;
    return found || of_image;
  }

  /// What only all words of the line together say; nobody knows what a variable stands for.
  void whole_line(std::span<const std::string_view> line) {
    // `--model=$(MODEL)` is one option whatever the variable has.
    const auto is_open = [](std::string_view word) {
      const std::size_t sign = word.find('=');
      const bool option = word.starts_with("--") && sign != word.npos && word.find_first_of("$ ") > sign &&
                          word.substr(sign + 1).starts_with("$(") && word.ends_with(')');
      return word.empty() || (contains(word, "$") && !option) || contains(word, "{{");
    };
    if (reported_ >= kMostRefused || std::ranges::any_of(line, is_open)) return;
    if (const std::size_t at = unused_tool_parser(line); at < line.size())
      report("server-tool-parser-unused", words_[texts_.size() - line.size() + at],
             "`--tool-call-parser` without `--enable-auto-tool-choice`: vLLM leaves the parser alone");
    if (!own_pods_ || !names_no_model(line)) return;
    report("server-model-not-given", line.empty() ? container_["image"] : words_[texts_.size() - line.size()],
           "vLLM is given no model" + read_nowhere());
    findings_.back().about = About::Whole;  // a patch of the image has no arguments
  }

  /// A variable that was to be the model.
  std::string read_nowhere() const {
    const Node env = container_["env"];
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxServerWords); ++i) {
      const std::string_view name = env.item(i)["name"].text();
      for (const std::string_view meant : {"MODEL", "MODEL_ID", "MODEL_NAME", "MODEL_PATH", "VLLM_MODEL"}) {
        if (name == meant) return ", and reads no `" + std::string(name) + "`";
      }
    }
    return {};
  }

  /// `VLLM_MAX_MODEL_LEN`, which is called like an option, and which only a script could make one of.
  void unread_variables() {
    const Node env = container_["env"];
    const VariablesOf image{is_makers(image_, *program_), is_floating(image_), release_of_tag(image_)};
    for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxServerWords); ++i) {
      const std::string_view name = env.item(i)["name"].text();
      if (reported_ >= kMostRefused || !name.starts_with("VLLM_") || is_used(env, name)) continue;
      const std::string told = unread_variable(name, image);
      if (!told.empty()) report("server-variable-unread", env.item(i)["name"], told);
    }
  }

  /// Whether the command, or another variable, takes it; of a script nobody knows.
  bool is_used(const Node& env, std::string_view name) const {
    for (std::size_t i = 0; i < std::min(env.size(), kMaxServerWords); ++i) {
      if (contains(env.item(i)["value"].text(), name)) return true;
    }
    return std::ranges::any_of(texts_, [&](std::string_view text) {
      return contains(text, name) || contains(text, ".sh") || contains(text, ".py") || contains(text, "pip install");
    });
  }

  /// `--tensor-parallel-size 2` as one item of a list.
  static bool is_unsplit(std::string_view text) {
    const std::size_t blank = text.find(' ');
    return text.starts_with("--") && blank != text.npos && text.substr(0, blank).find('=') == text.npos &&
           text.find_first_not_of(' ', blank) != text.npos;
  }

  /// Source: python/cpython:Lib/argparse.py, _parse_optional (3.12): a word with a blank in it is no option.
  void unsplit(const Node& at) {
    if (reported_ >= kMostRefused) return;
    report("server-option-unsplit", at,
           "`" + std::string(at.text()) + "` is one word, in which the server finds no option");
  }

  /// The place behind the program; the end where it is not there.
  std::size_t behind_start(std::span<const std::string_view> words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (const std::string_view start : program_->starts) {
        if (words[i] == start || (i > 0 && is_both(start, words[i - 1], words[i]))) return i + 1;
      }
    }
    return words.size();
  }

  static bool is_both(std::string_view text, std::string_view one, std::string_view other) {
    return text.size() == one.size() + 1 + other.size() && text[one.size()] == ' ' && text.starts_with(one) &&
           text.ends_with(other);
  }

  bool read_script(const Node& word) {
    const std::string_view script = word.text().substr(0, kMaxServerScript);
    if (script.find_first_of(" \n") == script.npos || contains(script, "{{")) return false;
    bool found = false;
    for (const ShellCommand& command : read_shell(script)) {
      std::vector<std::string> texts;
      for (const ShellWord& one : command.words) texts.push_back(leading_text(one));
      const std::vector<std::string_view> words(texts.begin(), texts.end());
      const std::size_t from = behind_start(words);
      found = found || from < words.size();
      if (from < words.size()) ranks(std::span(words).subspan(from), word);
      by_module_ = program_->server == "vllm" && from < words.size() && words[from - 1] != "serve";
      for (std::size_t i = from; i < words.size(); ++i) {
        if (words[from - 1] == "serve" && words[i] == "--model") model_as_option(word);
        judge(words[i], i + 1 < words.size() ? words[i + 1] : std::string_view(), word);
        const bool last = i + 1 == words.size();
        const std::string_view gap =
            last ? " " : script.substr(command.words[i].end, command.words[i + 1].begin - command.words[i].end);
        // What a value that is empty, or that the shell takes away, leaves between two words.
        beside_ = gap == " " || gap.starts_with(" \\\n") || gap.starts_with("\\\n");
        value(std::span(words).subspan(from), i - from, word, false);
      }
    }
    return found;
  }

  /// `next`: the word behind it.
  void judge(std::string_view written, std::string_view next, const Node& at) {
    const std::string name = ServerOptions::name_in(written);
    if (name.empty() || reported_ >= kMostRefused) return;
    const ServerOptions& options = ServerOptions::of(program_->server);
    const std::span<const ServerOptions::Option> like = options.like(name);
    // The tag of somebody else's image counts his releases.
    const std::string release = is_makers(image_, *program_) ? release_of_tag(image_) : std::string();
    const std::string who = program_->server == "vllm" ? "vLLM" : "SGLang";
    if (like.empty()) {
      // One that came after the table was made.
      if (!release.empty() && is_before(options.newest(), release)) return;
      return report("server-option-unknown", at,
                    "no release of " + who + " has an option `" + name + "`" + options.suggestion(name));
    }
    if (like.size() > 1) return;
    const std::string told = flag_with_value(program_->server, written, next, by_module_ && module_takes_word(release));
    if (!told.empty()) return report("server-flag-with-value", at, told);
    if (is_makers(image_, *program_) && !release.empty()) {
      if (!options.read(release) || options.cut_short(name, release)) return;
      if (is_before(release, like[0].since))
        return report(
            "server-option-of-other-release", at,
            who + " " + release + " has no option `" + name + "`: it came with " + std::string(like[0].since));
      if (!like[0].gone.empty() && !is_before(release, like[0].gone))
        return report("server-option-of-other-release", at,
                      who + " " + release + " has no option `" + name + "` any more: " + std::string(like[0].gone) +
                          " took it away");
    } else if (is_makers(image_, *program_) && is_floating(image_) && !like[0].gone.empty()) {
      report("server-option-gone", at,
             who + " has no option `" + name + "` any more since " + std::string(like[0].gone) +
                 ", and the image is whatever is newest");
    }
  }

  /// Whether it is the makers' image, and of that release or a later one.
  bool is_since(std::string_view first) const {
    if (!is_makers(image_, *program_)) return false;
    const std::string release = release_of_tag(image_);
    return release.empty() ? is_floating(image_) : !is_before(release, first);
  }

  /// `whole`: the words are all that the program is given.
  void value(std::span<const std::string_view> words, std::size_t at, const Node& where, bool whole) {
    if (reported_ >= kMostRefused) return;
    const std::string missing = whole || beside_ ? value_missing(program_->server, words, at, whole) : std::string();
    if (!missing.empty()) return report("server-option-without-value", where, missing);
    const std::string told = refused_value(program_->server, words, at, is_since("0.10.0"));
    if (!told.empty()) report("server-value-unknown", where, told);
    const std::string beyond = value_out_of_range(program_->server, words, at, true);
    if (!beyond.empty()) report("server-value-out-of-range", where, beyond);
  }

  /// Beside Ray, which vLLM took by itself once. Source: vllm-project/vllm#29447 (0.11.2), #25775, #30140.
  void ranks(std::span<const std::string_view> words, const Node& where) {
    const std::optional<std::int64_t> devices = parse_int(container_["resources"]["limits"]["nvidia.com/gpu"].text());
    const bool beside_ray = std::ranges::any_of(texts_, [](std::string_view text) {
      return contains(text, "ray start") || contains(text, "multi-node-serving");
    });
    if (program_->server != "vllm" || !beside_ray || !devices || *devices < 1 || reported_ >= kMostRefused) return;
    if (!is_since("0.11.2") || !ranks_want_nodes(words, *devices)) return;
    report("server-nodes-without-backend", where,
           "vLLM is to have more ranks than the " + std::to_string(*devices) + (*devices == 1 ? " GPU" : " GPUs") +
               " of its pod, and is not told to start them by Ray");
  }

  /// Source: vllm-project/vllm:vllm/scripts.py (0.6), vllm/utils/__init__.py, FlexibleArgumentParser (0.8-0.11.0).
  void model_as_option(const Node& at) {
    const std::string release = release_of_tag(image_);
    if (!is_makers(image_, *program_) || release.empty() || !is_before(release, "0.11.1")) return;
    report("server-model-as-option", at,
           "`vllm serve` of " + release + " takes no `--model`: the model stands behind `serve`");
  }

  /// What the image starts is `api_server`. Source: vllm-project/vllm:docker/Dockerfile (0.8.5, 0.9.2, 0.10.0, 0.10.2,
  /// 0.11.0; vllm serve since 0.11.1).
  static bool starts_module(std::string_view release) { return is_before(release, "0.11.1"); }
  /// Whether `api_server` takes a word beside its options, which nothing reads. Source:
  /// vllm-project/vllm:vllm/entrypoints/openai/cli_args.py, make_arg_parser, model_tag (0.9.2: none, 0.10.0).
  static bool module_takes_word(std::string_view release) { return release.empty() || !is_before(release, "0.10.0"); }

  void model_by_place(const Node& at) {
    const std::string release = release_of_tag(image_);
    const std::string_view word = at.text();
    const bool program = word == "serve" || word == "vllm" || word.starts_with("python");
    if (word.empty() || word.starts_with('-') || program || word.find_first_of(" ${") != word.npos) return;
    report("server-model-by-place", at,
           "the image of " + release + " starts `api_server`, which takes its model by `--model`" +
               (module_takes_word(release) ? " and never reads this word" : " alone"));
  }

  void report(std::string_view rule, const Node& at, std::string message) {
    ++reported_;
    findings_.push_back(problem(rule, at.where(), std::move(message)));
    findings_.back().field = container_["name"].text();
  }

  Node container_;
  std::string_view image_;
  bool own_pods_;  ///< nobody but the file says what the container is given
  std::vector<Finding>& findings_;
  std::vector<Node> words_;  ///< of its command and arguments
  std::vector<std::string_view> texts_;
  const Program* program_ = nullptr;
  bool by_module_ = false;  ///< vLLM is started as `api_server`
  std::size_t reported_ = 0;
  bool beside_ = true;  ///< of a script: the next word stands right behind, so that no value was between
};

}  // namespace

std::string flag_with_value(std::string_view server, std::string_view word, std::string_view next, bool by_module) {
  // Switches of all releases: `store_true`, or BooleanOptionalAction, whose other form begins with `--no-`. Sources:
  // vllm-project/vllm:vllm/engine/arg_utils.py, vllm/entrypoints/openai/cli_args.py (0.2 to 0.20);
  // sgl-project/sglang:python/sglang/srt/server_args.py (0.2 to 0.5); python/cpython:Lib/argparse.py (3.12).
  constexpr std::array<std::string_view, 9> kVllm{
      "--disable-custom-all-reduce", "--disable-log-requests",   "--disable-log-stats",
      "--enable-auto-tool-choice",   "--enable-expert-parallel", "--enable-lora",
      "--enable-sleep-mode",         "--enforce-eager",          "--trust-remote-code"};
  constexpr std::array<std::string_view, 9> kSglang{
      "--disable-cuda-graph", "--disable-custom-all-reduce", "--disable-radix-cache", "--enable-dp-attention",
      "--enable-metrics",     "--enable-mixed-chunk",        "--enable-p2p-check",    "--enable-torch-compile",
      "--trust-remote-code"};
  constexpr std::array<std::string_view, 8> kValues{"true", "false", "True", "False", "1", "0", "yes", "no"};
  const std::size_t sign = word.find('=');
  if (by_module && sign == word.npos) return {};
  const std::string_view value = sign == word.npos ? next : word.substr(sign + 1);
  const std::string name = ServerOptions::name_in(word);
  const auto& flags = server == "vllm" ? kVllm : kSglang;
  if (std::ranges::find(flags, name) == flags.end() || std::ranges::find(kValues, value) == kValues.end()) return {};
  return "`" + name + "` takes no value: the server ends at `" + (sign == word.npos ? "" : "=") + std::string(value) +
         "`";
}

std::string ServerOptions::name_in(std::string_view word) {
  if (!word.starts_with("--") || word.size() < 4) return {};
  std::string name(word.substr(0, word.find_first_of("=.")));
  std::ranges::replace(name, '_', '-');
  return std::ranges::all_of(name, is_option_letter) ? name : std::string();
}

ServerOptions::ServerOptions(std::string_view lines) {
  for (std::string_view line : split(lines, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string_view> words = split(line, ' ');
    if (releases_.empty()) {
      releases_.assign(words.begin() + 2, words.end());
      MUSTER_CHECK(words[0] == "server" && !releases_.empty(), std::string(line));
      continue;
    }
    MUSTER_CHECK(words.size() >= 2 && words[0].starts_with("--"), std::string(line));
    options_.push_back({words[0], words[1] == "-" ? releases_.front() : words[1], words.size() > 2 ? words[2] : ""});
  }
}

const ServerOptions& ServerOptions::of(std::string_view server) {
  static const std::string_view kText = assets_below("schemas/server.options").front().text;
  static const std::size_t kSecond = kText.find("\nserver ") + 1;
  static const ServerOptions kVllm(kText.substr(0, kSecond));
  static const ServerOptions kSglang(kText.substr(kSecond));
  return server == "vllm" ? kVllm : kSglang;
}

std::span<const ServerOptions::Option> ServerOptions::like(std::string_view option) const {
  // argparse's own. Source: python/cpython:Lib/argparse.py, add_help (3.12); vllm/entrypoints/cli/main.py (0.20).
  static const Option kOwn[] = {{"--help", "", ""}, {"--version", "", ""}};
  for (const Option& own : kOwn) {
    if (option == own.name) return {&own, 1};
  }
  for (std::string name :
       {std::string(option), option.starts_with("--no-") ? "--" + std::string(option.substr(5)) : ""}) {
    if (name.empty()) continue;
    const auto first = std::ranges::lower_bound(options_, std::string_view(name), {}, &Option::name);
    if (first != options_.end() && first->name == name) return {first, first + 1};
    auto last = first;
    while (last != options_.end() && last->name.starts_with(name)) ++last;
    if (first != last) return {first, last};
  }
  return {};
}

bool ServerOptions::cut_short(std::string_view option, std::string_view release) const {
  const auto has = [&](const Option& one) {
    return !is_before(release, one.since) && (one.gone.empty() || is_before(release, one.gone));
  };
  int longer = 0;
  for (auto one = std::ranges::lower_bound(options_, option, {}, &Option::name);
       one != options_.end() && one->name.starts_with(option); ++one) {
    if (!has(*one)) continue;
    if (one->name == option) return false;
    ++longer;
  }
  return longer == 1;
}

bool ServerOptions::read(std::string_view release) const {
  return std::ranges::find(releases_, release) != releases_.end();
}

std::string ServerOptions::suggestion(std::string_view option) const {
  std::vector<std::string_view> names;
  for (const Option& one : options_) names.push_back(one.name);
  return did_you_mean(option, names);
}

void check_server_options(const Node& container, std::string_view kind, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 5> kOwn{"Deployment", "Job", "LeaderWorkerSet", "Pod", "StatefulSet"};
  OptionCheck(container, std::ranges::find(kOwn, kind) != kOwn.end(), findings).run();
}

}  // namespace muster
