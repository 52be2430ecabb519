import { describe, expect, it } from "vitest"
import { parseProfile, Unread } from "../../../src/engine/coverage/Profile.ts"

const read = (text: string) => {
  const parsed = parseProfile(text)
  if (parsed instanceof Unread) throw new Error(`${parsed.reason}: ${parsed.detail}`)
  return {
    format: parsed.format,
    files: Object.fromEntries(parsed.files.map(({ blocks, path }) => [path, blocks]))
  }
}
const refused = (text: string) => {
  const parsed = parseProfile(text)
  return parsed instanceof Unread ? parsed.reason : "read"
}

describe("profiles of coverage", () => {
  it("are told apart by what they hold, and brought to one form", () => {
    expect(
      read(
        "TN:\nSF:/srv/a b.ts\nFN:1,f\nDA:3,0\nDA:1,12\nBRDA:1,0,0,-\nLF:2\nend_of_record\nSF:b.ts\nend_of_record\n"
      )
    ).toEqual({ format: "lcov", files: { "/srv/a b.ts": [1, 1, 1, 12, 3, 3, 1, 0], "b.ts": [] } })
    expect(
      read(
        "mode: atomic\nexample.org/m/a.go:3.20,5.2 2 7\nexample.org/m/a.go:8.2,8.9 1 0\nexample.org/m/a.go:3.20,5.2 2 0\n"
      )
    ).toEqual({ format: "go", files: { "example.org/m/a.go": [3, 5, 2, 7, 8, 8, 1, 0] } })
    expect(
      read(`<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5" version="5"><sources><source>/srv</source></sources><packages><package name="a">
<classes><class name="A &amp; B" filename="pkg/a &amp; b.py" line-rate="0.5"><methods><method name="m"><lines><line number="2" hits="1"/></lines></method></methods>
<lines><line number="2" hits="1"/><line number="4" hits="0" branch="true"/></lines></class></classes></package></packages></coverage>`)
    ).toEqual({ format: "cobertura", files: { "pkg/a & b.py": [2, 2, 1, 1, 4, 4, 1, 0] } })
    expect(
      read(`<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="x">
<package name="org/example"><class name="org/example/A"><method name="m" line="3"><counter type="LINE" missed="0" covered="1"/></method></class>
<sourcefile name="A.java"><line nr="3" mi="0" ci="4" mb="0" cb="0"/><line nr="5" mi="2" ci="0" mb="0" cb="0"/></sourcefile></package></report>`)
    ).toEqual({ format: "jacoco", files: { "org/example/A.java": [3, 3, 1, 1, 5, 5, 1, 0] } })
    expect(
      read(
        JSON.stringify({
          "/srv/a.ts": {
            path: "/srv/a.ts",
            statementMap: {
              0: { start: { line: 1, column: 0 }, end: { line: 9, column: 1 } },
              1: { start: { line: 2, column: 2 }, end: { line: 2, column: 9 } }
            },
            fnMap: {},
            branchMap: {},
            s: { 0: 1, 1: 0 },
            f: {},
            b: {}
          }
        })
      )
    ).toEqual({ format: "istanbul", files: { "/srv/a.ts": [1, 1, 1, 1, 2, 2, 1, 0] } })
    expect(
      read('{"meta":{"version":"7"},"files":{"a.py":{"executed_lines":[1,2],"missing_lines":[4]}}}')
    ).toEqual({ format: "coverage.py", files: { "a.py": [1, 1, 1, 1, 2, 2, 1, 1, 4, 4, 1, 0] } })
  })

  it("of other forms are refused, and so are those that end too early", () => {
    expect(refused("hello\n")).toBe("unknown_format")
    expect(refused("")).toBe("unknown_format")
    expect(refused("<html></html>")).toBe("unknown_format")
    expect(refused('{"total":{"lines":{"pct":3}}}')).toBe("unknown_format")
    expect(refused('{"a": ')).toBe("malformed")
    expect(refused("SF:a.ts\nDA:1,1\n")).toBe("malformed")
    expect(refused("SF:a.ts\nDA:x,1\nend_of_record\n")).toBe("malformed")
    expect(refused("mode: set\na.go:1.2,3\n")).toBe("malformed")
    expect(refused('<coverage line-rate="1"><class filename="a"><line number="1" hits="1"/>')).toBe(
      "malformed"
    )
    expect(refused('<report name="x"><package name="a">')).toBe("malformed")
  })
})
