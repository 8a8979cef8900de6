#include "pipeline/left_open.h"

#include <string>
#include <string_view>

namespace muster {

void leave_unread_open(const Workspace& w, std::vector<Undecided>& out) {
  const auto leave = [&](std::string_view rule, const SlurmSite& site, const Located<std::string>& what,
                         const std::string& need) {
    if (w.book->find(rule)->enabled) out.push_back({std::string(rule), site.file, what.where, {need}});
  };
  for (const SlurmSite& site : w.model.slurm_sites) {
    for (const Located<std::string>& path : site.unfollowed)
      leave("slurm-include-unreadable", site, path, "the file `" + path.value + "`");
    for (const Located<std::string>& record : site.unfilled)
      leave("slurm-conf-syntax", site, record, "the values of a `" + record.value + "` line");
  }
}

}  // namespace muster
