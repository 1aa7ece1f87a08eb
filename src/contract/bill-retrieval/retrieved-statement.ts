/** A statement that was retrieved, with the state that shows whether it can become a bill. */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import {
  boolean,
  choice,
  date,
  derived,
  entity,
  instant,
  list,
  longText,
  money,
  optional,
  ref,
  text,
  type Row,
  numberText,
} from '../kernel/entity.ts'
import { accountCharge, meter, statementKinds, statementStates } from './statement.ts'

export const stateLabels = {
  new: 'New',
  matched: 'Matched',
  needs_account: 'Needs account',
  needs_meter: 'Needs meter',
  duplicate: 'Duplicate',
  created: 'Created',
  ignored: 'Ignored',
} as const

const stateChoices = statementStates.map((value) => ({ value, label: stateLabels[value] }))
const kindLabels = { bill: 'Bill', adjustment: 'Adjustment', notice: 'Notice' } as const
const kindChoices = statementKinds.map((value) => ({ value, label: kindLabels[value] }))

/** Amounts are null on a statement that prints none; such a statement is `ignored`, with a reason. */
export const retrievedStatement = entity(
  'record',
  'records',
  {
    statement_id: derived(text('Statement')),
    file_id: derived(text('File')),
    kind: derived(choice('Kind', kindChoices)),
    client: derived(text('Client')),
    provider: derived(text('Provider')),
    provider_name: derived(text('Utility')),
    account_number: derived(numberText('Account Number')),
    invoice_number: derived(optional(numberText('Invoice Number'))),
    bill_date: derived(optional(date('Bill Date'))),
    due_date: derived(optional(date('Due Date'))),
    interval_start: derived(optional(date('From'))),
    interval_end: derived(optional(date('To'))),
    meters: derived(list('Meters', z.array(meter))),
    account_charges: derived(list('Account Charges', z.array(accountCharge))),
    balance_forward: derived(optional(money('Balance Forward'))),
    current_charges: derived(optional(money('Current Charges'))),
    late_fee: derived(optional(money('Late Fee'))),
    amount_due: derived(optional(money('Amount Due'))),
    notes: derived(optional(longText('Notes'))),
    rebill_adjustment: derived(boolean('Rebill/Adjustment')),
    qc: derived(boolean('QC')),
    parked: derived(boolean('Parked')),
    attachment: derived(text('Attachment')),
    assumed: derived(list('Assumed', z.array(z.string()))),
    service_address: derived(optional(text('Service Address'))),
    state: derived(choice('State', stateChoices)),
    reason: derived(optional(text('Reason'))),
    account_type: derived(optional(choice('Account Type', accountTypes))),
    account_id: derived(optional(ref('Account', 'billable_accounts'))),
    account_name: derived(optional(text('Account'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    bill_id: derived(optional(ref('Bill', 'bills'))),
    fetched_at: derived(instant('Fetched')),
    client_id: derived(ref('Client', 'clients')),
  },
  {
    filter: [
      'id',
      'state',
      'kind',
      'provider_name',
      'account_number',
      'statement_id',
      'file_id',
      'bill_date',
      'amount_due',
      'account_name',
      'vendor_id',
      'bill_id',
      'reason',
    ],
    sort: ['bill_date', 'provider_name', 'account_number', 'amount_due', 'state', 'fetched_at', 'id'],
    defaultSort: 'bill_date desc',
    sizes: [10, 20, 50, 100, 200, 1000],
  },
  { label: 'Statement', labels: 'Statements' },
)
export type RetrievedStatement = Row<typeof retrievedStatement>
