#pragma once

#include <string>
#include <vector>

#include "model/object.h"

namespace muster {

/// A ConfigMap, Secret or Service, by what others name in it.
struct NamedKeys : Object {
  std::vector<std::string> keys;  ///< of a Service the numbers and names of its ports
  bool open = false;              ///< there may be more than those
};

/// What an object names in another one: a key of a ConfigMap or Secret, a port of a Service.
struct KeyUse : Object {
  std::string of;                  ///< ConfigMap, Secret or Service
  Located<std::string> target;     ///< its name
  Located<std::string> key;        ///< of a port its number or name
  std::vector<std::string> there;  ///< what the input's object of that name has, the first few; see relate_key_uses
  bool missing = false;            ///< it has no such key; see relate_key_uses
};

}  // namespace muster
