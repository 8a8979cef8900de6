#pragma once

#include "facts/read.h"

namespace muster {

/// What a script does not have says nothing where it is too long to be read whole: unknown there.
template <class T>
Value as_far_as_read(const T& value, const SbatchJob& job, const ReadContext& context) {
  if (job.script.complete) return to_value(value, context);
  return Value::unknown(context.arena->make(UnknownNeed{"the rest of a script that is too long to be read whole"}));
}

/// Whether a SPANK plugin that a plugstack.conf of the input names adds an option: unknown where it may.
inline Value of_spank(const void*, const ReadContext& context) {
  const std::string& plugin = context.model->spank_plugin;
  if (plugin.empty()) return Value::of(false);
  return Value::unknown(context.arena->make(
      UnknownNeed{context.arena->copy("the options that `" + plugin + "` adds to sbatch and srun"), nullptr}));
}

}  // namespace muster
