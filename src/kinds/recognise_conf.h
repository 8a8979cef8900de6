#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/artifact.h"
#include "kinds/registry.h"
#include "source/source_map.h"

namespace muster {

/// The first kind of a format whose own eyes know the artifact; nullptr: none does.
const Kind* kind_recognised_by(const KindTable& kinds, Format format, const Artifact& artifact);

/// A text of `Key=Value` lines: what of Slurm's it is, or would be by its role, or would be once it is rendered.
void recognise_conf(const SourceFile& source, const KindTable& kinds, ParsedFile& out);

/// Slurm files that a script, a ConfigMap, cloud-init or a playbook writes: they become artifacts of the file.
void recognise_confs_within(const SourceFile& source, const KindTable& kinds, ParsedFile& out);

/// Names of Slurm's files, and those of the parts that Include lines of a text name.
std::vector<std::string_view> conf_names_within(std::string_view text);

/// A Slurm file in a text that a chart wrote.
struct WrittenConf {
  ConfWithin lines;
  const Kind* kind = nullptr;
};

/// Those of them with one of the names, known as FOLDER/NAME. Their places stand in the text, as if it were `file`.
std::vector<WrittenConf> written_confs(std::string_view text, FileId file, const std::string& folder,
                                       std::span<const std::string_view> names, const KindTable& kinds);

}  // namespace muster
