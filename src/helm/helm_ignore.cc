#include "helm/helm_ignore.h"

#include <fnmatch.h>

#include "base/strings.h"

namespace muster::helm {

IgnoreRules::IgnoreRules(std::string_view text) {
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.empty() || line.starts_with('#') || contains(line, "**")) continue;
    Pattern& one = patterns_.emplace_back();
    if (line.starts_with('!')) {
      one.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      one.folder = true;
      line.remove_suffix(1);
    }
    one.whole = contains(line, "/");
    if (line.starts_with('/')) line.remove_prefix(1);
    one.glob = line;
  }
  patterns_.push_back({"templates/.?*", false, false, true});
}

bool IgnoreRules::ignores(const std::string& path) const {
  for (std::size_t bar = path.find('/'); bar != path.npos; bar = path.find('/', bar + 1)) {
    if (ignores(path.substr(0, bar), true)) return true;
  }
  return ignores(path, false);
}

bool IgnoreRules::ignores(const std::string& path, bool folder) const {
  for (const Pattern& one : patterns_) {
    const std::string& held = one.whole ? path : path.substr(path.rfind('/') + 1);
    const bool matches = fnmatch(one.glob.c_str(), held.c_str(), FNM_PATHNAME) == 0;
    if (one.negated) {
      if ((one.folder && !folder) || !matches) return true;
    } else if (matches && (!one.folder || folder)) {
      return true;
    }
  }
  return false;
}

}  // namespace muster::helm
