/** Counts so many times, writing now and then, as a process of its own. */
import { namesOf } from "../../src/telemetry/Keys.ts"
import { Telemetry } from "../../src/telemetry/Telemetry.ts"

const [times = "0", every = "1"] = process.argv.slice(2)
const telemetry = new Telemetry({ names: namesOf(undefined, { commands: ["index"] }) })
process.stdout.write("ready\n")
process.stdin.once("data", () => {
  for (let i = 0; i < Number(times); i++) {
    telemetry.count("cli_command", "index")
    if (i % Number(every) === 0) telemetry.flush()
  }
  telemetry.close()
  process.exit(0)
})
