#include "cli/command.h"

namespace muster {

int run_generate(const Arguments&, Console& console) { return fail(console, "nothing can be generated yet"); }

}  // namespace muster
