#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/cut_text.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {

/// A file that another text writes: a here-document of a shell script (`cat > /etc/slurm/slurm.conf <<EOF`), or a block
/// of YAML under the file's name, as ConfigMaps have it, or beside its path (`path:` of cloud-init's write_files,
/// `dest:` of Ansible's copy). The text is as the file will have it; what a shell fills in is `{xxx}`.
struct EmbeddedConf : CutText {
  std::string name;       ///< without folders
  bool appended = false;  ///< `>>`, `tee -a`: the file has more lines
};

/// Those with one of the names, in their order. Linear in the text.
std::vector<EmbeddedConf> find_embedded_confs(std::string_view text, std::span<const std::string_view> names);

/// Moves the places of lines that were read from `conf.text` into the text that it stands in.
void move_places(const EmbeddedConf& conf, std::vector<ConfLine>& lines);

}  // namespace muster
