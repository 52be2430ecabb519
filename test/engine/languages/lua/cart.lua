local json = require("cjson")
local M = {}
local util = require "acme.util"
require("side")
--- A cart.
-- more
local Cart = {}
Cart.__index = Cart
Cart.MAX = 3
function Cart.new(store, ...)
  local self = setmetatable({}, Cart)
  self.store = store
  self.items = {}
  return self
end
function Cart:run(a)
  for i, item in ipairs(self.items) do item:touch(i) end
  local x = Cart.new(1); x:run(2):go(); helper(1); json.encode(x).foo = 1
  if a and x or y then x.z() elseif b then else end
  for i = 1, 3 do print(i) end
  while true do break end
  repeat until a
  self:other(); M.go(); M["x"]()
  local f = function(q) return q.r() end
  return self.store
end
M.helper = function(a, b) return a + b end
local function priv(x) return x end
function glob() return Cart.new() end
GLOB = 3
local t = { a = 1, f = function() end }
describe("cart", function() it("works", function() assert.equal(1, 2) end) end)
os.getenv("HOME")
setmetatable(Cart, { __index = Base })
return M
