/** Requested changes to the bank details of two vendors: one waits for a second person, one was approved recently. */
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import { accountHolderLengthMax } from '#contract/vendors/vendor-bank-change.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'
import { diceOf } from './dice.ts'
import type { People } from './make-people.ts'
import { routingNumber, sealed, type Reference } from './make-reference.ts'
import { insertRows, takeIds } from './store-rows.ts'
import { vendorSamples } from './vendor-catalog.ts'

const WAITING_DAYS = 1
const APPROVED_DAYS = 9

export interface Desk {
  readonly people: People
  readonly today: CalendarDate
}

export async function makeBankChanges(tx: Tx, { vendors }: Reference, secretKey: string, { people, today }: Desk): Promise<void> {
  const [approvedOf, waitingOf] = vendorSamples.filter(({ methods }) => methods.includes('ACH'))
  if (!approvedOf || !waitingOf) throw new Error('the demo has too few vendors that are paid by bank transfer')
  const [approvedId = 0, waitingId = 0] = await takeIds(tx, 'vendor_bank_changes', 2)
  await insertRows(tx, 'vendor_bank_changes', [
    {
      id: approvedId,
      vendor_id: vendors.get(approvedOf.code),
      state: 'approved',
      changed: ['account_holder'],
      // The new value equals the vendor's present one.
      account_holder: approvedOf.name.slice(0, accountHolderLengthMax),
      account_holder_before: approvedOf.code,
      account_type_before: 'checking',
      routing_is_doubtful: false,
      requested_by: people.clerk,
      requested_at: `${addDays(today, -APPROVED_DAYS)}T15:10:00.000Z`,
      decided_by: people.payer,
      decided_at: `${addDays(today, -APPROVED_DAYS)}T19:42:00.000Z`,
      lock_version: 1,
    },
  ])
  // As an approval leaves it: the former numbers with the change, and the requester and approver with the vendor.
  await sql`with change as (update vendor_bank_changes set po_box_last4_before = vendors.po_box_last4, payment_identifier_last4_before = vendors.payment_identifier_last4
      from vendors where vendor_bank_changes.id = ${approvedId} and vendors.id = vendor_bank_changes.vendor_id returning vendor_bank_changes.*)
    update vendors set bank_changed_by = change.requested_by, bank_changed_at = change.decided_at, bank_verified_by = change.decided_by, bank_verified_at = change.decided_at
    from change where vendors.id = change.vendor_id`.execute(tx)
  const dice = diceOf(`bank change ${waitingOf.code}`)
  await insertRows(tx, 'vendor_bank_changes', [
    {
      id: waitingId,
      vendor_id: vendors.get(waitingOf.code),
      state: 'waiting',
      changed: ['po_box', 'payment_identifier'],
      ...sealed(secretKey, { table: 'vendor_bank_changes', column: 'po_box', id: waitingId }, routingNumber(dice)),
      ...sealed(secretKey, { table: 'vendor_bank_changes', column: 'payment_identifier', id: waitingId }, dice.digits(10)),
      routing_is_doubtful: false,
      requested_by: people.clerk,
      requested_at: `${addDays(today, -WAITING_DAYS)}T16:25:00.000Z`,
      lock_version: 0,
    },
  ])
}
