/** The checks that were not reported to their banks yet. */
import type { WaitingAccount } from '#contract/issued-checks/issued-check.ts'
import { centsOf, type Cents } from '#contract/kernel/money.ts'
import { presetLabels, presetsOf } from '#contract/payment-files/layout-presets.ts'
import type { BillForFile, ProfileForFile } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import { readProfiles } from '../global-batches/global-batches.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { accountOf } from './check-accounts.ts'
import { isTakenBack } from './check-source.ts'

/** Checks of one file; the next file has the rest. */
const checksPerFileMax = 20_000

export interface UnreportedCheck {
  readonly id: number
  readonly entry_id: number
  readonly payer_id: number
  readonly payer_name: string
  readonly payer_short_code: string
  readonly vendor_payment_id: number
  readonly payment_batch_id: number
  readonly vendor_id: number
  readonly vendor_name: string
  readonly vendor_short_code: string
  readonly check_number: string
  readonly check_date: string
  readonly payee: string
  readonly amount: Cents
  readonly is_void: boolean
  readonly reached: boolean
  /** The bills that the payment pays, or paid before it was reversed. */
  readonly bills: readonly BillForFile[]
}

const isVoid = isTakenBack('issued.payer_id', 'issued.vendor_payment_id')
/** A check that is void before it was reported as issued is reported as void only. */
const isUnreported = sql<boolean>`issued.void_file_id is null and (issued.issue_file_id is null or ${isVoid})`
const inReach = ({ reach }: Context) => scopeCondition({ scope: { client: sql.ref('issued.payer_id'), levels: {} } }, { reach })

/** Locks the checks of an account. Another export waits here, and then no longer finds what this one reports. */
export async function readUnreported(context: Context, fingerprint: string): Promise<UnreportedCheck[]> {
  const { rows: held } = await sql<{ id: number }>`select issued.id from issued_checks issued
    where issued.account_fingerprint = decode(${fingerprint}, 'hex') and ${isUnreported}
    order by issued.id limit ${checksPerFileMax} for update`.execute(context.tx)
  const { rows } = await sql<Omit<UnreportedCheck, 'amount' | 'bills'> & { readonly amount: string }>`select issued.id,
      issued.global_batch_file_payment_id as entry_id, issued.payer_id, client.name as payer_name, client.short_code as payer_short_code,
      issued.vendor_payment_id, payment.payment_batch_id, vendor.id as vendor_id, vendor.name as vendor_name, vendor.short_code as vendor_short_code,
      issued.check_number::text as check_number, issued.check_date, issued.payee, issued.amount::text as amount, ${isVoid} as is_void,
      ${inReach(context)} as reached
    from issued_checks issued join vendor_payments payment on payment.client_id = issued.payer_id and payment.id = issued.vendor_payment_id
    join vendors vendor on vendor.id = payment.vendor_id join clients client on client.id = issued.payer_id
    where issued.id = any(${held.map(({ id }) => id)}::bigint[]) and ${isUnreported} order by issued.id`.execute(context.tx)
  const bills = Map.groupBy(
    await readBills(
      context,
      rows.map(({ id }) => id),
    ),
    ({ check_id }) => check_id,
  )
  return rows.map((row) => ({ ...row, amount: centsOf(row.amount), bills: (bills.get(row.id) ?? []).map(billOf) }))
}

interface BillRow extends Omit<BillForFile, 'amount_due' | 'amount_paid' | 'notes'> {
  readonly check_id: number
  readonly amount_due: string
  readonly amount_paid: string
}

/** Reads the bills of the payments: from the batch, or from the reversals if the payment was reversed. */
async function readBills({ tx }: Context, checks: readonly number[]): Promise<BillRow[]> {
  const { rows } =
    await sql<BillRow>`select issued.id as check_id, bills.id, bills.account_number, bills.invoice_number, bills.date, bills.due_date,
      bills.amount_due::text as amount_due, paid.amount::text as amount_paid
    from issued_checks issued cross join lateral (
      select member.bill_id, member.amount_paid as amount from payment_batch_bills member where member.client_id = issued.payer_id
        and member.vendor_payment_id = issued.vendor_payment_id and member.released_at is null
      union all select reversal.bill_id, reversal.amount from payment_reversals reversal where reversal.client_id = issued.payer_id
        and reversal.vendor_payment_id = issued.vendor_payment_id) paid
    join bills on bills.client_id = issued.payer_id and bills.id = paid.bill_id
    where issued.id = any(${checks}::bigint[]) order by issued.id, bills.id`.execute(tx)
  return rows
}

const billOf = ({ id, account_number, invoice_number, date, due_date, amount_due, amount_paid }: BillRow): BillForFile => ({
  id,
  account_number,
  invoice_number,
  date,
  due_date,
  amount_due: centsOf(amount_due),
  amount_paid: centsOf(amount_paid),
  notes: null,
})

interface WaitingRow {
  readonly fingerprint: string
  readonly account_last4: string
  readonly client_ids: number[]
  readonly issued: number
  readonly issued_total: string
  readonly void: number
  readonly void_total: string
}

/** By account, with the bank profile that has it. Only checks in reach count. */
export async function waitingAccounts(context: Context): Promise<WaitingAccount[]> {
  const { rows } =
    await sql<WaitingRow>`select encode(issued.account_fingerprint, 'hex') as fingerprint, min(issued.account_last4) as account_last4,
      array_agg(distinct issued.payer_id) as client_ids, (count(*) filter (where not ${isVoid}))::int as issued,
      coalesce(sum(issued.amount) filter (where not ${isVoid}), 0)::numeric(14,2)::text as issued_total,
      (count(*) filter (where ${isVoid}))::int as void,
      coalesce(sum(issued.amount) filter (where ${isVoid}), 0)::numeric(14,2)::text as void_total
    from issued_checks issued where ${isUnreported} and ${inReach(context)}
    group by issued.account_fingerprint order by 2, 1`.execute(context.tx)
  const profiles = await profilesByAccount(
    context,
    rows.flatMap(({ client_ids }) => client_ids),
  )
  const names = await clientNames(
    context,
    [...profiles.values()].map(({ client_id }) => client_id),
  )
  return rows.map((row) => {
    const profile = profiles.get(row.fingerprint)
    const choice = profile?.layouts.positive_pay
    return {
      account_last4: row.account_last4,
      issued: row.issued,
      issued_total: row.issued_total,
      void: row.void,
      void_total: row.void_total,
      originating_profile_id: profile?.id ?? null,
      profile_name: profile?.name ?? null,
      bank_name: profile?.bank_name ?? null,
      client_name: profile ? (names.get(profile.client_id) ?? 'Provider') : null,
      layout: profile
        ? choice && 'own' in choice
          ? `Own layout, version ${choice.version?.version ?? 1}`
          : presetLabels[choice?.preset ?? presetsOf('positive_pay')[0]]
        : null,
    }
  })
}

/** The first active profile of each account, a default one before the others. */
async function profilesByAccount(context: Context, clients: readonly number[]): Promise<ReadonlyMap<string, ProfileForFile>> {
  const profiles = (await readProfiles(context, [...new Set(clients)])).filter(({ active }) => active)
  const found = new Map<string, ProfileForFile>()
  for (const profile of profiles.toSorted((a, b) => Number(b.is_default) - Number(a.is_default) || a.id - b.id)) {
    const account = accountOf(context, profile)
    if (account !== null && !found.has(account.fingerprint)) found.set(account.fingerprint, profile)
  }
  return found
}

async function clientNames({ tx }: Context, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{
    id: number
    name: string
  }>`select id, name from clients where id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Checks in reach whose number was not recorded. */
export async function numbersMissing({ tx, reach }: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from global_batch_file_payments entry
    join global_batch_files file on file.id = entry.global_batch_file_id and file.format = 'check_request' and file.purpose = 'payment'
    where ${scopeCondition({ scope: { client: sql.ref('entry.client_id'), levels: {} } }, { reach })}
      and not exists (select 1 from issued_checks issued where issued.payer_id = entry.client_id
        and issued.global_batch_file_payment_id = entry.id)`.execute(tx)
  return rows[0]?.count ?? 0
}
