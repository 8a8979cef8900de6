// Slurm's files of one folder, up to its sites: slurm.conf and what it includes, gres.conf, cgroup.conf, slurmdbd.conf.
// Reads: src/slurm/site.cc src/slurm/records.cc src/slurm/gres.cc src/slurm/pairs.cc src/slurm/keys.cc
// Reads: src/slurm/recognise.cc src/slurm/conf_evidence.cc src/slurm/relate.cc src/slurm/node_cpus.cc
// Reads: src/slurm/resolve_site.cc src/slurm/resolve_devices.cc src/slurm/accounts.cc src/slurm/qos.cc
// Reads: src/slurm/own_gres_conf.cc src/slurm/number_ranges.cc src/slurm/spank.cc src/slurm/file_modes.cc
// Reads: src/kinds/recognise_conf.cc
// Seeds: tests/cases/rules/*/*/ tests/cases/kinds/*-conf/* tests/cases/rules/*/*.conf examples/*/slurm/
// With: \.conf <==
// Input: files
#include "fuzz/fuzz.h"
#include "slurm/records.h"
#include "slurm/spank.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::ReadFiles read(fuzz::files_of(fuzz::text_of(data, size), "slurm.conf"));
  for (const SlurmSite& site : read.model.slurm_sites) {
    const SiteTable table = resolve_site(site);
    fuzz::stay_within(site.where, read.inputs.sources);
  }
  for (std::size_t i = 0; i < read.inputs.files.size(); ++i)
    unknown_spank_plugin(read.inputs.sources.file(static_cast<FileId>(i)).text());
  return 0;
}
