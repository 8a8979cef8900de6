#pragma once

#include "model/request.h"
#include "syntax/sbatch_reader.h"

namespace muster::sbatch {

/// The value of an option; unknown where somebody fills it in later.
Located<std::string> text_value(const SbatchOption& option, FieldName field);
/// The same for a number.
Located<std::int64_t> number_value(const SbatchOption& option, FieldName field);

/// What `h100:8`, `gpu:h100:8,shard:2`, `gres/gpu=2` ask for; nothing where it cannot be read.
std::optional<std::vector<DeviceAsk>> read_devices(std::string_view text, std::string_view option, Span where);

/// Takes one option of a directive into what its component asks for.
void read_request(const SbatchOption& option, SbatchComponent& out);

/// Works out what the options come to, when all of them are read; `where`: of the job.
void finish_request(SbatchComponent& out, Span where);

}  // namespace muster::sbatch
