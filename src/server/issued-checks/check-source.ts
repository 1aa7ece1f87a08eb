/** Checks that the desk has requested: the payments of check requests, each with the number that was recorded for it. */
import { issuedCheck } from '#contract/issued-checks/issued-check.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhere } from '../kernel/lists/export.ts'
import type { Asked } from '../kernel/lists/list.ts'
import { askedBy, resource } from '../kernel/lists/resource.ts'

/** Whether a payment was taken back: its check is void. The condition names client and payment. */
export const isTakenBack = (client: string, payment: string) =>
  sql<boolean>`exists (select 1 from payment_reversals reversal where reversal.client_id = ${sql.ref(client)} and reversal.vendor_payment_id = ${sql.ref(payment)})`

const state = sql`case when issued.id is null then 'waiting' when issued.void_file_id is not null then 'void_reported'
  when ${isTakenBack('global_batch_file_payments.client_id', 'global_batch_file_payments.vendor_payment_id')} then 'void'
  when issued.issue_file_id is not null then 'reported' else 'issued' end`
const fileName = (column: string) =>
  sql`(select told.file_name from global_batch_files told where told.id = ${sql.ref(`issued.${column}`)}) collate natural_order`

export const issuedChecks = resource({
  entity: issuedCheck,
  table: 'global_batch_file_payments',
  scope: { client: sql.ref('global_batch_file_payments.client_id'), levels: {} },
  joins: {
    issued: sql`left join issued_checks issued on issued.payer_id = global_batch_file_payments.client_id
      and issued.global_batch_file_payment_id = global_batch_file_payments.id`,
    file: sql`join global_batch_files file on file.id = global_batch_file_payments.global_batch_file_id`,
    client: sql`join clients client on client.id = global_batch_file_payments.client_id`,
    payment: sql`join vendor_payments payment on payment.client_id = global_batch_file_payments.client_id
      and payment.id = global_batch_file_payments.vendor_payment_id`,
    vendor: sql`join vendors vendor on vendor.id = payment.vendor_id`,
  },
  columns: {
    lock_version: { sql: sql`0` },
    check_number: { sql: sql`(issued.check_number::text) collate natural_order`, joins: ['issued'] },
    check_date: { sql: sql`issued.check_date`, joins: ['issued'] },
    state: { sql: state, joins: ['issued'] },
    payer_name: { sql: sql`client.name`, joins: ['client'] },
    vendor_id: { sql: sql`payment.vendor_id`, joins: ['payment'] },
    vendor_name: { sql: sql`vendor.name`, joins: ['payment', 'vendor'] },
    payee: {
      sql: sql`coalesce(issued.payee, vendor.remit_name, vendor.name) collate natural_order`,
      joins: ['issued', 'payment', 'vendor'],
    },
    payment_name: { sql: sql`('VP-' || global_batch_file_payments.vendor_payment_id) collate natural_order` },
    payment_batch_id: { sql: sql`payment.payment_batch_id`, joins: ['payment'] },
    account_last4: { sql: sql`issued.account_last4 collate natural_order`, joins: ['issued'] },
    requested_at: { sql: sql`file.created_at`, joins: ['file'] },
    request_file: { sql: sql`file.file_name`, joins: ['file'] },
    issue_file: { sql: fileName('issue_file_id'), joins: ['issued'] },
    void_file: { sql: fileName('void_file_id'), joins: ['issued'] },
    cleared_on: {
      sql: sql`(select clearing.cleared_on from bank_clearings clearing where clearing.payer_id = global_batch_file_payments.client_id
        and clearing.global_batch_file_payment_id = global_batch_file_payments.id and clearing.direction = 'out')`,
    },
  },
  search: ['payer_name', 'vendor_name', 'payee', 'check_number', 'payment_name'],
})

/** Payments in other files have no check of ours. */
const isRequested = defineWhere(
  'checks_of_check_requests',
  z.object({}),
  () => sql<boolean>`exists (select 1 from global_batch_files request where request.id = global_batch_file_payments.global_batch_file_id
    and request.format = 'check_request' and request.purpose = 'payment')`,
)

export const askedChecks = (context: Context): Asked => ({ ...askedBy(context, {}), ...isRequested({}) })
