#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/cut_text.h"

namespace muster {

/// How a text for people marks code.
enum class Markup {
  Markdown,          ///< fences of backquotes or tildes
  ReStructuredText,  ///< `.. code-block:: yaml` and indentation
  AsciiDoc,          ///< lines of dashes, `[source,yaml]` above them
};

/// Code that a text for people quotes, without its indentation.
struct QuotedBlock : CutText {
  std::string language;  ///< as its author calls it, in lower case: `yaml`; empty where he does not
};

/// Those of a text, in their order. What is not closed goes on to the end. Linear in the text.
/// Sources: spec.commonmark.org/0.31.2, 4.5 Fenced code blocks; www.sphinx-doc.org, Showing code examples;
/// docs.asciidoctor.org, Source Blocks.
std::vector<QuotedBlock> quoted_blocks(std::string_view text, Markup markup);

}  // namespace muster
