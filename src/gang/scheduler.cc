#include "gang/scheduler.h"

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "gang/load_scheduler.h"
#include "rulebook/book_assets.h"

namespace muster {

void inherit(SchedulerBook& book) {
  for (Scheduler& row : book.schedulers) {
    if (row.like.empty()) continue;
    const Scheduler* model = book.find(row.like);
    MUSTER_CHECK(model != nullptr, row.id + " is like nobody");
    Scheduler out = *model;
    out.id = row.id;
    out.doc = row.doc;
    out.names = row.names;
    out.like = row.like;
    out.operator_words = row.operator_words;
    out.membership.clear();  // said once, with the one it is like
    out.membership_of.reset();
    out.pod_group.reset();
    out.shown = row.shown;
    out.sources = row.sources;
    row = std::move(out);
  }
}

bool Scheduler::is_image(std::string_view name) const {
  return !image.empty() && std::ranges::all_of(image, [&](const std::string& word) { return contains(name, word); });
}

bool Operator::is_image(std::string_view name) const {
  return !image.empty() && std::ranges::all_of(image, [&](const std::string& word) { return contains(name, word); });
}

const OperatorOption* Operator::find(std::string_view setting) const {
  const auto found = std::ranges::find(settings, setting, &OperatorOption::name);
  return found == settings.end() ? nullptr : &*found;
}

const SchedulerBook& SchedulerBook::shipped() {
  static const SchedulerBook kShipped = [] {
    SchedulerBook book;
    book.schedulers = load_book_assets("rules/schedulers/", load_scheduler);
    book.operators = load_book_assets("rules/operators/", load_operator);
    inherit(book);
    return book;
  }();
  return kShipped;
}

const Scheduler* SchedulerBook::find(std::string_view id) const {
  const auto found = std::ranges::lower_bound(schedulers, id, {}, &Scheduler::id);
  return found == schedulers.end() || found->id != id ? nullptr : &*found;
}

const Scheduler* SchedulerBook::named(std::string_view scheduler_name) const {
  for (const Scheduler& row : schedulers) {
    if (std::ranges::find(row.names, scheduler_name) != row.names.end()) return &row;
  }
  return nullptr;
}

const Scheduler* SchedulerBook::owner_of_groups(std::string_view api_group) const {
  const auto found = std::ranges::find_if(
      schedulers, [&](const Scheduler& row) { return row.pod_group && row.pod_group->group == api_group; });
  return found == schedulers.end() ? nullptr : &*found;
}

const Scheduler* SchedulerBook::for_word(std::string_view word) const {
  if (const Scheduler* row = find(word)) return row;
  for (const Scheduler& row : schedulers) {
    if (std::ranges::find(row.operator_words, word) != row.operator_words.end()) return &row;
  }
  return named(word);
}

const Operator* SchedulerBook::find_operator(std::string_view id) const {
  const auto found = std::ranges::lower_bound(operators, id, {}, &Operator::id);
  return found == operators.end() || found->id != id ? nullptr : &*found;
}

std::string setting_name(std::string_view operator_id, std::string_view setting) {
  return "operators." + std::string(operator_id) + "." + std::string(setting);
}

std::string assumption_of(const Operator& which, const OperatorOption& option) {
  return which.id + " " + option.says + "; say otherwise with `" + setting_name(which.id, option.name) +
         "` in muster.yaml";
}

}  // namespace muster
