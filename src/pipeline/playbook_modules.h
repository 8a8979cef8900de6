#pragma once

#include <span>
#include <string_view>

namespace muster {

/// A module that comes with Ansible itself.
struct PlaybookModule {
  std::string_view name;
  std::string_view parameters;  ///< separated by blanks
  std::string_view states;      ///< likewise; empty: `state` is none, or anything
};

/// By its name, with `ansible.builtin.` or without; nullptr: not known.
const PlaybookModule* playbook_module(std::string_view name);

/// Whether a key of a task names what is to be done: a module that is known, or one of a collection.
bool is_playbook_action(std::string_view key);

/// Keys that a task, a handler or a block may have beside that; sorted.
std::span<const std::string_view> task_keywords();
std::span<const std::string_view> block_keywords();

}  // namespace muster
