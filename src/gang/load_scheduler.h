#pragma once

#include "gang/scheduler.h"
#include "rulebook/book_reader.h"
#include "syntax/document.h"

namespace muster {

/// A file of rules/schedulers; what is wrong in it goes to the reader.
Scheduler load_scheduler(const Node& root, BookReader& reader);
/// A file of rules/operators.
Operator load_operator(const Node& root, BookReader& reader);

/// Rows that are `like` another take over what they do not say themselves. Each names one that is like nobody.
void inherit(SchedulerBook& book);

}  // namespace muster
