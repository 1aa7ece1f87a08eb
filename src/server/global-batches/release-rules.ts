/** Whether an export waits for a second person: the rules of the bank profiles that pay it, and what the person has exported on this day. */
import { reasonsToWait, type ReleaseRules } from '#contract/global-batches/export-release.ts'
import type { PayType } from '#contract/global-batches/pay-type.ts'
import { centsOf, sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import type { ExportInput, PaymentForFile } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import { coolDownDays, tiedAmong } from '../access/access.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { loosenersOf } from './loosened-rules.ts'

/** Types by which money leaves on the desk's word. Autopay is drawn by the vendor, and NP pays nothing. */
const paidByDesk: readonly PayType[] = ['ACH', 'Avid', 'Check', 'Check - OVERNIGHT', 'OP']

interface ProfileRules extends ReleaseRules {
  readonly id: number
  readonly name: string
  readonly release_apart: boolean
}

/** What an export pays by each bank profile, and under which rules. */
export interface Weighed {
  readonly rules: readonly ProfileRules[]
  /** Cents by bank profile. */
  readonly totals: ReadonlyMap<number, Cents>
  /** Why it waits; none if it does not. */
  readonly reasons: readonly string[]
  /** Whether one of the profiles asks for a releaser who had nothing to do with the bills. */
  readonly apart: boolean
}

/**
 * Weighs an export of this person. Inside an export the rules and the person's sums of the day are locked, in the order of the profiles: the
 * second of two exports of one person knows of the first.
 */
export async function weighExport(context: Context, input: ExportInput, userId: number, lock: boolean): Promise<Weighed> {
  const byProfile = paymentsByProfile(input)
  const ids = [...byProfile.keys()].toSorted((a, b) => a - b)
  const rules = await readRules(context, input, ids, lock)
  const before = await readDayTotals(context, ids, userId, lock)
  const exports = rules.map((one) => ({
    profile_name: one.name,
    rules: one,
    before: before.get(one.id) ?? 0,
    vendors: vendorSums(byProfile.get(one.id) ?? []),
  }))
  const reasons = [...reasonsToWait(exports), ...(ids.length === 0 ? [] : await loosenedReasons(context, input, userId))]
  const totals = new Map([...byProfile].map(([id, payments]) => [id, sumCents(payments.map(({ amount }) => amount))]))
  return { rules, totals, reasons, apart: rules.some(({ release_apart }) => release_apart) }
}

async function loosenedReasons({ tx }: Context, { payments }: ExportInput, userId: number): Promise<string[]> {
  const same = await tiedAmong(tx, userId, await loosenersOf(tx, clientsOf(payments)))
  if (same.length === 0) return []
  const who = same.includes(userId) ? 'who asks for it' : 'who counts as one person with who asks for it'
  return [`${who} loosened when exports wait within ${coolDownDays} days`]
}

const clientsOf = (payments: readonly PaymentForFile[]): number[] => [...new Set(payments.map(({ payer }) => payer.client_id))]

/** Adds what was exported to the person's sums of this day. A payment that comes back does not lower them. */
export async function addToDay({ tx }: Context, userId: number, totals: Weighed['totals']): Promise<void> {
  const rows = [...totals].map(([id, cents]) => ({ id, total: wireOf(cents) }))
  await sql`update export_day_totals day_total set total = day_total.total + greatest(paid.total, 0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as paid(id bigint, total numeric(14,2))
    where day_total.originating_profile_id = paid.id and day_total.user_id = ${userId} and day_total.day = ${today()}::date`.execute(tx)
}

function paymentsByProfile({ type, payments }: ExportInput): Map<number, PaymentForFile[]> {
  const byProfile = new Map<number, PaymentForFile[]>()
  if (!paidByDesk.some((one) => one === type)) return byProfile
  for (const payment of payments) {
    if (payment.profile_id === null) continue
    const known = byProfile.get(payment.profile_id)
    if (known) known.push(payment)
    else byProfile.set(payment.profile_id, [payment])
  }
  return byProfile
}

/** Payments to one vendor count together, so that a sum that is split among batches is one. */
function vendorSums(payments: readonly PaymentForFile[]): { name: string; amount: Cents }[] {
  return [...Map.groupBy(payments, ({ vendor }) => vendor.id).values()].map((own) => ({
    name: own[0]?.vendor.name ?? '',
    amount: sumCents(own.map(({ amount }) => amount)),
  }))
}

type RulesRow = Readonly<Record<'release_vendor_limit' | 'release_export_limit' | 'release_day_limit', string | null>> &
  Pick<ProfileRules, 'id' | 'name' | 'release_always' | 'release_apart'>

async function readRules({ tx }: Context, { payments }: ExportInput, ids: readonly number[], lock: boolean): Promise<ProfileRules[]> {
  const clients = [0, ...clientsOf(payments)]
  const { rows } =
    await sql<RulesRow>`select id, name, release_always, release_apart, release_vendor_limit, release_export_limit, release_day_limit
    from originating_profiles where client_id = any(${clients}::bigint[]) and id = any(${ids}::bigint[])
    order by id ${lock ? sql`for share` : sql``}`.execute(tx)
  const cents = (wire: string | null): Cents | null => (wire === null ? null : centsOf(wire))
  return rows.map((row) => ({
    ...row,
    release_vendor_limit: cents(row.release_vendor_limit),
    release_export_limit: cents(row.release_export_limit),
    release_day_limit: cents(row.release_day_limit),
  }))
}

/** Sums of the day of this person, and of everybody who counts as one person with them: two users of one person have one limit. */
async function readDayTotals({ tx }: Context, ids: readonly number[], userId: number, lock: boolean): Promise<Map<number, Cents>> {
  if (lock)
    await sql`insert into export_day_totals (originating_profile_id, user_id, day) select id, ${userId}, ${today()}::date
      from unnest(${ids}::bigint[]) as profile(id) order by id on conflict do nothing`.execute(tx)
  const ofDay = sql`from export_day_totals where originating_profile_id = any(${ids}::bigint[]) and day = ${today()}::date`
  const { rows: people } = await sql<{ id: number }>`select distinct user_id as id ${ofDay}`.execute(tx)
  const same = await tiedAmong(
    tx,
    userId,
    people.map(({ id }) => id),
  )
  const { rows } = await sql<{ id: number; total: string }>`select originating_profile_id as id, total
    ${ofDay} and user_id = any(${same}::bigint[]) order by originating_profile_id, user_id ${lock ? sql`for update` : sql``}`.execute(tx)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => [id, sumCents(own.map(({ total }) => centsOf(total)))]))
}
