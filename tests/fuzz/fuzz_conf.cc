// Any bytes as lines of a Slurm file, and as a text that writes such files.
// Reads: src/syntax/slurm_conf_reader.cc src/syntax/embedded_conf.cc
// Reads: src/syntax/cut_text.cc src/syntax/here_documents.cc
// Seeds: tests/cases/kinds/*/*.conf tests/cases/rules/*/*.conf tests/cases/rules/*/*.sh
#include <array>

#include "fuzz/fuzz.h"
#include "syntax/embedded_conf.h"
#include "syntax/slurm_conf_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static constexpr std::array<std::string_view, 3> kNames{"slurm.conf", "gres.conf", "cgroup.conf"};
  const fuzz::OneFile one(fuzz::text_of(data, size), "slurm.conf");
  const auto look = [&](const std::vector<ConfLine>& lines) {
    for (const ConfLine& line : lines) {
      fuzz::stay_within(line.where, one.sources);
      if (!line.rest.empty()) fuzz::stay_within(line.rest_where, one.sources);
      for (const ConfPair& pair : line.pairs) {
        fuzz::stay_within(pair.key_where, one.sources);
        fuzz::stay_within(pair.value_where, one.sources);
      }
    }
  };
  look(read_slurm_conf(one.file, one.text));
  for (const EmbeddedConf& conf : find_embedded_confs(one.text, kNames)) {
    std::vector<ConfLine> lines = read_slurm_conf(one.file, conf.text);
    move_places(conf, lines);
    look(lines);
  }
  return 0;
}
