#include <vector>
#include "shape.h"
using namespace std;
using std::string;
namespace acme::geo {
/// A shape.
template <typename T, int N = 3>
class Shape : public Base<T>, private virtual other::Mixin {
public:
  Shape(int w, int h = 2) : width_(w), Base<T>(h) { init(); }
  explicit Shape(const Shape& o) = default;
  virtual ~Shape() {}
  virtual double area() const = 0;
  static Shape* create(const string& name);
  T& operator[](int i) { return data_[i]; }
  bool operator==(const Shape& o) const;
  operator bool() const { return true; }
  template <class U> void visit(U&& u) { u.accept(*this); this->go(); go<U>(1); }
  enum class Kind { A, B };
  using Ptr = std::shared_ptr<Shape>;
  typedef int Id;
  friend class Friend;
private:
  int width_ = 0, height_;
  std::vector<Item> items_;
  static const int kMax = 3;
};
enum Plain { P1, P2 };
double Shape::area() const { return width_ * this->height_; }
acme::Foo* Outer::Inner::make(int a) { return nullptr; }
Outer::Outer() : x(1) {}
Outer::~Outer() { }
auto lam = [](int x) { return x; };
static void helper(std::unique_ptr<Item> p) {
  auto s = new Shape<int>(1, 2);
  s->area(); p->touch(); Shape<int> t(3); t.area(); auto q = std::make_shared<Foo>(1);
  Foo f = Foo(1); Foo g{2}; f.bar().baz();
  for (const auto& it : s->items()) { it.go(); }
  for (Item& it : list) it.run();
  std::sort(a.begin(), a.end(), [&](auto l, auto r) { return l.x < r.x; });
  try { throw Err("x"); } catch (const std::exception& e) { e.what(); }
  delete s; auto z = static_cast<Derived*>(s); z->foo(); dynamic_cast<D&>(*s).bar();
  acme::geo::run(1); ::global(); Foo::statik(); int n = Foo::kConst;
  if (auto x = find(1); x && n) {} 
  auto [aa, bb] = pair(); aa.x();
}
struct Pod { int a; Pod* next; };
}
TEST(Suite, Name) { EXPECT_EQ(1, foo()); }
TEST_F(Fix, Name2) { run(); }
TEST_CASE("title", "[tag]") { run(); SECTION("x") { go(); } }
extern "C" { int cfun(int); }
template <> void spec<int>(int x) {}
constexpr int K = 3;
concept_t c;
class Fwd;
