#pragma once

#include <string_view>

#include "base/boxed.h"
#include "model/manifest.h"
#include "syntax/document.h"

namespace muster {

struct NormaliseContext;

/// What rows of manifest_defs() say of an object and of the pod templates in it. File and bundle are left to the
/// caller. They last as long as the block.
void read_manifests(const Node& object, std::string_view api_version, std::string_view kind, ValueBlock& values,
                    Boxed<Manifest>& out);

/// What stands within an object of a namespace is there, too; of those from `from` on which say nothing.
void put_into_space(std::string_view space, Boxed<Manifest>& all, std::size_t from);

/// A document that is no object, whole, as one part of a row; `name` as another, unless `name_part` is empty or nothing
/// sets it. File, bundle, kind and id are left to the caller.
Manifest whole_document(const Node& document, std::string_view collection, std::string_view part,
                        std::string_view name_part, const Located<std::string>& name, ValueBlock& block);
/// Puts such a document into the model, under `kind/name`.
void keep_document(Manifest one, std::string_view kind, std::string_view name, const NormaliseContext& context);

/// A file of values as what installs the chart, in the row of HelmReleases. File and bundle are left to the caller.
Manifest values_of_chart(const Node& values, std::string_view chart, ValueBlock& block);

}  // namespace muster
