/**
 * Turns a draft into the stored and audited form: names become fields, defaults come from the meter, missing values are listed. Pure: the form
 * runs it too.
 */
import type { AuditBill } from '../bill-audits/input.ts'
import type { BillBook, BillTerms, BookService } from './bill-book.ts'
import type { CheckedBill, FieldReasons } from './bill-draft.ts'
import { auditedHeads, headFields } from './bill-fields.ts'
import { compareDecimals, roundTo } from '../kernel/decimal.ts'
import { ownOf, someOf } from '../kernel/record.ts'
import { type PreparedLine, prepareLine, missingOf, requiredMessage } from './prepare-line.ts'

export interface PreparedBill<Book extends BillBook = BillBook> {
  readonly draft: CheckedBill
  readonly book: Book
  readonly lines: readonly PreparedLine[]
  /** Empty required fields, `service_bills.0.usage`: they make the bill a draft. */
  readonly missing_fields: readonly string[]
}

/**
 * Whether the user is typing the value of a line now: then it is required, and must have the form's precision. An imported or unchanged value
 * may be empty, which makes the bill a draft.
 */
export type IsTyped = (place: number, key: string) => boolean

/** Returns the bill to be stored, or the reasons it cannot be. A typed bill is refused where an imported one becomes a draft. */
export function prepareBill<Book extends BillBook>(
  draft: CheckedBill,
  book: Book,
  terms: BillTerms,
  isTyped: IsTyped = () => draft.source === 'typed',
): PreparedBill<Book> | { readonly reasons: FieldReasons } {
  const reasons: Record<string, string[]> = {}
  const refuse = (key: string, message: string): void => void (reasons[key] = [...(reasons[key] ?? []), message])
  const lines = draft.service_bills.flatMap((line, place) => {
    const service = book.services.find((one) => one.id === line.service_id)
    if (!service) refuse(`service_bills.${place}.service_id`, 'The account has no such service')
    if (service && isTyped(place, 'multiplier') && !isTypedMultiplier(line.multiplier, service))
      refuse(`service_bills.${place}.multiplier`, `Multiplier must have at most ${typedMultiplierScale} decimals`)
    return service ? [prepareLine(line, service, terms, (key, message) => refuse(`service_bills.${place}.${key}`, message))] : []
  })
  if (draft.linked_service_bill_ids.length > 0 && draft.account_type === 'SupplyAccount')
    refuse('linked_service_bill_ids', 'Only a billable account’s bill shows linked lines')
  const missing = lines.flatMap((line, place) =>
    missingOf(line).map((name) => ({
      key: `service_bills.${place}.${name}`,
      message: requiredMessage(name),
      refuses: isTyped(place, name),
    })),
  )
  for (const { key, message, refuses } of missing) if (refuses) refuse(key, message)
  if (Object.keys(reasons).length > 0) return { reasons }
  return { draft, book, lines, missing_fields: missing.map(({ key }) => key) }
}

/** Returns the bill in the form of the audits. `id` is its present or future id. */
export function auditedBill({ draft, lines }: PreparedBill, id: number, course: PaymentCourse = unpaid): AuditBill {
  return { id, ...ownOf(auditedFields, draft), bill_charges: draft.bill_charges, ...course, service_bills: lines }
}

const auditedFields = someOf(headFields, auditedHeads)

type PaymentCourse = Pick<AuditBill, 'paid' | 'finalized'>
const unpaid: PaymentCourse = { paid: false, finalized: false }

/** Decimal places in the form; the meter's own multiplier may have one more, and is copied whole (G-MULTIPLIER-PRECISION). */
const typedMultiplierScale = 3

function isTypedMultiplier(multiplier: string | null, service: BookService): boolean {
  if (multiplier === null || compareDecimals(roundTo(multiplier, typedMultiplierScale), multiplier) === 0) return true
  return service.meter_multiplier !== null && compareDecimals(service.meter_multiplier, multiplier) === 0
}
