#pragma once

#include <string>
#include <string_view>

namespace muster {

/// Whether the commands of a shell do nothing but wait for an hour or longer, and look at the devices before that:
/// `nvidia-smi; sleep infinity`.
bool only_waits(std::string_view script);

/// What a script's status is that of, instead of its program's: `tee` where it ends with `program | tee file` and no
/// shell option keeps the status, `echo` where it ends with `program || echo failed` or with a message, and looks at
/// nothing. Empty: of nothing else.
std::string hides_status(std::string_view script);

/// The last command of a script that works first and then waits for good: `sleep infinity`. Empty: it does not, or
/// something runs in the background meanwhile.
std::string wait_at_end(std::string_view script);
/// The first program behind an endless wait that nothing gets past. Empty: there is none.
std::string never_reached(std::string_view script);
/// Whether a command line shows the devices and is over.
bool only_looks(std::string_view command);

/// Whether a command line ends with `ray start` without `--block`, which puts Ray into the background and is over.
bool leaves_ray_behind(std::string_view command);

/// How many programs of these words it starts, as far as a text tells.
int count_of_words(std::string_view script, std::string_view words);

/// Without comment lines, and `pip install deepspeed` with the lines that it goes on in.
std::string what_runs_of(std::string_view text);

}  // namespace muster
