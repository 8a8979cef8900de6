#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "pipeline/discover.h"
#include "syntax/document.h"

namespace muster {

/// A file of Ansible: plays, or the tasks or handlers of a role.
struct PlaybookText {
  enum class Part { Tasks, Handlers, Plays };

  FileId file = FileId::None;
  Part part = Part::Plays;
  std::string_view role;           ///< the folder that `tasks` or `handlers` stands in; empty: at the top, or of plays
  std::deque<Document> documents;  ///< each a list
};

struct PlaybookTexts {
  std::deque<PlaybookText> all;
  bool whole = true;  ///< each that is there was read
};

/// Those of the input, where some of them names Slurm or GPUs; else none.
PlaybookTexts playbook_texts(const Inputs& inputs);

/// Calls `take(task)` for each task of a list, also of those within blocks, and `take_block(block)` for these.
template <class Take, class TakeBlock>
void each_playbook_task(const Node& list, const Take& take, const TakeBlock& take_block, int depth = 0) {
  constexpr int kMostBlocks = 20;
  if (!list.is_sequence() || depth > kMostBlocks) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Node task = list.item(i);
    if (!task.is_mapping()) continue;
    if (!task["block"].exists()) {
      take(task);
      continue;
    }
    take_block(task);
    for (const char* part : {"block", "rescue", "always"}) each_playbook_task(task[part], take, take_block, depth + 1);
  }
}

/// The same for all tasks and handlers of a file.
template <class Take, class TakeBlock>
void each_task_of(const PlaybookText& text, const Take& take, const TakeBlock& take_block) {
  for (const Document& document : text.documents) {
    const Node root = document.root();
    if (text.part != PlaybookText::Part::Plays) {
      each_playbook_task(root, take, take_block);
      continue;
    }
    for (std::size_t i = 0; i < root.size(); ++i) {
      for (const char* part : {"pre_tasks", "tasks", "post_tasks", "handlers"})
        each_playbook_task(root.item(i)[part], take, take_block);
    }
  }
}

}  // namespace muster
