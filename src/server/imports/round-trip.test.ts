/** Tests import(export(x)) = x, for any text that users may type. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readCell } from '#contract/kernel/import-cell.ts'
import { divisionImport } from '#contract/clients/import-estate.ts'
import { vendorImport } from '#contract/clients/import-reference.ts'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeClient } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
const count = 2_000
const seed = Date.now() % 1_000_000_007

/** Text as a form stores it: formulas, quotes, separators, line ends, marks, other alphabets, and anything else. */
const nasty = fc.stringMatching(/^['"=+\-@;,\t\r\n |#\uFF1D\uFEFF\\]{1,4}[a-z"'\n;,]{0,6}$/)
const text = (max: number) =>
  fc
    .oneof(
      nasty,
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('#CLEAR', "'=1", "''+2", '-5', '1,234', 'Y', 'NULL', '\\N'),
    )
    .map((value) => value.trim().normalize('NFC'))
    // The one text that a cell cannot hold as itself.
    .filter(
      (value) =>
        value !== '' && value.length <= max && value.toUpperCase() !== '#CLEAR' && !value.includes('\u0000') && value.isWellFormed(),
    )

it('vendors and divisions that were exported and imported again are as they were', { timeout: 120_000 }, async () => {
  const staff = await makePerson(db, 'super_admin')
  const [from, to] = [await makeClient(db), await makeClient(db)]
  const sample = fc.sample(fc.tuple(text(40), text(40), text(40)), { numRuns: count, seed })
  const drafts = sample.map(([name, short_code, code], at) => ({ name, short_code, code: `${code} ${at}` }))
  await sql`insert into divisions (client_id, name, short_code, code)
    select ${from}, name, short_code, code from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as draft(name text, short_code text, code text)`.execute(
    db,
  )
  await sql`insert into vendors (name, short_code, city) select name, 'V' || ordinality, short_code
    from rows from (jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as (name text, short_code text)) with ordinality`.execute(db)
  const exported = async (path: string) => exportedText(testApp, staff, (await ask(staff, 'GET', `${path}/export_csv`)).body['task_id'])

  const csv = await exported(`/clients/${from}/divisions`)
  const again = await send(staff, `/clients/${from}/divisions/import`, csv)
  const changed = (await rows(staff, again.id, 'per=20')).filter(({ action }) => action !== 'unchanged')
  expect({ seed, counts: again.counts, changed }).toEqual({
    seed,
    counts: { rows: count, create: 0, update: 0, unchanged: count, refused: 0 },
    changed: [],
  })
  const copied = await send(staff, `/clients/${to}/divisions/import`, csv, { mode: 'all' })
  expect(copied).toMatchObject({ state: 'committed', counts: { create: count } })
  const read = async (client: number) =>
    (await sql`select name, short_code, code from divisions where client_id = ${client} order by code collate "C"`.execute(db)).rows
  expect(await read(to)).toEqual(await read(from))

  const vendors = await send(staff, '/vendors/import', await exported('/vendors'))
  expect(vendors.counts).toMatchObject({ update: 0, refused: 0, create: 0 })
  expect(vendors.counts.unchanged).toBeGreaterThanOrEqual(count)
})

it('a text cell that is taken without its schema is what the schema would have made of it', () => {
  const columns = [...divisionImport.columns, ...vendorImport.columns].filter(({ field, reference }) => field.kind === 'text' && !reference)
  fc.assert(
    fc.property(fc.constantFrom(...columns), fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), nasty), (column, cell) => {
      const written = cell.replace(/^'+(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')
      const reading = readCell(column, written)
      if (reading.blank || written.trim().toUpperCase() === '#CLEAR') return
      const outcome = column.field.schema.safeParse(written)
      expect(reading).toEqual(outcome.success ? { value: outcome.data } : { faults: outcome.error.issues.map((issue) => issue.message) })
    }),
    { numRuns: 2_000, seed },
  )
})
