/** A hundred documents are dropped at once on a line that is not the best: all are taken, and each of them once. */
import { sql } from 'kysely'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { makePerson } from '../support/app.ts'
import { makeGround } from '../support/bills.ts'
import { billPdf, paperBill } from '../support/scan-files.ts'
import { startConsole } from './console.ts'

const MINUTE = 60_000
const COUNT = 100
const { db, open } = await startConsole()

/** Refuses for a moment, as the limit of requests does, or lets the request through and loses its answer; most go well. */
function troubled(): { route: (route: Route) => Promise<void>; counts: { sent: number; paused: number; lost: number } } {
  const counts = { sent: 0, paused: 0, lost: 0 }
  return {
    counts,
    async route(route) {
      counts.sent += 1
      if (counts.sent % 9 === 4) {
        counts.paused += 1
        const body = JSON.stringify({
          message: 'Too many requests. Please slow down.',
          code: 'too_many',
          errors: { full_messages: [], fields: {} },
        })
        return route.fulfill({ status: 429, headers: { 'retry-after': '1', 'content-type': 'application/json' }, body })
      }
      if (counts.sent % 17 === 8) {
        counts.lost += 1
        await route.fetch()
        return route.abort('connectionreset')
      }
      return route.continue()
    },
  }
}

test(
  'all of a hundred dropped PDFs are taken, with pauses and lost answers between, by one request each and its repeats',
  { timeout: 5 * MINUTE },
  async () => {
    const at = await makeGround(db)
    const admin = await makePerson(db, 'super_admin')
    const page = await open(admin, { at: `/clients/${at.clientId}/bills/inbox`, mayComplain: true })
    await page.getByText('No document waits').waitFor()
    const line = troubled()
    await page.route('**/bill_scans/upload', line.route)
    const files = await Promise.all(
      Array.from({ length: COUNT }, async (_, place) => ({
        name: `Bill ${place + 1}.pdf`,
        mimeType: 'application/pdf',
        buffer: await billPdf([{ ...paperBill, invoice_number: `INV-${place + 1}`, account_number: `7000-${1000 + place}` }]),
      })),
    )
    await page
      .getByLabel('Documents to upload')
      .setInputFiles([...files, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no bill') }])
    const result = page.getByRole('region', { name: 'Upload' })
    await result.getByText(/^Uploading: \d+ of 101 taken/).waitFor()
    await result.getByText('100 documents taken, 1 not taken').waitFor({ timeout: 2 * MINUTE })
    await result.getByRole('alert').filter({ hasText: 'notes.txt' }).waitFor()
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/inbox-drop.png` })
    expect(line.counts.paused).toBeGreaterThan(5)
    expect(line.counts.lost).toBeGreaterThan(3)
    expect(line.counts.sent).toBe(COUNT + line.counts.paused + line.counts.lost)
    const { rows } = await sql<{
      filename: string
      count: number
    }>`select filename, count(*)::int as count from bill_scans where client_id = ${at.clientId}
    group by filename`.execute(db)
    expect(rows).toHaveLength(COUNT)
    expect(rows.every(({ count }) => count === 1)).toBe(true)
    const openOnes = async () =>
      (
        await sql<{
          count: number
        }>`select count(*)::int as count from bill_scans where client_id = ${at.clientId} and state <> 'read'`.execute(db)
      ).rows[0]?.count
    await expect.poll(openOnes, { timeout: 2 * MINUTE }).toBe(0)
  },
)
