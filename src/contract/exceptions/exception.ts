/**
 * The exceptions in one list: bills that are or will soon be late, bills with errors, bills that have not come. They are ranked by the cost of
 * lateness: first those that cost from today, then by probability.
 */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import {
  choice,
  date,
  decimal,
  derived,
  entity,
  integer,
  list,
  money,
  optional,
  ref,
  shownOnly,
  text,
  type Row,
  numberText,
} from '../kernel/entity.ts'

/** Days before its due date from which an unpaid bill is an exception. */
export const dueSoonDays = 7
/** Days after an account's entry by which its first bill is expected. */
export const firstBillDays = 45
/** Assumed late fee in percent of the amount, if neither the account nor the vendor has ever charged one. */
export const lateFeePercentDefault = '1.50'
/** Maximum assumed late fee: a higher one in the past was another charge under that name. */
export const lateFeePercentMax = '10.00'
/** Days of history searched for late fees. */
export const lateFeeHistoryDays = 730
/** Days after which a late fee is charged again. */
export const lateFeePeriodDays = 30

/** A bill this many days past due costs more than its fees: the utility may shut the service off, the sooner the later it is. */
export const shutOffDays = 45
/** Maximum factor by which the fees of a past-due bill are weighted. */
export const shutOffWeightMax = 3
/** Days before the due date at which a fee is assumed half as likely as on the day itself. */
export const halfChanceDays = 7

/** The kinds, the most urgent first. Each row has one: a bill that is both late and flagged counts as late. */
export const exceptionKinds = [
  { value: 'past_due', label: 'Past due' },
  { value: 'due_soon', label: 'Due within 7 days' },
  { value: 'flagged', label: 'Errors open' },
  { value: 'not_received', label: 'Bill not received' },
  { value: 'never_received', label: 'First bill never received' },
] as const
export type ExceptionKind = (typeof exceptionKinds)[number]['value']

/** Sources of the late fee rate. */
export const rateSources = [
  { value: 'account', label: 'what the account was charged before' },
  { value: 'vendor', label: 'what the vendor charged before' },
  { value: 'assumed', label: 'assumed' },
] as const

const kindNames = z.enum(exceptionKinds.map(({ value }) => value))

export const exception = entity(
  'exception',
  'exceptions',
  {
    kind: derived(choice('Kind', exceptionKinds)),
    /** All applicable kinds, the row's own kind first. */
    kinds: derived(list('Kinds', z.array(kindNames))),
    client_id: derived(ref('Client', 'clients')),
    client_name: derived(text('Client')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(ref('Account', 'accounts')),
    account_number: derived(numberText('Account Number')),
    account_name: derived(optional(text('Account'))),
    vendor_name: derived(optional(text('Vendor'))),
    facility_name: derived(optional(text('Facility'))),
    bill_id: derived(optional(ref('Bill', 'bills'))),
    /** Due date of the bill; for a bill that has not come, its estimate. */
    due_date: derived(optional(date('Due Date'))),
    /** Day on which the bill was expected. */
    expected_on: derived(optional(date('Expected'))),
    /** Days past due; negative before the due date. */
    days: derived(integer('Days Late')),
    /** The amount owed that no other row includes: a balance that an earlier bill in the list still includes is not counted again. */
    amount: derived(optional(money('Amount'))),
    /** The part of the bill's amount due that `amount` leaves out for that reason; null if none. */
    carried_forward: derived(optional(money('Counted with an Earlier Bill'))),
    rate_percent: derived(decimal('Late Fee %', 2)),
    rate_source: derived(choice('Rate', rateSources)),
    /** Late fees until now or at the due date; 0.00 if no amount is known. */
    cost: derived(money('Cost of Lateness')),
    open_errors: derived(integer('Open Errors')),
    /** Ranks the list: costs from today first, then probable costs, then errors by due date, then accounts without a bill. */
    urgency: shownOnly(decimal('Urgency', 2)),
  },
  {
    filter: [
      'kind',
      'client_id',
      'client_name',
      'vendor_name',
      'facility_name',
      'account_number',
      'due_date',
      'days',
      'amount',
      'cost',
      'open_errors',
    ],
    sort: ['urgency', 'cost', 'due_date', 'days', 'amount', 'client_name', 'vendor_name', 'account_number', 'id'],
    defaultSort: 'urgency desc',
  },
)
export type ExceptionRow = Row<typeof exception>

export const exceptionSummary = z.object({
  kinds: z.array(z.object({ kind: kindNames, count: z.int(), amount: z.string(), cost: z.string() })),
  count: z.int(),
  amount: z.string(),
  cost: z.string(),
  /** Bills with open errors that are or soon will be late: they are counted there, and not again under errors. */
  flagged_elsewhere: z.int(),
})
export type ExceptionSummary = z.infer<typeof exceptionSummary>
