#include "tests/compiler/random_graphs/recipe.h"

namespace tessera::test {
namespace {

void add_bodies(Body& body, std::vector<Body*>& all) {
  all.push_back(&body);
  for (Step& step : body)
    for (Body& inside : step.bodies) add_bodies(inside, all);
}

void add_views(View& view, std::vector<View*>& all) {
  all.push_back(&view);
  for (ViewOp& op : view.ops)
    for (View& other : op.other) add_views(other, all);
}

}  // namespace

std::vector<Body*> bodies(Recipe& recipe) {
  std::vector<Body*> all;
  for (Body& body : recipe.programs) add_bodies(body, all);
  for (Body& body : recipe.functions) add_bodies(body, all);
  return all;
}

std::vector<View*> views(Recipe& recipe) {
  std::vector<View*> all;
  for (Initial& initial : recipe.initials) add_views(initial.view, all);
  for (Handle& handle : recipe.handles) add_views(handle.view, all);
  for (ComputeSet& set : recipe.compute_sets)
    for (Vertex& vertex : set.vertices)
      for (std::vector<View>& field : vertex.edges)
        for (View& view : field) add_views(view, all);
  for (Body* body : bodies(recipe))
    for (Step& step : *body)
      for (View& view : step.views) add_views(view, all);
  return all;
}

}  // namespace tessera::test
