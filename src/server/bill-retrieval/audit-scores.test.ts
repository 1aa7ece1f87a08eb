/**
 * Findings of the audits in statements with known errors: the sandbox provider's planted defects, imported fortnight by fortnight as they
 * would have arrived and audited on that day. docs/audits.md shows the figures that this prints.
 */
import { dueSoonDays } from '#contract/exceptions/exception.ts'
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { acting } from '../../../test/support/bills.ts'
import { taskOf } from '../../../test/support/retrieval.ts'
import { lastBillBefore, makeScoredEstate } from '../../../test/support/scored-estate.ts'
import { createBills } from '../bills/bills.ts'
import { setClock } from '../kernel/clock.ts'
import { countGrownTables } from '../kernel/postgres/grown-tables.ts'
import { setProviders } from './choose-provider.ts'
import { importChunk } from './import-chunk.ts'
import type { ImportTerms } from './plan-statements.ts'
import { readSandboxAccounts } from './sandbox-accounts.ts'
import { sandboxDefects, type SandboxDefect } from './sandbox-defects.ts'
import { sandboxProvider } from './sandbox-provider.ts'

/** Two and a half years of this many accounts are a little more than 5,000 statements. */
const ACCOUNTS = 170
const FIRST_DAY = '2023-12-31'
const LAST_DAY = '2026-06-30'
const STEP_DAYS = 14
const filledTables = ['bills', 'service_bills', 'service_bill_entry_values', 'bill_findings', 'service_month_facts', 'retrieval_statements']

interface Scored {
  readonly statement_id: string
  readonly label: SandboxDefect | null
  readonly state: string
  readonly rebill_mode: string | null
  readonly same_day: number
  /** Days from the bill date to the due date: a bill due that soon is an exception and not a flag. */
  readonly due_in_days: number | null
  /** Codes of open findings; `flags` leaves out mere information. */
  readonly codes: readonly string[]
  readonly flags: readonly string[]
}

/** Condition under which each defect counts as found: the rule that names it, or the outcome of the import itself. */
const caughtBy: Readonly<Record<SandboxDefect, (one: Scored) => boolean>> = {
  duplicate_republication: (one) => one.same_day === 1,
  read_gap: (one) => one.flags.includes('read_gap'),
  read_overlap: (one) => one.flags.includes('read_overlap'),
  estimated_run: (one) => one.codes.includes('estimated_run'),
  reading_regress: (one) => one.flags.includes('reading_regress'),
  usage_x10: (one) => one.flags.includes('usage_high'),
  wrong_multiplier: (one) => one.flags.includes('multiplier_change'),
  late_fee_balance_forward: (one) => one.flags.includes('late_fee') && one.flags.includes('balance_forward'),
  unknown_meter: (one) => one.flags.includes('unknown_meter'),
  new_account: (one) => one.state === 'needs_account',
  adjustment_replace: (one) => one.rebill_mode !== null,
  adjustment_add: (one) => one.rebill_mode !== null,
  four_meter_summary: (one) => one.flags.includes('unknown_meter'),
  credit_bill: (one) => one.flags.includes('credit_bill'),
  due_tomorrow: (one) => one.due_in_days !== null && one.due_in_days <= dueSoonDays,
}

describe('the planted defects of more than 5,000 sandbox statements', { timeout: 400_000 }, () => {
  let scored: Scored[] = []
  beforeAll(async () => {
    scored = await scoredStatements()
    console.table(tableOf(scored))
  }, 400_000)
  afterAll(() => setClock())
  const planted = (defect: SandboxDefect): Scored[] => scored.filter((one) => one.label === defect)

  it('are all there', () => {
    expect(scored.length).toBeGreaterThan(5_000)
    for (const defect of sandboxDefects) expect(planted(defect).length, defect).toBeGreaterThan(10)
  })

  it.each(sandboxDefects)('%s is found every time', (defect) => {
    expect(planted(defect).filter((one) => !caughtBy[defect](one))).toEqual([])
  })

  it('an addition that is taken for a replacement is seen by its usage nine times of ten', () => {
    const added = planted('adjustment_add')
    expect(added.filter((one) => one.flags.includes('usage_low')).length / added.length).toBeGreaterThan(0.9)
  })

  it('of the clean bills fewer than 1 in 100 are flagged, of all between 5 and 7', () => {
    const bills = scored.filter((one) => one.state === 'created')
    const flagged = (some: readonly Scored[]): number => some.filter((one) => one.flags.length > 0).length / some.length
    expect(flagged(bills.filter((one) => one.label === null))).toBeLessThan(0.01)
    expect(flagged(bills)).toBeGreaterThan(0.05)
    expect(flagged(bills)).toBeLessThan(0.07)
  })
})

async function scoredStatements(): Promise<Scored[]> {
  const app = await startTestApp()
  const { db } = app.database
  const { clientId, clientCode, accounts } = await makeScoredEstate(db, ACCOUNTS)
  const before = accounts.map((account) => lastBillBefore(account, FIRST_DAY))
  await acting(app.database, (context) => createBills(context, clientId, before))
  const sandbox = sandboxProvider({ spec: 1, accounts: (code) => readSandboxAccounts(db, code), today: () => LAST_DAY })
  setProviders(app.app.machinery, [sandbox])
  const labels = await sandbox.labels(clientCode)
  const person = await makePerson(db, 'super_admin')
  const { body } = await app.ask(person, 'POST', `/clients/${clientId}/bill_retrieval/fetch`)
  const fetched = await taskOf((method, path) => app.ask(person, method, path), body['task_id'])
  if (fetched.state !== 'done') throw new Error(`the fetch ended ${fetched.state}`)
  const terms: ImportTerms = {
    taskId: fetched.id,
    today: FIRST_DAY,
    units: await unitsByName(),
    factors: new Map(),
    plans: new Map(),
    changes: new Map(),
    missingMeters: 'flag',
  }
  for (let day = FIRST_DAY; addDays(day, -STEP_DAYS) < LAST_DAY; day = addDays(day, STEP_DAYS)) {
    setClock(`${day}T17:00:00Z`)
    const ids = await idsOfFortnight(day)
    await acting(app.database, (context) => importChunk(context, clientId, ids, { ...terms, today: day }))
    await acting(app.database, ({ tx }) => countGrownTables(tx, filledTables))
  }
  const { rows } = await sql<Omit<Scored, 'label'>>`
    select stored.statement_id, stored.state, bills.rebill_mode, bills.due_date - bills.date as due_in_days, array_agg(distinct finding.code) filter (where finding.code is not null) as codes,
      coalesce(array_agg(distinct finding.code) filter (where finding.severity <> 'I'), '{}') as flags,
      (select count(*)::int from bills twin where twin.client_id = stored.client_id and twin.billable_account_id = stored.billable_account_id
        and twin.date = stored.statement_date and twin.rebill_of_id is null) as same_day
    from retrieval_statements stored
    left join bills on bills.client_id = stored.client_id and bills.id = stored.bill_id and bills.statement_id = stored.statement_id
    left join bill_findings finding on finding.client_id = bills.client_id and finding.bill_id = bills.id and finding.resolved_at is null
    where stored.client_id = ${clientId} group by stored.client_id, stored.id, bills.rebill_mode, bills.due_date, bills.date order by stored.id`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, codes: row.codes ?? [], label: labels.get(row.statement_id) ?? null }))

  async function idsOfFortnight(day: string): Promise<number[]> {
    const found = await sql<{ id: number }>`select id from retrieval_statements
      where client_id = ${clientId} and statement_date <= ${day} and statement_date > ${addDays(day, -STEP_DAYS)} order by id`.execute(db)
    return found.rows.map((row) => row.id)
  }

  async function unitsByName(): Promise<Map<string, number>> {
    const units = await sql<{ utility_service: string; symbol: string; unit_id: number }>`
      select kind.name as utility_service, units.symbol, units.id as unit_id
      from usage_units join units on units.id = usage_units.unit_id join utility_services kind on kind.id = usage_units.utility_service_id`.execute(
      db,
    )
    return new Map(units.rows.map((row) => [`${row.utility_service}\n${row.symbol}`, row.unit_id]))
  }
}

/** Returns one row per label: the number of statements, how many were found, and their other flags. */
function tableOf(scored: readonly Scored[]): Record<string, Record<string, number | string>> {
  const rows = [...sandboxDefects, null].map((label) => {
    const some = scored.filter((one) => one.label === label)
    const counts = new Map<string, number>()
    for (const code of some.flatMap((one) => one.flags)) counts.set(code, (counts.get(code) ?? 0) + 1)
    const named = [...counts].toSorted((a, b) => b[1] - a[1]).map(([code, count]) => `${code} ${count}`)
    return [
      label ?? 'clean',
      {
        statements: some.length,
        found: label === null ? '' : some.filter((one) => caughtBy[label](one)).length,
        flagged: some.filter((one) => one.flags.length > 0).length,
        flags: named.join(', '),
      },
    ] as const
  })
  return Object.fromEntries(rows)
}
