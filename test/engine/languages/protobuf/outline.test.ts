import { assert, describe, it } from "vitest"
import { protobuf } from "../../../../src/engine/languages/protobuf/index.ts"
import { outlineOf } from "../outline/support.ts"
import { factsOf } from "../support.ts"

const text = `syntax = "proto3";
package shop.v1;
import "other.proto";
message Order {
  option deprecated = true;
  reserved 2, 15 to 20;
  string id = 1 [(rule) = { min: 1 }];
  map<string, Item> items = 3;
  message Item { repeated int32 n = 1; }
  oneof pay { Card card = 4; .shop.Cash cash = 5; }
  enum State { option allow_alias = true; NEW = 0; OLD = -1 [deprecated = true]; }
}
service Shop {
  option (x) = "y";
  rpc Get(stream GetRequest) returns (Order) { option (http) = { get: "/v1" }; }
  rpc Put (Order) returns (Order);
}
`
describe("Protocol Buffers", () => {
  it("lists messages, fields, enums, services and their calls", async () => {
    assert.deepStrictEqual(await outlineOf(protobuf, text), [
      "message Order 4-12",
      "field Order.id 7-7",
      "field Order.items 8-8",
      "message Order.Item 9-9",
      "field Order.Item.n 9-9",
      "field Order.card 10-10",
      "field Order.cash 10-10",
      "enum Order.State 11-11",
      "enum_member Order.State.NEW 11-11",
      "enum_member Order.State.OLD 11-11",
      "service Shop 13-17",
      "rpc Shop.Get 15-15",
      "rpc Shop.Put 16-16"
    ])
  })
  it("knows the package and a call's signature", async () => {
    const facts = await factsOf(protobuf, text)
    assert.strictEqual(facts.package, "shop.v1")
    assert.strictEqual(facts.definitions[11]!.signature, "rpc Get(stream GetRequest) returns (Order)")
  })
})
