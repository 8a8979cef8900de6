#include "pipeline/playbook_slips.h"

#include "pipeline/installed_modes.h"
#include "pipeline/playbook_group_vars.h"
#include "pipeline/playbook_handlers.h"
#include "pipeline/playbook_munge.h"
#include "pipeline/playbook_restarts.h"
#include "pipeline/playbook_tasks.h"
#include "pipeline/playbook_texts.h"
#include "pipeline/playbook_users.h"

namespace muster {

void find_playbook_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  const PlaybookTexts texts = playbook_texts(inputs);
  check_playbook_tasks(texts, findings);
  check_playbook_handlers(inputs, texts, findings);
  check_playbook_munge(texts, findings);
  check_playbook_restarts(inputs, texts, findings);
  find_unread_group_vars(inputs, texts, findings);
  find_installed_modes(inputs, texts, findings);
  check_playbook_users(texts, findings);
}

}  // namespace muster
