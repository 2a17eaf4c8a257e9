#include "traced_files.h"

#include <sys/wait.h>

#include <cstdlib>
#include <map>

namespace tessera::inspect::trace {

const TracedProgram& on(const std::string& backend) {
  static std::map<std::string, TracedProgram> runs;
  return runs.try_emplace(backend, backend, 2.0f).first->second;
}

std::vector<std::string> backends() {
#ifdef TRACE_HAS_RTL
  return {"model", "rtl"};
#else
  return {"model"};
#endif
}

TraceReader reread(const TracedProgram& program) { return TraceReader(program.file.path); }

std::pair<int, std::string> tool(const std::string& arguments, const std::string& folder) {
  TemporaryFile out(".txt");
  const std::string go = folder.empty() ? "" : "cd " + folder + " && ";
  const int status = std::system((go + TESSERA_TOOL + " " + arguments + " > " + out.path + " 2>&1").c_str());
  const std::vector<char> text = contents(out.path);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {text.begin(), text.end()}};
}

}  // namespace tessera::inspect::trace
