import { sql, type KyselyPlugin } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import { setClock } from '../kernel/clock.ts'
import { createBills } from './create-bills.ts'
import type { AccountRef } from './account-books.ts'
import { nightlyAuditJob } from './nightly-audit.ts'
import { reauditAccounts, trySettings } from './reaudit.ts'
import { quietMachinery } from '../../../test/support/toy-server.ts'
import { acting, makeAccount, makeGround, makeService, monthlyDraft, type Ground } from '../../../test/support/bills.ts'

const database = await testDatabase()
const { db } = database
setClock('2026-01-20T15:00:00Z')

const create = (at: Ground, months: readonly number[], change = {}): Promise<number[]> =>
  acting(database, async (context) =>
    (
      await createBills(
        context,
        at.clientId,
        months.map((month) => monthlyDraft(at, month, change)),
      )
    ).map((outcome) => (outcome.kind === 'created' ? outcome.id : 0)),
  )
const again = (at: Ground) =>
  acting(database, (context) => reauditAccounts(context, at.clientId, [{ account_type: 'BillableAccount', account_id: at.accountId }]))
const findings = async (billId: number | undefined) =>
  (
    await sql<{
      code: string
      is_open: boolean
      reason: string | null
    }>`select code, resolved_at is null as is_open, reason from bill_findings where bill_id = ${billId} order by id`.execute(db)
  ).rows
const eventsOf = async (billId: number | undefined, code: string) =>
  (
    await sql<{ event: string; reason: string | null }>`select event.event, event.reason from bill_finding_events event
      join bill_findings finding on finding.client_id = event.client_id and finding.id = event.finding_id
      where finding.bill_id = ${billId} and finding.code = ${code} order by event.id`.execute(db)
  ).rows

describe('auditing again', () => {
  it('changes nothing where nothing changed', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1, 2, 3], { amount_due: '999.00', unknown_meters: ['X-1'] })
    const before = await findings(id)
    expect(before.map((one) => one.code)).toContain('header_math')
    expect(await again(at)).toEqual({ bills: 3, raised: 0, gone: 0 })
    expect(await findings(id)).toEqual(before)
  })

  it('raises what a change of the meter makes wrong and takes it back when the meter is right again', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1])
    await sql`update services set meter_multiplier = 10 where id = ${at.electricId}`.execute(db)
    expect(await again(at)).toMatchObject({ raised: 1 })
    expect((await sql`select open_errors from bills where id = ${id}`.execute(db)).rows).toEqual([{ open_errors: 1 }])
    await sql`update services set meter_multiplier = 1 where id = ${at.electricId}`.execute(db)
    expect(await again(at)).toMatchObject({ gone: 1 })
    expect(await findings(id)).toContainEqual({ code: 'multiplier_change', is_open: false, reason: 'No longer found' })
    expect((await sql`select open_errors from bills where id = ${id}`.execute(db)).rows).toEqual([{ open_errors: 0 }])
  })

  it('leaves settled what somebody settled, until the value that was found wrong changes', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1], { balance_forward: '5.00', amount_due: '156.00' })
    await sql`update bill_findings set resolved_at = now(), resolved_by = 7, reason = 'vendor confirmed' where bill_id = ${id}`.execute(db)
    await sql`update bills set open_errors = 0, open_blocking = 0, open_warnings = 0 where id = ${id}`.execute(db)
    await again(at)
    expect((await findings(id)).filter((one) => one.is_open)).toEqual([])
    await sql`update bills set balance_forward = 7, amount_due = 158 where id = ${id}`.execute(db)
    await again(at)
    const after = (await findings(id)).filter((one) => one.code === 'balance_forward')
    expect(after).toEqual([{ code: 'balance_forward', is_open: true, reason: null }])
    expect(await eventsOf(id, 'balance_forward')).toMatchObject([{ event: 'reopened', reason: 'audit' }])
  })

  it('opens again what had gone and is back, and keeps every coming and going in the history of the one finding', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1])
    for (const [multiplier, outcome] of [
      [10, { raised: 1, gone: 0 }],
      [1, { raised: 0, gone: 1 }],
      [10, { raised: 1, gone: 0 }],
      [5, { raised: 0, gone: 0 }],
    ] as const) {
      await sql`update services set meter_multiplier = ${multiplier} where id = ${at.electricId}`.execute(db)
      expect(await again(at)).toMatchObject(outcome)
    }
    expect((await findings(id)).filter((one) => one.code === 'multiplier_change')).toEqual([
      { code: 'multiplier_change', is_open: true, reason: null },
    ])
    expect((await eventsOf(id, 'multiplier_change')).map(({ event }) => event)).toEqual(['gone', 'reopened', 'changed'])
  })

  it('tries other settings without writing anything, and says what they would raise and take back by rule', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1], { amount_due: '999.00', balance_forward: '5.00' })
    const before = await findings(id)
    const tried = await acting(database, (context) =>
      trySettings(context, at.clientId, [{ account_type: 'BillableAccount', account_id: at.accountId }], {
        client: { disabled_codes: ['header_math'] },
      }),
    )
    expect(tried).toMatchObject({ bills: 1, raised: 0, gone: 1, rules: [{ code: 'header_math', raised: 0, gone: 1 }] })
    expect(await findings(id)).toEqual(before)
  })

  it('lets the process answer others between the bills that it audits', async () => {
    const at = await makeGround(db)
    const accounts: AccountRef[] = []
    for (let account = 0; account < 5; account += 1) {
      const accountId = await makeAccount(db, at, `BREATH-${account}`)
      const electricId = await makeService(db, at.clientId, accountId, 'electric', `BREATH-E${account}`)
      const gasId = await makeService(db, at.clientId, accountId, 'natural_gas', `BREATH-G${account}`)
      await create(
        { ...at, accountId, electricId, gasId },
        Array.from({ length: 24 }, (_, month) => month + 1),
      )
      accounts.push({ account_type: 'BillableAccount', account_id: accountId })
    }
    let turns = 0
    let atLastStatement = 0
    let counting = true
    const count = (): void => {
      turns += 1
      if (counting) setImmediate(count)
    }
    setImmediate(count)
    // The database yields the process at every statement. The time after the last one is counted.
    const noting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        atLastStatement = turns
        return Promise.resolve(result)
      },
    }
    const during = await acting(
      database,
      async (context) => {
        const { bills } = await trySettings(context, at.clientId, accounts, { client: {} })
        return { bills, turns: turns - atLastStatement }
      },
      { seen: (tx) => tx.withPlugin(noting) },
    )
    counting = false
    expect(during.bills).toBe(120)
    expect(during.turns).toBeGreaterThan(0)
  })

  it('does not touch accounts outside the reach', async () => {
    const at = await makeGround(db)
    await create(at, [1])
    expect(
      await acting(
        database,
        (context) => reauditAccounts(context, at.clientId, [{ account_type: 'BillableAccount', account_id: at.accountId }]),
        { reach: [] },
      ),
    ).toEqual({ bills: 0, raised: 0, gone: 0 })
  })

  it('does not ask for a way to pay where the client pays its bills elsewhere', async () => {
    const at = await makeGround(db)
    await sql`update clients set utility_payment_management = false where id = ${at.clientId}`.execute(db)
    const [id] = await create(at, [1])
    await sql`delete from vendor_payment_methods where vendor_id = ${at.vendorId}`.execute(db)
    await again(at)
    expect((await findings(id)).map((one) => one.code)).not.toContain('vendor_pay')
    await sql`update clients set utility_payment_management = true where id = ${at.clientId}`.execute(db)
    await again(at)
    expect((await findings(id)).map((one) => one.code)).toContain('vendor_pay')
  })
})

describe('the nightly audit', () => {
  it('finds unpaid bills old once their days have passed, not paid ones, and a second night adds nothing', async () => {
    setClock('2025-05-06T15:00:00Z')
    const received = { created_at: '2025-05-06T15:00:00.000Z' }
    const [open] = await create(await makeGround(db), [4], received)
    const [paid] = await create(await makeGround(db), [4], received)
    await sql`update bills set paid = true where id = ${paid}`.execute(db)
    expect((await findings(open)).map((one) => one.code)).not.toContain('date_sanity')
    setClock('2025-08-27T08:20:00Z')
    const night = () => nightlyAuditJob.run({ data: {}, machinery: quietMachinery(database), signal: new AbortController().signal })
    await night()
    const found = await findings(open)
    expect(found.map((one) => one.code)).toContain('date_sanity')
    expect((await findings(paid)).map((one) => one.code)).not.toContain('date_sanity')
    await night()
    expect(await findings(open)).toEqual(found)
    expect((await sql`select open_warnings from bills where id = ${open}`.execute(db)).rows).toEqual([{ open_warnings: found.length }])
    setClock('2026-01-20T15:00:00Z')
  })
})
