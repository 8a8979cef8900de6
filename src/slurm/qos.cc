// The table of `sacctmgr -P show qos`: limits that hold for jobs of a quality of service, whoever sends them.
// Source: https://slurm.schedmd.com/sacctmgr.html, LIST/SHOW QOS FORMAT OPTIONS (25.11).
#include "slurm/qos.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "input/kind.h"

namespace muster {
namespace {

std::string_view first_line_of(std::string_view text) {
  return trim(text.substr(0, std::min(text.find('\n'), text.size())));
}

/// `gres/gpu=16` of `cpu=1000,gres/gpu=16`; -1 is no limit.
Located<std::int64_t> gpus_of(std::string_view cell, std::string_view text, FileId file, FieldName field) {
  for (const std::string_view one : split(cell, ',')) {
    constexpr std::string_view kCount = "gres/gpu=";
    if (!one.starts_with(kCount)) continue;
    const std::string_view number = one.substr(kCount.size());
    const std::optional<std::int64_t> value = parse_int(number);
    if (value && *value >= 0) return set_to(*value, span_of_part(file, text, number), field);
  }
  return {};
}

}  // namespace

bool is_qos_table(std::string_view text) {
  const std::vector<std::string_view> head = split(first_line_of(text), '|');
  const auto has = [&](std::string_view name) { return std::ranges::find(head, name) != head.end(); };
  // Of other tables with these columns none has flags of a QOS.
  return head.size() > 1 && head.front() == "Name" && (has("GrpTRES") || has("MaxTRESPA")) &&
         (has("UsageFactor") || head.size() <= 4);
}

namespace slurm_qos {

/// Found by its first line alone: kinds/recognise_conf.
bool recognises(const Artifact&) { return false; }

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  constexpr std::size_t kMostQos = 100'000;
  const std::string_view text = context.sources.file(artifact.file).text();
  std::vector<std::string_view> head;
  for (const std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> cells = split(trim(line), '|');
    if (head.empty()) {
      head = cells;
      continue;
    }
    if (cells.size() != head.size() || cells.front().empty() || context.model.slurm_qos.size() >= kMostQos) continue;
    SlurmQos qos;
    const Span where = span_of_part(artifact.file, text, cells.front());
    qos.name = set_to(std::string(cells.front()), where, "Name");
    qos.id = "sacctmgr/qos/" + qos.name.value;
    qos.kind = "QOS";
    qos.where = where;
    qos.file = context.file.path;
    qos.bundle = context.file.bundle;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (head[i] == "GrpTRES") qos.gpus = gpus_of(cells[i], text, artifact.file, "GrpTRES");
      if (head[i] == "MaxTRESPA") qos.gpus_each = gpus_of(cells[i], text, artifact.file, "MaxTRESPA");
    }
    context.model.slurm_qos.push_back(std::move(qos));
  }
}

}  // namespace slurm_qos
}  // namespace muster
