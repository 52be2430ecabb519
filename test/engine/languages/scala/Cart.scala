package com.acme
package shop
import com.acme.core.Thing
import com.acme.util._
import com.acme.core.{Foo => Bar, Baz, _}
/** A cart. */
@Service("x")
abstract class Cart[T <: Item](private val store: Store, var n: Int = 2, plain: Foo)(implicit ec: Ctx) extends Base[T](store) with ICart with Lazy {
  val items: List[T] = List()
  private var count = 0
  lazy val repo = new Repo(store)
  def size: Int = items.size
  def this(s: Store) = this(s, 1, new Foo)
  override def map[R](f: T => R, xs: Int*): List[R] = {
    for (t <- items; u = t.x if u) { t.touch() }
    val x = new Cart[Item](store); x.run().go(); val y: Option[Foo] = None; y.get.bar
    items.foreach(_.go()); items.map { i => i.x }.filter(helper _)
    if (x.isInstanceOf[Sub] && y != null) x.z() else helper(1)
    x match { case s: Sub => s.a(); case Foo(q) => q.b; case _ if z => c() }
    try risky() catch { case e: IOException => e.getMessage } finally done()
    count += 1; this.count = 2; items(0).go(); Outer.Inner.call(classOf[Foo]); while (true) {}
    val (a, b) = pair(); val l = (q: Foo) => q.r(); super.map(f)
    items map f
  }
  def abs(): Unit
  def expr = new Foo
  type Al = Map[String, Foo]
}
trait ICart extends A with B { def go(x: Item): Int; val p: Int }
object Cart { val MAX = 3; def apply(): Cart[Item] = new Cart(null) }
case class Point(x: Int, y: Int)
case object Nil2 extends S
sealed trait S
class CartSpec extends AnyFunSuite { test("adds items") { assert(1 == 1) } }
enum Color { case Red, Green }
extension (c: Cart[Item]) def ext(a: Int): Int = c.run() + a
