import { sql, type KyselyPlugin } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/cluster.ts'
import type { BillDraft, BillOutcome } from '#contract/bills/bill-draft.ts'
import { setClock } from '../kernel/clock.ts'
import { createBills } from './create-bills.ts'
import { acting, makeAccount, makeGround, makeSupplyAccount, makeService, monthlyDraft, type Ground } from '../../../test/support/bills.ts'
import { lastBillsAgree } from '../../../test/support/last-bills.ts'

const database = await testDatabase()
const { db } = database
lastBillsAgree(db)
setClock('2026-01-20T15:00:00Z')

let ground: Ground
beforeAll(async () => {
  await sql`insert into users (id, email, username) values (7, 'maker@test', 'maker')`.execute(db)
  ground = await makeGround(db)
})

const create = (drafts: readonly BillDraft[], clientId = ground.clientId): Promise<BillOutcome[]> =>
  acting(database, (context) => createBills(context, clientId, drafts))
const createdId = (outcome: BillOutcome | undefined): number => {
  if (outcome?.kind !== 'created') throw new Error(`not created: ${JSON.stringify(outcome)}`)
  return outcome.id
}
const codes = (outcome: BillOutcome | undefined): string[] =>
  outcome?.kind === 'created' ? outcome.findings.map((finding) => finding.code) : []
const fresh = async (): Promise<Ground> => makeGround(db)
const billRow = async (id: number): Promise<Record<string, unknown>> =>
  (await sql<Record<string, unknown>>`select * from bills where id = ${id}`.execute(db)).rows[0] ?? {}

describe('a bill that is made', () => {
  it('is stored with its lines, values and copies of the account, in one call', async () => {
    const at = await fresh()
    const [outcome] = await create([monthlyDraft(at, 1, { bill_charges: [], notes: 'first', invoice_number: 'A-1' })], at.clientId)
    const id = createdId(outcome)
    expect(await billRow(id)).toMatchObject({
      billable_account_id: at.accountId,
      vendor_id: at.vendorId,
      facility_id: at.facilityId,
      division_id: at.divisionId,
      account_number: `0001234${at.clientId}`,
      current_charges: '151.00',
      amount_due: '151.00',
      previous_read_date: '2025-01-01',
      read_date: '2025-02-01',
      missing_fields: [],
      source: 'import',
      notes: 'first',
    })
    const { rows } = await sql<
      Record<string, unknown>
    >`select line.*, (select sum(value) from service_bill_entry_values v where v.service_bill_id = line.id) as charge from service_bills line where bill_id = ${id} order by position`.execute(
      db,
    )
    expect(rows).toMatchObject([
      {
        service_id: at.electricId,
        usage: '900.000',
        multiplier: '1.0000',
        standard_usage: '900.000000',
        charge: '101.00',
        previous_read_date: '2025-01-01',
      },
      { service_id: at.gasId, usage: '40.000', standard_usage: '40.000000', charge: '50.00' },
    ])
  })

  it("derives usage from the readings and the meter's multiplier, which is 1 where the meter has none [SBILL-RULE-007] [SBILL-FIELD-004]", async () => {
    const at = await fresh()
    await sql`update services set meter_multiplier = 2.5 where id = ${at.electricId}`.execute(db)
    await sql`update services set meter_multiplier = null where id = ${at.gasId}`.execute(db)
    const [outcome] = await create([monthlyDraft(at, 1)], at.clientId)
    const { rows } = await sql<{
      usage: string
      multiplier: string
    }>`select usage, multiplier from service_bills where bill_id = ${createdId(outcome)} order by position`.execute(db)
    expect(rows).toEqual([
      { usage: '2250.000', multiplier: '2.5000' },
      { usage: '40.000', multiplier: '1.0000' },
    ])
  })

  it('follows the latest earlier bill of its account [BILL-FIELD-004]', async () => {
    const at = await fresh()
    const outcomes = await create([monthlyDraft(at, 2), monthlyDraft(at, 1), monthlyDraft(at, 3)], at.clientId)
    const [february, january, march] = outcomes.map(createdId)
    expect(await billRow(february ?? 0)).toMatchObject({ bill_id: january })
    expect(await billRow(march ?? 0)).toMatchObject({ bill_id: february })
    expect(await billRow(january ?? 0)).toMatchObject({ bill_id: null })
  })

  it('leaves one row in the trail and raises the version of its client', async () => {
    const at = await fresh()
    const [outcome] = await create([monthlyDraft(at, 1)], at.clientId)
    const { rows } = await sql<{
      event: string
      object_changes: Record<string, unknown>
    }>`select event, object_changes from audit_records where item_type = 'bill' and item_id = ${createdId(outcome)}`.execute(db)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ event: 'create', object_changes: { amount_due: { from: null, to: '151.00' } } })
    expect((await sql`select from data_versions where client_id = ${at.clientId}`.execute(db)).rows).toHaveLength(1)
  })
})

describe('audits run in the call that makes the bill', () => {
  it('against what is stored and against earlier drafts of the same call', async () => {
    const at = await fresh()
    const drafts = Array.from({ length: 14 }, (_, month) => monthlyDraft(at, month + 1))
    const [before, spike] = [drafts.slice(0, 13), drafts[13]]
    if (!spike) throw new Error('no draft')
    const [electric, gas] = spike.service_bills
    const doubled = {
      ...spike,
      service_bills: [{ ...electric, service_id: at.electricId, meter_reading: '30000.00' }, ...(gas ? [gas] : [])],
    }
    const together = await create([doubled, ...before], at.clientId)
    expect(codes(together[0])).toContain('usage_high')
    expect(codes(together[1])).not.toContain('usage_high')
    expect(codes(together[1])).not.toContain('read_gap')
    const id = createdId(together[0])
    const { rows } = await sql<{
      code: string
      service_bill_id: number | null
      resolved_at: string | null
    }>`select code, service_bill_id, resolved_at from bill_findings where bill_id = ${id} and code = 'usage_high'`.execute(db)
    expect(rows).toMatchObject([{ code: 'usage_high', resolved_at: null }])
    expect(rows[0]?.service_bill_id).toBeTypeOf('number')
    const other = await fresh()
    const swapped = (draft: BillDraft): BillDraft => ({
      ...draft,
      account_id: other.accountId,
      service_bills: draft.service_bills.map((line) => ({
        ...line,
        service_id: line.service_id === at.electricId ? other.electricId : other.gasId,
      })),
    })
    await create(before.map(swapped), other.clientId)
    const [alone] = await create([swapped(doubled)], other.clientId)
    expect(codes(alone)).toEqual(codes(together[0]))
  })

  it('counts open errors, blocking ones and warnings on the bill', async () => {
    const at = await fresh()
    const [outcome] = await create([monthlyDraft(at, 1, { amount_due: '999.00', unknown_meters: ['X-9'] })], at.clientId)
    expect(codes(outcome)).toEqual(expect.arrayContaining(['header_math', 'unknown_meter']))
    expect(await billRow(createdId(outcome))).toMatchObject({ open_blocking: 1, open_errors: 2 })
  })

  it('holds a bill for quality control where the client wants that on blocking errors', async () => {
    const at = await fresh()
    await sql`update clients set qc_on_error = true where id = ${at.clientId}`.execute(db)
    const [bad, good] = await create([monthlyDraft(at, 1, { amount_due: '999.00' }), monthlyDraft(at, 2)], at.clientId)
    expect(await billRow(createdId(bad))).toMatchObject({ qc: true })
    expect(await billRow(createdId(good))).toMatchObject({ qc: false })
  })
})

describe('what is no bill', () => {
  it('is refused by field, without stopping the others', async () => {
    const at = await fresh()
    const outcomes = await create(
      [
        monthlyDraft(at, 1, { amount_due: '1.005' }),
        monthlyDraft(at, 2, { account_id: 999_999 }),
        monthlyDraft(at, 3, { service_bills: [{ service_id: 999_999 }] }),
        monthlyDraft(at, 4, {
          service_bills: [{ service_id: at.electricId, service_bill_entry_fields: [{ name: 'Nonsense', value: '1.00' }] }],
        }),
        monthlyDraft(at, 5, { file_ids: [424_242] }),
        monthlyDraft(at, 6),
      ],
      at.clientId,
    )
    expect(outcomes.map((outcome) => (outcome.kind === 'refused' ? Object.keys(outcome.reasons) : outcome.kind))).toEqual([
      ['amount_due'],
      ['account_id'],
      ['service_bills.0.service_id'],
      ['service_bills.0.service_bill_entry_fields.0.name'],
      ['file_ids'],
      'created',
    ])
  })

  it('at most two files belong to a bill, a third is refused [BILL-RULE-006] [BILL-CONST-004]', async () => {
    const at = await fresh()
    await sql`insert into files (id, key, filename, content_type, byte_size, state) overriding system value select n, 'k' || n, n || '.pdf', 'application/pdf', 1, 'stored' from generate_series(801, 803) n`.execute(
      db,
    )
    const [three, two] = await create(
      [monthlyDraft(at, 1, { file_ids: [801, 802, 803] }), monthlyDraft(at, 2, { file_ids: [801, 802] })],
      at.clientId,
    )
    expect(three).toMatchObject({ kind: 'refused', reasons: { file_ids: ['A bill has at most 2 files'] } })
    const { rows } =
      await sql`select position, file_id, filename from bill_files where bill_id = ${createdId(two)} order by position`.execute(db)
    expect(rows).toEqual([
      { position: 1, file_id: 801, filename: '801.pdf' },
      { position: 2, file_id: 802, filename: '802.pdf' },
    ])
  })

  it('a typed bill needs dates, usage and charges; the same from an import is a draft that names what is missing [SBILL-RULE-001] [SBILL-RULE-004]', async () => {
    const at = await fresh()
    const empty = {
      service_bills: [
        { service_id: at.electricId },
        {
          service_id: at.gasId,
          previous_read_date: '2025-01-01',
          read_date: '2025-02-01',
          usage: '4',
          service_bill_entry_fields: [{ name: 'Utility Charges', value: '1.00' }],
        },
      ],
    }
    const [typed, imported] = await create([monthlyDraft(at, 1, { ...empty, source: 'typed' }), monthlyDraft(at, 1, empty)], at.clientId)
    expect(typed).toEqual({
      kind: 'refused',
      reasons: {
        'service_bills.0.previous_read_date': ['Required'],
        'service_bills.0.read_date': ['Required'],
        'service_bills.0.usage': ['Required'],
        'service_bills.0.Utility Charges': ['Utility Charges are required'],
      },
    })
    expect(imported).toMatchObject({ kind: 'created', is_draft: true })
    expect(await billRow(createdId(imported))).toMatchObject({
      missing_fields: [
        'service_bills.0.previous_read_date',
        'service_bills.0.read_date',
        'service_bills.0.usage',
        'service_bills.0.Utility Charges',
      ],
    })
  })

  it('a line of an unmetered service carries usage 0 and never makes a draft', async () => {
    const at = await fresh()
    await sql`update services set metered = false where id = ${at.gasId}`.execute(db)
    const [outcome] = await create(
      [
        monthlyDraft(at, 1, {
          service_bills: [{ service_id: at.gasId, service_bill_entry_fields: [{ name: 'Utility Charges', value: '151.00' }] }],
        }),
      ],
      at.clientId,
    )
    expect(outcome).toMatchObject({ kind: 'created', is_draft: false })
    expect((await sql`select usage from service_bills where bill_id = ${createdId(outcome)}`.execute(db)).rows).toEqual([
      { usage: '0.000' },
    ])
  })
})

describe('the same bill twice', () => {
  it('names the bill that is there, within a call and between calls, and is saved all the same with a reason', async () => {
    const at = await fresh()
    const [first, again] = await create([monthlyDraft(at, 1), monthlyDraft(at, 1)], at.clientId)
    expect(again).toMatchObject({ kind: 'duplicate', bill_id: createdId(first) })
    const [later] = await create([monthlyDraft(at, 1, { invoice_number: null })], at.clientId)
    expect(later).toMatchObject({ kind: 'duplicate', bill_id: createdId(first) })
    const [forced] = await create([monthlyDraft(at, 1, { override_reason: 'The utility billed twice' })], at.clientId)
    const { rows } =
      await sql`select reason, resolved_at is not null as settled from bill_findings where bill_id = ${createdId(forced)} and code = 'duplicate_exact'`.execute(
        db,
      )
    expect(rows).toEqual([{ reason: 'The utility billed twice', settled: true }])
    expect(await billRow(createdId(forced))).toMatchObject({ override_reason: 'The utility billed twice', open_blocking: 0 })
  })

  it("stays flagged where somebody overrides a bill of their own above the client's limit", async () => {
    const at = await fresh()
    await sql`update clients set override_limit = 100 where id = ${at.clientId}`.execute(db)
    await create([monthlyDraft(at, 1)], at.clientId)
    const maker = { user_id: 7, email: 'maker@test', grants: [], masked: new Map(), session_id: 1 }
    const [forced] = await acting(
      database,
      (context) => createBills(context, at.clientId, [monthlyDraft(at, 1, { override_reason: 'sure' })]),
      { principal: maker },
    )
    expect(await billRow(createdId(forced))).toMatchObject({ open_blocking: 1, created_by: 7 })
  })

  it('a statement of a provider makes one bill, however often it comes', async () => {
    const at = await fresh()
    const statement = { source: 'retrieval', retrieval_provider: 'sandbox', statement_id: 's-1' } as const
    const [first, twice] = await create([monthlyDraft(at, 1, statement), monthlyDraft(at, 2, statement)], at.clientId)
    expect(twice).toMatchObject({ kind: 'duplicate', bill_id: createdId(first) })
    const [third] = await create([monthlyDraft(at, 3, statement)], at.clientId)
    expect(third).toMatchObject({ kind: 'duplicate', bill_id: createdId(first) })
  })

  it('two writers of one account see each other: one of two equal bills is made', async () => {
    const at = await fresh()
    const outcomes = await Promise.all([create([monthlyDraft(at, 1)], at.clientId), create([monthlyDraft(at, 1)], at.clientId)])
    expect(outcomes.map(([outcome]) => outcome?.kind).toSorted()).toEqual(['created', 'duplicate'])
  })
})

describe('a correction', () => {
  it('for the same days replaces the bill, which is void; for other days it adds to it', async () => {
    const at = await fresh()
    const [first] = await create([monthlyDraft(at, 1)], at.clientId)
    const original = createdId(first)
    const [replacing] = await create(
      [monthlyDraft(at, 1, { rebill_of_id: original, invoice_number: 'R-1', current_charges: '140.00', amount_due: '140.00' })],
      at.clientId,
    )
    expect(await billRow(original)).toMatchObject({ superseded_by_id: createdId(replacing) })
    expect(await billRow(createdId(replacing))).toMatchObject({ rebill_mode: 'replace', rebill_adjustment: true })
    const [again] = await create([monthlyDraft(at, 1, { rebill_of_id: original, invoice_number: 'R-2' })], at.clientId)
    expect(again).toMatchObject({
      kind: 'refused',
      reasons: { rebill_of_id: [`Bill ${original} was replaced before, by bill ${createdId(replacing)}`] },
    })
    const [adding] = await create([monthlyDraft(at, 2, { rebill_of_id: createdId(replacing), invoice_number: 'R-3' })], at.clientId)
    expect(await billRow(createdId(adding))).toMatchObject({ rebill_mode: 'add' })
    expect(await billRow(createdId(replacing))).toMatchObject({ superseded_by_id: null })
  })

  it('is refused while the original waits in a payment batch', async () => {
    const at = await fresh()
    const [first] = await create([monthlyDraft(at, 1)], at.clientId)
    const id = createdId(first)
    await sql`with batch as (insert into payment_batches (client_id, batch_date, bills_due_date) values (${at.clientId}, '2026-01-01', '2026-01-15') returning id),
      payment as (insert into vendor_payments (client_id, payment_batch_id, vendor_id) select ${at.clientId}, id, ${at.vendorId} from batch returning id)
      update bills set vendor_payment_id = payment.id from payment where bills.id = ${id}`.execute(db)
    const [outcome] = await create([monthlyDraft(at, 1, { rebill_of_id: id, invoice_number: 'R-1' })], at.clientId)
    expect(outcome).toMatchObject({ kind: 'refused' })
  })
})

describe('lines of supply accounts', () => {
  it("are linked into a billable account's bill; any other line is refused [SBILL-RULE-008]", async () => {
    const at = await fresh()
    const supplyId = await makeSupplyAccount(db, at, `S${at.clientId}`)
    const meter = await makeService(db, at.clientId, supplyId, 'electric', 'S-1', 'supply_account_id')
    const [supply] = await create(
      [
        {
          ...monthlyDraft(at, 1),
          account_type: 'SupplyAccount',
          account_id: supplyId,
          service_bills: [
            {
              service_id: meter,
              previous_read_date: '2025-01-01',
              read_date: '2025-02-01',
              usage: '900',
              service_bill_entry_fields: [{ name: 'Utility Charges', value: '151.00' }],
            },
          ],
        },
      ],
      at.clientId,
    )
    const { rows } = await sql<{ id: number }>`select id from service_bills where bill_id = ${createdId(supply)}`.execute(db)
    const lineId = rows[0]?.id ?? 0
    const [bill] = await create([monthlyDraft(at, 1, { linked_service_bill_ids: [lineId] })], at.clientId)
    expect((await sql`select service_bill_id from bill_linked_service_bills where bill_id = ${createdId(bill)}`.execute(db)).rows).toEqual([
      { service_bill_id: lineId },
    ])
    const own =
      (await sql<{ id: number }>`select id from service_bills where bill_id = ${createdId(bill)} limit 1`.execute(db)).rows[0]?.id ?? 0
    const [wrong] = await create([monthlyDraft(at, 2, { linked_service_bill_ids: [own] })], at.clientId)
    expect(wrong).toMatchObject({ kind: 'refused' })
  })
})

describe('cost', () => {
  it('takes the same number of statements for ten accounts as for one', async () => {
    const at = await fresh()
    const others = await Promise.all(
      Array.from({ length: 9 }, async (_, n) => {
        const accountId = await makeAccount(db, at, `M${at.clientId}-${n}`)
        return {
          accountId,
          electricId: await makeService(db, at.clientId, accountId, 'electric', `E${n}`),
          gasId: await makeService(db, at.clientId, accountId, 'natural_gas', `G${n}`),
        }
      }),
    )
    const statements = async (drafts: BillDraft[]): Promise<number> => {
      let count = 0
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => ((count += 1), node),
        transformResult: ({ result }) => Promise.resolve(result),
      }
      await acting(database, (context) => createBills(context, at.clientId, drafts), { seen: (tx) => tx.withPlugin(counting) })
      return count
    }
    const single = await statements([monthlyDraft(at, 1)])
    const many = await statements(others.flatMap((account) => [1, 2, 3].map((month) => monthlyDraft(account, month))))
    expect(many).toBe(single)
  })
})
