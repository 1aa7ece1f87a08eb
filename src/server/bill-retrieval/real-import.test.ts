/**
 * Every real statement of 24 utilities, through the API into one new client. The expected sums are computed here from the raw JSON with bigint
 * arithmetic, so that they share no code with what they check.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { importsOf } from '../../../test/support/import-files.ts'
import { realFiles, realFolder as folder } from '../../../test/support/real-statements.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { billsWhole, copyAccounts, statementRows } from '../../../test/support/statement-rows.ts'

const files = realFiles()

const rawCharge = z.object({ amount: z.string() })
const rawStatement = z.object({
  utility: z.string(),
  new_charges: z.string().nullable(),
  amount_due: z.string().nullable(),
  charges: z.array(rawCharge),
  meters: z.array(z.object({ charges: z.array(rawCharge) })),
})
type Raw = z.infer<typeof rawStatement>

describe.skipIf(files.length === 0)('all real statements in one new client', { timeout: 400_000 }, async () => {
  const app = files.length === 0 ? null : await startTestApp({ RETRIEVAL_STATEMENTS: folder })
  const db = app?.database.db
  let person: Person | undefined
  let path = ''
  const ask = async (method: 'GET' | 'POST', address: string, body?: object) => {
    const answer = await app?.ask(person ?? null, method, address, body)
    if (!answer) throw new Error('no application')
    expect(answer.status, `${method} ${address} ${answer.text.slice(0, 300)}`).toBeLessThan(500)
    return answer
  }
  const task = (id: unknown) => taskOf((method, address) => ask(method, address), id)

  it('are fetched, imported with new accounts, and keep every utility’s sums [IMPORT-API-010] [IMPORT-API-012] [IMPORT-TRANS-001]', async () => {
    if (!db) throw new Error('no database')
    person = await makePerson(db, 'super_admin')
    const clientId = await makeClient(db)
    const divisionId = await makeDivision(db, clientId)
    path = `/clients/${clientId}`
    let at = Date.now()
    const clock = (what: string): void => {
      console.log(`${what}: ${((Date.now() - at) / 1_000).toFixed(1)} s`)
      at = Date.now()
    }
    const fetched = await task((await ask('POST', `${path}/bill_retrieval/fetch`)).body['task_id'])
    clock('fetch of 2,299 statements')
    expect(fetched).toMatchObject({ state: 'done', result: { listed: 2299, fetched: 2299, failed: 0 } })
    const needed = z
      .object({ total: z.number(), utilities: z.array(z.object({ provider_name: z.string() })) })
      .parse((await ask('GET', `${path}/bill_retrieval/accounts_needed`)).body)
    clock('accounts needed')
    const facility = { name: 'Campus', number: '1', division_id: divisionId }
    const new_accounts = needed.utilities.map(({ provider_name }) => ({
      provider_name,
      new_vendor: { name: provider_name, short_code: provider_name.slice(0, 40) },
      new_facility: facility,
    }))
    const started = await ask('POST', `${path}/bills/retrieval_import`, {
      all_matching: true,
      filter: { q: { state_in: ['needs_account'] } },
      new_accounts,
    })
    expect(started.body).toMatchObject({ success: true, message: 'Starting Import Process' })
    const imported = await task(started.body['task_id'])
    clock('import')
    console.log(JSON.stringify({ ...imported.result, records: undefined }))
    expect(imported).toMatchObject({ state: 'done', result: { created: 2188, refused: 0, duplicate: 0 } })
    const sums = await sumsOfBills(clientId)
    for (const [utility, expected] of expectedSums()) expect(sums.get(utility), utility).toEqual(expected)
    const rest = await ask('GET', `${path}/bill_retrieval/statements?q[state]=ignored&per=200`)
    expect(rest.body['total']).toBe(111)
    const records = z.array(z.object({ reason: z.string().min(20) })).parse(rest.body['records'])
    expect(records).toHaveLength(111)
  })

  it('are flagged as docs/audits.md says, rule by rule', async () => {
    if (!db) throw new Error('no database')
    const { rows } = await sql<{ rule: string; count: number }>`select code || ' ' || severity as rule, count(*)::int as count
      from bill_findings group by code, severity order by code, severity`.execute(db)
    const counts = Object.fromEntries(rows.map((row) => [row.rule, row.count]))
    console.log(JSON.stringify(counts))
    expect(counts).toEqual(findingsByRule)
  })

  it('make nothing twice when they are imported again [IMPORT-API-012]', async () => {
    const again = await task((await ask('POST', `${path}/bills/retrieval_import`, { all_matching: true })).body['task_id'])
    expect(again).toMatchObject({ state: 'done', result: { created: 0, before: 2188 } })
    const bills = await ask('GET', `${path}/bills`)
    expect(bills.body['total']).toBe(2188)
  })

  it('become the same bills from a CSV file: each field of head, lines and values, and each finding', async () => {
    if (!db || !app || !person) throw new Error('no database')
    const at = performance.now()
    const [retrieved] = z
      .array(z.object({ id: z.number() }))
      .parse((await sql`select id from clients where id in (select client_id from bills) order by id`.execute(db)).rows)
    const from = retrieved?.id ?? 0
    const clientId = await makeClient(db)
    await copyAccounts(db, from, clientId)
    const { send, rows } = importsOf(app)
    const file = await statementRows(db, from)
    const done = await send(person, `/clients/${clientId}/bills/import`, file, { mode: 'valid' })
    console.log(`CSV import: ${((performance.now() - at) / 1_000).toFixed(1)} s, ${JSON.stringify(done.counts)} ${done.warnings.join(' ')}`)
    expect((await rows(person, done.id, 'action=refused&per=20')).map(({ line, errors }) => [line, errors])).toEqual([])
    expect(done).toMatchObject({ state: 'committed', counts: { refused: 0 } })
    const [imported, wanted] = [await billsWhole(db, clientId), await billsWhole(db, from)]
    expect(wanted).toHaveLength(2188)
    expect(imported.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key))
    const different = wanted.filter(({ whole }, place) => !isDeepStrictEqual(whole, imported[place]?.whole))
    expect(different.slice(0, 3).map(({ key }) => imported.find((one) => one.key === key))).toEqual(different.slice(0, 3))
    expect(different).toHaveLength(0)
  })

  async function sumsOfBills(clientId: number): Promise<Map<string, { current: bigint; due: bigint }>> {
    if (!db) throw new Error('no database')
    const { rows } = await sql<{
      utility: string
      current: string
      due: string
    }>`select vendors.name as utility, (sum(current_charges) * 100)::bigint::text as current, (sum(amount_due) * 100)::bigint::text as due
      from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} group by vendors.name`.execute(db)
    return new Map(rows.map((row) => [row.utility, { current: BigInt(row.current), due: BigInt(row.due) }]))
  }
})

/** No vendor that an import makes can be paid yet; all others were looked at, five of each rule. */
const findingsByRule = {
  'balance_forward I': 87,
  'balance_forward W': 451,
  'cost_day_high W': 54,
  'cost_day_low W': 52,
  'credit_bill W': 38,
  'duplicate_likely W': 1,
  'lines_math E': 642,
  'load_factor E': 8,
  'load_factor I': 5,
  'missing_service W': 23,
  'period_length E': 24,
  'period_length W': 20,
  'power_factor W': 8,
  'read_gap E': 19,
  'read_gap I': 383,
  'read_overlap E': 4,
  'unit_cost W': 13,
  'unit_mismatch W': 13,
  'usage_high E': 34,
  'usage_high W': 17,
  'usage_low W': 43,
  'usage_negative E': 2,
  'usage_same W': 1,
  'usage_zero E': 40,
  'usage_zero W': 14,
  'vendor_pay E!': 2162,
}

function expectedSums(): Map<string, { current: bigint; due: bigint }> {
  const sums = new Map<string, { current: bigint; due: bigint }>()
  for (const name of files) {
    for (const line of readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((text) => text.trim() !== '')) {
      const raw = rawStatement.parse(JSON.parse(line))
      if (raw.amount_due === null) continue
      const sum = sums.get(raw.utility) ?? { current: 0n, due: 0n }
      sums.set(raw.utility, { current: sum.current + currentOf(raw), due: sum.due + cents(raw.amount_due) })
    }
  }
  return sums
}

/** Some sources print 0.00 where they had no figure; the printed lines say it then. */
function currentOf(raw: Raw): bigint {
  const charges = [...raw.charges, ...raw.meters.flatMap((meter) => meter.charges)]
  const isUnknown = raw.new_charges === '0.00' && charges.length > 0
  return isUnknown ? charges.reduce((sum, charge) => sum + cents(charge.amount), 0n) : cents(raw.new_charges ?? '0.00')
}

function cents(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}
