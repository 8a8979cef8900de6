#pragma once

#include <string>

#include "source/span.h"

namespace muster {

/// A command of a shell script that gives a batch script to sbatch.
struct SubmitCall {
  std::string script;    ///< as written
  std::string behind;    ///< the first long option of sbatch that stands behind the script; empty: none
  std::string kept_in;   ///< the variable that has the message where the number of the job is meant; empty: none
  bool missing = false;  ///< no file of the input is called so, and no text says who makes one
  std::string file;      ///< shown path of the file that calls
  Span where;
};

}  // namespace muster
