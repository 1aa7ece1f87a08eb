/** Bills of all clients as the desk lists them: unswept, or in a batch. */
import { accountTypes } from '#contract/bills/bill.ts'
import { globalBill, type GlobalBill } from '#contract/global-batches/global-bill.ts'
import { daysBetween } from '#contract/kernel/date.ts'
import type { Filter } from '#contract/kernel/query.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { billSource } from '../bills/bills.ts'
import { billScope } from '../estate/estate.ts'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { containing, type Column, type Condition } from '../kernel/lists/list.ts'
import { resource } from '../kernel/lists/resource.ts'
import { maskPrefix } from '../kernel/secret.ts'
import { firstMethodOf, paymentRefusalColumn, startAmount } from '../payment-batches/payment-batches.ts'

const methods = sql`(select string_agg(payment_methods.name, ', ' order by chosen.position, payment_methods.id) from vendor_payment_methods chosen
  join payment_methods on payment_methods.id = chosen.payment_method_id where chosen.vendor_id = bills.vendor_id)`

/** Columns that the list of bills has in the same form. */
function billColumn(key: string): Column {
  const column = billSource.columns?.[key]
  if (!column) throw new Error(`bills have no column ${key}`)
  return column
}

const refusal = paymentRefusalColumn({
  clientId: sql`bills.client_id`,
  batchId: sql`member.payment_batch_id`,
  divisionId: null,
  takesFlagged: sql`coalesce(settings.batch_flagged_bills, false)`,
  isGlobal: true,
})

export const globalBills = resource({
  entity: globalBill,
  table: 'bills',
  scope: billScope,
  joins: {
    ...billSource.joins,
    member: sql`left join payment_batch_bills member on member.client_id = bills.client_id and member.bill_id = bills.id and member.released_at is null`,
    settings: sql`left join client_ledger_settings settings on settings.client_id = bills.client_id`,
  },
  columns: {
    ...Object.fromEntries(
      [
        'client_name',
        'vendor_name',
        'account_type',
        'account_id',
        'account_name_with_number',
        'division_name',
        'accounting_batch_batch_code',
        'vendor_payment_full_name',
        'file_url',
        'flags',
        'any_child_flags',
      ].map((key) => [key, billColumn(key)]),
    ),
    batch_id: { sql: sql`member.payment_batch_id`, joins: ['member'] },
    vendor_short_code: { sql: sql`vendor.short_code`, joins: ['vendor'] },
    is_exclusive: { sql: sql`coalesce(vendor.is_exclusive, false)`, joins: ['vendor'] },
    payment_method: { sql: firstMethodOf(sql`bills.vendor_id`) },
    payment_date: { sql: sql`vendor_payment.payment_date`, joins: ['payment'] },
    amount_paid: { sql: sql`coalesce(member.amount_paid, ${startAmount})`, joins: ['member'] },
    difference_reason: { sql: sql`member.difference_reason`, joins: ['member'] },
    paid: { sql: sql`(bills.paid or bills.finalized)` },
    vendor_payment_methods: { sql: methods },
    vendor_po_box: { sql: sql`(${sql.lit(maskPrefix)} || vendor.po_box_last4) collate natural_order`, joins: ['vendor'] },
    vendor_payment_identifier: {
      sql: sql`(${sql.lit(maskPrefix)} || vendor.payment_identifier_last4) collate natural_order`,
      joins: ['vendor'],
    },
    // Lists compute it again in code, by the product's own clock.
    days_due: { sql: sql`(bills.due_date - (now() at time zone 'America/New_York')::date)`, order: sql.ref('bills.due_date') },
    bill_id: { sql: sql.ref('bills.id') },
    vendor_payment_vendor_name: { sql: sql`case when vendor_payment.id is not null then vendor.name end`, joins: ['payment', 'vendor'] },
    vendor_payment_payment_methods: { sql: sql`case when vendor_payment.id is not null then ${methods} end`, joins: ['payment'] },
    notes: { sql: sql`member.notes`, joins: ['member'] },
    refusal: { sql: refusal, joins: ['client', 'member', 'vendor', 'settings'] },
    prior_unpaid_bill_id: {
      sql: sql`case when bills.balance_forward > 0 then (select prior.id from bills prior where prior.client_id = bills.client_id and prior.id = bills.bill_id
        and not prior.paid and not prior.finalized and prior.superseded_by_id is null) end`,
    },
  },
  filters: {
    ...Object.fromEntries(
      ['vendor_name', 'client_name', 'division_name'].flatMap((key) => {
        const filter = billSource.filters?.[key]
        return filter ? [[key, filter]] : []
      }),
    ),
    payment_method: ofMethod,
  },
  cells: {
    account_type: () => labelOf(billColumn('account_type').sql, accountTypes),
    refusal: () => labelOf(refusal, globalBill.fields.refusal.choices ?? []),
    flags: () =>
      sql`(select string_agg(flag.value, '; ' order by flag.key) from jsonb_each_text((${billColumn('flags').sql})::jsonb) flag)`,
  },
  search: billSource.search ?? [],
  present: async (_: Context, rows: readonly GlobalBill[]) => {
    const day = today()
    return rows.map((row) => ({ ...row, days_due: daysBetween(day, row.due_date) }))
  },
})

function labelOf(
  column: RawBuilder<unknown>,
  choices: readonly { readonly value: string | number; readonly label: string }[],
): RawBuilder<unknown> {
  return sql`case ${column} ${sql.join(
    choices.map(({ value, label }) => sql`when ${sql.lit(value)} then ${sql.lit(label)}`),
    sql` `,
  )} end`
}

/** The few vendors of a payment type are found first. */
function ofMethod(filter: Filter): Condition {
  const { predicate, value } = filter
  const names = typeof value === 'object' ? value.map(String) : [String(value)]
  const method = firstMethodOf(sql`vendors.id`)
  const matches = predicate === 'cont' ? sql`${method} ilike ${containing(names[0] ?? '')}` : sql`${method} = any(${names}::text[])`
  const found = sql<boolean>`bills.vendor_id = any(array(select vendors.id from vendors where ${matches}))`
  if (predicate === 'null') return sql<boolean>`(${firstMethodOf(sql`bills.vendor_id`)} is null) = ${value === true}`
  return predicate === 'not_eq' ? sql<boolean>`(${found}) is not true` : found
}

/** Bills that no batch pays yet. The condition is worded like the index bills_unswept. */
export const unswept = defineWhere(
  'unswept_bills',
  z.object({}),
  () =>
    sql<boolean>`(not bills.paid and not bills.finalized and not bills.parked and bills.vendor_payment_id is null and bills.superseded_by_id is null)`,
)

/** Returns the condition for the bills of one batch. */
export const billsOfBatch = (clientId: number, batchId: number): { readonly where: readonly Condition[]; readonly whereKey: string } => ({
  where: [
    sql<boolean>`bills.client_id = ${clientId} and bills.id in (select held.bill_id from payment_batch_bills held where held.client_id = ${clientId}
      and held.payment_batch_id = ${batchId} and held.released_at is null)`,
  ],
  whereKey: `bills_of_global_batch ${clientId} ${batchId}`,
})
