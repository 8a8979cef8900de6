#include "syntax/playbook_objects.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

/// Lines of a block, by their numbers.
struct LineRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool says_nothing(const TextLine& line) {
  const std::string_view words = trim(line.text);
  return words.empty() || words.starts_with('#');
}

/// `{{ item.name }}` as `${xxxx}` of the same length; nothing: it is not closed here, or is a statement.
std::optional<std::string> with_jinja_marks(std::string_view line) {
  std::string out(line);
  if (contains(line, "{%")) return std::nullopt;
  for (std::size_t at = out.find("{{"); at != out.npos; at = out.find("{{", at)) {
    const std::size_t end = out.find("}}", at);
    if (end == out.npos) return std::nullopt;
    out.replace(at, end + 2 - at, "${" + std::string(end - at - 1, 'x') + "}");
    at = end;
  }
  return out;
}

/// Of `state: present   # now`, without quotes.
std::string_view value_of(std::string_view line) {
  std::string_view value = trim(line.substr(line.find(':') + 1));
  value = trim(value.substr(0, std::min(value.find(" #"), value.size())));
  if (value.starts_with('#')) return {};
  const bool quoted =
      value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

bool is_key(std::string_view words, std::string_view key) {
  return words.starts_with(key) && words.substr(key.size()).starts_with(':');
}

class PlaybookObjects {
 public:
  explicit PlaybookObjects(std::string_view text) : lines_(lines_of(text)) {}

  std::vector<CutText> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i].text;
      std::size_t key = lines_[i].indent();
      while (line.substr(key).starts_with("- ")) key = std::min(line.find_first_not_of(' ', key + 1), line.size());
      const bool release = is_one_of(line.substr(key), kReleaseModules);
      if (!release && !is_one_of(line.substr(key), kObjectModules)) continue;
      const LineRange block{i + 1, end_of_block(i + 1, key)};
      if (release)
        release_of(read_parameters(block));
      else
        objects_of(read_parameters(block));
      i = block.end - 1;
    }
    return std::move(out_);
  }

 private:
  static constexpr std::array<std::string_view, 6> kObjectModules{"kubernetes.core.k8s",   "community.kubernetes.k8s",
                                                                  "community.okd.k8s",     "redhat.openshift.k8s",
                                                                  "community.general.k8s", "k8s"};
  static constexpr std::array<std::string_view, 3> kReleaseModules{"kubernetes.core.helm", "community.kubernetes.helm",
                                                                   "helm"};

  /// What a module is told: of each parameter its line, and the lines below that belong to it.
  using Parameters = std::map<std::string_view, LineRange>;

  static bool is_one_of(std::string_view words, std::span<const std::string_view> modules) {
    return std::ranges::any_of(modules, [&](std::string_view one) { return is_key(words, one); }) &&
           value_of(words).empty();
  }

  /// Behind what stands deeper than `indent`.
  std::size_t end_of_block(std::size_t at, std::size_t indent) const {
    while (at < lines_.size() && (says_nothing(lines_[at]) || lines_[at].indent() > indent)) ++at;
    return at;
  }

  Parameters read_parameters(LineRange block) const {
    Parameters out;
    std::size_t at = block.begin;
    while (at < block.end && says_nothing(lines_[at])) ++at;
    const std::size_t indent = at < block.end ? lines_[at].indent() : 0;
    while (at < block.end) {
      const std::size_t begin = at++;
      // A list may begin where its key does.
      while (at < block.end && (says_nothing(lines_[at]) || lines_[at].indent() > indent ||
                                lines_[at].text.substr(lines_[at].indent()).starts_with("- ")))
        ++at;
      const std::string_view words = trim(lines_[begin].text);
      out.try_emplace(words.substr(0, words.find(':')), LineRange{begin, at});
    }
    return out;
  }

  /// Of one line; empty: it is not given so.
  std::string_view value_in(const Parameters& all, std::string_view name) const {
    const auto found = all.find(name);
    return found == all.end() ? std::string_view() : value_of(lines_[found->second.begin].text);
  }

  void objects_of(const Parameters& all) {
    const std::string_view state = value_in(all, "state");
    if (state == "absent" || state == "patched") return;
    for (const std::string_view name : {"definition", "inline", "resource_definition"}) {
      const auto found = all.find(name);
      if (found == all.end()) continue;
      const std::string_view value = value_of(lines_[found->second.begin].text);
      if (value.empty() || value.starts_with('|')) take({found->second.begin + 1, found->second.end});
    }
  }

  /// A HelmRelease that says the same.
  /// Source: docs.ansible.com/ansible/latest/collections/kubernetes/core/helm_module.html (6.0).
  void release_of(const Parameters& all) {
    const std::string_view chart = value_in(all, "chart_ref");
    const std::string_view name = chart.substr(chart.rfind('/') + 1);  // npos + 1 is 0
    const bool local = chart.starts_with('.') || chart.starts_with('/') || chart.ends_with(".tgz");
    const bool gone = value_in(all, "state") == "absent" || value_in(all, "release_state") == "absent";
    if (name.empty() || contains(name, "{{") || contains(name, "}}") || local || gone) return;
    const TextLine& of_chart = lines_[all.find("chart_ref")->second.begin];
    CutText out;
    const auto say = [&](std::string_view words) { out.add(of_chart, 0, words); };
    say("apiVersion: helm.toolkit.fluxcd.io/v2");
    say("kind: HelmRelease");
    say("metadata:");
    if (!put(all, {"name", "release_name"}, "  name: \"", out)) say("  name: \"${x}\"");
    put(all, {"namespace", "release_namespace"}, "  namespace: \"", out);
    say("spec:");
    say("  chart:");
    say("    spec:");
    put_there(of_chart, "      chart: \"", name, out);
    put(all, {"chart_version"}, "      version: \"", out);
    say("      sourceRef: {kind: HelmRepository, name: \"${x}\"}");
    if (put_values(all, of_chart, out)) out_.push_back(std::move(out));
  }

  /// A word of a line, behind other words than it stands behind there.
  static void put_there(const TextLine& line, std::string_view before, std::string_view word, CutText& out) {
    TextLine there{word, line.begin + static_cast<std::uint32_t>(word.data() - line.text.data()), true};
    there.begin -= std::min(there.begin, static_cast<std::uint32_t>(before.size()));
    out.add(there, 0, std::string(before) + with_jinja_marks(word).value_or("${x}") + "\"");
  }

  bool put(const Parameters& all, std::initializer_list<std::string_view> names, std::string_view before,
           CutText& out) const {
    for (const std::string_view name : names) {
      const std::string_view value = value_in(all, name);
      if (value.empty()) continue;
      put_there(lines_[all.find(name)->second.begin], before, value, out);
      return true;
    }
    return false;
  }

  /// False: they cannot be read.
  bool put_values(const Parameters& all, const TextLine& otherwise, CutText& out) const {
    const auto found = all.contains("values") ? all.find("values") : all.find("release_values");
    const bool more = all.contains("set_values") || all.contains("values_files");
    if (more || (found == all.end() && all.contains("reuse_values")) ||
        (found != all.end() && !value_in(all, found->first).empty())) {
      out.add(otherwise, 0, "  values: \"${x}\"");
      return true;
    }
    if (found == all.end()) {
      out.add(otherwise, 0, "  values: {}");
      return true;
    }
    out.add(lines_[found->second.begin], 0, "  values:");
    const std::size_t cut = first_indent({found->second.begin + 1, found->second.end});
    for (std::size_t i = found->second.begin + 1; i < found->second.end; ++i) {
      if (lines_[i].blank()) continue;
      const std::optional<std::string> marked =
          with_jinja_marks(lines_[i].text.substr(std::min(cut, lines_[i].indent())));
      if (!marked) return false;
      TextLine line = lines_[i];
      line.begin += static_cast<std::uint32_t>(std::min(cut, line.indent()));
      line.begin -= std::min<std::uint32_t>(line.begin, 4);
      line.text = {};
      out.add(line, 0, "    " + *marked);
    }
    return true;
  }

  std::size_t first_indent(LineRange range) const {
    while (range.begin < range.end && says_nothing(lines_[range.begin])) ++range.begin;
    return range.begin < range.end ? lines_[range.begin].indent() : 0;
  }

  void take(LineRange range) {
    while (range.begin < range.end && says_nothing(lines_[range.begin])) ++range.begin;
    if (range.begin == range.end) return;
    const std::size_t indent = lines_[range.begin].indent();
    if (!lines_[range.begin].text.substr(indent).starts_with("- ")) return object(range, indent, false);
    std::size_t from = range.begin;
    for (std::size_t i = from + 1; i <= range.end; ++i) {
      const bool next = i < range.end && !says_nothing(lines_[i]) && lines_[i].indent() <= indent;
      if (i < range.end && !next) continue;
      object({from, i}, indent, true);
      from = i;
    }
  }

  /// `item`: it begins with `- `, which is none of its own.
  void object(LineRange range, std::size_t indent, bool item) {
    CutText out;
    const std::string_view first = lines_[range.begin].text;
    const std::size_t begin = item ? std::min(first.find_first_not_of(' ', indent + 1), first.size()) : indent;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      TextLine line = lines_[i];
      const std::size_t cut = i == range.begin ? begin : std::min(begin, line.indent());
      line.text = line.text.substr(std::min(cut, line.text.size()));
      line.begin += static_cast<std::uint32_t>(cut);
      const std::optional<std::string> marked = with_jinja_marks(line.text);
      if (!marked) return;
      out.add(line, 0, *marked);
    }
    out_.push_back(std::move(out));
  }

  std::vector<TextLine> lines_;
  std::vector<CutText> out_;
};

}  // namespace

std::vector<CutText> playbook_objects(std::string_view text) {
  const bool objects = contains(text, "k8s:") && (contains(text, "definition:") || contains(text, "inline:"));
  if (!objects && !(contains(text, "helm:") && contains(text, "chart_ref:"))) return {};
  return PlaybookObjects(text).run();
}

std::optional<CutText> filled_in_manifest(std::string_view text) {
  constexpr std::array<std::string_view, 6> kOthers{"else", "elif", "raw", "macro", "set", "block"};
  if (!contains(text, "apiVersion:") || !contains(text, "kind:")) return std::nullopt;
  CutText out;
  for (const TextLine& line : lines_of(text)) {
    const std::string_view words = trim(line.text);
    if (words.starts_with("{%") && words.ends_with("%}") && words.find("%}") == words.size() - 2) {
      const std::string_view statement = trim(words.substr(2, words.size() - 4));
      const std::string_view verb = statement.substr(std::min(statement.find_first_not_of("-+ "), statement.size()));
      if (std::ranges::any_of(kOthers, [&](std::string_view one) { return verb.starts_with(one); }))
        return std::nullopt;
      continue;
    }
    if (words.starts_with("{#") && words.ends_with("#}")) continue;
    const std::optional<std::string> marked = with_jinja_marks(line.text);
    if (!marked || contains(line.text, "{#")) return std::nullopt;
    out.add(line, 0, *marked);
  }
  return out;
}

}  // namespace muster
