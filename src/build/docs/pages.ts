/** Every generated file: pages for readers, and what sessions are greeted with. */
import { join } from "node:path"
import { languages } from "../../engine/languages/index.ts"
import { catalog as registry } from "../../facades/index.ts"
import { Config } from "../../policy/Config.ts"
import { hostsPage } from "./hosts.ts"
import { httpPage } from "./http.ts"
import { languagesPage, readings } from "./languages.ts"
import type { Page } from "./Page.ts"
import { policyPage } from "./policy.ts"
import { readmePage } from "./readme.ts"
import { rosterPages } from "./roster.ts"
import { settingsPage } from "./settings.ts"
import { telemetryPage } from "./telemetry.ts"
import { toolsPage } from "./tools.ts"

/** Folders that hold a folder of samples for each language, below the top of the repository. */
export const sampleFolders = ["test/engine/languages", "test/docs/fixtures/languages"]

/** Makes the pages from the registry, the settings and the samples below `top`. */
export const pages = async (top: string): Promise<ReadonlyArray<Page>> => [
  readmePage(top, registry),
  toolsPage(registry),
  policyPage(registry),
  httpPage(top),
  languagesPage(
    languages,
    await readings(
      languages,
      sampleFolders.map((folder) => join(top, folder))
    )
  ),
  settingsPage(Config, registry),
  telemetryPage(),
  hostsPage(),
  ...rosterPages(registry)
]
