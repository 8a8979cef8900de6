#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kinds/registry.h"

namespace muster {

/// Whether a YAML or JSON document may hold something of ours: false only where it cannot. A manifest has the keys
/// `kind` and `apiVersion`, our own files and Slurm's the keys `muster` and `topology`; the parser makes a key of other
/// characters than its own only of escapes, which have a backslash, and of `!!binary`, which has an exclamation mark.
bool may_hold_ours(std::string_view document, const KindTable& kinds);

/// What a document that no parser can read, a template or a broken one, says of itself in its lines: apiVersion and a
/// kind that muster knows or a template fills in, or a file of our own. Quotes and indentation do not matter.
bool claims_to_be_ours(std::string_view document, const KindTable& kinds);

/// The same two of a dump that `muster inventory` reads. `json`: the text of JSON, which may stand on one line.
bool may_hold_dump(std::string_view document);
bool claims_to_be_dump(std::string_view document, bool json);

/// Whether the lines of a document that is broken look like YAML or JSON at all, and not like prose or a script that
/// quotes some.
bool reads_like_data(std::string_view document);

/// Whether somebody has to fill in a word: `image: {user}/train:1`, which YAML takes for a mapping with something
/// behind it, or `env:HF_TOKEN_ENV`, or a line that is such a word.
bool has_blank_to_fill(std::string_view text);

/// Whether a document that is not YAML has `${...}` that may become what makes it so. With `data`, that of a file which
/// is nothing else: not where it is no YAML with words in their place, either, and none is a line of its own.
bool waits_for_variables(std::string_view document, bool data);

/// What our reader takes and Slurm's, libyaml without aliases, does not: where, and what it is.
std::optional<std::pair<Span, std::string>> unlike_libyaml(std::string_view text, const Span& document);

/// Whether the first line that says something is a pair or an Include: what an Include of slurm.conf may lead to.
bool begins_as_conf(std::string_view text);

}  // namespace muster
