package com.acme.shop
import com.acme.core.Thing
import com.acme.util.*
import com.acme.core.Foo as Bar
/** A cart. */
@Service("x")
abstract class Cart<T : Item>(private val store: Store, var n: Int = 2, plain: Foo) : Base<T>(store), ICart, Lazy by plain {
    val items: List<T> = listOf()
    private var count = 0
    lateinit var repo: Repo
    val size: Int get() = items.size
    init { setup() }
    constructor(s: Store) : this(s, 1, Foo()) { }
    companion object { const val MAX = 3
fun create(): Cart<Item> = Cart(Store()) }
    @Test override suspend fun <R> map(f: (T) -> R, vararg xs: Int): List<R>? {
        for (t in items) { t.touch() }
        val x = Cart<Item>(store)
x.run().go()
val y: Foo? = null
y?.bar()!!.baz()
        items.forEach { it.go() }
items.map { i -> i.x }.filter(::helper)
        if (x is Sub && y != null) { x.z() } else helper(1)
        when (x) { is Sub -> x.a()
3, 4 -> b()
else -> c() }
        try { risky() } catch (e: IOException) { e.message } finally { done() }
        count += 1
this.count = 2
items[0].go()
Outer.Inner.call(Foo::class)
(x as Other).w()
while (true) {}
        val (a, b) = pair()
val l = { q: Foo -> q.r() }
x ?: return null
super.map(f)
        return items.map(f)
    }
    abstract fun abs()
    fun expr() = Foo()
    inner class In
    enum class Color(val rgb: Int) { RED(1), GREEN(2);
fun f() {} }
}
interface ICart : A, B {
 fun go(x: Item): Int
 val p: Int
}
object Single : Foo() { fun inst() = this }
data class Point(val x: Int, val y: Int)
fun Cart<Item>.ext(a: Int): Int = run() + a
val Foo.prop: Int get() = 1
fun top(x: Int) = x
const val TOP = 3
typealias Al = Map<String, Foo>
sealed interface S {
}
fun `a b`() {}
