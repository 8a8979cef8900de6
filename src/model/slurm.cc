#include "model/slurm.h"

#include <algorithm>

namespace muster {

const SlurmSetting* SlurmSite::setting(std::string_view lower_key) const {
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [&](const SlurmSetting& setting) { return setting.lower_key == lower_key; });
  return found == settings.rend() ? nullptr : &*found;
}

}  // namespace muster
