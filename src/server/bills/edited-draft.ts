/** The draft of an edited bill: what was sent over what is stored. */
import type { BillOfBody } from '#contract/bills/bill-body.ts'
import type { IsTyped, PreparedBill } from '#contract/bills/bill-prepare.ts'
import type { PreparedLine } from '#contract/bills/prepare-line.ts'
import type { CheckedBill } from '#contract/bills/bill-draft.ts'
import type { BillAttributes } from '#contract/bills/bill-attributes.ts'
import { locks } from '#contract/bills/bill-locks.ts'
import { compareDecimals, isDecimal } from '#contract/kernel/decimal.ts'
import { bookKey, type AccountBook } from './account-books.ts'
import type { References } from './bill-references.ts'
import { previousBill, withRebillMode } from './judge-bills.ts'
import type { StoredBill } from './stored-bill.ts'

/** Removes the bill itself and the bill that it replaces from its past. */
export function dropOwnPast(book: AccountBook, id: number, draft: CheckedBill): void {
  const past = book.history.filter((bill) => bill.id !== id && !(draft.rebill_mode === 'replace' && bill.id === draft.rebill_of_id))
  book.history.splice(0, book.history.length, ...past)
}

export function withRebill(draft: CheckedBill, before: StoredBill, references: References): CheckedBill {
  if (draft.rebill_of_id === null) return { ...draft, rebill_mode: null }
  return draft.rebill_of_id === before.draft.rebill_of_id && draft.rebill_mode !== null ? draft : withRebillMode(draft, references)
}

/** The preceding bill is looked up again if the position of the bill among the bills has changed, or if the body removes it. */
export function withPrevious(draft: CheckedBill, before: StoredBill, book: AccountBook, body: BillAttributes): CheckedBill {
  const { draft: stored } = before
  const hasMoved = draft.date !== stored.date || bookKey(draft) !== bookKey(stored)
  const isTaken = body.bill_id === null && stored.bill_id !== null
  if (typeof body.bill_id === 'number' || !(hasMoved || isTaken)) return draft
  return { ...draft, bill_id: previousBill(book, draft)?.id ?? null }
}

/** Lines keep values that their service no longer knows: a retired field, a factor and a unit of a former utility. */
export function withStoredFields(book: AccountBook, { lines }: StoredBill): AccountBook {
  const services = book.services.map((service) => {
    const own = lines.filter((line) => line.service_id === service.id)
    const lost = <T extends { readonly name: string }>(carried: readonly T[], known: readonly { readonly name: string }[]): T[] => [
      ...new Map(carried.filter((one) => !known.some(({ name }) => name === one.name)).map((one) => [one.name, one])).values(),
    ]
    const additional = own.flatMap((line) => line.service_bill_additional_entry_fields)
    const factors = own.flatMap((line) => line.service_bill_usage_factors)
    const units = own.flatMap(({ unit_id, unit_symbol }) =>
      unit_id === null || service.usage_units.some((unit) => unit.unit_id === unit_id)
        ? []
        : [{ unit_id, symbol: unit_symbol ?? '', conversion_factor: null }],
    )
    return {
      ...service,
      usage_units: [...service.usage_units, ...units],
      additional_entry_fields: [
        ...service.additional_entry_fields,
        ...lost(additional, service.additional_entry_fields).map(({ id, name }) => ({ id, name, retired: true })),
      ],
      usage_factors: [
        ...service.usage_factors,
        ...lost(factors, service.usage_factors).map(({ id, name, adjustment_factor }) => ({
          id,
          name,
          adjustment_factor,
          default_value: null,
          asked: false,
        })),
      ],
    }
  })
  return { ...book, services }
}

/**
 * Returns a test for values that the user typed: those of lines in the body, except locked values and a multiplier that is sent unchanged.
 */
export function typedBy(body: BillAttributes, before: StoredBill, { lines }: BillOfBody): IsTyped {
  const locked = locks(before.facts)
  return (place, key) => {
    const row = lines[place]
    if (!row || row.place === null) return false
    if (key !== 'multiplier') return row.id === null || !(locked.has('lines') || locked.has('charges'))
    const sent = body.service_bills_attributes?.[row.place]?.multiplier
    const stored = before.lines.find((line) => line.id === row.id)?.multiplier
    return typeof sent === 'string' && !(stored && isDecimal(sent.trim()) && compareDecimals(sent.trim(), stored) === 0)
  }
}

/** A line that the body does not contain stays exactly as it is stored, including its defaults and missing values. */
export function withUntouched(
  prepared: PreparedBill<AccountBook>,
  before: StoredBill,
  { lines: rows }: BillOfBody,
): PreparedBill<AccountBook> {
  const storedAt = (place: number) => {
    const row = rows[place]
    return row && row.place === null ? before.lines.findIndex((line) => line.id === row.id) : -1
  }
  const lines = prepared.lines.map((line, place): PreparedLine => {
    const stored = before.lines[storedAt(place)]
    if (!stored) return line
    const { multiplier, usage, unit_id, standard_usage } = stored
    const { service_bill_entry_fields, service_bill_usage_factors, service_bill_additional_entry_fields } = stored
    return {
      ...line,
      multiplier,
      usage,
      unit_id,
      standard_usage,
      service_bill_entry_fields,
      service_bill_usage_factors,
      service_bill_additional_entry_fields,
    }
  })
  const missing_fields = prepared.missing_fields.filter((key) => {
    const [list, place = '', ...name] = key.split('.')
    const at = storedAt(Number(place))
    return at < 0 || before.head.missing_fields.includes([list, at, ...name].join('.'))
  })
  return { ...prepared, lines, missing_fields }
}
