#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace muster {

/// What a file of manifests or a script ends in, as guides name them: `.yaml`, `.sbatch`. Empty: it is none.
std::string_view ending_of_guide_file(std::string_view name);
/// Makefile, justfile and their like.
bool is_recipe_file(std::string_view path);
/// Scripts are one kind, whatever they end in.
std::string_view kind_of_guide_file(std::string_view name);
/// `my-job.yaml`, `deployment.yaml`: stands for what the reader has; so does `hf-secret.yaml`, which nobody commits.
bool stands_for_some_file(std::string_view name);
/// A path from where the reader is, without variables.
bool is_plain_path(std::string_view word);
/// Whether the word at a place of a line is the file that a program is to read: `kubectl apply -n ml -f job.yaml`,
/// `helm install x chart -f values.yaml`, `ansible-playbook site.yml`.
bool takes_file(std::string_view line, std::size_t at);
/// A line that hands a file over and says nothing else of it.
bool hands_over(std::string_view line);
/// The commands of a line that may go on behind `\`, without prompts and comments: `$ cd a && sbatch b.sh` has two.
std::vector<std::string_view> guide_commands(std::string_view line);
/// Whether a command brings files or writes some: `git clone`, a here-document.
bool brings_files(std::string_view command);
/// Where `cd FOLDER` or `pushd FOLDER` leads, as written; nullopt: the command is another.
std::optional<std::string_view> folder_moved_to(std::string_view command);
/// The script that a command runs: `bash x.sh`, `./x.sh`, `srun -N 2 ./x.sh`. Empty: none.
std::string_view script_that_runs(std::string_view command);
/// The program that a launcher runs: `torchrun --nnodes 2 train.py`. Empty: none, or it may be the value of an option.
std::string_view program_that_runs(std::string_view command);
/// A command that takes the file as it is: hands it over or runs it.
bool uses_file(std::string_view command, std::string_view name);
/// A sentence that may tell how the file comes to be: `save this as`, `cp a b`. To edit it or to link to it takes one.
bool may_tell_how(std::string_view line, std::string_view name);

/// The sentence above a code block, which `before` ends with, sends the reader to a repository by its address.
bool is_of_other_repository(std::string_view before);

/// `"$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"` and its like: where the script stands, and nothing above or below.
bool is_folder_of_script(std::string_view value);

}  // namespace muster
