/** Facts of single platforms: cgo, wasm-bindgen, Drupal, SwiftUI, UIKit. */
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { at } from "../Routers.ts"

export const cgo: Pass = {
  name: "cgo",
  family: "platforms",
  languages: ["go"],
  hints: ['import "C"', '"C"'],
  *read(source): Generator<LocalFact> {
    // Comments are blank here: what may begin with any blanks would look through them from each of their lines.
    const found = /^[ \t]*import\s+"C"|^[ \t]*import\s*\((?:[^)]*\n)?[ \t]*"C"/m.exec(source.code)
    if (found === null) return
    const calls = new Set([...source.code.matchAll(/\bC\.(\w+)/g)].map(([, name]) => name!))
    yield {
      kind: "note",
      pass: "cgo",
      what: "cgo",
      name: source.path,
      data: { uses: [...calls].sort() },
      ...source.at(found.index + found[0].search(/\S/))
    }
  }
}

export const wasm: Pass = {
  name: "wasm-bindgen",
  family: "platforms",
  languages: ["rust"],
  hints: ["wasm_bindgen"],
  *read(source): Generator<LocalFact> {
    const first = source.code.search(/\bwasm_bindgen\b/)
    if (first < 0) return
    const exported = source.script
      .decorations()
      .filter(
        ({ chain, on }) => chain.parts.some(({ name }) => name === "wasm_bindgen") && on.kind !== "none"
      )
    yield {
      kind: "note",
      pass: "wasm-bindgen",
      what: "wasm",
      name: source.path,
      data: { bound: exported.map(({ on }) => on.name) },
      ...source.at(first)
    }
  }
}

/** Hooks that modules implement most; another is one where a comment says so. */
const hooks = new Set(
  "help menu menu_alter theme theme_suggestions_alter form_alter entity_presave entity_insert entity_update entity_delete entity_load entity_view entity_view_alter entity_access entity_type_alter entity_type_build entity_base_field_info entity_bundle_field_info entity_operation entity_create node_insert node_update node_presave node_delete node_access node_view user_login user_logout user_insert user_update user_delete user_presave cron install uninstall schema update_last_removed requirements permission preprocess_page preprocess_node preprocess_html page_attachments page_attachments_alter page_top page_bottom library_info_build library_info_alter tokens token_info mail mail_alter views_data views_data_alter views_query_alter block_access block_view_alter init boot exit cache_flush rebuild modules_installed modules_uninstalled toolbar local_tasks_alter menu_links_discovered_alter query_alter file_download field_widget_form_alter field_formatter_info_alter css_alter js_alter js_settings_alter system_info_alter update_projects_alter language_switch_links_alter link_alter mail_alter filter_info_alter search_preprocess comment_insert taxonomy_term_insert taxonomy_term_update ckeditor_css_alter migration_plugins_alter rest_resource_alter".split(
    " "
  )
)

export const drupal: Pass = {
  name: "drupal",
  family: "platforms",
  languages: ["php"],
  files: (path) => /\.(?:module|install|theme|inc|profile|php|engine)$/.test(path),
  hints: ["function", "#[Hook"],
  *read(source): Generator<LocalFact> {
    const { path, script, text } = source
    for (const { args, name, on } of script.decorations())
      if (name === "Hook" && on.kind !== "none") {
        const value = args[0]?.value
        if (value?.kind === "string")
          yield {
            kind: "note",
            pass: "drupal",
            what: "drupal_hook",
            name: `hook_${value.text}`,
            data: { module: moduleOf(path), by: "attribute" },
            names: { symbol: { kind: "definition", name: on.name, ...at(script, on.at) } },
            ...at(script, on.at)
          }
      }
    const module =
      /([^/]+)\.(?:module|install|theme|profile|engine)$/.exec(path)?.[1] ??
      (path.endsWith(".inc") ? /([^/.]+)\.[^/]*$/.exec(path)?.[1] : undefined)
    for (const { at: token, name } of script.functions()) {
      const { comments, start } = script.tokens
      let said: string | undefined
      for (let i = 0; i < comments.length; i += 2)
        if (
          comments[i + 1]! < start[token]! &&
          /^[\s\w]*$/.test(text.slice(comments[i + 1]!, start[token]!).replace("function", ""))
        )
          said = /Implements\s+hook_(\w+)/.exec(text.slice(comments[i]!, comments[i + 1]!))?.[1] ?? said
      if (script.classAround(token) !== undefined) continue
      const own =
        module !== undefined && name.startsWith(`${module}_`) ? name.slice(module.length + 1) : undefined
      const hook =
        said ??
        (own !== undefined &&
        (hooks.has(own) ||
          /^(?:form_\w+_alter|preprocess_\w+|update_\d+|theme_suggestions_\w+|post_update_\w+)$/.test(own))
          ? own
          : undefined)
      if (hook === undefined) continue
      yield {
        kind: "note",
        pass: "drupal",
        what: "drupal_hook",
        name: `hook_${hook.replace(/^update_\d+$/, "update_N")}`,
        data: { module: module ?? moduleOf(path), by: said === undefined ? "name" : "comment" },
        names: { symbol: { kind: "definition", name, ...at(script, token) } },
        ...at(script, token)
      }
    }
  }
}
const moduleOf = (path: string): string =>
  /(?:^|\/)modules\/(?:\w+\/)*?([a-z]\w*)\//.exec(path)?.[1] ?? path.split("/")[0]!

const swiftRoles: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bApp\b/, "app"],
  [/\bScene\b/, "scene"],
  [/\bView\b/, "view"],
  [/\bViewModifier\b/, "modifier"],
  [
    /\bButtonStyle\b|\bLabelStyle\b|\bToggleStyle\b|\bTextFieldStyle\b|\bPrimitiveButtonStyle\b|\bListStyle\b/,
    "style"
  ],
  [/\bShape\b|\bInsettableShape\b/, "shape"],
  [/\bPreviewProvider\b/, "preview"],
  [/\bObservableObject\b/, "observable"],
  [/\bUIViewRepresentable\b|\bUIViewControllerRepresentable\b|\bNSViewRepresentable\b/, "representable"],
  [/\bPreferenceKey\b/, "preference_key"],
  [/\bEnvironmentKey\b/, "environment_key"],
  [/\bWidget\b|\bWidgetBundle\b/, "widget"],
  [/\bCommands\b/, "commands"]
]

export const swiftui: Pass = {
  name: "swiftui",
  family: "platforms",
  languages: ["swift"],
  hints: ["SwiftUI", "Observable"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\bimport\s+(?:SwiftUI|WidgetKit|Combine|Observation)\b/.test(text)) return
    const observable = new Set(
      script
        .decorations()
        .flatMap(({ name, on }) => (name === "Observable" && on.kind === "class" ? [on.at] : []))
    )
    for (const each of script.classes()) {
      if (each.keyword === "extension" || each.keyword === "protocol") continue
      const role =
        swiftRoles.find(([pattern]) =>
          pattern.test(each.header.split(/\bwhere\b/)[0]!.replace(/<[^>]*>/g, ""))
        )?.[1] ?? (observable.has(each.at) ? "observable" : undefined)
      if (role === undefined) continue
      yield {
        kind: "note",
        pass: "swiftui",
        what: "swiftui",
        name: each.name,
        data: { role },
        names: { symbol: { kind: "definition", name: each.name, ...at(script, each.at) } },
        ...at(script, each.at)
      }
    }
    // #Preview { … } is a preview without a type.
  }
}

const uikitRoles: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bUIApplicationDelegate\b/, "app_delegate"],
  [/\bUIWindowSceneDelegate\b|\bUISceneDelegate\b/, "scene_delegate"],
  [
    /\b(?:UI|\w*)(?:Table|Collection|Navigation|TabBar|Page|Split|Alert|Hosting)?ViewController\b|\bUI(?:Navigation|TabBar|Alert|Hosting|PageView|SplitView)Controller\b/,
    "view_controller"
  ],
  [/\bUI(?:TableView|CollectionView)Cell\b/, "cell"],
  [
    /\bUI(?:View|Control|Button|Label|ImageView|StackView|ScrollView|TableView|CollectionView|TextField|TextView|Switch|Slider|SegmentedControl|SearchBar|Window)\b/,
    "view"
  ],
  [/\bUI(?:TableView|CollectionView)(?:Data[sS]ource|Delegate\w*)\b/, "data_source"],
  [/\bUICollectionView(?:Flow)?Layout\b/, "layout"],
  [/\bUIGestureRecognizer\b/, "gesture"]
]
export const uikit: Pass = {
  name: "uikit",
  family: "platforms",
  languages: ["swift"],
  hints: ["UIKit", "UIView", "UIApplication"],
  *read({ script, text }): Generator<LocalFact> {
    if (!/\bimport\s+UIKit\b|\bUIViewController\b/.test(text)) return
    for (const each of script.classes()) {
      if (each.keyword !== "class") continue
      const role = uikitRoles.find(([pattern]) => pattern.test(each.header))?.[1]
      if (role !== undefined)
        yield {
          kind: "note",
          pass: "uikit",
          what: "uikit",
          name: each.name,
          data: { role },
          names: { symbol: { kind: "definition", name: each.name, ...at(script, each.at) } },
          ...at(script, each.at)
        }
    }
  }
}

export const platformPasses: ReadonlyArray<Pass> = [cgo, wasm, drupal, swiftui, uikit]
