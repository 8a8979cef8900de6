#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Whether it has an API version and a kind.
bool says_what_it_is(const Node& root);

/// Whether it is the configuration of an operator, which is read with the ConfigMap that it stands in. That of a
/// scheduler nobody else reads.
bool is_read_with_config_map(const Node& root);

/// Whether a text has the marks of a template language.
bool has_template_marks(std::string_view text);

/// Whether a text is of a shell's command that feeds a program: `kubectl apply -f - <<EOF`.
bool has_here_document(std::string_view text);

/// Whether all `{{ ... }}` of a text are those of KServe, which fills in `{{.Name}}` of an InferenceService itself when
/// it makes pods of a ServingRuntime. Source: kserve/kserve:pkg/controller/v1beta1/inferenceservice/utils/utils.go
/// (0.20), ReplacePlaceholders.
bool has_marks_of_kserve_alone(std::string_view text);

/// Whether `{{ ... }}` stands in the line there.
bool has_action_at(std::string_view text, std::size_t at);

/// The keys, `apiVersion` or `kind`, with which further objects begin in a document, because no `---` stands before
/// them; empty where it has one object. Each is at the beginning of its line.
std::vector<Node> further_objects(const Node& root, std::string_view text);

/// `object-given-twice`: documents of one file that are the same object; and `node-port-twice`, Services of one file
/// that ask for the same port of the nodes. Nothing of templates.
void find_objects_twice(const std::deque<Document>& documents, std::string_view text, std::vector<Finding>& findings);

}  // namespace muster
