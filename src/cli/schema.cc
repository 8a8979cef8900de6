#include <algorithm>

#include "base/strings.h"
#include "cli/command.h"
#include "embed/assets.h"
#include "report/schema.h"

namespace muster {
namespace {

constexpr std::string_view kFolder = "schemas/";
constexpr std::string_view kEnding = ".schema.json";

/// schemas/check.schema.json is called check.
std::string_view name_of_schema(std::string_view path) {
  path.remove_prefix(kFolder.size());
  path.remove_suffix(kEnding.size());
  return path;
}

}  // namespace

int run_schema(const Arguments& arguments, Console& console) {
  std::vector<std::string_view> names;
  std::string text;
  for (const Asset& asset : assets_below(kFolder)) {
    if (!asset.path.ends_with(kEnding)) continue;
    names.push_back(name_of_schema(asset.path));
    if (names.back() == arguments.name) text = asset.text;
  }
  // The facts of these two are a table of the program; the files are what editors read.
  if (arguments.name == "fleet") text = fleet_schema();
  if (arguments.name == "workloads") text = workloads_schema();
  if (text.empty())
    return fail(console, "there is no schema `" + arguments.name + "`" + did_you_mean(arguments.name, names) +
                             "; known are " + join(names, ", "));
  if (std::optional<Error> error = write_output("", text, console)) return fail(console, error->message);
  return 0;
}

}  // namespace muster
