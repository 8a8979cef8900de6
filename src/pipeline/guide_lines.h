#pragma once

#include <string_view>

namespace muster {

/// What a file of manifests or a script ends in, as guides name them: `.yaml`, `.sbatch`. Empty: it is none.
std::string_view ending_of_guide_file(std::string_view name);
/// Scripts are one kind, whatever they end in.
std::string_view kind_of_guide_file(std::string_view name);
/// `my-job.yaml`, `deployment.yaml`: stands for what the reader has; so does `hf-secret.yaml`, which nobody commits.
bool stands_for_some_file(std::string_view name);
/// A path from where the reader is, without variables.
bool is_plain_path(std::string_view word);
/// Whether the word at a place of a line is the file that kubectl is to read: `kubectl apply -n ml -f job.yaml`.
bool takes_file(std::string_view line, std::size_t at);
/// A line that hands a file over and says nothing else of it.
bool hands_over(std::string_view line);
/// A sentence that may tell how the file comes to be: `save this as`, `cp a b`. To edit it or to link to it takes one.
bool may_tell_how(std::string_view line, std::string_view name);

}  // namespace muster
