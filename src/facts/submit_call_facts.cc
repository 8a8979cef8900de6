#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

SharedText name_of_call(const void* object, const ReadContext&) {
  const auto& call = *static_cast<const SubmitCall*>(object);
  return "sbatch/" + call.script;
}

constexpr std::array kSubmitCallFields{
    Field{"behind", kStringType, kAlways,
          "the first long option of sbatch that stands behind the script, which reads no arguments; empty: none",
          read<SubmitCall, &SubmitCall::behind>},
    Field{"file", kStringType, kAlways, "path of the file that calls", read<SubmitCall, &SubmitCall::file>},
    Field{"kept_in", kStringType, kAlways,
          "the variable that has the message of sbatch where the number of the job is meant; empty: none",
          read<SubmitCall, &SubmitCall::kept_in>},
    Field{"missing", kBoolType, kAlways, "no file of the input is called so, and no text says who makes one",
          read<SubmitCall, &SubmitCall::missing>},
    Field{"script", kStringType, kAlways, "the script, as written", read<SubmitCall, &SubmitCall::script>},
};

}  // namespace

const ObjectType kSubmitCallType{"submit_call", "a command that gives a script to sbatch, and is amiss",
                                 kSubmitCallFields, where_of<SubmitCall>, name_of_call};

}  // namespace muster
