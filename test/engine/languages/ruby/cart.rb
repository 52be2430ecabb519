require 'json'
require_relative '../lib/util'
module Acme
  MAX = 3
  # A cart.
  class Cart < Base::Model
    include Comparable
    extend ClassMethods
    prepend Other::Mix
    attr_accessor :name, :items
    attr_reader :store
    KINDS = %w[a b].freeze
    # doc
    def initialize(store, n = 2, *rest, key:, opt: 1, &blk)
      @store = store
      @items = []
      @repo = Repo.new(store)
      super
    end
    def self.build(x) = new(x)
    class << self
      def make; end
    end
    def run(a)
      @items.each { |i| i.touch(a) }
      x = Cart.new(1); x.run(2).go; y = self.class.make; helper; helper2(1); self.name = 3
      Foo::Bar.baz; Foo::bar(1); ENV['HOME']; ENV.fetch('X'); puts "x #{a.b}"
      return x if a && y
      case a when Foo then 1 when 2 then 2 end
      begin; risky; rescue IOError, Foo => e; e.message; ensure; done; end
      a&.b; x ||= 1; @count += 1; z = ->(q) { q.r }; [1].map(&:to_s); a[0].b; while a; a.x; end
      unless x then y end
      for q in list do q.x end
      @repo.save
      yield a
      x, w = pair
      x.name = 4
      Cart::MAX
    end
    private
    def secret; end
    protected def prot; end
    def ok?; end
    alias_method :old, :run
    alias other run
    def ==(o); end
  end
end
def top(x) end
describe Cart do
  context "when x" do
    let(:foo) { Foo.new }
    it "works" do
      expect(foo.bar).to eq 1
    end
  end
end
class CartTest < Minitest::Test
  def test_it; assert_equal 1, 2; end
end
get '/users' do end
Point = Struct.new(:x, :y)
# TODO: x
