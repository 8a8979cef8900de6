#include "kinds/recognise_conf.h"

#include <algorithm>
#include <string>

#include "kinds/language.h"
#include "kinds/recognise.h"
#include "kinds/text_evidence.h"
#include "slurm/conf_evidence.h"
#include "slurm/keys.h"

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

/// What every rendering of it holds. Records that name each other, as those of a topology, say nothing one by one.
void read_template(std::string_view text, const Kind& kind, TemplateKind mark, ParsedFile& out) {
  out.template_kind = mark;
  out.lines = read_slurm_conf(out.file, literal_lines(text));
  const bool by_line =
      kind.id == "slurm-conf" || kind.id == "gres-conf" || kind.id == "cgroup-conf" || kind.id == "slurmdbd-conf";
  if (!by_line) return;
  out.filled = read_slurm_conf(out.file, masked_template_marks(text));
  if (out.filled.empty()) return;
  out.artifacts.push_back(lines_of(out, &kind));
  out.artifacts.back().in_part = true;
  out.artifacts.back().filled = &out.filled;
  for (const auto& [begin, end] : looped_parts(text))
    out.looped.push_back({out.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  out.artifacts.back().looped = &out.looped;
  for (const ConditionalPart& part : conditional_parts(text)) {
    const Span where{out.file, static_cast<std::uint32_t>(part.begin), static_cast<std::uint32_t>(part.end)};
    out.conditional.push_back({where, part.of_release});
  }
  out.artifacts.back().conditional = &out.conditional;
}

}  // namespace

const Kind* kind_recognised_by(const KindTable& kinds, Format format, const Artifact& artifact) {
  for (const Kind& kind : kinds.all()) {
    if (kind.format == format && kinds.is(kind, artifact)) return &kind;
  }
  return nullptr;
}

void recognise_conf(const SourceFile& source, const KindTable& kinds, ParsedFile& out) {
  const std::string_view whole = source.text();
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
    if (enough) read_template(text, *kind, *mark, out);
  } else if (!enough) {
    out.candidate = lines_of(out, kind);
  } else if (too_long) {
    out.findings.push_back(problem("slurm-conf-syntax", {out.file, 0, source.line_start(2)},
                                   "more than 300,000 lines: the file is not read"));
  } else {
    out.artifacts.push_back(lines_of(out, kind));
  }
}

}  // namespace muster
