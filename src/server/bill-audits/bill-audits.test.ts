import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { acting, makeGround, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { createBills, reauditAccounts } from '../bills/bills.ts'
import { setClock } from '../kernel/clock.ts'

const { ask, database } = await startTestApp()
const { db } = database
setClock('2025-09-20T15:00:00Z')
let staff: Person

beforeAll(async () => {
  staff = await makePerson(db, 'muc_admin')
})

/** Makes half a year of bills of which the last used three times as much as the others. */
async function usual(): Promise<{ at: Ground; last: number }> {
  const at = await makeGround(db)
  const outcomes = await acting(database, (context) =>
    createBills(context, at.clientId, [
      ...[1, 2, 3, 4, 5, 6].map((month) => monthlyDraft(at, month)),
      monthlyDraft(at, 7, {
        service_bills: [
          {
            service_id: at.electricId,
            previous_read_date: '2025-07-01',
            read_date: '2025-08-01',
            previous_reading: '15400.00',
            meter_reading: '16900.00',
            service_bill_entry_fields: [{ name: 'Utility Charges', value: '157.00' }],
          },
        ],
      }),
    ]),
  )
  const last = outcomes.at(-1)
  return { at, last: last?.kind === 'created' ? last.id : 0 }
}
const open = async (billId: number): Promise<string[]> =>
  (
    await sql<{ code: string }>`select code from bill_findings where bill_id = ${billId} and resolved_at is null order by id`.execute(db)
  ).rows.map((row) => row.code)
const path = (at: Ground, rest = '') => `/clients/${at.clientId}/audit_settings${rest}`

/** Waits until the user's last task has ended. */
async function done(who: Person): Promise<Record<string, unknown>> {
  return expect
    .poll(
      async () =>
        (
          await sql<{
            state: string
            result: Record<string, unknown>
          }>`select state, result from tasks where user_id = ${who.id} order by id desc limit 1`.execute(db)
        ).rows[0],
      { timeout: 20_000 },
    )
    .toMatchObject({ state: 'done' })
    .then(
      async () =>
        (
          await sql<{
            result: Record<string, unknown>
          }>`select result from tasks where user_id = ${who.id} order by id desc limit 1`.execute(db)
        ).rows[0]?.result ?? {},
    )
}

describe('the thresholds of the audits', () => {
  it('are kept by level: only what differs is stored, what is inherited is shown, and each is validated', async () => {
    const { at } = await usual()
    await ask(staff, 'PUT', '/audit_settings', { audit_settings: { min_cost: '20.00' } })
    const saved = await ask(staff, 'PUT', path(at), { audit_settings: { usage_high_warning_percent: 80 } })
    expect(saved.status, saved.text).toBe(200)
    const { body } = await ask(staff, 'GET', path(at))
    expect(body).toMatchObject({
      own: { usage_high_warning_percent: 80 },
      inherited: { min_cost: '20.00', usage_high_warning_percent: 30 },
      audit_settings: { min_cost: '20.00', usage_high_warning_percent: 80 },
    })
    expect((await ask(staff, 'PUT', path(at), { audit_settings: { min_cost: 'much' } })).status).toBe(422)
    expect((await ask(staff, 'PUT', path(at), { audit_settings: { nonsense: 1 } })).status).toBe(422)
    await ask(staff, 'PUT', '/audit_settings', { audit_settings: {} })
  })

  it('are tried before they are saved, which says what would come and go and changes nothing', async () => {
    const { at, last } = await usual()
    const before = await open(last)
    expect(before).toContain('usage_high')
    const tried = await ask(staff, 'POST', path(at, '/try'), {
      audit_settings: { usage_high_warning_percent: 500, cost_day_high_percent: 500 },
    })
    expect(tried.status, tried.text).toBe(200)
    expect(tried.body).toMatchObject({
      bills: 7,
      raised: 0,
      gone: 1,
      is_sample: false,
      rules: [{ code: 'usage_high', raised: 0, gone: 1 }],
    })
    const service = await ask(staff, 'POST', path(at, '/try'), { service_id: at.electricId, audits_off: true })
    expect(JSON.parse(service.text).rules).toContainEqual({ code: 'usage_high', raised: 0, gone: 1 })
    const account = await ask(staff, 'POST', path(at, '/try'), {
      account_type: 'BillableAccount',
      account_id: at.accountId,
      audits_off: true,
    })
    // Rules that compare with today are not run again on bills that were already overdue when entered.
    expect(JSON.parse(account.text).gone).toBe(before.filter((code) => code !== 'due_date').length)
    expect(await open(last)).toEqual(before)
  })

  it('once saved, recent bills are audited again and the person hears how many findings came and went', async () => {
    const { at, last } = await usual()
    const who = await makePerson(db, 'muc_admin')
    await ask(who, 'PUT', path(at), { audit_settings: { usage_high_warning_percent: 500, cost_day_high_percent: 500 } })
    expect(await done(who)).toMatchObject({ bills: 7, raised: 0, gone: 1 })
    expect(await open(last)).not.toContain('usage_high')
    const { rows } = await sql<{
      message: string
      description: string[]
    }>`select message, description from notifications where user_id = ${who.id}`.execute(db)
    expect(rows).toEqual([{ message: '7 bills audited again', description: ['0 findings came, 1 went.'] }])
    const { rows: gone } = await sql`select gone_by from bill_findings where bill_id = ${last} and code = 'usage_high'`.execute(db)
    expect(gone).toEqual([{ gone_by: 'settings' }])
  })

  it('of an account and of a service do the same for the account’s bills, and other changes of them do not', async () => {
    const { at, last } = await usual()
    const who = await makePerson(db, 'client_admin', { clients: [at.clientId] })
    const account = `/clients/${at.clientId}/billable_accounts/${at.accountId}`
    await ask(who, 'PATCH', account, { billable_account: { name: 'Renamed' } })
    expect((await sql`select id from tasks where user_id = ${who.id}`.execute(db)).rows).toEqual([])
    const changed = await ask(who, 'PATCH', account, {
      billable_account: { audit_settings: { usage_high_warning_percent: 500, cost_day_high_percent: 500 } },
    })
    expect(changed.status, changed.text).toBe(200)
    await done(who)
    expect(await open(last)).not.toContain('usage_high')
    const service = await ask(who, 'PATCH', `${account}/services/${at.electricId}`, {
      service: { audit_settings: { usage_high_warning_percent: 10 } },
    })
    expect(service.status, service.text).toBe(200)
    await expect.poll(() => open(last), { timeout: 20_000 }).toContain('usage_high')
  })

  it('of the installation are the staff’s to change, of a client those of who may change the client', async () => {
    const { at } = await usual()
    const admin = await makePerson(db, 'client_admin', { clients: [at.clientId] })
    expect((await ask(admin, 'PUT', path(at), { audit_settings: {} })).status).toBe(403)
    expect((await ask(admin, 'GET', '/audit_settings')).status).toBe(403)
    const partner = await makePerson(db, 'channel_partner_admin', { clients: [at.clientId] })
    expect((await ask(partner, 'PUT', '/audit_settings', { audit_settings: {} })).status).toBe(403)
  })
})

describe('the precision of a rule', () => {
  it('is the share of mistakes among what people judged; what thresholds took away says nothing', async () => {
    const { at } = await usual()
    const ids = await acting(database, (context) =>
      createBills(
        context,
        at.clientId,
        [8, 9, 10, 11].map((month) => monthlyDraft(at, month, { amount_due: '999.00', balance_forward: '5.00' })),
      ),
    )
    const bills = ids.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.id] : []))
    const settle = (bill: number | undefined, reason: string, goneBy: string | null = null) =>
      sql`update bill_findings set resolved_at = now(), reason = ${reason}, gone_by = ${goneBy} where bill_id = ${bill} and code = 'header_math'`.execute(
        db,
      )
    await settle(bills[0], 'data_fixed')
    await settle(bills[1], 'vendor_confirmed')
    await settle(bills[2], 'No longer found', 'edit')
    await settle(bills[3], 'No longer found', 'settings')
    const { text } = await ask(staff, 'GET', path(at, '/precision'))
    const rules: { code: string }[] = JSON.parse(text).rules
    expect(rules.find((rule) => rule.code === 'header_math')).toEqual({
      code: 'header_math',
      raised: 4,
      open: 0,
      mistakes: 2,
      no_problem: 1,
      gone: 1,
      reasons: { data_fixed: 1, vendor_confirmed: 1 },
      precision: '66.7',
    })
    expect(rules.find((rule) => rule.code === 'power_factor')).toMatchObject({ raised: 0, precision: null })
    const all: { code: string; raised: number }[] = JSON.parse((await ask(staff, 'GET', '/audit_settings/precision')).text).rules
    expect(all.find((rule) => rule.code === 'header_math')?.raised).toBeGreaterThanOrEqual(4)
  })

  it('counts what an edit made go as a mistake that was mended', async () => {
    const { at } = await usual()
    const [made] = await acting(database, (context) => createBills(context, at.clientId, [monthlyDraft(at, 8, { amount_due: '999.00' })]))
    await sql`update bills set amount_due = current_charges where id = ${made?.kind === 'created' ? made.id : 0}`.execute(db)
    await acting(database, (context) =>
      reauditAccounts(context, at.clientId, [{ account_type: 'BillableAccount', account_id: at.accountId }], 'edit'),
    )
    const rules: { code: string }[] = JSON.parse((await ask(staff, 'GET', path(at, '/precision'))).text).rules
    expect(rules.find((rule) => rule.code === 'header_math')).toMatchObject({ raised: 1, mistakes: 1, precision: '100.0' })
  })
})
