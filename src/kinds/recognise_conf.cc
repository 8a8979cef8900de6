#include "kinds/recognise_conf.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "kinds/language.h"
#include "kinds/recognise.h"
#include "kinds/text_evidence.h"
#include "slurm/accounts.h"
#include "slurm/conf_evidence.h"
#include "slurm/keys.h"
#include "slurm/qos.h"
#include "syntax/embedded_conf.h"

namespace muster {
namespace {

constexpr std::uint32_t kMaxConfLines = 300'000;  // four times the nodes that Slurm takes (MAX_SLURM_NODES 65,536)

Artifact lines_of(const ParsedFile& file, const Kind* kind) {
  Artifact out;
  out.kind = kind;
  out.file = file.file;
  out.lines = &file.lines;
  return out;
}

/// What every rendering of a template holds. Records that name each other, as those of a topology, say nothing one by
/// one. False where nothing of it can be judged.
bool read_template(std::string_view text, const Kind& kind, FileId file, ConfLines& out) {
  out.lines = read_slurm_conf(file, literal_lines(text));
  const bool by_line =
      kind.id == "slurm-conf" || kind.id == "gres-conf" || kind.id == "cgroup-conf" || kind.id == "slurmdbd-conf";
  if (!by_line) return false;
  out.filled = read_slurm_conf(file, masked_template_marks(text));
  if (out.filled.empty()) return false;
  for (const auto& [begin, end] : looped_parts(text))
    out.looped.push_back({file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  for (const ConditionalPart& part : conditional_parts(text)) {
    const Span where{file, static_cast<std::uint32_t>(part.begin), static_cast<std::uint32_t>(part.end)};
    out.conditional.push_back({where, part.of_release});
  }
  return true;
}

Artifact template_of(FileId file, const ConfLines& lines, const Kind& kind) {
  Artifact out;
  out.kind = &kind;
  out.file = file;
  out.lines = &lines.lines;
  out.filled = &lines.filled;
  out.looped = &lines.looped;
  out.conditional = &lines.conditional;
  out.in_part = true;
  return out;
}

/// Names of which those of a topology.conf are left out: what a script writes of it is often a part.
constexpr std::array<std::string_view, 4> kNamesWithin{"cgroup.conf", "gres.conf", "slurm.conf", "slurmdbd.conf"};

}  // namespace

const Kind* kind_recognised_by(const KindTable& kinds, Format format, const Artifact& artifact) {
  for (const Kind& kind : kinds.all()) {
    if (kind.format == format && kinds.is(kind, artifact)) return &kind;
  }
  return nullptr;
}

void recognise_conf(const SourceFile& source, const KindTable& kinds, ParsedFile& out) {
  const std::string_view whole = source.text();
  const std::string_view of_database = is_account_file(whole) ? "slurm-accounts"
                                       : is_qos_table(whole)  ? "slurm-qos"
                                                              : "";
  if (!of_database.empty()) {
    Artifact table;
    table.kind = kinds.find(of_database);
    table.file = out.file;
    out.artifacts.push_back(std::move(table));
    return;
  }
  const std::string_view name = bare_name(source.path());
  const Kind* named = kinds.find(kind_opened_as(name));
  if (named == nullptr && !mentions_slurm_key(whole) && !begins_as_conf(whole)) return;
  const bool too_long = source.line_count() > kMaxConfLines;
  const std::string_view text = too_long ? whole.substr(0, source.line_start(1000)) : whole;
  const std::optional<TemplateKind> mark = probe_conf_template(text);
  const std::string rendered = mark ? without_template_marks(text) : std::string();
  out.lines = read_slurm_conf(out.file, mark ? std::string_view(rendered) : text);
  const Kind* content = kind_recognised_by(kinds, Format::SlurmConf, lines_of(out, nullptr));
  out.evidence = weigh_conf({name, mark ? std::string_view(rendered) : text, out.lines, content, mark.has_value()});
  if (std::ranges::any_of(out.evidence, is_of_a_dump)) out.slurm_version = stated_slurm_version(out.lines);
  const Kind* kind = content != nullptr ? content : named != nullptr ? named : kinds.find("slurm-conf");
  const bool enough = weight_of(out.evidence) >= kEnoughEvidence;
  if (mark) {
    if (!enough) return;
    out.template_kind = mark;
    if (read_template(text, *kind, out.file, out)) out.artifacts.push_back(template_of(out.file, out, *kind));
  } else if (!enough) {
    out.candidate = lines_of(out, kind);
  } else if (too_long) {
    out.findings.push_back(problem("slurm-conf-syntax", {out.file, 0, source.line_start(2)},
                                   "more than 300,000 lines: the file is not read"));
  } else {
    out.artifacts.push_back(lines_of(out, kind));
  }
}

std::vector<std::string_view> conf_names_within(std::string_view text) {
  std::vector<std::string_view> out(kNamesWithin.begin(), kNamesWithin.end());
  constexpr std::size_t kMostParts = 20;
  for (const std::string_view include : {"nclude", "NCLUDE"}) {
    for (std::size_t at = text.find(include); at != text.npos; at = text.find(include, at + 1)) {
      if (out.size() >= kNamesWithin.size() + kMostParts) return out;
      if (at == 0 || (text[at - 1] != 'i' && text[at - 1] != 'I')) continue;
      std::size_t line = at - 1;
      while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
      if (line > 0 && text[line - 1] != '\n') continue;
      std::string_view path = text.substr(at + include.size());
      const std::size_t begin = path.find_first_not_of(" \t");
      if (begin == 0 || begin == path.npos) continue;
      path.remove_prefix(begin);
      path = path.substr(0, path.find_first_of(" \t\r\n"));
      const std::string_view name = path.substr(path.rfind('/') + 1);
      if (name.ends_with(".conf") && std::ranges::find(out, name) == out.end() && name != "topology.conf")
        out.push_back(name);
    }
  }
  return out;
}

void recognise_confs_within(const SourceFile& source, const KindTable& kinds, ParsedFile& out) {
  const std::string_view text = source.text();
  const Language language = language_of(source.path());
  if (language == Language::Prose || language == Language::Program || !out.lines.empty()) return;
  const auto named = [&](std::string_view name) { return contains(text, name); };
  if ((!contains(text, "<<") && !contains(text, ": |")) || std::ranges::none_of(kNamesWithin, named)) return;
  std::map<std::string, std::size_t> seen;
  for (const EmbeddedConf& conf : find_embedded_confs(text, conf_names_within(text))) {
    ConfWithin& one = out.within.emplace_back();
    const std::size_t again = seen[conf.name]++;  // of another object or machine
    one.path = source.path() + (again > 0 ? "#" + std::to_string(again + 1) : "") + "/" + conf.name;
    const std::optional<TemplateKind> mark = probe_conf_template(conf.text);
    const std::string rendered = mark ? without_template_marks(conf.text) : conf.text;
    one.lines = read_slurm_conf(out.file, rendered);
    Artifact whole;
    whole.file = out.file;
    whole.lines = &one.lines;
    const bool part = kinds.find(kind_opened_as(conf.name)) == nullptr;
    const Kind* kind = kinds.find(part ? "slurm-conf" : kind_opened_as(conf.name));
    const Kind* content = kind_recognised_by(kinds, Format::SlurmConf, whole);
    const int weight = weight_of(weigh_conf({conf.name, rendered, one.lines, content, mark.has_value()}));
    if (weight < kEnoughEvidence || (content != nullptr && content != kind)) {
      out.within.pop_back();
      continue;
    }
    Artifact artifact = whole;
    artifact.kind = kind;
    if (mark || conf.appended) {
      if (!read_template(conf.text, *kind, out.file, one)) {
        out.within.pop_back();
        continue;
      }
      artifact = template_of(out.file, one, *kind);
      move_places(conf, one.filled);
      for (Span& span : one.looped) span = conf.place(span);
      for (ConditionalSpan& span : one.conditional) span.where = conf.place(span.where);
    }
    move_places(conf, one.lines);
    artifact.within = &one;
    artifact.appended = conf.appended;
    out.artifacts.push_back(artifact);
  }
}

std::vector<WrittenConf> written_confs(std::string_view text, FileId file, const std::string& folder,
                                       std::span<const std::string_view> names, const KindTable& kinds) {
  std::vector<WrittenConf> out;
  for (const EmbeddedConf& conf : find_embedded_confs(text, names)) {
    WrittenConf& one = out.emplace_back();
    one.lines.path = folder + "/" + conf.name;
    one.lines.lines = read_slurm_conf(file, conf.text);
    const Kind* named = kinds.find(kind_opened_as(conf.name));
    one.kind = named != nullptr ? named : kinds.find("slurm-conf");
    Artifact whole;
    whole.file = file;
    whole.lines = &one.lines.lines;
    const Kind* content = kind_recognised_by(kinds, Format::SlurmConf, whole);
    const bool other = content != nullptr && content != one.kind;
    const int weight = weight_of(weigh_conf({conf.name, conf.text, one.lines.lines, content, false}));
    const bool there = std::ranges::any_of(
        out, [&](const WrittenConf& before) { return &before != &one && before.lines.path == one.lines.path; });
    if (other || there || weight < kEnoughEvidence)
      out.pop_back();
    else
      move_places(conf, one.lines.lines);
  }
  return out;
}

}  // namespace muster
