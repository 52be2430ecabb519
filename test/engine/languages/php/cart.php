<?php
namespace Acme\Shop;
use Acme\Core\Thing;
use Acme\Core\{Foo, Bar as Baz};
use function Acme\helper;
use const Acme\LIMIT;
require_once __DIR__ . '/lib.php';
include 'other.php';
const TOP = 3;
define('DEF', 4);
/** A cart. */
#[Attr(1)]
abstract class Cart extends \Base\Model implements ICart, \Countable {
    use Loggable, Other\Mix;
    public const MAX = 10;
    private ?Store $store;
    protected static array $cache = [];
    public function __construct(private readonly Store $repo, protected int $n = 3, ...$rest) { $this->store = $repo; parent::__construct(); }
    /** doc */
    #[Test]
    public static function make(string $name, ?Foo $foo = null): static { return new static($name); }
    abstract protected function run(): void;
    public function go(Item|Other $x): ?Item {
        foreach ($this->items as $k => $item) { $item->touch($k); }
        $s = new Cart($x); $s->run()->next; self::make('a'); Foo::bar()->baz(); static::$cache['x'] = 1; self::MAX; Foo::class;
        $f = function ($a) use ($s) { return $a->b(); }; $g = fn($q) => $q->r();
        if ($x instanceof Item && $x) { $x->z(); } elseif ($y) {} 
        try { risky(); } catch (FooException | Bar $e) { $e->getMessage(); }
        $s?->opt(); $this->store->save(); helper(1, 2); \strlen("x"); new class(1) extends Foo { function anon() {} };
        $v = match(true) { 1 => a(), default => b() }; $arr = [new Foo]; echo getenv('HOME'); $_ENV['X'];
        global $conf; static $count = 0; [$l, $m] = pair(); $o->prop = 3; $fn($x); Thing\sub(); 
        return $x ?: null;
    }
}
interface ICart extends A, B { const K = 1; public function go(Item $x); }
trait Loggable { protected $log; function log($m) {} }
enum Suit: string implements HasLabel { case Hearts = 'H'; case Spades = 'S'; public function label(): string { return 'x'; } }
function helper2(int $a, &$b = null) { return new Foo(); }
$app->get('/users', [UserController::class, 'index']);
Route::get('/x', fn() => 1);
class CartTest extends TestCase { public function testRuns() { $this->assertTrue(true); } }
