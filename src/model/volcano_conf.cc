#include "model/volcano_conf.h"

#include <algorithm>

namespace muster {

const VolcanoPlugin* VolcanoConf::plugin(std::string_view called) const {
  const auto found = std::ranges::find(plugins, called, &VolcanoPlugin::name);
  return found == plugins.end() ? nullptr : &*found;
}

bool VolcanoConf::has_action(std::string_view called) const {
  return std::ranges::find(actions, called) != actions.end();
}

}  // namespace muster
