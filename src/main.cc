#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/run.h"

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const muster::DiskFileSystem disk;
    muster::Console console{std::cout,
                            std::cerr,
                            disk,
                            isatty(1) == 1,
                            isatty(2) == 1,
                            environment("NO_COLOR"),
                            environment("SOURCE_DATE_EPOCH"),
                            true};
    return muster::run(std::vector<std::string>(argv + 1, argv + argc), console);
  } catch (const std::exception& error) {
    std::cerr << "muster: internal error: " << error.what()
              << "\nthis is a bug in muster; please report it with the input that shows it\n";
    return 3;
  }
}
