#pragma once

#include <span>

#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// Takes KeyUse::lost from what another line of the input speaks of, be it of a script, a README or a comment, or what
/// becomes of a template's `cache-${MODEL}`, and KeyUse::missing from keys of what a line names as kubectl does: there
/// somebody makes it. Autoscalers and claims of what a template makes dangle no more, and GangRemarks::queue_home goes
/// where something may give the gang a namespace. Each object is asked once for a name. Of very many names in very many
/// files nobody is asked: then none is lost.
void forgive_named_elsewhere(const Inputs& inputs, Model& model);
/// The same for the models of pieces of that input.
void forgive_named_elsewhere(const Inputs& inputs, std::span<Model* const> models);

/// SlurmSite::state_mounted: whether another file speaks of a mount of StateSaveLocation or a folder above it.
void note_mounted_states(const Inputs& inputs, Model& model);

/// Model::sliced_accelerators: what a configuration of a device plugin shares, in whatever file it stands.
void note_sliced_accelerators(const Inputs& inputs, Model& model);

}  // namespace muster
