package com.acme.shop;

import java.util.List;
import static java.util.Map.of;
import static org.junit.Assert.*;
import java.io.*;

/** A cart. */
@Service("x")
public abstract class Cart<T extends Item & Foo> extends Base<T> implements Closeable, java.io.Serializable {
  private final List<T> items = new ArrayList<>(), others[] = null;
  public static final int MAX = 3;
  Cart(Store store, int... xs) { this.store = store; super.init(); }
  /** doc */
  @Override public <R> List<R> map(Function<T, R> f) throws IOException {
    for (T t : items) { t.touch(); f.apply(t); }
    for (int i = 0; i < 3 && i > 2; i++) {}
    var x = new Cart<Item>(null) { void run() {} };
    String s = (String) x.foo.bar().toString();
    Runnable r = () -> helper(); BiFunction<A,B,C> q = (a, b) -> a + b; Consumer<X> c = Cart::go;
    if (x instanceof Sub sub) sub.z();
    try (Reader in = open()) { in.read(); } catch (IOException | Foo e) { e.printStackTrace(); }
    switch (s) { case "a": break; default: }
    int z = switch (s) { case "b" -> 1; default -> 2; };
    xs[0].go(); x++; x = y; Outer.Inner.call(Foo.class);
    return cond ? null : List.of(1);
  }
  static { init(); }
  enum Color { RED(1) { void f(){} }, GREEN; private int v; Color(int v) {} }
  record Point(int x, int y) implements Foo { Point { } }
  interface Shape extends A, B { default double area() { return 0; } int K = 1; }
  @interface Ann { String value() default ""; }
}
