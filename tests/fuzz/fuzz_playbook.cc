// Roles, inventories and templates of Ansible: what they fill in, and which release they install.
// Reads: src/pipeline/playbook_values.cc src/pipeline/playbook_maps.cc src/slurm/template_lines.cc src/slurm/stated_release.cc
// Reads: src/slurm/written_files.cc src/slurm/file_modes.cc src/kubernetes/stated_release.cc
// Seeds: tests/cases/rules/*/*/
// With: j2 <==|ansible|group_vars|Dockerfile|playbook
// Input: files
#include "fuzz/fuzz.h"
#include "slurm/stated_release.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  fuzz::ReadFiles read(fuzz::files_of(fuzz::text_of(data, size), "roles/slurm/templates/slurm.conf.j2"));
  fuzz::stay_within(installed_slurm_release(read.inputs, read.model).where, read.inputs.sources);
  fuzz::stay_within(installed_kubernetes_release(read.inputs, read.model).where, read.inputs.sources);
  MachinePackages machines;
  for (std::size_t i = 0; i < read.inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const SourceFile& source = read.inputs.sources.file(file);
    machines.look_at(file, source.path(), source.text());
    for (const auto& stated :
         {slurm_releases_stated_in(file, source.text()), slurm_releases_installed_in(file, source.text())}) {
      for (const Located<std::string>& one : stated) fuzz::stay_within(one.where, read.inputs.sources);
      common_release(stated);
    }
    release_in_path(source.path());
    slurm_release_of_folders(file, source.path(), source.text());
  }
  machines.release();
  return 0;
}
