#include "pipeline/read_result.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

std::string text_in(const Node& mapping, std::string_view key) { return std::string(mapping[key].text()); }

std::size_t count_in(const Node& mapping, std::string_view key) {
  const std::optional<std::int64_t> number = parse_int(mapping[key].text());
  return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
}

bool is_true(const Node& mapping, std::string_view key) { return mapping[key].text() == "true"; }

std::vector<std::string> texts_in(const Node& mapping, std::string_view key) {
  std::vector<std::string> out;
  const Node list = mapping[key];
  for (std::size_t i = 0; i < list.size(); ++i) out.emplace_back(list.item(i).text());
  return out;
}

template <class Read>
void each(const Node& list, Read read) {
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) read(list.item(i));
}

class ResultReader {
 public:
  ResultReader(const Node& root, const ResultPlaces& places, Report& report)
      : root_(root), places_(places), report_(report) {}

  std::string run() {
    each(root_["findings"], [&](const Node& node) { report_.findings.push_back(finding(node)); });
    each(root_["undecided"], [&](const Node& node) {
      report_.undecided.push_back(
          {text_in(node, "rule"), text_in(node, "object"), place(node), texts_in(node, "needs")});
    });
    each(root_["suppressed"], [&](const Node& node) {
      report_.suppressed.push_back(
          {finding(node), text_in(node, "reason"),
           text_in(node, "by") == "config" ? SuppressedFinding::Where::Config : SuppressedFinding::Where::Source});
    });
    each(root_["known"], [&](const Node& node) {
      report_.known.push_back(
          {finding(node), text_in(node, "by") == "baseline" ? KnownFinding::By::Baseline : KnownFinding::By::Revision});
    });
    each(root_["templates"], [&](const Node& node) {
      report_.templates.push_back({text_in(node, "file"), text_in(node, "kind"), is_true(node, "in_part")});
    });
    read_installed("installed_slurm", report_.installed_slurm);
    read_installed("installed_kubernetes", report_.installed_kubernetes);
    read_configured();
    read_selected();
    read_compared();
    read_coverage();
    Summary& summary = report_.summary;
    const Node counts = root_["summary"];
    summary.artifacts += count_in(counts, "artifacts");
    summary.files += count_in(counts, "files");
    summary.skipped += count_in(counts, "skipped");
    summary.templates += count_in(counts, "templates");
    return std::move(wrong_);
  }

 private:
  Span place(const Node& node) {
    const Span out = places_.span_of(node["location"]);
    if (!out.placed() && wrong_.empty()) wrong_ = "something in it has no `location`";
    return out;
  }

  Finding finding(const Node& node) {
    Finding out = problem(node["rule"].text(), place(node), text_in(node, "message"));
    out.fingerprint = text_in(node, "fingerprint");
    out.follows = text_in(node, "follows");
    out.help = text_in(node, "help");
    out.object = text_in(node, "object");
    out.assumes = texts_in(node, "assumes");
    const auto severity = enum_of<Severity>(node["severity"].text());
    const auto effect = enum_of<Effect>(node["effect"].text());
    const auto plane = enum_of<Plane>(node["plane"].text());
    if ((!severity || !effect || !plane || out.rule.empty()) && wrong_.empty())
      wrong_ = "a finding in it lacks its rule, severity, effect or plane";
    out.severity = severity.value_or(Severity::Error);
    out.effect = effect.value_or(Effect::Risk);
    out.plane = plane.value_or(Plane::Workload);
    each(node["related"], [&](const Node& one) { out.related.push_back({place(one), text_in(one, "message")}); });
    each(node["trace"], [&](const Node& one) {
      out.trace.push_back({text_in(one, "thread"), place(one), text_in(one, "message")});
    });
    read_fix(node["fix"], out);
    return out;
  }

  void read_fix(const Node& fix, Finding& out) {
    const Node edits = fix["edits"];
    const auto safety = enum_of<FixSafety>(fix["safety"].text());
    if (edits.size() == 0 || !safety) return;
    const Node first = edits.item(0);
    out.fix = Fix{.safety = *safety, .where = place(first)};
    for (std::size_t i = 0; i < edits.size(); ++i)
      out.fix->made.push_back({place(edits.item(i)), text_in(edits.item(i), "text")});
  }

  /// What all say that say something; nothing where they differ.
  void read_installed(std::string_view key, Located<std::string>& out) {
    const Node node = root_[key];
    if (!node.is_mapping()) return;
    Located<std::string> release = set_to(text_in(node, "version"), place(node));
    const bool first = out.state == State::Absent;
    const bool differs = !first && (out.unknown() || out.value != release.value);
    if (first || release.where < out.where)
      out = std::move(release);  // files have their ids in the order of their paths
    if (differs) out.state = State::Unknown;
  }

  void read_configured() {
    const Node node = root_["configured"];
    if (!node.is_mapping()) return;
    Configured& out = report_.configured;
    const std::string file = text_in(node, "file");
    out.file += out.file.empty() ? file : ", " + file;
    add_new(texts_in(node, "off"), out.off);
    add_new(texts_in(node, "severities"), out.severities);
    add_new(texts_in(node, "excludes"), out.excludes);
    out.excluded += count_in(node, "excluded");
    out.suppressed += count_in(node, "suppressed");
  }

  void read_selected() {
    const Node node = root_["selected"];
    if (!node.is_mapping()) return;
    Selected& out = report_.selected;
    out.select = texts_in(node, "select");
    out.ignore = texts_in(node, "ignore");
    out.excludes = texts_in(node, "excludes");
    out.left_out += count_in(node, "left_out");
    out.excluded += count_in(node, "excluded");
  }

  void read_compared() {
    const Node node = root_["compared"];
    if (!node.is_mapping()) return;
    Compared& out = report_.compared;
    const auto take = [&](std::string_view key, std::string& into) {
      const std::string text = text_in(node, key);
      if (!text.empty() && into != text) into += into.empty() ? text : ", " + text;
    };
    take("baseline", out.baseline);
    take("revision", out.revision);
    take("commit", out.commit);
    out.undecided += count_in(node, "undecided");
    each(node["not_compared"], [&](const Node& one) { out.not_compared.emplace_back(one.text()); });
    each(node["stale"], [&](const Node& one) {
      KeyedFindings& stale = out.stale.emplace_back();
      stale.key = {text_in(one, "file"), text_in(one, "object"), text_in(one, "rule"), text_in(one, "field"),
                   text_in(one, "about")};
      stale.severity = enum_of<Severity>(one["severity"].text()).value_or(Severity::Error);
      stale.count = std::max<std::size_t>(1, count_in(one, "count"));
    });
  }

  void read_coverage() {
    const Node node = root_["coverage"];
    Coverage& out = report_.coverage;
    out.read += count_in(node, "read");
    out.templates += count_in(node, "templates");
    out.too_large += count_in(node, "too_large");
    out.ignored += count_in(node, "ignored");
    out.foreign += count_in(node, "foreign");
    out.quoted += count_in(node, "quoted");
    out.rendered += count_in(node, "rendered");
    out.charts += count_in(node, "charts");
    const auto kind = [](const Node& one) {
      return UnknownKind{text_in(one, "api"), text_in(one, "kind"), count_in(one, "objects"),
                         count_in(one, "with_gpus")};
    };
    each(node["unknown_kinds"], [&](const Node& one) { out.unknown_kinds.push_back(kind(one)); });
    each(node["fields_checked"], [&](const Node& one) { out.checked_kinds.push_back(kind(one)); });
    each(node["not_rendered"], [&](const Node& one) {
      const std::string file = text_in(one, "file");
      out.not_rendered.push_back({file, text_in(one, "why"), file.ends_with("Chart.yaml")});
    });
    each(node["files"], [&](const Node& one) {
      out.lines.push_back({text_in(one, "fate"), text_in(one, "file"), text_in(one, "detail")});
    });
  }

  static void add_new(std::vector<std::string> words, std::vector<std::string>& out) {
    for (std::string& word : words) {
      if (std::ranges::find(out, word) == out.end()) out.push_back(std::move(word));
    }
  }

  Node root_;
  const ResultPlaces& places_;
  Report& report_;
  std::string wrong_;
};

}  // namespace

std::string read_result(const Node& result, const ResultPlaces& places, Report& report) {
  return ResultReader(result, places, report).run();
}

std::optional<Shard> read_shard(const Node& result) {
  const Node node = result["shard"];
  if (!node.is_mapping()) return std::nullopt;
  Shard out;
  out.number = count_in(node, "number");
  out.of = count_in(node, "of");
  out.repositories = count_in(node, "repositories");
  out.all = count_in(node, "all");
  out.fleet = text_in(node, "fleet");
  each(node["failed"], [&](const Node& one) { out.failed.push_back({text_in(one, "folder"), text_in(one, "why")}); });
  return out;
}

}  // namespace muster
