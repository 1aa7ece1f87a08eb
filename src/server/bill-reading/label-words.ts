/** Names that utilities give the fields of a bill, in normalized words (`plainWord`). */
import type { ReadBillField } from '#contract/bill-reading/bill-reading.ts'

/** Fields of the bill, and two that only help to find the balance. */
export type SoughtField = Exclude<ReadBillField, 'vendor'> | 'previous_balance' | 'payments'

interface Wording {
  readonly field: SoughtField
  readonly words: RegExp
  /** Confidence that the words mean the field. */
  readonly weight: number
}

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
const fuel = '(?:electric|electricity|gas|water|sewer|energy|utility|utilities|service|natural gas|steam|month|period)'

const earlier = '(?:previous|prior|last)'
const paper = '(?:bill|billing|statement|invoice)'

const wordings: readonly Wording[] = [
  { field: 'account_number', words: whole(`(?:customer |utility |service |billing |${fuel} )?account (?:number|id|code)`), weight: 1 },
  { field: 'account_number', words: whole('(?:customer |utility )?account'), weight: 0.8 },
  {
    field: 'account_number',
    words: whole('(?:customer|member|membership|client) (?:number|id|code)|contract account(?: number)?'),
    weight: 0.6,
  },
  { field: 'invoice_number', words: whole('(?:invoice|bill|statement|document|reference|billing) (?:number|id)'), weight: 1 },
  { field: 'invoice_number', words: whole('invoice'), weight: 0.7 },
  { field: 'date', words: whole('(?:bill|billing|statement|invoice|mailing|issue|issued|print) date'), weight: 1 },
  { field: 'date', words: whole('date (?:of )?(?:bill|billed|billing|mailed|prepared|issued|issue|invoice|statement|printed)'), weight: 1 },
  {
    field: 'date',
    words: whole(
      `${paper} (?:issued|prepared|mailed|printed|dated|date)(?: on| date)?|(?:billed|issued|mailed|prepared) on|date ${paper} (?:issued|mailed|prepared|printed)|${paper} (?:issue|mailing|print) date`,
    ),
    weight: 0.9,
  },
  { field: 'date', words: whole('date|dated|issued|mailed|billed'), weight: 0.45 },
  {
    field: 'due_date',
    words: whole(
      '(?:payment |bill |total |amount |(?:current|new) charge )?(?:is )?due(?: date| by| on| before| on or before)|(?:current|new) charge due(?: date| by| on)?',
    ),
    weight: 1,
  },
  {
    field: 'due_date',
    words: whole(
      'date due|(?:please )?(?:pay|remit)(?: payment)?(?: by| before| on or before)|pay by date|payment (?:is )?due|to avoid (?:interest|late|penalty)(?: payment)?(?: charge| fee)? pay (?:by|before|on or before)',
    ),
    weight: 0.95,
  },
  { field: 'due_date', words: whole('due'), weight: 0.6 },
  {
    field: 'amount_due',
    words: whole('(?:total |net )?(?:amount|balance) (?:now )?due(?: now| in full)?(?: by| on| on or before)?'),
    weight: 1,
  },
  {
    field: 'amount_due',
    words: whole(
      `total (?:now |account balance )?due|please pay|pay this amount|total amount(?: to pay| (?:you )?owed?| payable)?|amount (?:payable|owed|owing|to pay|you owe)|(?:net|total) charge due|net (?:${paper}|due)`,
    ),
    weight: 0.95,
  },
  {
    field: 'amount_due',
    words: whole(
      'you owe|total (?:account )?balance|(?:new|account|current|ending) balance|what you owe|total (?:you )?owed?|total to pay',
    ),
    weight: 0.8,
  },
  { field: 'amount_due', words: whole('total (?:bill|payable|payment due)|grand total|balance due|pay'), weight: 0.7 },
  { field: 'amount_due', words: whole('total'), weight: 0.35 },
  // 'Total Amount Due Mar 05 $120.10'
  { field: 'due_date', words: whole('(?:total |net )?amount due'), weight: 0.6 },
  {
    field: 'balance_forward',
    words: whole('balance (?:brought |carried )?forward(?:ed)?|(?:brought|carried) (?:forward|over)(?: balance| amount)?'),
    weight: 1,
  },
  {
    field: 'balance_forward',
    words: whole(
      `(?:past|previous) due(?: balance| amount)?|arrears|unpaid(?: ${earlier})? balance|${earlier} unpaid balance|balance b/f|overdue(?: balance| amount)?|balance before (?:new|current) charge`,
    ),
    weight: 0.9,
  },
  {
    field: 'balance_forward',
    words: whole('(?:remaining|outstanding|unpaid) (?:balance|amount)|amount past due|balance (?:remaining|outstanding|after payment)'),
    weight: 0.85,
  },
  {
    field: 'previous_balance',
    words: whole(
      `(?:${earlier}|opening|beginning) (?:account )?(?:balance|bill|billing|statement|amount due|charge|${paper} (?:amount|total|balance))(?: amount)?`,
    ),
    weight: 1,
  },
  {
    field: 'previous_balance',
    words: whole(`(?:total )?(?:amount|balance|charge) (?:due )?(?:of |from |on |due on )?${earlier} ${paper}`),
    weight: 1,
  },
  { field: 'payments', words: whole('(?:less |total )?(?:payment|receipt)(?: \\w+){0,3}'), weight: 0.7 },
  {
    field: 'current_charges',
    words: whole(`(?:total )?(?:current|new) (?:${fuel} |invoice )?(?:charge|bill|billing|amount)(?: and tax(?:es)?)?`),
    weight: 1,
  },
  {
    field: 'current_charges',
    words: whole(
      `total ${fuel} charge this (?:month|period|bill)|(?:total (?:charge )?|charge )(?:for )?this (?:month|period|bill)|this month charge|total charge (?:for )?this (?:month|period)|current ${fuel} (?:${fuel} )?charge(?: and tax(?:es)?)?`,
    ),
    weight: 0.95,
  },
  { field: 'current_charges', words: whole('(?:total )?charge|current'), weight: 0.5 },
  {
    field: 'late_fee',
    words: whole(
      'late (?:payment )?(?:fee|charge|penalty)(?: assessed)?|late payment assessed|penalty(?: charge)?|(?:delinquent|past due) (?:fee|charge|penalty)',
    ),
    weight: 1,
  },
  { field: 'late_fee', words: whole('interest(?: charge)?|(?:interest|fee|charge) and penalty|finance charge'), weight: 0.8 },
]

/** Words that look like a label but are not: late-payment amounts, tear-off slips, comparisons. */
const misleading = whole(
  '(?:total )?(?:amount|balance|payment) (?:due )?(?:after|if paid after|enclosed|paid)(?: due date| \\w+)?|after due date|(?:amount|total) if paid(?: \\w+)*|average \\w+|last (?:year|month) \\w+|due date \\w+ penalty',
)

/** Maximum number of words of a label. */
export const labelWordsMax = 7

export interface Meaning {
  readonly field: SoughtField
  readonly weight: number
}

/**
 * Returns the meanings of a phrase: more than one field for 'amount due by', none for words that are not a label, null for a misleading
 * one.
 */
export function meaningsOf(phrase: string): readonly Meaning[] | null {
  if (misleading.test(phrase)) return null
  return wordings.filter((wording) => wording.words.test(phrase)).map(({ field, weight }) => ({ field, weight }))
}
