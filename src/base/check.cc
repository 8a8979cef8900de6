#include "base/check.h"

#include <cstdlib>
#include <iostream>

namespace muster {

void fail_check(std::string_view file, int line, std::string_view condition, std::string_view why) {
  std::cerr << "muster: internal error at " << file << ':' << line << ": " << why << " (" << condition << ")\n"
            << "this is a bug in muster; please report it with the input that shows it\n";
  std::_Exit(3);
}

}  // namespace muster
