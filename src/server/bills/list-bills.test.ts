import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../../../test/support/cluster.ts'
import { quietMachinery, startToyServer } from '../../../test/support/toy-server.ts'
import { childCodes, countOpen, isFlag } from '#contract/bill-audits/flags.ts'
import { badges, openFlags } from '#contract/bills/bill-badges.ts'
import { isPayable } from '#contract/bills/bill-owed.ts'
import { accountingStatus, fullStatus, fullStatuses, paymentStatus } from '#contract/bills/bill-status.ts'
import { setClock, today } from '../kernel/clock.ts'
import type { Grant } from '../kernel/principal.ts'
import { billHandlers } from './bills.ts'
import { createBills } from './create-bills.ts'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount, monthlyDraft, type Ground } from '../../../test/support/bills.ts'

const database = await testDatabase()
const { db } = database
setClock('2026-01-20T15:00:00Z')
const server = startToyServer(quietMachinery(database), billHandlers)

const grant = (clients: Grant['clients'], narrowed: Grant['narrowed'] = {}, notes = true): Grant => ({
  role: 'reader',
  permissions: notes ? { bill: ['read'], bill_notes: ['read'] } : { bill: ['read'] },
  clients,
  narrowed,
})
interface Answered {
  readonly id: number
  readonly [key: string]: unknown
}
const list = async (path: string, grants: readonly Grant[] = [grant('all')]): Promise<{ bills: Answered[]; total: number }> => {
  const { status, body } = await server.ask(grants, 'GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  const { bills, total } = body
  if (!Array.isArray(bills)) throw new Error('no bills')
  return { bills, total: typeof total === 'number' ? total : -1 }
}
const ids = async (path: string, grants?: readonly Grant[]): Promise<number[]> =>
  (await list(path, grants)).bills.map((row) => row.id).toSorted((a, b) => a - b)
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

let ground: Ground
beforeAll(async () => {
  await sql`insert into users (id, email, username) values (7, 'maker@test', 'maker')`.execute(db)
  ground = await makeGround(db)
})

describe('the statuses of a list', () => {
  interface Facts {
    id: number
    superseded_by_id: number | null
    finalized: boolean
    paid: boolean
    vendor_payment_id: number | null
    payment_batch_is_global: boolean | null
    paid_as: string | null
    parked: boolean
    qc: boolean
    open_errors: number
    open_blocking: number
    open_warnings: number
    any_linked_errors: boolean
    accounting_batch_id: number | null
    accounting_batch_closed: boolean | null
    accounting_batch_invoiced: boolean | null
    missing_fields: string[]
    rebill_adjustment: boolean
    any_estimated: boolean
    due_date: string
    group_bill_id: number | null
    any_duplicate_flag: boolean
  }
  let client: number
  let facts: Facts[]

  /** 600 bills with every boolean drawn independently, so that rules meet in every combination. */
  beforeAll(async () => {
    const at = await makeGround(db)
    client = at.clientId
    await sql`select setseed(0.42)`.execute(db)
    await sql`insert into accounting_batches (client_id, id, batch_code, closed, has_been_closed, invoiced) overriding system value
      values (${client}, 9001, 'open', false, false, false), (${client}, 9002, 'closed', true, true, false), (${client}, 9003, 'invoiced', true, true, true), (${client}, 9004, 'invoiced open', false, false, true)`.execute(
      db,
    )
    await sql`insert into payment_batches (client_id, id, is_global, batch_date, bills_due_date, paid_as) overriding system value
      values (${client}, 9001, false, '2026-01-01', '2026-01-15', null), (${client}, 9002, true, '2026-01-01', '2026-01-15', null), (${client}, 9003, true, '2026-01-01', '2026-01-15', 'NP')`.execute(
      db,
    )
    await sql`insert into vendor_payments (client_id, id, payment_batch_id, vendor_id) overriding system value select ${client}, n, n, ${at.vendorId} from generate_series(9001, 9003) n`.execute(
      db,
    )
    await sql`insert into bills (client_id, id, billable_account_id, account_number, date, due_date) overriding system value
      values (${client}, 9000000, ${at.accountId}, 'x', '2025-01-01', '2025-01-20')`.execute(db)
    await sql`insert into bills (client_id, id, billable_account_id, account_number, vendor_id, date, due_date, superseded_by_id, finalized, paid, parked, qc, open_errors, open_blocking, open_warnings,
        vendor_payment_id, accounting_batch_id, missing_fields, rebill_adjustment, group_bill_id) overriding system value
      select ${client}, 9000000 + n, ${at.accountId}, 'x', ${at.vendorId}, '2025-12-01', date '2026-01-20' + (n % 9 - 4), case when random() < .05 then 9000000 end, random() < .15, random() < .15,
        random() < .1, random() < .15, case when random() < .2 then 2 else 0 end, case when random() < .1 then 1 else 0 end, case when random() < .2 then 1 else 0 end,
        case when random() < .3 then 9001 + floor(random() * 3) end, case when random() < .5 then 9001 + floor(random() * 4) end,
        case when random() < .3 then array['service_bills.0.usage'] else '{}' end, random() < .2, case when random() < .2 then 9000000 end
      from generate_series(1, 600) n`.execute(db)
    await sql`insert into service_bills (client_id, id, bill_id, service_id, estimated) overriding system value
      select ${client}, 9000000 + n, 9000000 + n, ${at.electricId}, n % 5 = 0 from generate_series(1, 600) n where n % 2 = 0`.execute(db)
    await sql`insert into bill_linked_service_bills (client_id, bill_id, service_bill_id) select ${client}, 9000000 + n, 9000000 + n + 1 from generate_series(1, 599, 6) n`.execute(
      db,
    )
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message) select client_id, id, 'duplicate_likely', 'W', 'looks alike' from bills
      where client_id = ${client} and open_warnings > 0 and id % 2 = 0`.execute(db)
    const { rows } =
      await sql<Facts>`select b.*, payment_batches.is_global as payment_batch_is_global, payment_batches.paid_as, accounting_batches.closed as accounting_batch_closed,
        accounting_batches.invoiced as accounting_batch_invoiced, coalesce(bool_or(l.estimated), false) as any_estimated,
        b.id in (select bill_id from bill_findings) as any_duplicate_flag,
        coalesce((select supply.open_errors > 0 or supply.open_blocking > 0 from bill_linked_service_bills link join service_bills line on line.id = link.service_bill_id
          join bills supply on supply.id = line.bill_id where link.bill_id = b.id), false) as any_linked_errors
      from bills b left join vendor_payments on vendor_payments.id = b.vendor_payment_id left join payment_batches on payment_batches.id = vendor_payments.payment_batch_id
      left join accounting_batches on accounting_batches.id = b.accounting_batch_id left join service_bills l on l.bill_id = b.id
      where b.client_id = ${client} group by b.client_id, b.id, payment_batches.is_global, payment_batches.paid_as, accounting_batches.closed, accounting_batches.invoiced order by b.id`.execute(
        db,
      )
    facts = rows
  })

  const expected = (holds: (one: Facts) => boolean): number[] => facts.filter(holds).map((one) => one.id)

  it('filter the rows that the pure function gives that status, for each of the twelve [BILL-FIELD-001] [BILL-FIELD-002] [BILL-FIELD-014] [BILL-FIELD-015]', async () => {
    for (const status of fullStatuses) {
      const wanted = expected((one) => fullStatus(one) === status)
      expect(wanted.length, status).toBeGreaterThan(0)
      expect(await ids(`/clients/${client}/bills?per=1000&q[full_status]=${encodeURIComponent(status)}`), status).toEqual(wanted)
    }
    expect(await ids(`/clients/${client}/bills?per=1000&q[full_status_in]=Paid,QC`)).toEqual(
      expected((one) => ['Paid', 'QC'].includes(fullStatus(one))),
    )
    expect(await ids(`/clients/${client}/bills?per=1000&q[full_status_not_eq]=Paid`)).toEqual(expected((one) => fullStatus(one) !== 'Paid'))
  })

  it('show on each row what the pure functions say: status, accounting, payment and badges [BILL-FIELD-006]', async () => {
    const { bills } = await list(`/clients/${client}/bills?per=1000&q[s]=${encodeURIComponent('id asc')}`)
    const shown = bills.map(({ id, full_status, accounting_status, payment_status, badges: worn, ...row }) => ({
      id,
      rebill_adjustment: row['rebill_adjustment'],
      qc: row['qc'],
      parked: row['parked'],
      finalized: row['finalized'],
      paid: row['paid'],
      full_status,
      accounting_status,
      payment_status,
      worn,
    }))
    expect(shown).toEqual(
      facts.map((one) => ({
        id: one.id,
        rebill_adjustment: one.rebill_adjustment,
        qc: one.qc,
        parked: one.parked,
        finalized: one.finalized,
        paid: one.paid,
        full_status: fullStatus(one),
        accounting_status: accountingStatus(one),
        payment_status: paymentStatus(one),
        worn: badges(one, today()),
      })),
    )
  })

  it('filter by accounting and payment status, flagged, unpaid, qc and parked', async () => {
    const found = (query: string): Promise<number[]> => ids(`/clients/${client}/bills?per=1000&${query}`)
    expect(await found('q[accounting_status]=closed')).toEqual(expected((one) => accountingStatus(one) === 'closed'))
    expect(await found('q[payment_status]=no_pay')).toEqual(expected((one) => paymentStatus(one) === 'no_pay'))
    expect(await found('q[payment_status_in]=unpaid,global_batched')).toEqual(
      expected((one) => ['unpaid', 'global_batched'].includes(paymentStatus(one))),
    )
    expect(await found('q[flagged]=true')).toEqual(expected((one) => one.open_errors > 0 || one.open_blocking > 0 || one.any_linked_errors))
    expect(await found('unpaid=true')).toEqual(expected(isPayable))
    expect(await found('q[qc]=true&q[parked]=false')).toEqual(expected((one) => one.qc && !one.parked))
    expect(await found('q[flags]=duplicate_likely')).toEqual(expected((one) => one.any_duplicate_flag))
  })
})

describe('the flags of a bill in the list', () => {
  const counted = z.looseObject({
    id: z.number(),
    open_errors: z.number(),
    open_warnings: z.number(),
    flags: z.record(z.string(), z.string()),
  })
  const page = z.object({
    bill: z.object({ findings: z.array(z.object({ severity: z.enum(['E!', 'E', 'W', 'I']), resolved_at: z.string().nullable() })) }),
  })

  it('are as many as its page has open, also where several are of one rule and one only explains', async () => {
    const at = await makeGround(db)
    const quiet = await create(at, [1, 2, 3, 4, 5, 6])
    const doubled = monthlyDraft(at, 7).service_bills?.map((line) => ({ ...line, meter_reading: '90000.00' })) ?? []
    const [loud = 0] = await create(at, [7], { service_bills: doubled })
    await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${at.clientId}, ${loud}, 'read_gap', 'I', 'One day lies between')`.execute(
      db,
    )
    const rows = z.array(counted).parse((await list(`/clients/${at.clientId}/bills?per=50`)).bills)
    expect(rows).toHaveLength(quiet.length + 1)
    for (const row of rows) {
      const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${row.id}`)
      const open = page.parse(body).bill.findings.filter((finding) => finding.resolved_at === null)
      expect(openFlags(row), `bill ${row.id}`).toBe(open.filter(isFlag).length)
      expect(row).toMatchObject(countOpen(open))
    }
    const several = rows.filter((row) => openFlags(row) > Object.keys(row.flags).length)
    expect(several.map((row) => row.id)).toEqual([loud])
  })
})

describe('the line flags of a bill in the list', () => {
  it('are those of its page, for each rule that speaks of a meter or a linked bill without a line', async () => {
    const at = await makeGround(db)
    const [plain = 0, ...bills] = await create(at, [1, 2, 3, 4, 5].slice(0, childCodes.length + 1))
    expect(bills).toHaveLength(childCodes.length)
    for (const [place, code] of childCodes.entries())
      await sql`insert into bill_findings (client_id, bill_id, code, severity, message) values (${at.clientId}, ${bills[place]}, ${code}, 'W', 'of a meter')`.execute(
        db,
      )
    await sql`update bills set open_warnings = open_warnings + 1 where id = any(${bills}::bigint[])`.execute(db)
    const { bills: rows } = await list(`/clients/${at.clientId}/bills`)
    expect(
      rows
        .filter((row) => row['any_child_flags'] === true)
        .map((row) => row.id)
        .toSorted((a, b) => a - b),
    ).toEqual(bills)
    for (const id of [plain, ...bills]) {
      const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${id}`)
      expect(body, `bill ${id}`).toMatchObject({ bill: { any_child_flags: id !== plain } })
    }
    expect(await ids(`/clients/${at.clientId}/bills?q[any_child_flags]=true`)).toEqual(bills)
  })
})

describe('the list of bills', () => {
  let made: number[]
  beforeAll(async () => {
    made = await create(ground, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], { notes: 'between us' })
    await sql`update bills set created_at = timestamptz '2025-06-01 12:00Z' + (id % 7) * interval '1 day' where client_id = ${ground.clientId}`.execute(
      db,
    )
  })

  it('answers bills and total, newest created first, ten to a page [BILL-CONST-002] [BILL-API-006]', async () => {
    const { bills, total } = await list(`/clients/${ground.clientId}/bills`)
    expect(total).toBe(12)
    expect(bills).toHaveLength(10)
    const created = bills.map((row) => String(row['created_at']))
    expect(created).toEqual(created.toSorted().toReversed())
  })

  it('carries who sent it, what it asks for and where it stands [BILL-FIELD-003] [BILL-FIELD-004] [BILL-FIELD-005] [BILL-FIELD-007] [BILL-FIELD-009]', async () => {
    await sql`update bills set next_read_date = '2025-03-01', fiscal_month = '2025-04', amount_paid = 150.5 where id = ${made[0]}`.execute(
      db,
    )
    await sql`insert into bill_findings (client_id, bill_id, service_bill_id, code, severity, message)
      select client_id, bill_id, id, 'usage_spike', 'W', 'three times as much' from service_bills where bill_id = ${made[0]} and service_id = ${ground.electricId}`.execute(
      db,
    )
    const { bills } = await list(`/clients/${ground.clientId}/bills?values=[${made[0]},${made[1]}]&q[s]=id+asc`)
    expect(bills[1], 'a bill without findings, after another one').toMatchObject({ flags: {}, any_child_flags: false, bill_id: made[0] })
    expect(bills[0]).toMatchObject({
      id: made[0],
      account_type: 'BillableAccount',
      account_id: ground.accountId,
      account_number: `0001234${ground.clientId}`,
      account_name_with_number: `Account 0001234${ground.clientId} (0001234${ground.clientId})`,
      client_id: ground.clientId,
      vendor_name: 'City Power',
      division_name: 'West',
      facility_name: 'Store 1',
      balance_forward: '0.00',
      current_charges: '151.00',
      late_fee: '0.00',
      amount_due: '151.00',
      amount_paid: '150.50',
      invoice_number: 'INV-1',
      bill_id: null,
      date: '2025-02-05',
      due_date: '2025-02-25',
      previous_read_date: '2025-01-01',
      read_date: '2025-02-01',
      next_read_date: '2025-03-01',
      fiscal_month: '2025-04',
      full_status: 'Unbatched',
      flags: { usage_spike: 'three times as much' },
      any_child_flags: true,
      file_url: [],
      filename: null,
      notes: 'between us',
    })
  })

  it('leaves notes out for who may not read them, in the list and of one bill [BILL-PERM-001]', async () => {
    const silent = [grant([ground.clientId], {}, false)]
    await sql`update service_bills set notes = 'of a line' where bill_id = ${made[0]}`.execute(db)
    const { rows: lines } = await sql<{ id: number }>`select id from service_bills where bill_id = ${made[0]} limit 1`.execute(db)
    for (const [grants, readable] of [
      [silent, false],
      [[grant([ground.clientId])], true],
    ] as const) {
      for (const path of [`bills/${made[0]}`, `service_bills/${lines[0]?.id}`])
        expect(JSON.stringify((await server.ask(grants, 'GET', `/clients/${ground.clientId}/${path}`)).body).includes('of a line')).toBe(
          readable,
        )
    }
    for (const row of (await list(`/clients/${ground.clientId}/bills`, silent)).bills) expect(row).not.toHaveProperty('notes')
    const one = await server.ask(silent, 'GET', `/clients/${ground.clientId}/bills/${made[0]}`)
    expect(one.status).toBe(200)
    expect(one.body['bill']).not.toHaveProperty('notes')
    expect(JSON.stringify(one.body)).not.toContain('between us')
  })

  it('filters by ranges of dates and amounts, by vendor, division, facility and their names', async () => {
    const of = (query: string): Promise<number[]> => ids(`/clients/${ground.clientId}/bills?per=100&${query}`)
    expect(await of('q[date_gteq]=04/01/2025&q[date_lteq]=2025-06-30')).toEqual(made.slice(2, 5))
    expect(await of('q[due_date_lteq]=2025-02-28')).toEqual(made.slice(0, 1))
    expect(await of('q[amount_due_gteq]=160&q[amount_due_lteq]=161.00')).toEqual(made.slice(9, 11))
    expect(await of(`vendor_id=${ground.vendorId}`)).toEqual(made)
    expect(await of('vendor_id=999999')).toEqual([])
    expect(await of(`q[division_id]=${ground.divisionId}&q[facility_name]=tore`)).toEqual(made)
    expect(await of('q[vendor_name]=ity+pow')).toEqual(made)
    expect(await of('q[vendor_name]=nobody')).toEqual([])
    expect(await of('q[invoice_number_eq]=INV-3')).toEqual(made.slice(2, 3))
    expect(await of('search_term=INV-12')).toEqual(made.slice(11))
  })

  it('is narrowed with its reader, answers 404 outside and 403 without the right', async () => {
    const inside = [grant([ground.clientId], { division: [ground.divisionId] })]
    const outside = [grant([ground.clientId], { division: [999_999] })]
    expect(await ids(`/clients/${ground.clientId}/bills?per=100`, inside)).toEqual(made)
    expect(await ids(`/clients/${ground.clientId}/bills?per=100`, outside)).toEqual([])
    for (const path of [
      `/bills/${made[0]}`,
      `/billable_accounts/${ground.accountId}/bills`,
      `/billable_accounts/${ground.accountId}/previous_bills`,
      `/services/${ground.electricId}/last_five_bills`,
    ])
      expect((await server.ask(outside, 'GET', `/clients/${ground.clientId}${path}`)).status, path).toBe(404)
    expect((await server.ask([grant([ground.clientId + 1])], 'GET', `/clients/${ground.clientId}/bills`)).status).toBe(404)
    expect(
      (await server.ask([{ ...grant([ground.clientId]), permissions: { division: ['read'] } }], 'GET', `/clients/${ground.clientId}/bills`))
        .status,
    ).toBe(403)
  })

  it('across clients holds what is reached, one client with client_id', async () => {
    const other = await makeGround(db)
    const theirs = await create(other, [1])
    const both = [grant([ground.clientId, other.clientId])]
    expect(await ids('/bills?per=100', both)).toEqual([...made, ...theirs].toSorted((a, b) => a - b))
    expect(await ids(`/bills?per=100&client_id=${other.clientId}`, both)).toEqual(theirs)
    expect(await ids('/bills?per=100', [grant([other.clientId])])).toEqual(theirs)
  })

  it('refuses what it does not know by name', async () => {
    for (const query of ['q[colour]=red', 'q[s]=colour+asc', 'unpaid=maybe', 'vendor_id=x']) {
      expect((await server.ask([grant('all')], 'GET', `/clients/${ground.clientId}/bills?${query}`)).status, query).toBe(422)
    }
  })
})

describe('lists of one account', () => {
  it("hold its bills, a group's also those of its subaccounts [BILL-API-006]", async () => {
    const at = await makeGround(db)
    const group = await makeAccount(db, at, `GR${at.clientId}`, { group: true })
    const member = await makeAccount(db, at, `ME${at.clientId}`, { groupId: group })
    const supply = await makeSupplyAccount(db, at, `SU${at.clientId}`)
    const own = await create(at, [1, 2])
    const bare = { service_bills: [], invoice_number: null }
    const ofGroup = await create(at, [3], { ...bare, account_id: group })
    const ofMember = await create(at, [4], { ...bare, account_id: member })
    const ofSupply = await create(at, [5], { ...bare, account_type: 'SupplyAccount', account_id: supply })
    const supplyGroup = await makeSupplyAccount(db, at, `SG${at.clientId}`)
    await sql`update supply_accounts set is_group_account = (id = ${supplyGroup}), group_supply_account_id = case when id = ${supply} then ${supplyGroup}::bigint end
      where client_id = ${at.clientId}`.execute(db)
    const ofSupplyGroup = await create(at, [6], { ...bare, account_type: 'SupplyAccount', account_id: supplyGroup })
    const base = `/clients/${at.clientId}`
    expect(await ids(`${base}/group_supply_accounts/${supplyGroup}/bills`)).toEqual([...ofSupply, ...ofSupplyGroup])
    expect((await server.ask([grant('all')], 'GET', `${base}/group_supply_accounts/${supply}/bills`)).status).toBe(404)
    expect(await ids(`${base}/billable_accounts/${at.accountId}/bills`)).toEqual(own)
    expect(await ids(`${base}/billable_accounts/${at.accountId}/bills?unpaid=true&q[date_gteq]=2025-03-01`)).toEqual(own.slice(1))
    expect(await ids(`${base}/group_accounts/${group}/bills`)).toEqual([...ofGroup, ...ofMember])
    expect(await ids(`${base}/supply_accounts/${supply}/bills`)).toEqual(ofSupply)
    expect((await server.ask([grant('all')], 'GET', `${base}/group_accounts/${at.accountId}/bills`)).status).toBe(404)
    expect((await server.ask([grant('all')], 'GET', `${base}/billable_accounts/999999/bills`)).status).toBe(404)
  })
})

describe('an account number that contains', () => {
  it('finds the same bills by few accounts as by walking the list', async () => {
    const at = await makeGround(db)
    for (let n = 0; n < 120; n++) await makeAccount(db, at, `77${String(n).padStart(4, '0')}5`)
    await sql`insert into bills (client_id, billable_account_id, account_number, date, due_date) select client_id, id, account_number, '2025-05-01', '2025-05-20' from billable_accounts
      where client_id = ${at.clientId} and account_number like '77%'`.execute(db)
    const matching = async (fragment: string): Promise<number[]> =>
      (
        await sql<{
          id: number
        }>`select id from bills where client_id = ${at.clientId} and account_number like ${`%${fragment}%`} order by id`.execute(db)
      ).rows.map((row) => row.id)
    for (const fragment of ['7700', '01', '770011', '0115', '99999']) {
      const wanted = await matching(fragment)
      const { bills, total } = await list(`/clients/${at.clientId}/bills?per=1000&q[account_number]=${fragment}`)
      expect(
        bills.map((row) => row.id).toSorted((a, b) => a - b),
        fragment,
      ).toEqual(wanted)
      expect(total, fragment).toBe(wanted.length)
      expect(await ids(`/bills?per=1000&q[account_number]=${fragment}&client_id=${at.clientId}`), fragment).toEqual(wanted)
    }
    expect(await ids(`/clients/${at.clientId}/bills?per=1000&q[account_number]=%25`)).toEqual([])
  })
})

describe('one bill', () => {
  it('comes with its lines, charges, findings, files and locks [BILL-API-002] [BILL-FIELD-013] [SBILL-FIELD-001] [SBILL-FIELD-003] [SBILL-FIELD-006] [SBILL-FIELD-007] [SBILL-FIELD-009]', async () => {
    const at = await makeGround(db)
    await sql`insert into files (id, key, filename, content_type, byte_size, state) overriding system value values (901, 'k901', 'copy.pdf', 'application/pdf', 1, 'stored')`.execute(
      db,
    )
    await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id) select ${at.clientId}, ${at.gasId}, id from usage_factors where name = 'Therm Factor'`.execute(
      db,
    )
    await create(at, [1])
    const [id] = await create(at, [2], { amount_due: '900.00', bill_charges: [{ name: 'Fuel', amount: '0.00' }], file_ids: [901] })
    await sql`update service_bills set next_read_date = '2025-04-01', fiscal_month = '2025-05', notes = 'read twice', estimated = true where bill_id = ${id} and service_id = ${at.electricId}`.execute(
      db,
    )
    const { status, body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${id}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body['bill']).toMatchObject({
      id,
      full_status: 'Flagged',
      amount_due: '900.00',
      locks: [],
      total_usage: null,
      file_url: [`/api/v5/clients/${at.clientId}/bills/${id}/files/1`],
      previous_read_date_flag: false,
      number_of_days_flag: false,
      previous_reading_flag: false,
      multiplier_flag: false,
      usage_flag: false,
      estimated_flag: false,
      files: [
        { position: 1, filename: 'copy.pdf', content_type: 'application/pdf', href: `/api/v5/clients/${at.clientId}/bills/${id}/files/1` },
      ],
      bill_charges: [{ name: 'Fuel', amount: '0.00' }],
      service_bills: [
        {
          service_id: at.electricId,
          service_utility_service_name: 'Electric',
          service_meter_number: 'E-1',
          previous_read_date: '2025-02-01',
          read_date: '2025-03-01',
          next_read_date: '2025-04-01',
          fiscal_month: '2025-05',
          number_of_days: 28,
          previous_reading: '10900.00',
          meter_reading: '11800.00',
          usage: '900.000',
          unit_id: expect.any(Number),
          unit_symbol: 'kWh',
          unit_options: expect.arrayContaining([{ id: expect.any(Number), symbol: 'kWh' }]),
          estimated: true,
          notes: 'read twice',
          charge: '102.00',
          service_bill_entry_fields: [
            { name: 'Utility Charges', value: '102.00' },
            { name: 'Utility Taxes', value: null },
          ],
        },
        {
          service_id: at.gasId,
          unit_symbol: 'therm',
          service_bill_usage_factors: [{ name: 'Therm Factor', value: '1.0000', adjustment_factor: true }],
        },
      ],
    })
    const { findings } = z
      .object({ findings: z.array(z.object({ code: z.string(), severity: z.string(), message: z.string() })) })
      .parse(body['bill'])
    expect(findings[0]).toMatchObject({ code: 'header_math', severity: 'E!' })
    expect(findings[0]?.message).toContain('$900.00')
    await sql`insert into bill_findings (client_id, bill_id, service_bill_id, code, severity, message)
      select client_id, bill_id, id, code, 'W', 'found' from service_bills, unnest(array['multiplier_change', 'usage_high', 'read_gap']) code
      where bill_id = ${id} and service_id = ${at.electricId}`.execute(db)
    const flagged = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${id}`)
    const six = { multiplier_flag: true, usage_flag: true, previous_read_date_flag: true, previous_reading_flag: false }
    const none = { multiplier_flag: false, usage_flag: false, previous_read_date_flag: false, number_of_days_flag: false }
    expect(flagged.body['bill']).toMatchObject({ ...six, service_bills: [six, none] })
  })

  it('adds up its usage where its lines are in one unit [BILL-FIELD-005]', async () => {
    const at = await makeGround(db)
    const line = monthlyDraft(at, 1).service_bills?.[0]
    const [id] = await create(at, [1], { service_bills: [line], current_charges: '101.00', amount_due: '101.00' })
    const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${id}`)
    expect(body['bill']).toMatchObject({ total_usage: '900.000' })
  })

  it('names the facility of its account, or those of the members of a group', async () => {
    const at = await makeGround(db)
    const group = await makeAccount(db, at, `GF${at.clientId}`, { group: true })
    await makeAccount(db, at, `MF${at.clientId}`, { groupId: group })
    const [own] = await create(at, [1])
    const [ofGroup] = await create(at, [2], { account_id: group, service_bills: [], invoice_number: null })
    const facilities = async (id: number | undefined, grants = [grant('all')]) =>
      (await server.ask(grants, 'GET', `/clients/${at.clientId}/bills/${id}/facilities`)).body['facilities']
    expect(await facilities(own)).toMatchObject([
      { id: at.facilityId, name: 'Store 1', division_name: 'West', account_numbers: [`0001234${at.clientId}`] },
    ])
    expect(await facilities(ofGroup)).toMatchObject([{ id: at.facilityId, account_numbers: [`GF${at.clientId}`, `MF${at.clientId}`] }])
  })

  it('that is paid says which fields are locked', async () => {
    const at = await makeGround(db)
    const [id] = await create(at, [1])
    await sql`update bills set paid = true where id = ${id}`.execute(db)
    const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/bills/${id}`)
    expect(body['bill']).toMatchObject({ full_status: 'Paid', locks: expect.arrayContaining(['header', 'lines', 'adjustment_factors']) })
    expect(body['bill']).toMatchObject({ locks: expect.not.arrayContaining(['notes', 'files', 'measurements']) })
  })

  it('the latest of an account is found under both spellings of its type, null where there is none [BILL-API-003] [BILL-RULE-007]', async () => {
    const at = await makeGround(db)
    const path = (type: string, account: number): string =>
      `/clients/${at.clientId}/bills/last_bill?account_type=${type}&account_id=${account}`
    expect((await server.ask([grant('all')], 'GET', path('billable_account', at.accountId))).body).toEqual({ bill: null })
    const [, last] = await create(at, [1, 2])
    for (const type of ['billable_account', 'BillableAccount'])
      expect((await server.ask([grant('all')], 'GET', path(type, at.accountId))).body['bill']).toMatchObject({ id: last })
    expect((await server.ask([grant('all')], 'GET', path('account', at.accountId))).status).toBe(422)
    expect((await server.ask([grant('all')], 'GET', path('billable_account', 999_999))).status).toBe(404)
  })
})

describe('looking back', () => {
  let at: Ground
  let made: number[]
  beforeAll(async () => {
    at = await makeGround(db)
    made = await create(at, [1, 2, 3, 4, 5, 6, 7])
  })

  it('a service shows its last five lines, newest first, with their charges, and how many there are [SVC-API-005] [SBILL-API-001] [SBILL-CONST-002] [SBILL-SCREEN-001] [SBILL-FIELD-010]', async () => {
    const amounts = {
      'Utility Taxes': '1.00',
      'Supply Charges': '2.00',
      'Supply Taxes': '3.00',
      'Other Charge': '4.00',
      'REC Charge': '5.00',
    }
    for (const [name, value] of Object.entries(amounts))
      await sql`insert into service_bill_entry_values (client_id, service_bill_id, entry_field_id, value)
        select line.client_id, line.id, field.id, ${value} from service_bills line, entry_fields field
        where line.bill_id = ${made[6]} and line.service_id = ${at.electricId} and field.name = ${name}`.execute(db)
    const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/services/${at.electricId}/last_five_bills`)
    const { last_five_bills, total } = z
      .object({ last_five_bills: z.array(z.object({ bill_id: z.int(), read_date: z.string() })), total: z.int() })
      .parse(body)
    expect(total).toBe(7)
    expect(last_five_bills.map((line) => line.bill_id)).toEqual(made.slice(2).toReversed())
    expect(body['last_five_bills']).toMatchObject([
      {
        usage: '900.000',
        unit_symbol: 'kWh',
        number_of_days: 31,
        utility_charges: '107.00',
        utility_taxes: '1.00',
        supply_charges: '2.00',
        supply_taxes: '3.00',
        other_charge: '4.00',
        rec_charge: '5.00',
        cost_components: expect.arrayContaining([
          { name: 'Utility Charges', value: '107.00' },
          { name: 'REC Charge', value: '5.00' },
        ]),
      },
      {},
      {},
      {},
      {},
    ])
  })

  it('an account shows its bills before a date, without the one that is edited', async () => {
    const { body } = await server.ask(
      [grant('all')],
      'GET',
      `/clients/${at.clientId}/billable_accounts/${at.accountId}/previous_bills?date=2025-06-01&bill_id=${made[1]}`,
    )
    const { previous_bills } = z.object({ previous_bills: z.array(z.object({ id: z.int() })) }).parse(body)
    expect(previous_bills.map((bill) => bill.id)).toEqual([made[3], made[2], made[0]])
  })

  it('one line can be asked for, to link it [BILL-API-004]', async () => {
    const { rows } = await sql<{ id: number }>`select id from service_bills where bill_id = ${made[0]} order by position limit 1`.execute(
      db,
    )
    const { status, body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/service_bills/${rows[0]?.id}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body['service_bill']).toMatchObject({
      bill_id: made[0],
      account_id: at.accountId,
      vendor_name: 'City Power',
      date: '2025-02-05',
      usage: '900.000',
    })
    expect((await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/service_bills/99999999`)).status).toBe(404)
  })

  it('rows of lines made for another meter do not mix in', async () => {
    const other = await makeService(db, at.clientId, at.accountId, 'water', 'W-1')
    const { body } = await server.ask([grant('all')], 'GET', `/clients/${at.clientId}/services/${other}/last_five_bills`)
    expect(body).toEqual({ last_five_bills: [], total: 0 })
  })
})
