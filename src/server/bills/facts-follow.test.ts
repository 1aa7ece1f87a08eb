/** The months of dashboards after any order of saves: incremental changes must equal the sum over all bills. */
import type { BillDraft, ServiceBillDraft } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { addDays, monthOf } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { acting, makeAccount, makeGround, makeService, makeSupplyAccount } from '../../../test/support/bills.ts'
import { testDatabase } from '../../../test/support/cluster.ts'
import { diceOf } from '../../../test/support/dice.ts'
import { allFacts } from '../../../test/support/fact-bills.ts'
import { rebuildFacts } from '../month-facts/refresh-facts.ts'
import { sqlState } from '../kernel/postgres/database.ts'
import { Failure } from '../kernel/problem.ts'
import { createBills } from './create-bills.ts'
import { destroyBills } from './destroy-bill.ts'
import { updateBill } from './update-bill.ts'

const database = await testDatabase()
const { db } = database
/** The long run sets FACT_STEPS=2000, and FACT_SEED for another order. */
const STEPS = Number(process.env.FACT_STEPS ?? 120)
const SEEDS = process.env.FACT_SEED === undefined ? [1, 2] : [Number(process.env.FACT_SEED)]

interface Account {
  readonly account_type: 'BillableAccount' | 'SupplyAccount'
  readonly account_id: number
  readonly services: readonly number[]
}

interface Bill {
  readonly id: number
  readonly account_type: 'BillableAccount' | 'SupplyAccount'
  readonly account_id: number
  readonly date: string
  readonly rebill_of_id: number | null
  readonly group_bill_id: number | null
  readonly is_void: boolean
  readonly linked: number
  readonly lines: readonly { readonly id: number; readonly service_id: number; readonly from: string | null; readonly to: string | null }[]
}

/** A client whose accounts overlap in all the ways in which a bill can move the months of another. */
interface Scene {
  readonly clientId: number
  readonly accounts: readonly Account[]
  readonly random: (below: number) => number
  readonly group: Account
  readonly supply: Account
}

async function makeScene(seed: number): Promise<Scene> {
  const ground = await makeGround(db)
  const { clientId } = ground
  const [second, groupId, supplier] = [
    await makeAccount(db, ground, 'SECOND'),
    await makeAccount(db, ground, 'GROUP', { group: true }),
    await makeSupplyAccount(db, ground, 'SUPPLY'),
  ]
  const billable = (account_id: number, services: readonly number[]): Account => ({ account_type: 'BillableAccount', account_id, services })
  const supplied = await makeService(db, clientId, supplier, 'electric', 'S-1', 'supply_account_id')
  const group = billable(groupId, [])
  const supply: Account = { account_type: 'SupplyAccount', account_id: supplier, services: [supplied] }
  const accounts = [
    billable(ground.accountId, [ground.electricId, ground.gasId]),
    billable(second, [await makeService(db, clientId, second, 'water', 'W-1'), await makeService(db, clientId, second, 'electric', 'E-9')]),
    group,
    supply,
  ]
  return { clientId, accounts, random: diceOf(seed), group, supply }
}

const money = ({ random }: Scene, most: number): string => `${random(most)}.${String(random(100)).padStart(2, '0')}`

/** Starts where another line ended, on the day after, or anywhere; covers weeks, one day, none, or has no dates. */
function lineOf(scene: Scene, service_id: number, ends: readonly string[]): ServiceBillDraft {
  const { random } = scene
  const near = ends[random(Math.max(ends.length, 1))]
  const start = near && random(4) > 0 ? addDays(near, random(3) - 1) : addDays('2024-01-01', random(500))
  const end = addDays(start, [0, 1, 20 + random(20), 30, 30, 90, 200][random(7)] ?? 30)
  const silent = random(12)
  return {
    service_id,
    previous_read_date: silent === 0 || silent === 1 ? null : start,
    read_date: silent === 0 || silent === 2 ? null : end,
    usage: random(8) === 0 ? null : String(random(9_000)),
    fiscal_month: random(6) === 0 ? monthOf(addDays(start, random(90))) : null,
    service_bill_entry_fields: [{ name: 'Utility Charges', value: money(scene, 300) }],
  }
}

let invoices = 0
function draftOf(scene: Scene, account: Account, bills: readonly Bill[]): BillDraft {
  const { random } = scene
  const ends = bills.flatMap((bill) => bill.lines.flatMap((line) => line.to ?? []))
  const service_bills = account.services.filter(() => random(5) > 0).map((service) => lineOf(scene, service, ends))
  const date = service_bills[0]?.read_date ?? addDays('2024-01-01', random(500))
  invoices += 1
  return {
    account_type: account.account_type,
    account_id: account.account_id,
    date: addDays(date, random(40)),
    due_date: addDays(date, 60),
    invoice_number: `N-${invoices}`,
    balance_forward: '0.00',
    current_charges: money(scene, 900),
    late_fee: money(scene, 9),
    fiscal_month: random(3) === 0 ? monthOf(addDays(date, random(90))) : null,
    amount_due: money(scene, 900),
    source: 'import',
    override_reason: 'meant so',
    service_bills,
    ...relationsOf(scene, account, bills),
  }
}

/** Under a group bill, around the lines of a supply bill, or instead of another bill. */
function relationsOf(scene: Scene, { account_type, account_id }: Account, bills: readonly Bill[]): Partial<BillDraft> {
  const { random, group, supply } = scene
  const any = (fits: (bill: Bill) => boolean): Bill | undefined => {
    const list = bills.filter(fits)
    return list[random(Math.max(list.length, 1))]
  }
  const [parent, supplied] = [any((bill) => bill.account_id === group.account_id), any((bill) => bill.account_type === supply.account_type)]
  const original = any((bill) => bill.account_type === account_type && bill.account_id === account_id)
  const isBillable = account_type === 'BillableAccount' && account_id !== group.account_id
  return {
    ...(isBillable && parent && random(4) === 0 ? { group_bill_id: parent.id } : {}),
    ...(isBillable && supplied && random(4) === 0 ? { linked_service_bill_ids: supplied.lines.map((line) => line.id) } : {}),
    ...(original && random(4) === 0 ? { rebill_of_id: original.id, rebill_mode: random(3) === 0 ? 'add' : 'replace' } : {}),
  }
}

function editOf(scene: Scene, bill: Bill, bills: readonly Bill[]): BillAttributes {
  const { random, accounts } = scene
  const [kind, shift] = [random(10), random(9) * 30 - 120 + random(3)]
  const moved = (day: string | null): string | null => (day === null ? null : addDays(day, shift))
  const lines = bill.lines.map(({ id, from, to }) => ({ id, previous_read_date: moved(from), read_date: moved(to) }))
  const account = accounts[random(accounts.length)]
  if (kind === 0) return { service_bills_attributes: lines }
  if (kind === 1) return { service_bills_attributes: lines.slice(0, 1) }
  if (kind === 2) return { service_bills_attributes: bill.lines.slice(random(2)).map(({ id }) => ({ id, _destroy: true })) }
  if (kind === 3) return { date: addDays(bill.date, shift), current_charges: money(scene, 900) }
  if (kind === 9) return { fiscal_month: random(3) === 0 ? null : monthOf(addDays(bill.date, shift)) }
  if (kind === 4) return { group_bill_id: null, linked_service_bill_ids: [] }
  if (kind === 5) return { rebill_of_id: null }
  if (kind === 6 && bill.rebill_of_id !== null) return { rebill_of_id: bill.rebill_of_id, rebill_mode: random(2) === 0 ? 'add' : 'replace' }
  if (kind === 7 && account)
    return {
      account_type: account.account_type,
      account_id: account.account_id,
      rebill_of_id: null,
      service_bills_attributes: replaced(scene, account, bill, bills),
    }
  const {
    service_bills: _lines,
    rebill_of_id: _original,
    rebill_mode: _mode,
    ...own
  } = { service_bills: [], ...relationsOf(scene, accountOf(bill), bills) }
  return { ...own, current_charges: money(scene, 900) }
}

const accountOf = ({ account_type, account_id }: Bill): Account => ({ account_type, account_id, services: [] })

function replaced(scene: Scene, account: Account, bill: Bill, bills: readonly Bill[]): BillAttributes['service_bills_attributes'] {
  const ends = bills.flatMap((one) => one.lines.flatMap((line) => line.to ?? []))
  return [...bill.lines.map(({ id }) => ({ id, _destroy: true })), ...account.services.map((service) => lineOf(scene, service, ends))]
}

const kinds = ['one', 'several', 'edit', 'edit', 'edit', 'edit', 'destroy'] as const

/** Runs one save. Returns a description of it; null if the product refuses it, which leaves everything unchanged. */
async function step(scene: Scene): Promise<string | null> {
  const { clientId, accounts, random } = scene
  const bills = await storedBills(clientId)
  const kind = bills.length < 8 ? 'several' : (kinds[random(kinds.length)] ?? 'one')
  const pick = (): Bill | undefined => bills[random(bills.length)]
  if (kind === 'one' || kind === 'several') {
    const drafts = Array.from({ length: kind === 'one' ? 1 : 2 + random(3) }, () =>
      draftOf(scene, accounts[random(accounts.length)] ?? scene.group, bills),
    )
    const made = await acting(database, (context) => createBills(context, clientId, drafts))
    const created = made.some((outcome) => outcome.kind === 'created')
    return created ? (drafts.some((draft) => draft.rebill_of_id) ? 'rebill' : kind) : null
  }
  const bill = pick()
  if (!bill) return null
  if (kind === 'destroy') {
    const ids = [...new Set([bill.id, ...(random(3) === 0 ? [pick()?.id ?? bill.id] : [])])]
    return saved(kind, () => acting(database, (context) => destroyBills(context, clientId, ids)))
  }
  const body = editOf(scene, bill, bills)
  return saved(`edit ${Object.keys(body).toSorted().join()}`, () =>
    acting(database, (context) => updateBill(context, clientId, bill.id, body)),
  )
}

async function saved(what: string, work: () => Promise<unknown>): Promise<string | null> {
  return work().then(
    () => what,
    (error: unknown) => {
      // A foreign key error means that other bills name the bill.
      if (error instanceof Failure || sqlState(error) === '23503') return null
      throw error
    },
  )
}

async function storedBills(clientId: number): Promise<Bill[]> {
  const { rows } =
    await sql<Bill>`select id, case when billable_account_id is null then 'SupplyAccount' else 'BillableAccount' end as account_type,
      coalesce(billable_account_id, supply_account_id) as account_id, date, rebill_of_id, group_bill_id, superseded_by_id is not null as is_void,
      (select count(*)::int from bill_linked_service_bills link where link.client_id = bills.client_id and link.bill_id = bills.id) as linked,
      (select coalesce(jsonb_agg(jsonb_build_object('id', line.id, 'service_id', line.service_id, 'from', line.previous_read_date, 'to', line.read_date) order by line.position), '[]')
        from service_bills line where line.client_id = bills.client_id and line.bill_id = bills.id) as lines
    from bills where client_id = ${clientId} order by id`.execute(db)
  return rows
}

test.each(SEEDS)(
  'after each save, edit, rebill and deletion in any order the months are those of a rebuild, to the cent (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const scene = await makeScene(seed)
    const done = new Map<string, number>()
    for (let at = 0; at < STEPS; at += 1) {
      const what = await step(scene)
      if (what === null) continue
      done.set(what, (done.get(what) ?? 0) + 1)
      const kept = await allFacts(db, scene.clientId)
      await db.transaction().execute((tx) => rebuildFacts(tx, scene.clientId))
      expect(kept, `step ${at}: ${what}`).toEqual(await allFacts(db, scene.clientId))
    }
    const bills = await storedBills(scene.clientId)
    const met = [
      bills.some((bill) => bill.is_void),
      bills.some((bill) => bill.group_bill_id !== null),
      bills.some((bill) => bill.linked > 0),
    ]
    expect(met).toEqual([true, true, true])
    expect([...done.keys()]).toEqual(
      expect.arrayContaining(['several', 'rebill', 'destroy', 'edit service_bills_attributes', 'edit rebill_of_id']),
    )
    expect([...done.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(STEPS / 2)
  },
)
