#include "kinds/check_text.h"

#include "kinds/language.h"
#include "kubernetes/check_installs.h"
#include "kubernetes/check_mig.h"

namespace muster {

void check_text(const SourceFile& source, ParsedFile& out) {
  switch (language_of(source.path())) {
    case Language::Data:
    case Language::Unknown: return check_mig_layouts(source.text(), out.file, out.findings);
    case Language::Script: return check_installs(source.text(), out.file, out.findings);
    case Language::Prose:
    case Language::Program: return;
  }
}

}  // namespace muster
