/**
 * Turns the wire body of a save into the draft that all ways of entry share, and a position in the draft back into the field that was sent.
 * Pure.
 */
import { fieldWords } from '../kernel/field-words.ts'
import { linesPerBillMax, type BillChargeDraft, type BillDraft, type FieldReasons, type ServiceBillDraft } from './bill-draft.ts'
import { headFields } from './bill-fields.ts'
import type { BillAttributes, ServiceBillAttributes } from './bill-attributes.ts'
import { derivedUsage } from '../bill-figures/bill-totals.ts'
import { compareDecimals } from '../kernel/decimal.ts'
import { requiredOf } from '../kernel/record.ts'
import { type PlacedRow, Faults, placed } from './placed-rows.ts'

/** A stored bill, to which a body is applied. The ids are kept beside the lines and charges of its draft. */
export interface StandingBill {
  readonly draft: BillDraft
  readonly line_ids: readonly number[]
  readonly charge_ids: readonly number[]
}

export interface BillOfBody {
  readonly draft: BillDraft
  readonly lines: readonly PlacedRow[]
  readonly charges: readonly PlacedRow[]
  /** Ids of stored lines that the body removes, each with its position in the body. */
  readonly removed: readonly { readonly id: number; readonly place: number }[]
  /** Faults found so far, by wire field. */
  readonly faults: FieldReasons
}

/**
 * Returns the draft of a body: of a new bill, or of a stored one that keeps whatever is not sent. `file_ids` are the files of the body's signed
 * ids.
 */
export function billOfBody(body: BillAttributes, standing: StandingBill | null, fileIds: readonly number[] | undefined): BillOfBody {
  const faults = new Faults()
  const stored = standing?.draft
  for (const [key, label] of requiredFields) if (isMissing(body[key], stored?.[key])) faults.say(key, fieldWords.required(label))
  const lines = placed(body.service_bills_attributes ?? [], standing?.line_ids ?? [], 'service_bills_attributes', faults)
  const charges = placed(body.bill_charges_attributes ?? [], standing?.charge_ids ?? [], 'bill_charges_attributes', faults)
  const { service_bills_attributes: _l, bill_charges_attributes: _c, linked_service_bill_ids: _i, ...head } = body
  const { linked_service_bills_attributes: _a, signed_file_ids: _f, lock_version: _v, scan_id: _s, resolutions = [], ...own } = head
  const draft: BillDraft = {
    ...(stored ?? emptyDraft),
    ...sentOnly(own),
    ...(own.due_date === undefined ? {} : { assumed_due_date: stored?.due_date === own.due_date && stored.assumed_due_date === true }),
    service_bills: lines.rows.map((row, at) =>
      lineOf(body, row, at, stored?.service_bills[standing?.line_ids.indexOf(row.id ?? 0) ?? -1], faults),
    ),
    bill_charges: charges.rows.map((row) =>
      chargeOf(body, row, stored?.bill_charges?.[standing?.charge_ids.indexOf(row.id ?? 0) ?? -1], faults),
    ),
    linked_service_bill_ids: linkedIds(body, stored, faults),
    file_ids: fileIds ?? stored?.file_ids ?? [],
    resolutions: resolutions.map((one) => ({ ...one, line: placeInDraft(one.line, body, lines.rows) })),
  }
  return { draft, lines: lines.rows, charges: charges.rows, removed: lines.removed, faults: faults.found }
}

/** Translates reasons from the draft's positions to the fields of the body: `service_bills.0.usage` is `service_bills_attributes.0.usage`. */
export function reasonsByWire(reasons: FieldReasons, { lines, charges }: Pick<BillOfBody, 'lines' | 'charges'>): FieldReasons {
  const said = new Faults()
  for (const [key, messages] of Object.entries(reasons)) for (const message of messages) said.say(wireKey(key, lines, charges), message)
  return said.found
}

/** Returns the field of the body for a position of the draft; the list itself if the body does not contain the row. */
export function wireKey(key: string, lines: readonly PlacedRow[], charges: readonly PlacedRow[]): string {
  const [list = '', at, ...rest] = key.split('.')
  if (list === 'file_ids') return 'signed_file_ids'
  const lists = { service_bills: lines, bill_charges: charges }
  if (list !== 'service_bills' && list !== 'bill_charges') return key
  const place = at === undefined ? null : (lists[list][Number(at)]?.place ?? null)
  return [`${list}_attributes`, ...(place === null ? [] : [place, ...rest])].join('.')
}

const requiredFields = [['account_type', 'Account type'] as const, ['account_id', 'Account'] as const, ...requiredOf(headFields)]

function isMissing(sent: unknown, stored: unknown): boolean {
  const value = sent === undefined ? stored : sent
  return value === undefined || value === ''
}

/** The draft used if a required field is missing in the body, which has faults then. */
const emptyDraft: BillDraft = {
  source: 'typed',
  account_type: 'BillableAccount',
  account_id: 1,
  date: '',
  due_date: '',
  balance_forward: '',
  current_charges: '',
  amount_due: '',
  service_bills: [],
}

function sentOnly<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> }
function sentOnly(values: object): object {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]: [string, unknown]) => (value === undefined ? [] : [[key, value]])),
  )
}

function lineOf(
  body: BillAttributes,
  { place }: PlacedRow,
  at: number,
  stored: ServiceBillDraft | undefined,
  faults: Faults,
): ServiceBillDraft {
  const sent = place === null ? undefined : body.service_bills_attributes?.[place]
  if (!sent) return stored ?? { service_id: 1 }
  const { id: _id, _destroy, ...values } = sent
  const service_id = values.service_id ?? stored?.service_id
  if (service_id === undefined) faults.say(`service_bills_attributes.${place ?? at}.service_id`, 'Service is required')
  return { ...stored, ...sentOnly(values), ...followingUsage(sent, stored), service_id: service_id ?? 1 }
}

/** Usage that was derived from the readings is derived from the new ones, unless it is sent too. */
function followingUsage(sent: ServiceBillAttributes, stored: ServiceBillDraft | undefined): { usage?: null } {
  if (!stored?.usage || sent.usage !== undefined) return {}
  const { previous_reading = null, meter_reading = null, multiplier = null } = stored
  const derived = derivedUsage({ previous_reading, meter_reading, multiplier })
  const followed = derived !== null && compareDecimals(derived, stored.usage) === 0
  const moved = [sent.previous_reading, sent.meter_reading, sent.multiplier].some((value) => value !== undefined)
  return followed && moved ? { usage: null } : {}
}

function chargeOf(body: BillAttributes, { place }: PlacedRow, stored: BillChargeDraft | undefined, faults: Faults): BillChargeDraft {
  const sent = place === null ? undefined : body.bill_charges_attributes?.[place]
  const { name = stored?.name, amount = stored?.amount } = sent ?? {}
  if (name === undefined) faults.say(`bill_charges_attributes.${place ?? 0}.name`, 'Name is required')
  if (amount === undefined) faults.say(`bill_charges_attributes.${place ?? 0}.amount`, 'Amount is required')
  return { name: name ?? '', amount: amount ?? '' }
}

/** Returns the sent ids, or the stored ones plus the attributes' additions and removals. */
function linkedIds(body: BillAttributes, stored: BillDraft | undefined, faults: Faults): number[] {
  const rows = body.linked_service_bills_attributes ?? []
  const base = body.linked_service_bill_ids ?? stored?.linked_service_bill_ids ?? []
  const gone = new Set(rows.filter((row) => row._destroy).map((row) => row.service_bill_id))
  const added = rows.filter((row) => !row._destroy).map((row) => row.service_bill_id)
  const ids = [...new Set([...base, ...added])].filter((id) => !gone.has(id))
  if (ids.length > linesPerBillMax) faults.say('linked_service_bill_ids', `A bill shows at most ${linesPerBillMax} linked lines`)
  return ids
}

/** A resolution counts the remaining lines of the body; a body without lines refers to the stored ones. */
function placeInDraft(line: number | null, body: BillAttributes, rows: readonly PlacedRow[]): number | null {
  if (line === null || body.service_bills_attributes === undefined) return line
  const stay = [...body.service_bills_attributes.entries()].filter(([, row]) => !row._destroy).map(([place]) => place)
  const at = rows.findIndex((row) => row.place !== null && row.place === stay[line])
  return at < 0 ? line : at
}
