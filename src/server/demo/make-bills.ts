/**
 * The bills of one demo client, created like any others. The first year is imported as history without audits, because no earlier bills
 * exist to measure it against; the second year is audited, and old findings are resolved. Bills with planted problems come last, when the
 * ones before them are paid.
 */
import { auditCodes, type Finding } from '#contract/bill-audits/bill-audits.ts'
import type { BillDraft } from '#contract/bills/bill-draft.ts'
import { addDays, addMonths, daysBetween, type CalendarDate } from '#contract/kernel/date.ts'
import { sumCents, wireOf } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { createBills } from '../bills/bills.ts'
import type { Context } from '../kernel/context.ts'
import type { Ids } from './make-clients.ts'
import { currentCharges, draftOf, idOf } from './plan-bills.ts'
import type { PlannedAccount } from './plan-plants.ts'
import type { ClientPlan, PlannedBill } from './plan.ts'

export interface MadeBill {
  readonly bill: PlannedBill
  readonly draft: BillDraft
  readonly id: number
  readonly findings: readonly Finding[]
}

export interface Desk {
  readonly context: Context
  readonly ids: Ids
  readonly today: CalendarDate
  readonly reviewer: number
}

/** More recent findings are still open. */
const SETTLED_AFTER_DAYS = 25
const HISTORY_MONTHS = 12
const GROUP_DAYS = 10

/** Creates all bills except the planted ones. */
export async function makeRegularBills(desk: Desk, client: ClientPlan, accounts: readonly PlannedAccount[]): Promise<MadeBill[]> {
  const since = addMonths(desk.today, -HISTORY_MONTHS)
  const isPast = (bill: PlannedBill): boolean => bill.date < since
  const regular = accounts.flatMap(({ planting }) => planting.regular)
  const first = [
    ...accounts.flatMap(({ supply }) => supply),
    ...regular.filter((bill) => bill.account.kind === 'group').map((bill) => asGroupBill(bill, regular)),
  ]
  const rest = regular.filter((bill) => bill.account.kind !== 'group')
  await setAudits(desk, client, auditCodes)
  const periods: Links = (bill) => periodOfGroup(bill, regular)
  const unlinked = new Set(accounts.flatMap(({ account, planting }) => (planting.isUnlinked ? [account] : [])))
  const isLinked = ({ bill }: MadeBill): boolean => !unlinked.has(bill.account)
  const pastFirst = await makeAll(desk, client, first.filter(isPast), periods)
  const past = await makeAll(desk, client, rest.filter(isPast), await linksTo(desk, client, pastFirst.filter(isLinked)))
  await setAudits(desk, client, [])
  const nowFirst = await makeAll(
    desk,
    client,
    first.filter((bill) => !isPast(bill)),
    periods,
  )
  const now = await makeAll(
    desk,
    client,
    rest.filter((bill) => !isPast(bill)),
    await linksTo(desk, client, nowFirst.filter(isLinked)),
  )
  await settleOldFindings(desk, client)
  return [...pastFirst, ...past, ...nowFirst, ...now]
}

/** Creates the planted bills; `made` are the regular ones, some of which are corrected. */
export async function makePlantedBills(
  desk: Desk,
  client: ClientPlan,
  accounts: readonly PlannedAccount[],
  made: readonly MadeBill[],
): Promise<MadeBill[]> {
  const byBill = new Map(made.map((one) => [one.bill, one.id]))
  const originals = new Map(
    accounts.flatMap(({ planting }) =>
      planting.corrects ? planting.planted.map((bill) => [bill, byBill.get(planting.corrects ?? bill) ?? null] as const) : [],
    ),
  )
  return makeAll(
    desk,
    client,
    accounts.flatMap(({ planting }) => planting.planted),
    (bill) => (originals.has(bill) ? { rebill_of_id: originals.get(bill) ?? null } : {}),
  )
}

type Links = (bill: PlannedBill) => Partial<BillDraft>

async function makeAll(desk: Desk, client: ClientPlan, bills: readonly PlannedBill[], links: Links): Promise<MadeBill[]> {
  if (bills.length === 0) return []
  const drafts = bills.map((bill) => ({ ...draftOf(bill, desk.ids, desk.today), ...links(bill) }))
  const outcomes = await createBills(desk.context, idOf(desk.ids, client), drafts, { facts: 'later' })
  return outcomes.flatMap((outcome, place) => {
    const [bill, draft] = [bills[place], drafts[place]]
    if (outcome.kind !== 'created' || !bill || !draft)
      throw new Error(`a demo bill of ${client.sample.name} was not made: ${JSON.stringify({ outcome, draft })}`)
    return [{ bill, draft, id: outcome.id, findings: outcome.findings }]
  })
}

/** A group account's bill is for the charges of its subaccounts; it has no meters of its own. */
function asGroupBill(group: PlannedBill, all: readonly PlannedBill[]): PlannedBill {
  const ofChildren = all
    .filter((bill) => bill.account.isInGroup && bill.account.client === group.account.client && isSamePeriod(bill, group))
    .map(currentCharges)
  const sum = wireOf(sumCents([...ofChildren, group.beside]))
  return { ...group, stated: { current_charges: sum, amount_due: sum } }
}

/** The bills of the subaccounts are linked to it by its period, as in production. */
function periodOfGroup(bill: PlannedBill, all: readonly PlannedBill[]): Partial<BillDraft> {
  if (bill.account.kind !== 'group') return {}
  const lines = all
    .filter((one) => one.account.isInGroup && one.account.client === bill.account.client && isSamePeriod(one, bill))
    .flatMap((one) => one.lines)
  const starts = lines.map((line) => line.from).toSorted()
  const ends = lines.map((line) => line.to).toSorted()
  return { previous_read_date: starts[0] ?? null, read_date: ends.at(-1) ?? null }
}

/** All accounts of a group are read on the same days, and their bills are dated within days of each other. */
function isSamePeriod(bill: PlannedBill, group: PlannedBill): boolean {
  return Math.abs(daysBetween(bill.date, group.date)) < GROUP_DAYS
}

/**
 * Returns the references of a bill to others: to the supplier's for the same meter and days. The save itself links the group's bill that
 * pays.
 */
async function linksTo(desk: Desk, client: ClientPlan, made: readonly MadeBill[]): Promise<Links> {
  const { rows } = await sql<{ id: number; bill_id: number }>`select id, bill_id from service_bills
    where client_id = ${idOf(desk.ids, client)} and bill_id = any(${made.map((one) => one.id)}::bigint[])`.execute(desk.context.tx)
  const lineOf = new Map(rows.map((row) => [row.bill_id, row.id]))
  const supply = new Map(made.filter((one) => one.bill.is_supply).map((one) => [supplyKey(one.bill), lineOf.get(one.id)]))
  return (bill) => {
    const line = bill.account.supply ? supply.get(supplyKey(bill)) : undefined
    return line === undefined ? {} : { linked_service_bill_ids: [line] }
  }
}

const supplyKey = (bill: PlannedBill): string => `${bill.account.number} ${bill.lines[0]?.to}`

async function setAudits({ context, ids }: Desk, client: ClientPlan, disabled: readonly string[]): Promise<void> {
  const settings = disabled.length === 0 ? {} : { disabled_codes: disabled }
  await sql`update clients set audit_settings = ${JSON.stringify(settings)}::jsonb where id = ${idOf(ids, client)}`.execute(context.tx)
}

/** Resolves findings from weeks ago: some were entry errors; seasons explain usage, and the vendor confirmed the rest. */
async function settleOldFindings({ context, ids, today, reviewer }: Desk, client: ClientPlan): Promise<void> {
  const clientId = idOf(ids, client)
  const before = addDays(today, -SETTLED_AFTER_DAYS)
  await sql`update bill_findings set resolved_by = ${reviewer}, resolved_at = bills.created_at + interval '1 day',
      reason = case when bills.id % 5 = 0 then 'data_fixed'
        when code like 'usage%' or code like 'cost%' or code = 'unit_cost' then 'seasonal' else 'vendor_confirmed' end
    from bills where bills.client_id = ${clientId} and bill_findings.client_id = ${clientId} and bills.id = bill_findings.bill_id
      and bills.date < ${before}::date and bill_findings.resolved_at is null and bill_findings.severity <> 'I'`.execute(context.tx)
  await sql`update bills set open_errors = 0, open_blocking = 0, open_warnings = 0
    where client_id = ${clientId} and date < ${before}::date and open_errors + open_warnings > 0`.execute(context.tx)
}
