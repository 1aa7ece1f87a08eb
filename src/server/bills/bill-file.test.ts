/** The file of bills with their lines: its columns, its rows, and who finds what in it. */
import { beforeAll, expect, it } from 'vitest'
import { billFileNotes } from '#contract/bill-import/bill-file.ts'
import { billsImport } from '#contract/bill-import/import-bills.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeAccount, makeGround, makeService, monthlyDraft, acting, type Ground } from '../../../test/support/bills.ts'
import { exportedTable } from '../../../test/support/exports.ts'
import { createBills } from './create-bills.ts'

const testApp = await startTestApp()
const {
  database,
  database: { db },
} = testApp
let ground: Ground
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  ground = await makeGround(db)
  const many = await makeAccount(db, ground, 'MANY')
  const meters: number[] = []
  for (let at = 0; at < 5; at += 1) meters.push(await makeService(db, ground.clientId, many, 'electric', `M-${at}`))
  const january = monthlyDraft(ground, 1, { notes: 'Secret' })
  const [line] = january.service_bills
  const lines = meters.map((service_id) => ({ ...line, service_id, notes: 'Also secret' }))
  await acting(database, (context) =>
    createBills(context, ground.clientId, [
      january,
      { ...january, account_id: many, service_bills: lines },
      { ...january, date: '2025-03-05', invoice_number: 'BARE', service_bills: [] },
    ]),
  )
})

const read = async (who = staff, query = '') => {
  const { headings, rows } = await exportedTable(testApp, who, `/clients/${ground.clientId}/bills/lines/export_csv${query}`)
  return { headings, rows: rows.map((row) => Object.fromEntries(row.map((cell, at) => [headings[at], cell]))) }
}

it('has the columns of the import’s template, three lines a row, and a row for a bill without lines', async () => {
  const { headings, rows } = await read()
  expect(headings).toEqual(billsImport.columns.map(({ name }) => name))
  expect(
    rows.map((row) => [
      row['account_number'],
      row['invoice_number'],
      row['m1_meter_number'],
      row['m2_meter_number'],
      row['m3_meter_number'],
    ]),
  ).toEqual([
    [`0001234${ground.clientId}`, 'INV-1', 'E-1', 'G-1', ''],
    [`0001234${ground.clientId}`, 'BARE', '', '', ''],
    ['MANY', 'INV-1', 'M-0', 'M-1', 'M-2'],
    ['MANY', 'INV-1', 'M-3', 'M-4', ''],
  ])
  expect(rows[0]).toMatchObject({ account_type: 'B', m1_usage: '900.000', m1_unit: 'kWh', m1_utility_charges: '101.00', notes: 'Secret' })
})

it('takes the filters of the list, and refuses others', async () => {
  const { rows } = await read(staff, '?q[invoice_number_eq]=BARE')
  expect(rows).toHaveLength(1)
  const refused = await testApp.ask(staff, 'GET', `/clients/${ground.clientId}/bills/lines/export_csv?q[m1_usage_eq]=1`)
  expect(refused.status).toBe(422)
})

it('has no notes for who may not read them', async () => {
  const reader = await makePerson(db, 'read_only_user', { clients: [ground.clientId] })
  const { headings } = await read(reader)
  expect(billFileNotes).toEqual(['notes', 'm1_notes', 'm2_notes', 'm3_notes'])
  expect(headings.filter((heading) => heading.includes('notes'))).toEqual([])
})
