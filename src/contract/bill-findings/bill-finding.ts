/** The life of a finding: resolved with a reason, reopened, assigned, commented. Events record all of it in order. */
import { z } from 'zod'
import { severities } from '../bill-audits/input.ts'
import { ruleOptions } from '../bill-audits/rule-names.ts'
import { accountTypes } from '../bills/bill.ts'
import { findingReasons } from '../bill-audits/finding-reasons.ts'
import { choice, date, derived, entity, instant, integer, list, money, optional, ref, shownOnly, text, type Row } from '../kernel/entity.ts'

export const findingCommentMax = 2_000
/** Most findings that one request resolves. */
export const findingsAtOnceMax = 10_000
/** Earlier values shown with a finding. */
export const findingHistoryMax = 24

const severityWords = { 'E!': 'Holds payment', E: 'Error', W: 'Warning', I: 'Information' } as const

export const findingSeverities = severities.map((value) => ({ value, label: severityWords[value] }))
export const findingStates = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'void', label: 'On a void bill' },
] as const

export const billFindings = entity(
  'bill_finding',
  'bill_findings',
  {
    severity: derived(choice('Severity', findingSeverities)),
    code: derived(choice('Rule', ruleOptions)),
    message: derived(text('Message')),
    state: derived(choice('State', findingStates)),
    bill_id: derived(ref('Bill', 'bills')),
    bill_date: derived(date('Bill Date')),
    account_type: derived(choice('Account Type', accountTypes)),
    account_id: derived(ref('Account', 'accounts')),
    account_number: derived(text('Account')),
    account_name: derived(optional(text('Account Name'))),
    vendor_id: derived(optional(ref('Vendor', 'vendors'))),
    vendor_name: derived(optional(text('Vendor'))),
    client_id: derived(ref('Client', 'clients')),
    client_name: derived(text('Client')),
    amount_due: derived(money('At Stake')),
    expected: derived(optional(text('Expected'))),
    actual: derived(optional(text('Actual'))),
    limit: derived(optional(text('Limit'))),
    created_at: derived(instant('Found')),
    age_days: shownOnly(integer('Age')),
    assigned_to: derived(optional(ref('Assigned To', 'users'))),
    assigned_to_name: derived(optional(text('Assigned To'))),
    resolved_at: derived(optional(instant('Resolved'))),
    resolved_by_name: derived(optional(text('Resolved By'))),
    reason: derived(optional(text('Reason'))),
    comment: derived(optional(text('Comment'))),
    /** The reason the reader may not resolve it, or null. */
    held_reason: shownOnly(optional(list('Held', z.string()))),
    /** The import task that created the bill. */
    import_task_id: derived(optional(integer('Import'))),
  },
  {
    filter: [
      'id',
      'severity',
      'code',
      'message',
      'state',
      'bill_id',
      'bill_date',
      'account_number',
      'vendor_id',
      'vendor_name',
      'client_id',
      'client_name',
      'amount_due',
      'created_at',
      'assigned_to',
      'assigned_to_name',
      'reason',
      'import_task_id',
    ],
    sort: ['id', 'severity', 'code', 'bill_date', 'account_number', 'vendor_name', 'amount_due', 'created_at', 'assigned_to_name'],
    defaultSort: 'severity desc',
    sizes: [20, 50, 100, 1000],
  },
  { label: 'Finding', labels: 'Findings' },
)
export type BillFindingRow = Row<typeof billFindings>

export const findingEvents = ['raised', 'assigned', 'commented', 'resolved', 'reopened', 'changed', 'gone'] as const

export const findingEvent = z.object({
  id: z.int(),
  event: z.enum(findingEvents),
  user_id: z.int().nullable(),
  user_name: z.string().nullable(),
  comment: z.string().nullable(),
  reason: z.string().nullable(),
  assigned_to_name: z.string().nullable(),
  was: z.string().nullable(),
  became: z.string().nullable(),
  created_at: z.string(),
})
export type FindingEvent = z.infer<typeof findingEvent>

/** Earlier values and the flagged one, oldest first; decimals as text. */
export const findingSeries = z.object({
  label: z.string(),
  points: z.array(z.object({ bill_id: z.int(), date: z.iso.date(), value: z.string() })),
  /** The usual range of the values by the current thresholds; null if the rule has no range. */
  low: z.string().nullable(),
  high: z.string().nullable(),
})
export type FindingSeries = z.infer<typeof findingSeries>

/** Returns the label of a stored reason; a reason outside the list was typed by hand. */
export function reasonLabel(reason: string | null): string | null {
  return findingReasons.find(({ value }) => value === reason)?.label ?? reason
}
