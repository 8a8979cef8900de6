#pragma once

#include "facts/read.h"

namespace muster {

/// What a script does not have says nothing where it is too long to be read whole: unknown there.
template <class T>
Value as_far_as_read(const T& value, const SbatchJob& job, const ReadContext& context) {
  if (job.script.complete) return to_value(value, context);
  return Value::unknown(context.arena->make(UnknownNeed{"the rest of a script that is too long to be read whole"}));
}

}  // namespace muster
