/** Changes that a save makes to a bill, value by value. The locks, the handling of concurrent edits and the trail all use them. */
import { wireKey, type BillOfBody } from '#contract/bills/bill-body.ts'
import type { CheckedBill, FieldReasons } from '#contract/bills/bill-draft.ts'
import { headFields, lineFields, lineListNames, lineLists, type LineList } from '#contract/bills/bill-fields.ts'
import type { PreparedBill } from '#contract/bills/bill-prepare.ts'
import type { PreparedLine } from '#contract/bills/prepare-line.ts'
import { fullStatuses, holds, statusRules } from '#contract/bills/bill-status.ts'
import { lockedBillFields, lockedLineFields, locks, locksFactor } from '#contract/bills/bill-locks.ts'
import { roundTo } from '#contract/kernel/decimal.ts'
import { namesOf } from '#contract/kernel/record.ts'
import type { StoredBill } from './stored-bill.ts'

type Value = string | number | boolean | null | readonly (string | number)[]

export interface BillChange {
  /** Field name on the wire: `date`, `usage`; a named value has its name. */
  readonly key: string
  /** The list of a named value. */
  readonly list: LineList | null
  /** Index among the lines to be stored; null for the bill itself. */
  readonly line: number | null
  readonly adjustment_factor: boolean
  readonly from: Value
  readonly to: Value
}

const billKeys = ['account_type', 'account_id', ...namesOf(headFields)] as const
const lineKeys = namesOf(lineFields)

type ComparedLine = Readonly<Record<keyof typeof lineFields, string | number | boolean | null>> &
  Readonly<Record<LineList, readonly { readonly name: string; readonly value: string | null; readonly adjustment_factor?: boolean }[]>>

/** Returns every value that differs between the stored bill and the bill to be stored, without added and removed lines. */
export function changesOfBill(before: StoredBill, after: PreparedBill, { lines }: BillOfBody): BillChange[] {
  const ofLines = after.lines.flatMap((line, place) => {
    const stored = before.lines.find((one) => one.id === lines[place]?.id)
    return stored ? lineChanges({ ...stored, notes: stored.notes ?? null }, comparedLine(line), place) : []
  })
  return [...headChanges(before, after.draft), ...ofLines]
}

function comparedLine(line: PreparedLine): ComparedLine {
  return { ...line, service_id: line.service.id }
}

function headChanges({ draft, files }: StoredBill, after: CheckedBill): BillChange[] {
  const fields = billKeys.map((key) => change(key, null, draft[key] ?? null, after[key]))
  const charges = (list: CheckedBill['bill_charges']) => list.map(({ name, amount }) => `${name} ${amount}`)
  const beside = [
    change('bill_charges_attributes', null, charges([...(draft.bill_charges ?? [])]), charges(after.bill_charges)),
    change('linked_service_bill_ids', null, sorted(draft.linked_service_bill_ids ?? []), sorted(after.linked_service_bill_ids)),
    change(
      'signed_file_ids',
      null,
      files.map((file) => file.file_id),
      after.file_ids,
    ),
  ]
  return [...fields, ...beside].filter(differs)
}

const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b)

function lineChanges(before: ComparedLine, after: ComparedLine, line: number): BillChange[] {
  const fields = lineKeys.map((key) =>
    change(key, line, scaled(before[key], lineFields[key].scale), scaled(after[key], lineFields[key].scale)),
  )
  return [...fields, ...lineListNames.flatMap((list) => namedChanges(before, after, line, list))].filter(differs)
}

function namedChanges(before: ComparedLine, after: ComparedLine, line: number, list: LineList): BillChange[] {
  const names = [...new Set([...before[list], ...after[list]].map((one) => one.name))]
  return names.map((name) => {
    const [was, is] = [before[list].find((one) => one.name === name), after[list].find((one) => one.name === name)]
    const adjustment_factor = (was ?? is)?.adjustment_factor === true
    const { scale } = lineLists[list]
    return { ...change(name, line, scaled(was?.value ?? null, scale), scaled(is?.value ?? null, scale)), list, adjustment_factor }
  })
}

/** The same number may be written in two ways. */
const scaled = (value: Value, scale: number | undefined): Value =>
  typeof value === 'string' && scale !== undefined ? roundTo(value, scale) : value

function change(key: string, line: number | null, from: Value, to: Value): BillChange {
  return { key, list: null, line, adjustment_factor: false, from, to }
}

const differs = ({ from, to }: BillChange): boolean => JSON.stringify(from) !== JSON.stringify(to)

/** Returns the field of the body for a change. */
export function keyOfChange({ key, line }: BillChange, { lines, charges }: BillOfBody): string {
  return line === null ? key : wireKey(`service_bills.${line}.${key}`, lines, charges)
}

/**
 * Returns why a save may not make its changes: each locked field by the name under which it was sent. Unchanged fields are never locked.
 */
export function lockFaults({ facts }: StoredBill, changes: readonly BillChange[], bill: BillOfBody): FieldReasons {
  const locked = locks(facts)
  if (locked.size === 0) return {}
  const [ofBill, ofLine] = [lockedBillFields(locked), lockedLineFields(locked)]
  const isLocked = ({ key, list, line, adjustment_factor }: BillChange): boolean => {
    if (line === null) return ofBill.has(key)
    if (list === 'service_bill_usage_factors') return locksFactor(locked, { adjustment_factor })
    return ofLine.has(list ?? key)
  }
  const keys = changes.filter(isLocked).map((one) => keyOfChange(one, bill))
  const added = bill.lines.filter((line) => line.id === null).map((line) => line.place ?? 0)
  const moved = ofLine.has('_destroy') ? [...added, ...bill.removed.map((line) => line.place)] : []
  const states = fullStatuses.filter((status) => lockingStatuses.has(status) && holds(statusRules[status], facts))
  const message = `This cannot change any more: the bill is ${states.join(' and ')}`
  return Object.fromEntries([...keys, ...moved.map((place) => `service_bills_attributes.${place}`)].map((key) => [key, [message]]))
}

const lockingStatuses: ReadonlySet<string> = new Set([
  'Void',
  'Finalized',
  'Paid',
  'Global Batched',
  'Vendor Batched',
  'Client Batch Closed',
])

/**
 * Returns the trail of a change, in words that the History shows: lines by their position and meter. Notes keep their own name, so that
 * readers without the right to notes can be denied them.
 */
export function trailOf(before: StoredBill, after: PreparedBill, bill: BillOfBody, changes: readonly BillChange[]) {
  const said: Record<string, { from: unknown; to: unknown }> = {}
  const nameOf = (place: number): string => `Line ${place + 1} (${after.lines[place]?.service.meter_number ?? ''})`
  for (const one of changes) {
    if (one.line === null) said[trailKeys[one.key] ?? one.key] = { from: one.from, to: one.to }
    else if (one.key === 'notes') said['notes'] = { from: joined(said['notes']?.from, one.from), to: joined(said['notes']?.to, one.to) }
    else said[`${nameOf(one.line)} ${lineLabel(one)}`] = idless(before, after, one)
  }
  for (const [place, row] of bill.lines.entries()) if (row.id === null) said[nameOf(place)] = { from: null, to: sumUp(after.lines[place]) }
  for (const { id } of bill.removed) {
    const line = before.lines.find((one) => one.id === id)
    if (line) said[`Line ${line.position + 1} (${line.service_meter_number}) removed`] = { from: sumUp(line), to: null }
  }
  return said
}

const trailKeys: Readonly<Record<string, string>> = { bill_charges_attributes: 'bill_charges', signed_file_ids: 'files' }

function joined(one: unknown, other: Value): string | null {
  return [one, other].filter((text) => typeof text === 'string' && text !== '').join(' / ') || null
}

function lineLabel({ key, list }: BillChange): string {
  return list === null ? key.replace(/_id$/, '').replaceAll('_', ' ') : key
}

/** Replaces ids of units and services, which mean nothing to users. */
function idless(before: StoredBill, after: PreparedBill, { key, list, line, from, to }: BillChange): { from: unknown; to: unknown } {
  if (list !== null || line === null) return { from, to }
  const service = after.lines[line]?.service
  if (key === 'unit_id') {
    const symbol = (id: Value) =>
      [
        ...(service?.usage_units ?? []).map((unit) => ({ id: unit.unit_id, symbol: unit.symbol })),
        ...before.lines.flatMap((one) => one.unit_options),
      ].find((unit) => unit.id === id)?.symbol ?? id
    return { from: symbol(from), to: symbol(to) }
  }
  if (key !== 'service_id') return { from, to }
  return { from: before.lines.find((one) => one.service_id === from)?.service_meter_number ?? from, to: service?.meter_number ?? to }
}

function sumUp(line: Pick<PreparedLine, 'previous_read_date' | 'read_date' | 'usage'> | undefined): string {
  return `${line?.previous_read_date ?? '?'} to ${line?.read_date ?? '?'}, usage ${line?.usage ?? 'none'}`
}
