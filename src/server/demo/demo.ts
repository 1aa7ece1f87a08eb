/**
 * Demo data for a first look at Meterbook. Two partners, a dozen clients, two years of bills with the problems that audits find, batches in
 * every state. The data is the same on the same day, on every machine.
 */
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { today as businessDay } from '../kernel/clock.ts'
import { unitOfWork } from '../kernel/context.ts'
import { rebuildFacts } from '../month-facts/month-facts.ts'
import type { Database, Tx } from '../kernel/postgres/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Reach } from '../kernel/principal.ts'
import type { Machinery } from '../kernel/machinery.ts'
import { makeAccounts } from './make-accounts.ts'
import { makeBankChanges } from './make-bank-changes.ts'
import { makePlantedBills, makeRegularBills, type Desk, type MadeBill } from './make-bills.ts'
import { makeBillPapers } from './make-bill-papers.ts'
import { makeBudgets } from './make-budgets.ts'
import { makeBulkChanges } from './make-bulk-changes.ts'
import { makeClients, type MadeClients } from './make-clients.ts'
import { makeDocuments } from './make-documents.ts'
import { makeFindingWork } from './make-finding-work.ts'
import { demoPassword, demoSignIns, makePeople, workingSignIns, type DemoSignIn, type People } from './make-people.ts'
import { makeRelease } from './make-release.ts'
import { makePaidDay } from './make-paid-day.ts'
import { makeReference, type Reference } from './make-reference.ts'
import { makeWeather } from './make-weather.ts'
import { makeSupplyGroups } from './make-supply-groups.ts'
import { planEstate } from './plan-estate.ts'
import { planHistories, type PlannedAccount } from './plan-plants.ts'
import { idOf } from './plan-bills.ts'
import type { ClientPlan } from './plan.ts'
import { settleBooks } from './settle-books.ts'
import { settlePayments, type Paid } from './settle-payments.ts'
import { dateBack, setBankValues } from './date-back.ts'

export { demoPassword, knownPasswordHolders, type DemoSignIn } from './make-people.ts'

export interface DemoParts {
  /** Bills are many and audited in code between statements, so this is the pool whose statements may take long. */
  readonly database: Database
  readonly machinery: Machinery
  readonly log: Log
}

/** A bill with a planted problem, or one that represents a state, and the codes that its audits raised. */
export interface PlantedBill {
  readonly bill_id: number
  readonly client_id: number
  readonly code: string
  readonly raised: readonly string[]
}

export interface DemoData {
  readonly signIns: readonly DemoSignIn[]
  readonly password: string
  readonly planted: readonly PlantedBill[]
}

const everything: Reach = [{ clients: 'all', narrowed: {} }]
const system = { principal: null, ip: null, requestId: 'demo-data', connectionId: null }
/** Days since the installation was set up. */
const SET_UP_DAYS_AGO = 760

/** Returns true if the database has no users yet. */
export async function isEmpty(db: Tx): Promise<boolean> {
  const { rows } = await sql`select 1 from users limit 1`.execute(db)
  return rows.length === 0
}

/** Fills a database that has no user, in one transaction, so that the data is complete or absent. Throws if a planned bill is refused. */
export async function makeDemoData({ database, machinery, log }: DemoParts): Promise<DemoData> {
  const begun = performance.now()
  const planted = await database.db.transaction().execute(async (tx) => {
    const unit = unitOfWork(tx, system, everything, machinery)
    const made = await makeEverything(unit.context.tx, { machinery, context: unit.context })
    await unit.finish()
    return made
  })
  log.debug('demo data made', { ms: Math.round(performance.now() - begun), planted: planted.length })
  return { signIns: demoSignIns, password: demoPassword, planted }
}

async function makeEverything(
  tx: Tx,
  { machinery, context }: Pick<DemoParts, 'machinery'> & Pick<Desk, 'context'>,
): Promise<PlantedBill[]> {
  const today = businessDay()
  const at = `${addDays(today, -SET_UP_DAYS_AGO)}T15:00:00.000Z`
  const plan = planEstate()
  const histories = planHistories(plan, today)
  const reference = await makeReference(tx, machinery.settings.secretKey, at)
  const stations = await makeWeather(tx, plan, today, at)
  const clients = await makeClients(tx, plan, { reference, stations }, machinery.settings.secretKey, at)
  const particulars = {
    rows: new Map(histories.flatMap(({ account, planting }) => (planting.account ? [[account, planting.account] as const] : []))),
    unlinked: new Set(histories.flatMap(({ account, planting }) => (planting.isUnlinked ? [account] : []))),
  }
  await makeAccounts(tx, plan, clients, reference, particulars, at)
  await makeSupplyGroups(tx, plan, { ids: clients.ids, reference, today })
  const people = await makePeople(tx, placesOf(plan.clients, clients, reference), at)
  await makeBankChanges(tx, reference, machinery.settings.secretKey, { people, today })
  await makeBulkChanges(tx, plan, { ids: clients.ids, people, today })
  await makeDocuments(tx, machinery.files, plan, clients.ids, { user_id: people.reviewer, today })
  const desk: Desk = { context, ids: clients.ids, today, reviewer: people.reviewer }
  await countTables(tx)
  const planted: PlantedBill[] = []
  for (const client of plan.clients) {
    planted.push(
      ...(await makeClientBills(
        desk,
        client,
        histories.filter((one) => one.account.client === client),
        { clients, reference, people },
      )),
    )
  }
  // Not earlier: statistics of one client among twelve would mislead the planner about the next one.
  await countTables(tx)
  for (const client of plan.clients) await rebuildFacts(tx, idOf(clients.ids, client))
  await makeBudgets(context, plan.clients, { ids: clients.ids, planner: people.reviewer, today })
  await dateBack(tx)
  await setBankValues(tx, today)
  await makePaidDay(context, { payer: people.payer, today })
  await makeRelease(context, people.payer)
  const [first] = plan.clients
  if (first) {
    await makeFindingWork(tx, idOf(clients.ids, first), { people, today })
    await makeBillPapers(tx, first, histories, { files: machinery.files, ids: clients.ids, people, today })
  }
  return planted
}

interface Made {
  readonly clients: MadeClients
  readonly reference: Reference
  readonly people: People
}

async function makeClientBills(
  desk: Desk,
  client: ClientPlan,
  accounts: readonly PlannedAccount[],
  { clients, reference, people }: Made,
): Promise<PlantedBill[]> {
  const regular = await makeRegularBills(desk, client, accounts)
  const open = new Set(accounts.flatMap(({ planting }) => planting.open ?? []))
  const plantedAmong = regular.filter(({ bill }) => bill.plant !== null)
  const waiting = await carriedBy(desk, client, plantedAmong)
  const settled = regular.filter(({ bill, id }) => bill.plant === null && !open.has(bill) && !waiting.has(id))
  const books = await settleBooks(desk, client, settled, clients, people.clerk)
  const payments = await settlePayments(desk, client, settled, reference, people.payer)
  await markBills(desk, client, settled, books, payments)
  const planted = [...plantedAmong, ...(await makePlantedBills(desk, client, accounts, regular))]
  const raised = await codesOf(desk, client, planted)
  return planted.map(({ bill, id }) => ({
    bill_id: id,
    client_id: idOf(desk.ids, client),
    code: bill.plant ?? '',
    raised: raised.get(id) ?? [],
  }))
}

/** Returns the bills of subaccounts that the bills of their groups carry. They are paid with those. */
async function carriedBy({ context, ids }: Desk, client: ClientPlan, groups: readonly MadeBill[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select id from bills
    where client_id = ${idOf(ids, client)} and group_bill_id = any(${groups.map(({ id }) => id)}::bigint[])`.execute(context.tx)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the findings raised so far: whether a group adds up is known only once all of its bills exist. */
async function codesOf({ context, ids }: Desk, client: ClientPlan, bills: readonly MadeBill[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{
    bill_id: number
    codes: string[]
  }>`select bill_id, array_agg(distinct code order by code) as codes from bill_findings
    where client_id = ${idOf(ids, client)} and bill_id = any(${bills.map(({ id }) => id)}::bigint[]) group by 1`.execute(context.tx)
  return new Map(rows.map(({ bill_id, codes }) => [bill_id, codes]))
}

/** Applies the effects of batches and payments to the bills in them, in one statement. */
async function markBills(
  { context, ids }: Desk,
  client: ClientPlan,
  bills: readonly MadeBill[],
  books: ReadonlyMap<number, number>,
  payments: ReadonlyMap<number, Paid>,
): Promise<void> {
  const unpaid = { vendor_payment_id: null, amount_paid: null, paid: false, finalized: false }
  const rows = bills.flatMap(({ id }) =>
    books.has(id) || payments.has(id) ? [{ id, accounting_batch_id: books.get(id) ?? null, ...(payments.get(id) ?? unpaid) }] : [],
  )
  if (rows.length === 0) return
  await sql`update bills set accounting_batch_id = made.accounting_batch_id, vendor_payment_id = made.vendor_payment_id, amount_paid = made.amount_paid, paid = made.paid, finalized = made.finalized
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made(id bigint, accounting_batch_id bigint, vendor_payment_id bigint, amount_paid numeric, paid boolean, finalized boolean)
    where bills.client_id = ${idOf(ids, client)} and bills.id = made.id`.execute(context.tx)
}

function placesOf(plans: readonly ClientPlan[], { ids }: MadeClients, { partners }: Reference) {
  const [first] = plans
  const [division] = first?.divisions ?? []
  if (!first || !division) throw new Error('the demo has no first client')
  return { client_id: idOf(ids, first), division_id: idOf(ids, division), channel_partner_id: partners[first.sample.partner ?? 0] ?? 0 }
}

/** Returns the sign-ins of the demo data that still work. */
export async function demoSignInsOf(db: Tx): Promise<{ email: string; password: string }[]> {
  const working = await workingSignIns(db)
  return working.map(({ email }) => ({ email, password: demoPassword }))
}

/**
 * Analyzes our own tables. Without their names, the tables that all databases of the server share would be locked as well, until the
 * commit.
 */
async function countTables(tx: Tx): Promise<void> {
  const { rows } = await sql<{ tablename: string }>`select tablename from pg_tables where schemaname = current_schema() order by 1`.execute(
    tx,
  )
  await sql`analyze ${sql.join(rows.map((row) => sql.table(row.tablename)))}`.execute(tx)
}
