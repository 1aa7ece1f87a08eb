import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderProvider } from './folder-provider.ts'
import type { BillRetrievalProvider } from './provider.ts'

let folder = ''
let provider: BillRetrievalProvider

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statements-'))
  await writeFile(
    join(folder, 'City.ndjson'),
    [lineOf('c1', '2026-01-05'), lineOf('c2', '2026-02-05', 'Łódź – café'), 'not json', lineOf('c3', null)].join('\n'),
  )
  await writeFile(join(folder, 'Power.ndjson'), `${lineOf('p1', '2026-01-20', 'Power', '777')}\n`)
  await writeFile(join(folder, 'README.md'), 'no statements')
  provider = folderProvider(folder)
})
afterAll(() => rm(folder, { recursive: true }))

test('lists in order of bill date, page by page, each statement once', async () => {
  const first = await provider.listStatements({ clientCode: 'ACME', limit: 3 })
  expect(first.items.map((item) => item.statement_id)).toEqual(['c1', 'p1', 'c2'])
  const second = await provider.listStatements({ clientCode: 'ACME', limit: 3, cursor: first.next })
  expect(second).toEqual({ items: [expect.objectContaining({ statement_id: 'c3', bill_date: null })] })
})

test('a window of bill dates includes both ends', async () => {
  const ids = async (query: { since?: string; until?: string; accountNumbers?: string[] }) =>
    (await provider.listStatements({ clientCode: 'ACME', ...query })).items.map((item) => item.statement_id)
  expect(await ids({ since: '2026-01-20', until: '2026-02-05' })).toEqual(['p1', 'c2'])
  expect(await ids({ until: '2026-01-05' })).toEqual(['c1'])
  expect(await ids({ accountNumbers: ['777'] })).toEqual(['p1'])
})

test('reads a statement from its place in the file, whatever bytes come before it', async () => {
  expect(await provider.getStatement('c2')).toMatchObject({ statement_id: 'c2', provider_name: 'Łódź – café', current_charges: '12.34' })
  expect(await provider.getStatement('c3')).toMatchObject({ statement_id: 'c3', bill_date: null })
})

test('an unknown statement is not found, an unknown cursor is refused, an absent folder is unavailable', async () => {
  await expect(provider.getStatement('nope')).rejects.toMatchObject({ fault: 'not_found' })
  await expect(provider.listStatements({ clientCode: 'ACME', cursor: 'eA' })).rejects.toMatchObject({ fault: 'not_found' })
  await expect(folderProvider(join(folder, 'absent')).status()).rejects.toMatchObject({ fault: 'unavailable' })
})

test('lines that are no statements are counted, not hidden', async () => {
  expect(await provider.status()).toMatchObject({ ok: false, message: 'City.ndjson: 1 unreadable lines' })
})

test('the PDF shows the statement’s facts, has its name and is the same file each time [IMPORT-FIELD-006]', async () => {
  const [pdf, again] = [await provider.getPdf('c1', 'ACME'), await provider.getPdf('c1', 'ACME')]
  expect(pdf.filename).toBe('ACME_20260105_000042.pdf')
  expect(pdf.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(again.sha256).toBe(pdf.sha256)
  expect((await provider.getPdf('c2', 'ACME')).sha256).not.toBe(pdf.sha256)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf.bytes)), { mergePages: true })
  for (const fact of ['City', '00000042', '01/05/2026', 'M-9', 'Flow charge', '$10.00', 'City Tax', '$2.34', '$20.00', '1,234.5 kWh'])
    expect(text).toContain(fact)
})

test('a file that grows is indexed again', async () => {
  await appendFile(join(folder, 'Power.ndjson'), `${lineOf('p2', '2026-03-20', 'Power', '777')}\n`)
  expect(await provider.getStatement('p2')).toMatchObject({ account_number: '777' })
})

function lineOf(id: string, date: string | null, utility = 'City', account = '00000042'): string {
  const charge = { adjustment: true, supplier: null, units: '0', unit: null, rate: '0.0050000000000000001' }
  const usage = { kind: 'general_consumption', component: '[total]', unit: 'kWh', amount: '1234.5', start: '2025-12-01', end: '2026-01-02' }
  return JSON.stringify({
    statement_id: id,
    utility,
    account_number: account,
    kind: 'bill',
    statement_date: date,
    interval_start: '2025-12-01',
    interval_end: '2026-01-02',
    previous_balance: '7.66',
    outstanding_balance: '7.66',
    new_charges: '12.34',
    amount_due: '20.00',
    total_bill_amount: '20.00',
    charges: [],
    meters: [
      {
        meter_number: 'M-9',
        service: 'electric',
        tariff: 'A-1',
        interval_start: '2025-12-01',
        interval_end: '2026-01-02',
        usages: [usage],
        charges: [
          { ...charge, name: 'Flow charge', amount: '10.00' },
          { ...charge, name: 'City Tax', amount: '2.34' },
        ],
      },
    ],
  })
}
