#pragma once

#include <cstddef>
#include <set>
#include <string_view>

namespace muster {

/// Whether a `name:` of the text becomes the name once its marks are filled in: `cache-${MODEL}-pvc`, `{{ app }}-data`,
/// `team-$t`; also `name = "team-${each.key}"` of Terraform. Half of the name has to be there.
bool fills_in(std::string_view text, std::string_view name);

/// Whether the first `name:` of marks in a piece of a template can end up as the name: `{{ fullname }}-models` becomes
/// no `shared-data`. Where all of it is marks, it can be any.
bool may_become(std::string_view piece, std::string_view name);

/// Whether the text makes an object of the kind, `kind: LocalQueue` or `kind = "LocalQueue"`, whose name has marks and
/// may become this one; where all of it is marks, or is `each.value` of Terraform, it can be any.
bool makes_by_marks(std::string_view text, std::string_view kind, std::string_view name);

/// Whether the text is a manifest without marks that makes what others name: what it makes is known.
bool makes_what_is_asked(std::string_view text);

/// `NAME.yaml` of one of the files, whose makings are known, behind the place of NAME. Not of one at an address.
bool is_name_of_file(std::string_view text, std::size_t at, std::size_t end, const std::set<std::string_view>& files);

/// Whether the text makes Services without a manifest: `kubectl expose`, a resource of Terraform, a template of a
/// chart.
bool makes_service(std::string_view text);

}  // namespace muster
