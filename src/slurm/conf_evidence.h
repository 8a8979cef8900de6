#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/kind.h"

namespace muster {

/// A text of `Key=Value` lines and what is known of it.
struct ConfText {
  std::string_view name;  ///< of the file, without the endings of templates
  std::string_view text;
  const std::vector<ConfLine>& lines;  ///< of `text`
  const Kind* content = nullptr;       ///< whose records or keys stand in it
  bool is_template = false;
};

/// What speaks for and against taking a text for one of Slurm's files; see kEnoughEvidence. Comments say nothing.
std::vector<Evidence> weigh_conf(const ConfText& conf);

/// Whether that says that one of Slurm's programs printed the text.
bool is_of_a_dump(const Evidence& evidence);

/// The kind that Slurm opens by that name, `gres.conf`; empty for other names.
std::string_view kind_opened_as(std::string_view name);

/// Slurm's version as a text that scontrol printed states it: SLURM_VERSION of `show config`, Version of `show node`.
std::optional<std::string> stated_slurm_version(const std::vector<ConfLine>& lines);

}  // namespace muster
