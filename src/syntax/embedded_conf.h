#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/span.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {

/// A file that another text writes: a here-document of a shell script (`cat > /etc/slurm/slurm.conf <<EOF`), or a block
/// of YAML under the file's name, as ConfigMaps have it, or beside its path (`path:` of cloud-init's write_files,
/// `dest:` of Ansible's copy).
struct EmbeddedConf {
  std::string name;  ///< without folders
  std::string text;  ///< as the file will have it, without the block's indentation; what a shell fills in is `{xxx}`
  bool appended = false;  ///< `>>`, `tee -a`: the file has more lines
  /// Where lines of it begin: in it, and in the text that it stands in.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;

  Span place(Span span) const;

 private:
  std::uint32_t place(std::uint32_t offset) const;
};

/// Those with one of the names, in their order. Linear in the text.
std::vector<EmbeddedConf> find_embedded_confs(std::string_view text, std::span<const std::string_view> names);

/// Moves the places of lines that were read from `conf.text` into the text that it stands in.
void move_places(const EmbeddedConf& conf, std::vector<ConfLine>& lines);

}  // namespace muster
