/** The bytes of the entry pages before they are drawn: their own files and all their imports, compressed. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chunkAt, DIST, keyOf } from './built-chunks.ts'

const KILOBYTE = 1000

/** The budget is the size of November 24, 2026 plus a thirtieth, in kilobytes. Raise one only for what its page needs at once: on
 * November 27 that was the bar of a walk, the tabs of views and the sums of a list. */
test.each([
  { page: 'the sign-in page', html: 'login.html', chunks: [], budget: 85 },
  { page: 'the shell', html: 'index.html', chunks: [], budget: 178 },
  { page: 'the list of bills', html: 'index.html', chunks: ['bill-list'], budget: 212 },
  { page: 'the form of a bill', html: 'index.html', chunks: ['bill-form'], budget: 205 },
  { page: 'the list of vendors', html: 'index.html', chunks: ['vendors'], budget: 211 },
  { page: 'a dashboard', html: 'index.html', chunks: ['src/web/dashboard/dashboard-pages.tsx'], budget: 208 },
  { page: 'the form of a summary bill', html: 'index.html', chunks: ['src/web/summary-entry/summary-page.tsx'], budget: 214 },
])('$page sends at most $budget kB', async ({ html, chunks, budget }) => {
  const files = new Set([...(await filesOfPage(html)), ...filesOfChunks(chunks)])
  expect(files.size).toBeGreaterThan(chunks.length)
  const sizes = await Promise.all([...files].map(sizeOf))
  expect(sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE).toBeLessThanOrEqual(budget)
})

/** Returns the scripts and styles that the page itself refers to. */
async function filesOfPage(html: string): Promise<string[]> {
  const text = await readFile(join(DIST, html), 'utf8')
  return [...text.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(([, file]) => file ?? [])
}

/** Returns the scripts and styles of the chunks and of all their static imports. */
function filesOfChunks(names: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of chunkAt(key).imports) visit(next)
  }
  for (const name of names) visit(keyOf(name))
  return [...seen].flatMap((key) => [chunkAt(key).file, ...chunkAt(key).css])
}

/** Returns the transferred size: compressed if the build has done so. */
async function sizeOf(file: string): Promise<number> {
  const compressed = await stat(join(DIST, `${file}.br`)).catch(() => null)
  return (compressed ?? (await stat(join(DIST, file)))).size
}
