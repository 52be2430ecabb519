using System;
using System.Collections.Generic;
using static System.Math;
using Alias = Acme.Core.Thing;
global using Xunit;
namespace Acme.Shop;
/// <summary>A cart.</summary>
[Serializable]
public abstract partial class Cart<T> : Base<T>, ICart where T : Item, new() {
  private readonly List<T> _items = new(), _b;
  public const int Max = 3;
  public string Name { get; set; } = "x";
  public int Count => _items.Count;
  public T this[int i] { get { return _items[i]; } }
  public event EventHandler<Args> Changed;
  public Cart(IStore store, int n = 2) : base(store) { _store = store; this.Name = "y"; }
  ~Cart() { }
  [Fact] public async Task<int> RunAsync<U>(params U[] xs) {
    foreach (var t in _items) { t.Touch(); }
    foreach (T t2 in _items) t2.Go();
    var s = new Cart<Item>(null); s.Run(); Cart<Item> c = new(); Foo f = new Foo { A = 1, B = Bar() };
    var y = await s.LoadAsync(); y.Go(); s?.Name.Trim(); a.b!.C();
    if (x is Sub sub && sub.Ok) sub.Z();
    var z = (Derived)x; z.D(); (x as Other).E();
    try { } catch (IOException e) when (e.Ok) { e.What(); }
    switch (x) { case Sub q: q.R(); break; default: break; }
    var w = x switch { Sub m => m.N(), _ => null };
    Func<int, int> g = v => v + 1; items.Where((i) => i.Ok).Select(Helper);
    using (var r = Open()) { r.Read(); } using var r2 = Open();
    for (int i = 0; i < 3; i++) { _items[0].Go(); }
    typeof(Foo).ToString(); nameof(Bar); Console.WriteLine($"hi {f.A}"); Generic<int>(1); o.Gen<Foo>(2);
    return await Task.FromResult(Max) ?? 2;
    int Local(int p) => p + 1;
    if (int.TryParse(s, out var outv)) outv.Go();
    var (a1, b1) = Pair();
  }
  public static Cart<T> operator +(Cart<T> a, Cart<T> b) => a;
  public abstract void Abs();
  public int Exp(int a) => a + Max;
  enum Color { Red = 1, Green }
  public delegate void Handler(int x);
  interface IShape : IA, IB { double Area(); }
  struct P { public int X; }
}
public record Person(string Name, int Age) : Entity(Name) { }
public static class Ext { public static void Do(this Cart<Item> c, int x) { c.Run(); } }
