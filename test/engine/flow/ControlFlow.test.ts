/** Graphs worked out by hand. Lines count from 1; each statement that matters has a line of its own. */
import { assert, describe, it } from "@effect/vitest"
import { graphIn } from "./support.ts"

const same = async (language: string, text: string, expected: ReadonlyArray<string>, name = "f") => {
  const graph = await graphIn(language, text, name)
  assert.sameMembers([...graph], [...expected], graph.join("\n"))
  assert.strictEqual(graph.length, expected.length)
}

describe("control flow of TypeScript and JavaScript", () => {
  it("leaves nested loops by their labels", () =>
    same(
      "typescript",
      `function f(rows) {
  outer: for (let i = 0;
    i < 3;
    i++) {
    for (const x of
      rows) {
      if (x)
        continue outer
      if (i)
        break outer
      use(x)
    }
  }
  done()
}`,
      [
        "entry next> 2",
        "2 next> 3",
        "3 true> 6",
        "3 false> 14",
        "6 next> 5",
        "5 true> 7",
        "5 false> 4",
        "7 true> 8",
        "7 false> 9",
        "8 continue> 4",
        "9 true> 10",
        "9 false> 11",
        "10 break> 14",
        "11 loop> 5",
        "4 loop> 3",
        "14 next> exit"
      ]
    ))

  it("takes every way out of a try through its finally", () =>
    same(
      "javascript",
      `function f(a) {
  try {
    if (a)
      return one()
    two()
  } catch (e) {
    three(e)
  } finally {
    four()
  }
  five()
}`,
      [
        "entry next> 3",
        "3 true> 4",
        "3 false> 5",
        "3 exception> 6,7",
        "4 return> 9",
        "4 exception> 6,7",
        "5 next> 9",
        "5 exception> 6,7",
        "6,7 next> 9",
        "6,7 exception> 9",
        "9 return> exit",
        "9 throw> exit",
        "9 next> 11",
        "11 next> exit"
      ]
    ))

  it("falls through the cases of a switch, and leaves it at a break", () =>
    same(
      "typescript",
      `function f(a) {
  switch (a) {
    case 1:
      one()
    case 2:
      two()
      break
    default:
      three()
  }
  return 4
}`,
      [
        "entry next> 2",
        "2 case> 4",
        "2 case> 6,7",
        "2 default> 9",
        "4 fallthrough> 6,7",
        "6,7 break> 11",
        "9 next> 11",
        "11 return> exit"
      ]
    ))

  it("goes on behind a yield and an await, and keeps what is dead apart", () =>
    same(
      "javascript",
      `async function* f(a) {
  yield a
  await b()
  do {
    a++
  } while (a < 3)
  throw a
  never()
}`,
      [
        "entry next> 2,3",
        "2,3 next> 5,6",
        "5,6 loop> 5,6",
        "5,6 false> 7",
        "7 throw> exit",
        "dead 8 next> exit"
      ]
    ))

  it("keeps short circuits and conditional expressions in their statement", () =>
    same("tsx", "function f(a) {\n  const b = a && g() || (a ? 1 : 2)\n  return <p>{b}</p>\n}", [
      "entry next> 2,3",
      "2,3 return> exit"
    ]))

  it("goes round a loop without a condition until something leaves it", () =>
    same(
      "javascript",
      "function f() {\n  while (true) {\n    if (g())\n      break\n    h()\n  }\n  k()\n}",
      ["entry next> 3", "3 true> 4", "3 false> 5", "4 break> 7", "5 loop> 3", "7 next> exit"]
    ))
})

describe("control flow of Go", () => {
  it("runs what is deferred on every way out, last first", () =>
    same(
      "go",
      `package p
func f(a int) int {
	defer one()
	if a > 0 {
		return 1
	}
	defer two()
	return 2
}`,
      [
        "entry next> 3,4",
        "3,4 true> 5",
        "3,4 false> 7,8",
        "5 return> deferred 7,deferred 3",
        "7,8 return> deferred 7,deferred 3",
        "deferred 7,deferred 3 next> exit"
      ]
    ))

  it("does not fall through cases unless told to, and ranges over what it is given", () =>
    same(
      "go",
      `package p
func f(rows []int) {
	for _, x := range rows {
		switch x {
		case 1:
			one()
			fallthrough
		case 2:
			two()
		case 3:
			continue
		}
		three()
	}
}`,
      [
        "entry next> 3",
        "3 next> 3",
        "3 true> 4",
        "3 false> exit",
        "4 case> 6,7",
        "4 case> 9",
        "4 case> 11",
        "4 default> 13",
        "6,7 fallthrough> 9",
        "9 next> 13",
        "11 continue> 3",
        "13 loop> 3"
      ]
    ))

  it("waits in a select, jumps to labels, and leaves loops by theirs", () =>
    same(
      "go",
      `package p
func f(a, b chan int) {
again:
	one()
loop:
	for {
		select {
		case x := <-a:
			if x > 0 {
				goto again
			}
		case b <- 1:
			break loop
		}
	}
	two()
}`,
      [
        "entry next> 4",
        "4 next> 7",
        "7 case> 8,9",
        "7 case> 12,13",
        "8,9 true> 10",
        "8,9 false> 7",
        "10 goto> 4",
        "12,13 break> 16",
        "16 next> exit"
      ]
    ))

  it("leaves by a panic", () =>
    same("go", 'package p\nfunc f(a int) {\n\tif a == 0 {\n\t\tpanic("zero")\n\t}\n\tone()\n}', [
      "entry next> 3",
      "3 true> 4",
      "3 false> 6",
      "4 throw> exit",
      "6 next> exit"
    ]))
})

describe("control flow of Python", () => {
  it("runs the else of a loop only when nothing broke out of it", () =>
    same(
      "python",
      `def f(rows):
    for x in rows:
        if x:
            break
        one()
    else:
        two()
    return 3`,
      [
        "entry next> 2",
        "2 next> 2",
        "2 true> 3",
        "2 false> 7",
        "3 true> 4",
        "3 false> 5",
        "4 break> 8",
        "5 loop> 2",
        "7 next> 8",
        "8 return> exit"
      ]
    ))

  it("tries, excepts by kind, and finally", () =>
    same(
      "python",
      `def f(a):
    try:
        one()
    except KeyError as e:
        two(e)
    except ValueError:
        raise
    else:
        three()
    finally:
        four()
    five()`,
      [
        "entry next> 3",
        "3 next> 9",
        "3 exception> catch",
        "catch case> 4,5",
        "catch case> 6,7",
        "4,5 next> 11",
        "4,5 exception> 11",
        "6,7 throw> 11",
        "9 next> 11",
        "9 exception> 11",
        "11 throw> exit",
        "11 next> 12",
        "12 next> exit"
      ]
    ))

  it("matches, guards, and takes elif after elif", () =>
    same(
      "python",
      `def f(a):
    match a:
        case [x, y]:
            one()
        case {"k": z} if z:
            two()
        case _:
            three()
    if a:
        four()
    elif b:
        five()
    else:
        six()`,
      [
        "entry next> 2",
        "2 case> 3,4",
        "2 case> 5,6",
        "2 default> 7,8",
        "3,4 next> 9",
        "5,6 next> 9",
        "7,8 next> 9",
        "9 true> 10",
        "9 false> 11",
        "10 next> exit",
        "11 true> 12",
        "11 false> 14",
        "12 next> exit",
        "14 next> exit"
      ]
    ))

  it("leaves a with block like any other, and yields", () =>
    same(
      "python",
      "def f(p):\n    with open(p) as h:\n        yield h\n    while True:\n        if p:\n            return 1\n",
      ["entry next> 2,3", "2,3 next> 5", "5 true> 6", "5 false> 5", "6 return> exit"]
    ))
})

describe("control flow of Rust", () => {
  it("leaves early at a question mark", () =>
    same("rust", "fn f(a: R) -> R {\n    let x = one(a)?;\n    two(x)?;\n    Ok(x)\n}", [
      "entry next> 2",
      "2 error> exit",
      "2 next> 3",
      "3 error> exit",
      "3 next> 4",
      "4 return> exit"
    ]))

  it("gives values out of branches, matches and loops", () =>
    same(
      "rust",
      `fn f(a: Option<i32>) -> i32 {
    let x = match a {
        Some(v) =>
            v,
        None =>
            return 0,
    };
    let y = if x > 1 {
        2
    } else {
        3
    };
    x + y
}`,
      [
        "entry next> 2",
        "2 case> 3,4,2,8",
        "2 case> 5,6",
        "5,6 return> exit",
        "3,4,2,8 true> 9",
        "3,4,2,8 false> 11",
        "9 next> 8,13",
        "11 next> 8,13",
        "8,13 return> exit"
      ]
    ))

  it("breaks out of labelled loops with a value", () =>
    same(
      "rust",
      `fn f(rows: Vec<i32>) -> i32 {
    let n = 'outer: loop {
        for x in
            rows {
            if x == 0 {
                continue 'outer;
            }
            break 'outer x;
        }
        while let Some(y) = next() {
            use_it(y);
        }
    };
    n
}`,
      [
        "entry next> 4,3",
        "4,3 true> 5",
        "4,3 false> 10",
        "5 true> 6",
        "5 false> 8",
        "6 continue> 4,3",
        "8 break> 2,14",
        "10 true> 11",
        "10 false> 4,3",
        "11 loop> 10",
        "2,14 return> exit"
      ]
    ))

  it("panics", () =>
    same("rust", 'fn f(a: bool) {\n    if a {\n        panic!("no");\n    }\n    one();\n}', [
      "entry next> 2",
      "2 true> 3",
      "2 false> 5",
      "3 throw> exit",
      "5 next> exit"
    ]))
})

describe("control flow of Java", () => {
  it("closes, catches and cleans up", () =>
    same(
      "java",
      `class A {
  int f(int a) {
    try (R r = open()) {
      one();
    } catch (IOException e) {
      two();
      throw e;
    } finally {
      three();
    }
    return 4;
  }
}`,
      [
        "entry next> 3",
        "3 next> 4",
        "4 exception> 5,6,7",
        "4 next> 9",
        "5,6,7 throw> 9",
        "9 throw> exit",
        "9 next> 11",
        "11 return> exit"
      ]
    ))

  it("switches in both ways", () =>
    same(
      "java",
      `class A {
  int f(int a) {
    switch (a) {
      case 1:
        one();
      case 2:
        two();
        break;
      default:
        three();
    }
    int b = switch (a) {
      case 1 ->
        4;
      default -> {
        yield five();
      }
    };
    return b;
  }
}`,
      [
        "entry next> 3",
        "3 case> 5",
        "3 case> 7,8",
        "3 default> 10",
        "5 fallthrough> 7,8",
        "7,8 break> 12",
        "10 next> 12",
        "12 case> 14",
        "12 default> 16",
        "14 next> 12,19",
        "16 break> 12,19",
        "12,19 return> exit"
      ]
    ))

  it("continues a labelled loop from an inner one", () =>
    same(
      "java",
      `class A {
  void f(int[] rows) {
    outer:
    for (int x :
        rows) {
      while (x > 0) {
        if (x == 2)
          continue outer;
        break;
      }
    }
    done();
  }
}`,
      [
        "entry next> 5",
        "5 next> 4",
        "4 true> 6",
        "4 false> 12",
        "6 true> 7",
        "6 false> 4",
        "7 true> 8",
        "7 false> 9",
        "8 continue> 4",
        "9 break> 4",
        "12 next> exit"
      ]
    ))
})

describe("control flow of C#", () => {
  it("switches, locks, uses and yields", () =>
    same(
      "csharp",
      `class A {
  IEnumerable<int> F(int a) {
    lock (gate) {
      One();
    }
    switch (a) {
      case 1:
      case 2:
        Two();
        break;
      default:
        yield break;
    }
    foreach (var x in
        Rows()) {
      yield return x;
    }
  }
}`,
      [
        "entry next> 3,4,6",
        "3,4,6 case> 9,10",
        "3,4,6 default> 12",
        "9,10 break> 15",
        "12 return> exit",
        "15 next> 14",
        "14 true> 16",
        "14 false> exit",
        "16 loop> 14"
      ],
      "F"
    ))

  it("tries, catches and finally", () =>
    same(
      "csharp",
      `class A {
  void F() {
    try {
      One();
    }
    catch (E e) {
      Two(e);
    }
    finally {
      Three();
    }
    goto end;
    Four();
    end:
    Five();
  }
}`,
      [
        "entry next> 4",
        "4 exception> 6,7",
        "4 next> 10",
        "6,7 exception> 10",
        "6,7 next> 10",
        "10 throw> exit",
        "10 next> 12",
        "12 goto> 15",
        "dead 13 next> 15",
        "15 next> exit"
      ],
      "F"
    ))
})

describe("control flow of C and C++", () => {
  it("falls through, jumps back and does while", () =>
    same(
      "c",
      `int f(int a) {
again:
  one();
  switch (a) {
  case 1:
    two();
  case 2:
    three();
    break;
  default:
    goto again;
  }
  do {
    a--;
  } while (a > 0);
  for (int i = 0;
       i < 3;
       i++) {
    if (a)
      continue;
    four();
  }
  return a;
}`,
      [
        "entry next> 3,4",
        "3,4 case> 6",
        "3,4 case> 8,9",
        "3,4 default> 11",
        "6 fallthrough> 8,9",
        "8,9 break> 14,15",
        "11 goto> 3,4",
        "14,15 loop> 14,15",
        "14,15 false> 16",
        "16 next> 17",
        "17 true> 19",
        "17 false> 23",
        "19 true> 20",
        "19 false> 21",
        "20 continue> 18",
        "21 next> 18",
        "18 loop> 17",
        "23 return> exit"
      ]
    ))

  it("catches what C++ throws", () =>
    same(
      "cpp",
      `int f(int a) {
  try {
    if (a)
      throw 1;
    one();
  } catch (int e) {
    return e;
  } catch (...) {
    two();
  }
  return 0;
}`,
      [
        "entry next> 3",
        "3 true> 4",
        "3 false> 5",
        "3 exception> catch",
        "4 throw> catch",
        "5 exception> catch",
        "5 next> 11",
        "catch case> 6,7",
        "catch case> 8,9",
        "6,7 return> exit",
        "8,9 next> 11",
        "11 return> exit"
      ]
    ))
})
