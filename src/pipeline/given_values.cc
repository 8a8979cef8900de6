#include "pipeline/given_values.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/helm_command.h"
#include "pipeline/input_names.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::uint64_t kMostGivenLooks = 5'000'000;
constexpr std::size_t kMostGiven = 1000;           // of one input
constexpr std::size_t kMostHelmCommands = 20'000;  // that are looked at
constexpr std::size_t kMostFitting = 12;           // files that one name with a variable stands for
constexpr std::size_t kMostAskedOfSets = 20'000;   // sources and files of values of ApplicationSets, for each element
constexpr std::size_t kLongestPath = 4096;         // bytes; what is longer names no file

/// `values-${ENV}.yaml`, `values-{{ env }}.yaml`, `values-<env>.yaml`: each variable as `*`.
std::string with_stars(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size();) {
    std::string_view close;
    const std::string_view rest = word.substr(i);
    for (const auto& [open, end] : {std::pair<std::string_view, std::string_view>{"${{", "}}"},
                                    {"{{", "}}"},
                                    {"${", "}"},
                                    {"$(", ")"},
                                    {"<", ">"}}) {
      if (close.empty() && rest.starts_with(open)) close = end;
    }
    if (!close.empty()) {
      const std::size_t end = word.find(close, i);
      if (end == word.npos) return {};
      i = end + close.size();
    } else if (word[i] == '$') {
      for (++i; i < word.size() && is_word_char(word[i]);) ++i;
    } else {
      out += word[i++];
      continue;
    }
    if (!out.ends_with('*')) out += '*';
  }
  return out;
}

/// Whether a name fits to one with stars, of which each stands for some characters but no `/`. Where the last star
/// cannot take more, no star before it helps.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t star = pattern.npos;
  std::size_t taken = 0;  // where what the last star stands for ends
  for (std::size_t i = 0; i < name.size();) {
    if (at < pattern.size() && pattern[at] == '*' && name[i] != '/') {
      star = at++;
      taken = ++i;
    } else if (at < pattern.size() && pattern[at] != '*' && pattern[at] == name[i]) {
      ++at;
      ++i;
    } else if (star != pattern.npos && name[taken] != '/') {
      at = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return at == pattern.size();
}

std::string joined(std::string_view folder, std::string_view path) {
  const std::string out = joined_path(folder, path);
  return out == "." ? "" : out;
}

/// Without what leads to it: `./`, `../`, and a first part that only a run knows (`$ROOT/`).
std::string_view without_way(std::string_view path) {
  for (;;) {
    if (path.starts_with("./"))
      path.remove_prefix(2);
    else if (path.starts_with("../"))
      path.remove_prefix(3);
    else if (path.starts_with("*/"))
      path.remove_prefix(2);
    else
      return path;
  }
}

bool ends_in(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

/// A path of an ApplicationSet for one element of its list: `{{.chart}}` and `{{chart}}` are what the element says.
/// Empty where it is too long for one.
/// Source: argoproj/argo-cd:docs/operator-manual/applicationset/Generators-List.md (3.2).
std::string filled_in(std::string_view text, const Node& element) {
  std::string out;
  if (text.size() > kLongestPath) return out;
  while (element.is_mapping()) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == text.npos ? text.npos : text.find("}}", open);
    if (close == text.npos) break;
    std::string_view key = trim(text.substr(open + 2, close - open - 2));
    if (key.starts_with('.')) key.remove_prefix(1);
    const Node value = element[key];
    out += text.substr(0, open);
    out += value.is_scalar() ? value.text() : text.substr(open, close + 2 - open);
    text.remove_prefix(close + 2);
    if (out.size() > kLongestPath) return {};
  }
  return out + std::string(text);
}

/// `repository/chart`, `oci://...`: not a folder.
bool is_of_repository(std::string_view chart) {
  if (chart.starts_with("oci://")) return true;
  return std::ranges::count(chart, '/') == 1 && chart.find_first_of("./$") != 0;
}

class GivenFinder {
 public:
  GivenFinder(const Inputs& inputs, const ChartFolders& charts) : inputs_(inputs), charts_(charts), names_(inputs) {}

  std::vector<GivenValues> run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const InputFile& file = inputs_.files[i];
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      if (file.named || contains(file.context.path, "templates/")) continue;
      if (contains(text, "valueFiles:") && contains(text, "argoproj.io"))
        read_applications(static_cast<FileId>(i), text);
      if (contains(text, "--values") || contains(text, "-f")) read_commands(file.context.folder, text);
    }
    return std::move(out_);
  }

 private:
  void read_commands(std::string_view folder, std::string_view text) {
    for (const std::string_view program : {"helm ", "helm\t", "$(HELM) ", "${HELM} ", "$HELM "}) {
      for (std::size_t at = text.find(program); at != text.npos; at = text.find(program, at + 1)) {
        const bool begins = at == 0 || !is_word_char(text[at - 1]);
        if (!begins || out_.size() >= kMostGiven || ++commands_ > kMostHelmCommands) continue;
        if (const auto command = helm_command_at(text, at + program.size())) read_command(folder, *command);
      }
    }
  }

  void read_command(std::string_view folder, const HelmCommand& command) {
    if (command.values.empty()) return;
    GivenValues given;
    std::string root;
    given.chart_known = false;
    if (const auto chart =
            command.arguments.empty() ? std::nullopt : chart_of(folder, command.arguments.back(), root)) {
      given.chart = *chart;
      given.chart_known = true;
    } else if (!command.arguments.empty() && (command.names_repository || is_of_repository(command.arguments.back()))) {
      given.remote = last_part(command.arguments.back());
    }
    std::vector<std::string> folders = folders_around(folder);
    folders.push_back(root);
    give(std::move(given), command.values, folders);
  }

  /// The folder of a chart that a word of a command in a text of `folder` names; `root`: where its path begins.
  std::optional<std::string> chart_of(std::string_view folder, std::string_view word, std::string& root) {
    const std::string path = with_stars(word);
    if (path.empty() || (looked_ += charts_.size()) > kMostGivenLooks) return std::nullopt;
    for (const std::string& from : folders_around(folder)) {
      const std::string there = joined(from, path);
      if (!charts_.contains(there)) continue;
      root = from;
      return there;
    }
    const std::string_view end = without_way(path);
    if (end.empty() || end == "." || contains(end, "*") || (end == path && !contains(end, "/"))) return std::nullopt;
    std::optional<std::string> found;
    for (const auto& [there, chart] : charts_) {
      if (!ends_in(there, end)) continue;
      if (found) return std::nullopt;
      found = std::string(there);
      root = there.size() > end.size() ? there.substr(0, there.size() - end.size() - 1) : std::string_view();
    }
    return found;
  }

  /// The files that a name of one stands for, looked for from several folders; `untried`: more that fit.
  std::vector<FileId> files_of(std::string_view word, const std::vector<std::string>& folders, std::size_t& untried) {
    const std::string path = with_stars(word);
    std::vector<FileId> out;
    if (path.empty() || path.starts_with('/')) return out;
    if (!contains(without_way(path), "*")) {
      for (const std::string& folder : folders) {
        const auto there = names_.at(joined(folder, path));
        if (there && out.empty()) out.push_back(static_cast<FileId>(*there));
      }
      if (!out.empty()) return out;
      const std::string_view end = without_way(path);
      const std::vector<std::size_t>& called = names_.called(last_part(end));
      if ((looked_ += called.size()) > kMostGivenLooks) return {};
      for (const std::size_t i : called) {
        if (ends_in(inputs_.files[i].context.path, end)) out.push_back(static_cast<FileId>(i));
      }
      if (out.size() != 1) out.clear();  // several may be meant
      return out;
    }
    const std::string_view name = last_part(path);
    if (std::ranges::count(name, '*') * 2 >= static_cast<std::ptrdiff_t>(name.substr(0, name.rfind('.')).size()))
      return out;  // any name
    for (const std::string& folder : folders) {
      const std::string pattern = joined(folder, path);
      if ((looked_ += inputs_.files.size()) > kMostGivenLooks) return {};
      for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
        if (!fits(pattern, inputs_.files[i].context.path)) continue;
        if (out.size() < kMostFitting)
          out.push_back(static_cast<FileId>(i));
        else
          ++untried;
      }
      if (!out.empty()) break;
    }
    return out;
  }

  /// Takes what is given once, as often as its one name with a variable has files.
  void give(GivenValues given, const std::vector<std::string>& values, const std::vector<std::string>& folders,
            bool may_miss = false) {
    std::vector<GivenValues> sets{std::move(given)};
    for (const std::string& word : values) {
      const std::vector<FileId> files = files_of(word, folders, sets.front().untried);
      if (files.empty() && may_miss) continue;
      if (files.empty() || (files.size() > 1 && sets.size() > 1)) return;
      if (files.size() > 1) {
        GivenValues more = sets.front();
        more.untried = 0;
        sets.resize(files.size(), more);
      }
      for (std::size_t s = 0; s < sets.size(); ++s) {
        const FileId file = files[files.size() > 1 ? s : 0];
        const InputFile& input = inputs_.files[static_cast<std::size_t>(file)];
        if (input.reading != Reading::Whole) return;
        if (sets[s].chart_known && input.context.path == joined(sets[s].chart, "values.yaml")) continue;
        sets[s].files.push_back(file);
      }
    }
    for (GivenValues& one : sets) {
      if (one.files.empty() || out_.size() >= kMostGiven) continue;
      if (once_.insert({one.chart_known ? one.chart : "?" + one.remote, one.files}).second)
        out_.push_back(std::move(one));
    }
  }

  void read_applications(FileId file, std::string_view text) {
    for (const Span& piece : split_yaml_documents(file, text)) {
      Document document;
      std::vector<Finding> ignored;
      if (!read_yaml(text, piece, document, ignored) ||
          !document.root()["apiVersion"].text().starts_with("argoproj.io"))
        continue;
      const Node template_spec = document.root()["spec"]["template"]["spec"];
      const Node spec = template_spec.exists() ? template_spec : document.root()["spec"];
      const Node generators = document.root()["spec"]["generators"];
      bool listed = false;
      for (std::size_t i = 0; generators.is_sequence() && i < generators.size(); ++i) {
        const Node elements = generators.item(i)["list"]["elements"];
        for (std::size_t e = 0; elements.is_sequence() && e < elements.size(); ++e)
          read_sources(spec, elements.item(e));
        listed = listed || elements.is_sequence();
      }
      if (!listed) read_sources(spec, {});
    }
  }

  void read_sources(const Node& spec, const Node& element) {
    if (out_.size() >= kMostGiven) return;
    read_source(spec["source"], element);
    const Node sources = spec["sources"];
    for (std::size_t i = 0; sources.is_sequence() && i < sources.size() && asked_ < kMostAskedOfSets; ++i)
      read_source(sources.item(i), element);
  }

  /// Names are relative to the chart; those that begin with `/` to the repository, as are those of a `ref`.
  void read_source(const Node& source, const Node& element) {
    const Node files = source["helm"]["valueFiles"];
    if (!files.is_sequence() || (asked_ += files.size() + 1) > kMostAskedOfSets) return;
    std::string root;
    GivenValues given;
    const auto chart = chart_of("", filled_in(source["path"].text(), element), root);
    given.chart_known = chart.has_value();
    given.chart = chart.value_or("");
    if (!chart) given.remote = last_part(filled_in(source["chart"].text(), element));
    std::vector<std::string> values;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string filled = filled_in(files.item(i).text(), element);
      std::string_view word = filled;
      if (word.starts_with('$') && contains(word, "/")) word = word.substr(word.find('/'));
      const bool from_top = word.starts_with('/');
      values.emplace_back(from_top ? word.substr(1) : word);
    }
    const std::vector<std::string> folders{given.chart, root};
    give(std::move(given), values, folders, source["helm"]["ignoreMissingValueFiles"].text() == "true");
  }

  const Inputs& inputs_;
  const ChartFolders& charts_;
  InputNames names_;
  std::vector<GivenValues> out_;
  std::uint64_t looked_ = 0;  ///< at charts and files
  std::size_t commands_ = 0;
  std::size_t asked_ = 0;  ///< see kMostAskedOfSets
  std::set<std::pair<std::string, std::vector<FileId>>> once_;
};

}  // namespace

std::vector<GivenValues> find_given_values(const Inputs& inputs, const ChartFolders& charts) {
  return GivenFinder(inputs, charts).run();
}

}  // namespace muster
