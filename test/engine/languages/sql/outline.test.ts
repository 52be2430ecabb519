import { assert, describe, it } from "vitest"
import { sql } from "../../../../src/engine/languages/sql/index.ts"
import { outlineOf } from "../outline/support.ts"
import { factsOf } from "../support.ts"

const text = `-- CREATE TABLE not_this (a int);
CREATE TABLE IF NOT EXISTS shop.users (
  id INT PRIMARY KEY,
  "full name" VARCHAR(20) DEFAULT 'a, b',
  price DECIMAL(10, 2),
  CONSTRAINT u UNIQUE (id),
  FOREIGN KEY (id) REFERENCES other (id)
);
create or replace view active as select * from users where note = 'create table x (y int)';
CREATE FUNCTION total(a int, b int) RETURNS int AS $body$ BEGIN; CREATE TABLE hidden (x int); END $body$ LANGUAGE plpgsql;
CREATE PROCEDURE tidy(IN n INT)
BEGIN
  IF n > 1 THEN DELETE FROM t; END IF;
  SELECT CASE WHEN n THEN 1 ELSE 2 END;
END;
CREATE TABLE [dbo].[Orders] ([Order Id] int, note text)
`
describe("SQL", () => {
  it("lists tables with their columns, views, functions and procedures", async () => {
    assert.deepStrictEqual(await outlineOf(sql, text), [
      "table users 2-8",
      "field users.id 3-3",
      "field users.full name 4-4",
      "field users.price 5-5",
      "view active 9-9",
      "function total 10-10",
      "procedure tidy 11-15",
      "table Orders 16-16",
      "field Orders.Order Id 16-16",
      "field Orders.note 16-16"
    ])
  })
  it("keeps a column's declaration as its signature", async () => {
    const facts = await factsOf(sql, text)
    assert.strictEqual(facts.definitions[3]!.signature, "price DECIMAL(10, 2)")
    assert.strictEqual(facts.definitions[5]!.signature, "CREATE FUNCTION total(a int, b int)")
  })
})
