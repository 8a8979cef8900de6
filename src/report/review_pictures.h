#pragma once

#include <optional>

#include "report/page.h"
#include "report/review.h"

namespace muster {

/// Planes, their owners, control planes and pools.
PageFigure planes_figure(const Review& review);
/// Levels down, nodes across; domains that are alike are one box.
PageFigure topology_figure(const ReviewTopology& topology, std::size_t number);
/// What tenants are promised and may use, against what there is.
PageFigure tenants_figure(const Review& review);
/// The time that each job loses, by what it loses it to. Nothing where no job says enough for it.
std::optional<PageFigure> losses_figure(const Review& review);
/// Costs beside each other, by their period. Nothing where no two are known.
std::optional<PageFigure> costs_figure(const Review& review);
/// Nodes down, steps across: how it gets stuck.
PageFigure stuck_figure(const World& world, const ProofResult& result, std::size_t number);
/// And how it goes once it is mended.
PageFigure mended_figure(const MendedRun& run, const ProofResult& result, std::size_t number);

/// "32 nodes of 8 GPUs", "32 nodes".
std::string pool_size_words(const ReviewPool& pool);

}  // namespace muster
