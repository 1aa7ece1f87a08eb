/**
 * Every real statement of 24 utilities, through the API into one new client: docs/audits.md and docs/retrieval.md show the table that this
 * prints. The expected sums share no code with what they check.
 */
import { isDeepStrictEqual } from 'node:util'
import { accrualScoreCalls } from '#contract/reports/accrual-score-call.ts'
import { centsOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeClient, makeDivision } from '../../../test/support/estate.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { importsOf } from '../../../test/support/import-files.ts'
import { dollars, expectedOf, printedStatements } from '../../../test/support/printed-figures.ts'
import { importRealStatements } from '../../../test/support/real-client.ts'
import { realFiles, realFolder as folder } from '../../../test/support/real-statements.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { billsWhole, copyAccounts, statementRows } from '../../../test/support/statement-rows.ts'

const files = realFiles()

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
    const { fetched, imported } = await importRealStatements(ask, clientId, divisionId, clock)
    expect(fetched).toMatchObject({ state: 'done', result: { listed: 2299, fetched: 2299, failed: 0 } })
    console.log(JSON.stringify({ ...imported.result, records: undefined }))
    expect(imported).toMatchObject({ state: 'done', result: { created: 2188, refused: 0, duplicate: 0 } })
    const sums = await sumsOfBills(clientId)
    console.table(
      sums.map(({ due, current, balance, ...row }) => ({
        ...row,
        due: dollars(due),
        current: dollars(current),
        balance: dollars(balance),
      })),
    )
    for (const expected of expectedSums()) expect(sums).toContainEqual(expect.objectContaining(expected))
    const { rows: undated } =
      await sql`select id from bills where client_id = ${clientId} and (previous_read_date is null or read_date is null)`.execute(db)
    expect(undated).toEqual([])
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

  it('come to what the statements print in the export, the Trial Balance and Cost & Usage, utility by utility, to the cent', async () => {
    if (!db) throw new Error('no database')
    const { rows: known } = await sql<{ id: number; name: string }>`select id, name from reports`.execute(db)
    const { rows: kinds } = await sql<{ id: number }>`select id from utility_services`.execute(db)
    const { rows: vendors } = await sql<{
      id: number
      name: string
      from: string
      to: string
      late: string
    }>`select vendors.id, vendors.name,
        min(least(bills.date, bills.previous_read_date))::text as from, max(greatest(bills.date, bills.read_date))::text as to, (sum(bills.late_fee) * 100)::bigint::text as late
      from vendors join bills on bills.vendor_id = vendors.id group by vendors.id`.execute(db)
    for (const { utility, bills, due, current } of expectedSums()) {
      const vendor = vendors.find(({ name }) => name === utility)
      if (!vendor) throw new Error(`nobody is called ${utility}`)
      const { from, to, late } = vendor
      const looked = async (name: string, more: object = {}) => {
        const at = `${path}/reports/${known.find((one) => one.name === name)?.id ?? 0}/preview`
        const answer = await ask('POST', at, { form_data: { date_range: { from, to }, vendor_ids: [vendor.id], ...more } })
        return lookedAt.parse(answer.body)
      }
      const exported = await looked('Global Data Export')
      const balance = await looked('Trial Balance Report')
      const cost = await looked('Cost & Usage Report', { utility_service_ids: kinds.map(({ id }) => id), basis: 'billed' })
      const payable = balance.rows.filter((row) => row[placeOf(balance, 'ledger_account')] === 'Accounts payable')
      expect({
        utility,
        bills: exported.control?.bill_count,
        due: centsOf(exported.control?.amount_due ?? ''),
        current: centsOf(exported.control?.current_charges ?? ''),
        lines: centsOf(exported.totals[placeOf(exported, 'line_total')] ?? ''),
        payable: payable.reduce((sum, row) => sum - centsOf(row[placeOf(balance, 'net')] ?? ''), 0),
        cost: centsOf(cost.totals[placeOf(cost, 'cost')] ?? ''),
      }).toEqual({
        utility,
        bills,
        due: Number(due),
        current: Number(current),
        lines: Number(current),
        payable: Number(due),
        cost: Number(current) + Number(late),
      })
    }
  })

  it('score the methods of accrual: with the last bill of each meter hidden, every account is compared by each method on the same days, or counted with the reason', async () => {
    if (!db) throw new Error('no database')
    const { rows: reports } = await sql<{ id: number }>`select id from reports where name = 'Accrual Report'`.execute(db)
    const answer = await ask('POST', `${path}/reports/${reports[0]?.id ?? 0}/accrual_scores`, { hide: 'last_bills' })
    const { methods, best, accounts, unscored, unscored_accounts: named } = accrualScoreCalls.score.schemas.reply.parse(answer.body)
    console.table(methods.map(({ worst, ...one }) => ({ ...one, worst: worst[0] && `${worst[0].vendor ?? ''} ${worst[0].error}` })))
    console.table(unscored)
    console.log(best?.method, best?.reason)
    const { rows } = await sql<{
      accounts: number
      several: number
    }>`select count(*)::int as accounts, count(*) filter (where dates > 1)::int as several
      from (select (select count(distinct date) from bills where bills.billable_account_id = account.id) as dates from billable_accounts account
        where exists (select from services where services.billable_account_id = account.id)
        union all select 0 from supply_accounts account where exists (select from services where services.supply_account_id = account.id)) counted`.execute(
      db,
    )
    expect(accounts).toBe(rows[0]?.accounts)
    expect(named).toHaveLength(100)
    for (const one of methods) {
      expect(one.accounts + unscored.reduce((sum, { accounts: count }) => sum + count, 0)).toBe(accounts)
      expect(one.accounts).toBeGreaterThan(10)
      expect(one.accounts).toBeLessThanOrEqual(rows[0]?.several ?? 0)
      expect([one.actual, one.comparisons]).toEqual([methods[0]?.actual, methods[0]?.comparisons])
      expect(centsOf(one.bias)).toBe(centsOf(one.accrued) - centsOf(one.actual))
    }
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

  async function sumsOfBills(clientId: number) {
    if (!db) throw new Error('no database')
    const { rows } = await sql<{ utility: string; bills: number; due: string; current: string; balance: string; findings: string | null }>`
      select vendors.name as utility, count(*)::int as bills, (sum(amount_due) * 100)::bigint::text as due, (sum(current_charges) * 100)::bigint::text as current,
        (sum(balance_forward) * 100)::bigint::text as balance,
        (select string_agg(rule, ', ' order by rule) from (select code || ' ' || severity || ' ' || count(*) as rule from bill_findings finding
          join bills found on found.client_id = finding.client_id and found.id = finding.bill_id
          where found.client_id = ${clientId} and found.vendor_id = vendors.id and code <> 'vendor_pay' group by code, severity) rules) as findings
      from bills join vendors on vendors.id = bills.vendor_id where bills.client_id = ${clientId} group by vendors.id, vendors.name order by vendors.name`.execute(
      db,
    )
    return rows.map((row) => ({ ...row, due: BigInt(row.due), current: BigInt(row.current), balance: BigInt(row.balance) }))
  }
})

const cells = z.array(z.string().nullable())
const lookedAt = z.object({
  columns: z.array(z.object({ key: z.string() })),
  rows: z.array(cells),
  totals: cells,
  control: z.object({ bill_count: z.int(), amount_due: z.string(), current_charges: z.string() }).nullable(),
})
const placeOf = ({ columns }: z.infer<typeof lookedAt>, key: string): number => columns.findIndex((column) => column.key === key)

/** No vendor that an import creates can be paid yet; all others were reviewed, five of each rule. */
const findingsByRule = {
  'balance_forward I': 80,
  'balance_forward W': 183,
  'charges_missing W': 1,
  'cost_day_high E': 10,
  'cost_day_high W': 14,
  'cost_day_low E': 24,
  'cost_day_low W': 4,
  'credit_bill W': 32,
  'lines_math E': 888,
  'load_factor E': 8,
  'load_factor I': 5,
  'missing_service W': 23,
  'period_length E': 24,
  'period_length W': 20,
  'power_factor W': 8,
  'read_gap E': 19,
  'read_gap I': 383,
  'read_overlap E': 4,
  'unit_cost E': 16,
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

/** Returns the sums of every utility whose statements print amounts. */
function expectedSums() {
  const priced = [...printedStatements()].flatMap((one) => {
    const expected = expectedOf(one)
    return expected === null ? [] : [{ utility: one.utility, ...expected }]
  })
  return [...Map.groupBy(priced, ({ utility }) => utility)].map(([utility, own]) => ({
    utility,
    bills: own.length,
    due: own.reduce((sum, one) => sum + one.due, 0n),
    current: own.reduce((sum, one) => sum + one.current, 0n),
    balance: own.reduce((sum, one) => sum + one.balance, 0n),
  }))
}
