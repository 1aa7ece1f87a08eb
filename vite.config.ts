import { brotliCompress, constants, gzip } from 'node:zlib'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import react from '@vitejs/plugin-react'
import { defineConfig, runnerImport, type Plugin } from 'vite'
import type { pageRoutes, redirects } from './src/web/routes.ts'

/** Where the dev server finds the API. */
const API_ORIGIN = 'http://127.0.0.1:3000'
/** Below this size (bytes) a compressed copy saves less than its file costs. */
const COMPRESS_FROM = 1024

/** What the sign-in page loads as well. */
const shared =
  /rolldown[\\/]runtime|vite[\\/]preload-helper|node_modules[\\/](react|react-dom|scheduler)[\\/]|src[\\/]web[\\/]ui[\\/]((button|class-names|link|key-hint|fields[\\/](text-field|field-frame|fields)|dialogs[\\/]notice)[^/\\]*|base\.css)$/

/** Front doors of slices only pass names on: who asks one of them for a name loads neither the others nor their styles. */
const frontDoor = /[\\/]src[\\/]web[\\/]([\w-]+)[\\/]\1\.ts$/

/** The groups that first views load, and what the bundler itself brings. */
const firstViews = new Set(['react', 'console', 'lists', 'bill', 'bill-tabs', 'bill-list', 'vendors', 'bill-form', 'rolldown-runtime'])

/** The console and the sign-in page: two entries that share React and little more. */
export default defineConfig({
  plugins: [react(), pageDefaults(), withoutUnasked(), precompressed(), addresses()],
  html: { cspNonce: '%NONCE%' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    // Every browser that understands the target preloads modules by itself.
    modulePreload: { polyfill: false },
    // A data: address in a style sheet or an image would need a wider content policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', login: 'login.html' },
      treeshake: { moduleSideEffects: [{ test: frontDoor, sideEffects: false }] },
      output: {
        // The console lists the files of all pages, so each name costs every first load: only the files of first views have one.
        chunkFileNames: ({ name }) => (firstViews.has(name) ? 'assets/[name]-[hash].js' : 'assets/[hash].js'),
        codeSplitting: {
          groups: [
            // Few files, for each is a request before the first row: what sign-in and console share with the styles of first views, what every
            // page of the console needs, what lists need, and the lists and the form of bills, where clerks spend their day.
            // zod and its settings share a file: a schema that is made before them would probe for eval, which the policy reports.
            { name: 'react', test: (id) => shared.test(id) || inFirstStyles(id), priority: 30 },
            { name: 'console', test: (id) => inConsole(id) && !inLists(id), priority: 20 },
            { name: 'lists', test: inLists, priority: 19 },
            { name: 'bill', test: inBill, priority: 18 },
            { name: 'bill-tabs', test: inBillTabs, priority: 19 },
            { name: 'bill-list', test: inBills, priority: 18 },
            { name: 'vendors', test: inVendors, priority: 17 },
            { name: 'bill-form', test: inBillForm, priority: 16 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': API_ORIGIN },
  },
})

/** What the shell and every page stand on; lists, forms, charts, the calendar and the palette come when they are wanted. */
function inConsole(id: string): boolean {
  const path = id.replaceAll('\\', '/')
  if (/node_modules\/(zod|@tanstack)\//.test(path))
    return !/virtual|infiniteQueryObserver|useInfiniteQuery|queriesObserver|useQueries/.test(path)
  if (/lucide-react\/.*\/icons\/(plus|x|calendar-days|search)\./.test(path)) return true
  if (
    /\/src\/contract\/(kernel\/(?!import)|access\/(auth|rights)\.|clients\/client\.|notifications\/notification\.|list-layouts\/|alerts\/alert-names|bills\/(bill|bill-status|bill-badges)\.)/.test(
      path,
    )
  )
    return true
  // What lists filter by and forms are typed into, and what keeps a form from being lost.
  if (
    /\/src\/web\/(ui\/fields\/(date-field|number-field|choice-fields|use-draft|arithmetic)|kernel\/forms\/(form-draft|lasting-draft|use-unsaved-guard|use-intent))\./.test(
      path,
    )
  )
    return true
  if (
    /\/src\/web\/ui\/(grid\/|first|style-nonce|states|status|menu|overlay|kit|popover|page-header|shortcuts|place|dialogs\/(modal|confirm|dialogs))/.test(
      path,
    )
  )
    return !/kit-provider|choice-filter|grid\/card|name-dialog|views?-menu/.test(path)
  return (
    /\/src\/web\/((kernel|shell|home|later)\/|(main|app|routes|[\w-]+\/routes)\.)/.test(path) &&
    !/sidebar(-lists|-lines)?\.|home\/(day-work|work-rows|work-sections|section-table)|shell\/(glossary|search-records|bell-line|bell-days|near-time|use-jobs|jobs|sign-out)\.|said-notices|(proof|secret)-dialog|use-laid-file|changed-fields|task-progress|theme-cookie|form|child-rows|direct-upload|conflict|palette\.|panel|kernel\/([\w-]+\/)?(list-view-menu|picker|option-words|recent-choices)|shortcut-sheet|unsaved|-page\.tsx$/.test(
      path.replace('list-page', ''),
    )
  )
}

/** What lists stand on, and forms and dashboards do without. */
function inLists(id: string): boolean {
  const path = id.replaceAll('\\', '/')
  if (/choice-filter\.|grid\/card|name-dialog|views?-menu/.test(path)) return false
  return /node_modules\/@tanstack\/(react-)?table|\/src\/web\/(ui\/grid\/|kernel\/lists\/).*\.tsx?$/.test(path)
}

/** What a bill is beyond its row, which its form, its page and its findings all speak of. */
function inBill(id: string): boolean {
  return /[\\/]src[\\/]contract[\\/](bills[\\/]bill-detail|bill-figures[\\/]bill-totals|bill-reading[\\/]bill-reading|bill-audits[\\/]finding-reasons)\.ts$/.test(
    id,
  )
}

/** The lists of bills, which are where most work begins: their rows are asked for before anything is drawn. */
function inBills(id: string): boolean {
  return /[\\/]src[\\/]web[\\/](bills[\\/]bill-(list|columns|cells)|bulk-changes[\\/]use-bill-bulk)\.tsx?$/.test(id)
}

/** The tabs over the lists of bills, their findings and their dashboard: apart, so that the dashboard does without the lists. */
function inBillTabs(id: string): boolean {
  return /[\\/]src[\\/]web[\\/]bill-tabs[\\/]bill-tabs\.tsx$/.test(id)
}

/** What a bill's form shows before its first field takes a key, with all that it stands on. The rest of it comes when the form stands there. */
function inBillForm(id: string): boolean {
  return /[\\/]src[\\/]web[\\/]bill-entry[\\/]new-bill-page\.tsx$/.test(id)
}

/** The list of vendors, with what their page and form stand on, too. */
function inVendors(id: string): boolean {
  return /[\\/]src[\\/](contract[\\/]vendors[\\/]vendor|web[\\/]vendors[\\/](vendor-list|bank-notes))\.tsx?$/.test(id)
}

/** Styles of the kit and of first views; those of the other slices come with their pages, after those that they lay over. */
function inFirstStyles(id: string): boolean {
  return /\/src\/web\/(ui\/(?!plain-table|grid\/card)|kernel\/|shell\/|home\/|login\/|bills\/bills\.|vendors\/).*\.css/.test(
    id.replaceAll('\\', '/'),
  )
}

/**
 * Leaves out what a library holds on to and no page of the console asks for: how zod turns its schemas into JSON Schema, zod's English
 * messages (`src/contract/kernel/messages.ts` says every one), and the router's own links, of which each of its routes has one (ours are
 * `AppLink`). What is exported there becomes a function that makes a function that does nothing.
 */
function withoutUnasked(): Plugin {
  return {
    name: 'meterbook-without-unasked',
    apply: 'build',
    transform: {
      filter: {
        id: /node_modules[\\/](zod[\\/]v4[\\/](core[\\/](json-schema-processors|to-json-schema)|locales[\\/]en)|@tanstack[\\/]react-router[\\/].*[\\/]link)\.js$/,
      },
      handler: (code) => {
        const single = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map((match) => match[1])
        const listed = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap((match) => match[1]?.split(',') ?? [])
        const names = new Set([...single, ...listed.map((name) => name.split(' as ').at(-1)?.trim())])
        const named = [...names].map((name) => `export const ${name} = () => () => undefined`)
        return { code: [...named, 'export default () => ({})'].join('\n'), map: null }
      },
    },
  }
}

/** In development nobody replaces the server's placeholders, and nobody serves the sign-in page under its own paths. */
function pageDefaults(): Plugin {
  return {
    name: 'meterbook-page-defaults',
    apply: 'serve',
    transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll('%THEME%', 'dark').replaceAll('%NONCE%', 'dev') },
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (/^\/(login|forgot_password|reset_password)([?#]|$)/.test(request.url ?? '')) request.url = '/login.html'
        next()
      })
    },
  }
}

/** Writes a .br and a .gz beside each text file of the build, so that the server never compresses what never changes. */
function precompressed(): Plugin {
  let folder = 'dist'
  return {
    name: 'meterbook-precompressed',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle: async () => {
      for (const name of await readdir(folder, { recursive: true })) await compressFile(join(folder, name))
    },
  }
}

interface Routes {
  readonly pageRoutes: typeof pageRoutes
  readonly redirects: typeof redirects
}

/** Writes the addresses of the console's pages, so that the server answers them with the console, and nothing else. */
function addresses(): Plugin {
  let [root, folder] = ['.', 'dist']
  return {
    name: 'meterbook-addresses',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle: async () => {
      const { module } = await runnerImport<Routes>(resolve(root, 'src/web/routes.ts'), { root, configFile: false })
      const paths = ['/', ...module.pageRoutes.map(({ path }) => path), ...module.redirects.map(({ from }) => from)]
      await writeFile(join(folder, 'addresses.json'), JSON.stringify([...new Set(paths)], null, 1))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  // Pages are left out: the server writes the nonce and the theme into them.
  if (!/\.(js|mjs|css|svg|json)$/.test(path)) return
  const bytes = await readFile(path)
  if (bytes.length < COMPRESS_FROM) return
  const brotli = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }))
}
