#include <iostream>
#include "pipeline/read_model.h"
#include "pipeline/dump.h"
using namespace muster;
int main(int argc, char** argv) {
  std::vector<Finding> f; DiskFileSystem d; DiscoverOptions o; for (int i=2;i<argc;++i) o.paths.push_back(argv[i]);
  auto in = discover(o, d, f); if(!in){ std::cerr<<in.error().message<<"\n"; return 2; }
  auto p = parse_all(*in, 2, f); auto m = normalise_all(p, *in, {}, f);
  std::string w=argv[1];
  if(w=="artifacts") std::cout<<dump_artifacts(p,in->sources); else if (w=="model") std::cout<<dump_model(m,in->sources);
  sort_findings(f,in->sources);
  for(auto&x:f){ auto b=in->sources.begin_of(x.where); std::cerr<<in->sources.file(x.where.file).path()<<":"<<b.line<<":"<<b.column<<" "<<x.rule<<" "<<x.message<<"\n"; }
}
