// A library as libpoplar must not be: a program's spdlog would meet the one in here.
namespace spdlog {
void shared_with_everybody() {}
}  // namespace spdlog
