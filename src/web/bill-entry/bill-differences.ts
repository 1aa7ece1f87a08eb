/** Compares another person's changes to the open bill with this form, value by value. */
import { lineListNames } from '#contract/bills/bill-fields.ts'
import type { BillEntry } from '#contract/bills/bill-form.ts'
import { dueOfBill, usageOfLine, type BillValues, type LineValues } from './bill-values.ts'
import { fieldLabel, lineLabel } from './bill-words.ts'
import { makesOwnDue, makesOwnUsage } from './merge-bills.ts'
import { same } from './same.ts'

export interface Difference {
  readonly path: string
  readonly label: string
  readonly was: string
  readonly theirs: string
  readonly mine: string
  /** Whether this form changed the value too, to a different one, so that the user has to choose. */
  readonly contested: boolean
  /** Whether this form computes the value from others. */
  readonly computed: boolean
}

type Flat = ReadonlyMap<string, string>
interface Sides {
  readonly base: BillValues
  readonly mine: BillValues
  readonly theirs: BillValues
  readonly entry: BillEntry
}

/** Returns the other person's changes since `base`, beside the values of this form. */
export function differences(base: BillValues, mine: BillValues, theirs: BillValues, entry: BillEntry): Difference[] {
  const sides = { base, mine, theirs, entry }
  const [from, to, here] = [flat(base, entry), flat(theirs, entry), flat(mine, entry)]
  const values = [...new Set([...from.keys(), ...to.keys()])].flatMap((path) => {
    const [was, now, own] = [from.get(path) ?? '', to.get(path) ?? '', here.get(path) ?? '']
    const [list = '', key = ''] = path.split('.')
    // A removed row is reported once, below.
    if (was === now || isGone(sides, list, key) !== null) return []
    const computed = isComputed(sides, path)
    const contested = own !== was && own !== now && !computed
    return [{ path, label: pathLabel(path, sides), was, theirs: now, mine: own, contested, computed }]
  })
  return [...values, ...goneRows(sides)]
}

/** Lines and charges that one of the two removed; contested where the other one changed them meanwhile. */
function goneRows(sides: Sides): Difference[] {
  return (['lines', 'charges'] as const).flatMap((list) =>
    sides.base[list].flatMap((row): Difference[] => {
      const gone = isGone(sides, list, row.key)
      if (gone === null) return []
      const path = `${list}.${row.key}`
      const label = pathLabel(path, sides)
      const left = { path, label, was: label, computed: false }
      const other = rowOf(gone === 'there' ? sides.mine : sides.theirs, list, row.key)
      const isChanged = other !== undefined && !same(row, other)
      if (gone === 'there') return [{ ...left, theirs: 'removed', mine: isChanged ? 'changed' : label, contested: isChanged }]
      return isChanged ? [{ ...left, theirs: 'changed', mine: 'removed', contested: true }] : []
    }),
  )
}

/** Returns which side removed a line or a charge of the base bill. */
function isGone({ base, mine, theirs }: Sides, list: string, key: string): 'here' | 'there' | null {
  if ((list !== 'lines' && list !== 'charges') || !rowOf(base, list, key)) return null
  if (!rowOf(theirs, list, key)) return 'there'
  return rowOf(mine, list, key) ? null : 'here'
}

function rowOf(values: BillValues, list: 'lines' | 'charges', key: string): { readonly key: string } | undefined {
  const rows: readonly { readonly key: string }[] = values[list]
  return rows.find((row) => row.key === key)
}

/** Whether neither side typed the value, so that it follows from its merged parts and needs no choice. */
function isComputed({ base, mine, theirs }: Sides, path: string): boolean {
  if (path === 'amount_due') return makesOwnDue(base, mine) && mine.amount_due === '' && theirs.amount_due === ''
  const [, key] = /^lines\.([^.]+)\.usage$/.exec(path) ?? []
  const [before, own, other] = [base, mine, theirs].map((side) => side.lines.find((line) => line.key === key))
  return Boolean(before && own && other && makesOwnUsage(before, own) && own.usage === '' && other.usage === '')
}

/** Returns all visible values of a bill as text by path. Computed values count with their computed text. */
function flat(values: BillValues, entry: BillEntry): Flat {
  const { files, charges, lines, linked, settled: _settled, bill_id, group_bill_id, rebill_of_id, ...header } = values
  const bills = { bill_id, group_bill_id, rebill_of_id }
  const plain = Object.entries({ ...header, amount_due: dueOfBill(values) }).map(([key, value]) => [key, textOf(value)] as const)
  return new Map<string, string>([
    ...plain,
    ...Object.entries(bills).map(([key, id]): [string, string] => [key, billText(id)]),
    ['files', files.map((file) => file.filename).join(', ')],
    ['linked', linked.map((line) => `line ${line.service_bill_id}`).join(', ')],
    ...charges.flatMap((charge): [string, string][] => [
      [`charges.${charge.key}.name`, charge.name],
      [`charges.${charge.key}.amount`, charge.amount],
    ]),
    ...lines.flatMap((line) => flatLine(line, entry)),
  ])
}

function flatLine(line: LineValues, entry: BillEntry): [string, string][] {
  const {
    key,
    id: _id,
    service_id,
    service_bill_entry_fields,
    service_bill_usage_factors,
    service_bill_additional_entry_fields,
    ...plain
  } = line
  const service = entry.services.find((one) => one.id === service_id)
  const groups = { service_bill_entry_fields, service_bill_usage_factors, service_bill_additional_entry_fields }
  const unit = service?.unit_options.find((one) => one.id === line.unit_id)?.symbol
  const said = { ...plain, usage: usageOfLine(line, service), unit_id: unit ?? line.unit_id, supply_bill_id: billText(line.supply_bill_id) }
  return [
    [`lines.${key}`, lineLabel(line, entry)],
    ...Object.entries(said).map(([name, value]): [string, string] => [`lines.${key}.${name}`, textOf(value)]),
    ...lineListNames.flatMap((group) =>
      Object.entries(groups[group]).map(([name, value]): [string, string] => [`lines.${key}.${group}.${name}`, value]),
    ),
  ]
}

function billText(id: number | null): string {
  return id === null ? '' : `bill ${id}`
}

function textOf(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === null ? '' : String(value)
}

function pathLabel(path: string, { base, mine, theirs, entry }: Sides): string {
  const sides = [base, theirs, mine]
  const [list, key = '', ...rest] = path.split('.')
  const field = rest.length === 0 ? '' : `: ${fieldLabel(rest.join('.'))}`
  if (list === 'charges') {
    const charge = sides.flatMap((side) => side.charges).find((one) => one.key === key)
    return `Account charge ${charge?.name ?? ''}${field}`
  }
  if (list !== 'lines') return fieldLabel(path)
  const line = sides.flatMap((side) => side.lines).find((one) => one.key === key)
  return `${line ? lineLabel(line, entry) : 'Line'}${field}`
}
