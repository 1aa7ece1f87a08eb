/** Payments that have left for their banks and that no statement shows yet, with their age and their sum. */
import { ageEnds, outstandingPayment } from '#contract/bank-statements/outstanding-payment.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { askedBy, resource } from '../kernel/lists/resource.ts'
import { clearedOn, dayOf, isSent, reversedOn, wayOf } from './sent-entries.ts'

const table = 'global_batch_file_payments'
const joins = {
  file: sql`join global_batch_files file on file.id = global_batch_file_payments.global_batch_file_id`,
  issued: sql`left join issued_checks issued on issued.payer_id = global_batch_file_payments.client_id
    and issued.global_batch_file_payment_id = global_batch_file_payments.id`,
}

export const outstandingPayments = resource({
  entity: outstandingPayment,
  table,
  scope: { client: sql.ref('global_batch_file_payments.client_id'), levels: {} },
  joins: {
    ...joins,
    client: sql`join clients client on client.id = global_batch_file_payments.client_id`,
    payment: sql`join vendor_payments payment on payment.client_id = global_batch_file_payments.client_id
      and payment.id = global_batch_file_payments.vendor_payment_id`,
    vendor: sql`join vendors vendor on vendor.id = payment.vendor_id`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    payment_name: { sql: sql`('VP-' || global_batch_file_payments.vendor_payment_id) collate natural_order` },
    way: { sql: wayOf, joins: ['file'] },
    payer_name: { sql: sql`client.name`, joins: ['client'] },
    vendor_id: { sql: sql`payment.vendor_id`, joins: ['payment'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['payment', 'vendor'] },
    due_day: { sql: dayOf, joins: ['file', 'issued'] },
    age: { sql: sql`((now() at time zone 'America/New_York')::date - ${dayOf})`, joins: ['file', 'issued'] },
    check_number: { sql: sql`(issued.check_number::text) collate natural_order`, joins: ['issued'] },
    trace_number: { sql: sql`global_batch_file_payments.trace_number collate natural_order` },
    payment_batch_id: { sql: sql`payment.payment_batch_id`, joins: ['payment'] },
    file_name: { sql: sql`file.file_name`, joins: ['file'] },
  },
  search: ['payment_name', 'payer_name', 'vendor_name', 'check_number'],
})

/** A check or a payment by hand that was taken back before it left is nothing to wait for; a file carries it all the same. */
const isOutstanding = sql<boolean>`exists (select 1 from global_batch_files file where file.id = global_batch_file_payments.global_batch_file_id
    and ${isSent} and (${wayOf} = 'file' or ${reversedOn(table)} is null or ${clearedOn(table, 'back')} is not null))
  and global_batch_file_payments.amount > 0 and ${clearedOn(table, 'out')} is null`

const outstandingWhere = defineWhere('outstanding_payments', z.object({}), () => isOutstanding)

export const askedOutstanding = (context: Context): Asked => ({ ...askedBy(context, {}), ...outstandingWhere({}) })

/** The ages are told from the youngest to the oldest. A payment that is dated ahead is of the youngest. */
export async function outstandingTotal({ tx, reach }: Context) {
  const ends = [...ageEnds]
  const { rows } = await sql<{
    age: number
    count: number
    total: string
  }>`select width_bucket(days, ${ends.map((end) => end + 1)}::int[]) as age,
      count(*)::int as count, sum(amount)::numeric(14,2)::text as total
    from (select global_batch_file_payments.amount, (${today()}::date - ${dayOf}) as days
      from global_batch_file_payments ${joins.file} ${joins.issued}
      where ${isOutstanding} and ${scopeCondition({ scope: { client: sql.ref('global_batch_file_payments.client_id'), levels: {} } }, { reach })}) aged
    group by age`.execute(tx)
  const found = new Map(rows.map((row) => [row.age, row]))
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    total: sumMoney(rows.map(({ total }) => total)),
    ages: [...ends, null].map((days_max, at) => ({ days_max, count: found.get(at)?.count ?? 0, total: found.get(at)?.total ?? '0.00' })),
  }
}
