import Foundation
@testable import Acme
import struct Foo.Bar
/// A cart.
@available(iOS 13, *)
public final class Cart<T: Item>: Base<T>, ICart {
    private let items: [T] = []
    static var shared = Cart()
    weak var store: Store?
    public var size: Int { return items.count }
    var obs: Int = 0 { didSet { changed() } }
    lazy var repo = Repo(store)
    init(store: Store, _ n: Int = 2) { self.store = store; super.init() }
    deinit { }
    override func map<R>(_ f: (T) -> R, xs: Int...) async throws -> [R]? {
        for t in items { t.touch() }
        let x = Cart<Item>(store: store); x.run().go(); let y: Foo? = nil; y?.bar()!.baz()
        items.forEach { $0.go() }; items.map { i in i.x }.filter(helper)
        if let z = y, x.ok && z.ok { z.go() } else { helper(1) }
        guard let g = y else { return nil }
        switch x { case .red: a(); case let .green(v): v.b(); default: c() }
        do { try risky() } catch let e as IOError { e.message() }
        count += 1; self.count = 2; items[0].go(); Outer.Inner.call(Foo.self); (x as! Other).w(); while true {}
        let (a, b) = pair(); let l = { (q: Foo) -> Int in q.r() }; let d: [String: Foo] = [:]; d["x"]?.go()
        let w = try await load(); super.map(f); return g.y ? nil : []
    }
    subscript(i: Int) -> T { return items[i] }
    enum Color: String { case red = "r", green(Int); func f() {} }
    typealias Al = [String: Foo]
    class func make() -> Cart { return Cart() }
}
protocol ICart: A, B { func go(x: Item) -> Int; var p: Int { get }; associatedtype E }
struct Point: Equatable {
    var x: Int
    let y: Int
    static func == (a: Point, b: Point) -> Bool { true }
    mutating func m() {}
}
extension Cart: Other where T: Foo { func ext(a: Int) -> Int { return run() + a } }
func top(x: Int) -> Int { x }
let TOP = 3
actor Act { }
class CartTests: XCTestCase { func testRuns() { XCTAssertEqual(1, 1) } }
