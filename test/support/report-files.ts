/** The files of a report as a person makes and fetches them, and the sums that the preview shows under the same rows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { ReportName } from '#contract/reports/report-form.ts'
import type { Person, TestApp } from './app.ts'

export interface ReportFile {
  readonly rows: readonly Readonly<Record<string, string>>[]
  /** By the labels of the columns that have one. */
  readonly totals: Readonly<Record<string, string>>
  readonly control: { readonly bill_count: number; readonly amount_due: string; readonly current_charges: string } | null
}

const generated = z.object({
  id: z.int(),
  state: z.string(),
  error: z.string().nullable(),
  file_url: z.string().nullable(),
  extra_file_url: z.string().nullable(),
})
const answered = z.object({
  columns: z.array(z.object({ label: z.string(), total: z.boolean().optional() })),
  totals: z.array(z.string().nullable()),
  row_count: z.int(),
  control: z.object({ bill_count: z.int(), amount_due: z.string(), current_charges: z.string() }).nullable(),
})

/** Makes a report for the person, waits for it, and reads its CSV. */
export async function reportFile(
  app: Pick<TestApp, 'ask'>,
  who: Person,
  clientId: number,
  name: ReportName,
  form_data: object,
): Promise<ReportFile> {
  const at = `/clients/${clientId}`
  const listed = z.array(z.object({ id: z.int(), name: z.string() })).parse((await app.ask(who, 'GET', `${at}/reports`)).body['reports'])
  const report_id = listed.find((one) => one.name === name)?.id
  const seen = await app.ask(who, 'POST', `${at}/reports/${report_id}/preview`, { form_data })
  if (seen.status !== 200) throw new Error(`${name}: ${seen.text}`)
  const preview = answered.parse(seen.body)
  const made = await app.ask(who, 'POST', `${at}/generated_reports`, {
    generated_report: { report_id, assignable_type: 'User', form_data },
  })
  if (made.status !== 200) throw new Error(`${name}: ${made.text}`)
  const url = await csvAddress(app, who, `${at}/generated_reports/${String(made.body['id'])}`)
  const { body } = await app.ask(who, 'GET', url.replace('/api/v5', ''))
  const { text } = await app.ask(null, 'GET', String(body['url']).replace(/^.*\/api\/v5/, ''))
  const rows = z.array(z.record(z.string(), z.string())).parse(parse(text, { columns: true }))
  if (rows.length !== preview.row_count) throw new Error(`${name}: ${rows.length} rows in the file, ${preview.row_count} in the preview`)
  const totals = preview.columns.flatMap(({ label }, place) =>
    preview.totals[place] === null ? [] : [[label, preview.totals[place] ?? ''] as const],
  )
  return { rows, totals: Object.fromEntries(totals), control: preview.control }
}

/** Waits until the report has ended. @returns the address of its CSV, which is beside the PDF where there is one. */
async function csvAddress(app: Pick<TestApp, 'ask'>, who: Person, path: string): Promise<string> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    const found = generated.parse((await app.ask(who, 'GET', path)).body['generated_report'])
    if (found.error !== null) throw new Error(found.error)
    if (found.state === 'done') return found.extra_file_url ?? found.file_url ?? ''
    await sleep(50)
  }
  throw new Error('the report does not end')
}
