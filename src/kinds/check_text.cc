#include "kinds/check_text.h"

#include "kinds/language.h"
#include "kubernetes/check_containerd.h"
#include "kubernetes/check_installs.h"
#include "kubernetes/check_mig.h"
#include "kubernetes/check_taints.h"
#include "slurm/file_modes.h"

namespace muster {

void check_text(const SourceFile& source, ParsedFile& out) {
  switch (language_of(source.path())) {
    case Language::Data:
    case Language::Unknown:
      check_mig_layouts(source.text(), out.file, out.findings);
      check_file_modes(source.text(), out.file, out.findings);
      break;
    case Language::Script:
      check_installs(source.text(), out.file, out.findings);
      check_file_modes(source.text(), out.file, out.findings);
      [[fallthrough]];
    case Language::Prose: check_taints(source.text(), out.file, out.findings); break;
    case Language::Program: return;
  }
  check_containerd(source.text(), out.file, out.findings);
}

}  // namespace muster
