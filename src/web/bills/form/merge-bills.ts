/** What two people made of the same bill, and how both are kept: value by value, lines and charges too. */
import type { BillEntry } from '#contract/bill-form.ts'
import { dueOfBill, usageOfLine, valueGroups, type BillValues, type ChargeValues, type LineValues } from './bill-values.ts'
import { fieldLabel, lineLabel } from './bill-words.ts'
import { same } from './same.ts'

export interface Difference {
  readonly path: string
  readonly label: string
  readonly was: string
  readonly theirs: string
  readonly mine: string
  /** Whether this form changed it, too, and to something else. */
  readonly contested: boolean
}

type Flat = ReadonlyMap<string, string>

/** What another person changed since `base`, beside what stands in this form. */
export function differences(base: BillValues, mine: BillValues, theirs: BillValues, entry: BillEntry): Difference[] {
  const [from, to, here] = [flat(base, entry), flat(theirs, entry), flat(mine, entry)]
  const paths = [...new Set([...from.keys(), ...to.keys()])].filter((path) => (from.get(path) ?? '') !== (to.get(path) ?? ''))
  return paths.map((path) => {
    const [was, now, own] = [from.get(path) ?? '', to.get(path) ?? '', here.get(path) ?? '']
    return { path, label: pathLabel(path, [base, theirs, mine], entry), was, theirs: now, mine: own, contested: own !== was && own !== now }
  })
}

/** Theirs with what this form changed laid over it; of what both changed, theirs stays for the paths in `takeTheirs`. */
export function merged(base: BillValues, mine: BillValues, theirs: BillValues, takeTheirs: ReadonlySet<string>): BillValues {
  return {
    ...mergedValues(base, mine, theirs, '', takeTheirs),
    files: same(base.files, mine.files) ? theirs.files : mine.files,
    linked: same(base.linked, mine.linked) ? theirs.linked : mine.linked,
    settled: mine.settled,
    charges: mergedRows(base.charges, mine.charges, theirs.charges, 'charges', takeTheirs, mergedCharge),
    lines: mergedRows(base.lines, mine.lines, theirs.lines, 'lines', takeTheirs, mergedLine),
  }
}

interface Row {
  readonly key: string
  readonly id: number | null
}
type MergeRow<R> = (base: R, mine: R, theirs: R, prefix: string, takeTheirs: ReadonlySet<string>) => R

function mergedRows<R extends Row>(
  base: readonly R[],
  mine: readonly R[],
  theirs: readonly R[],
  list: string,
  takeTheirs: ReadonlySet<string>,
  merge: MergeRow<R>,
): R[] {
  const find = (rows: readonly R[], key: string) => rows.find((row) => row.key === key)
  const kept = theirs.flatMap((row) => {
    const [before, own] = [find(base, row.key), find(mine, row.key)]
    if (before && !own) return takeTheirs.has(`${list}.${row.key}`) ? [row] : []
    return [before && own ? merge(before, own, row, `${list}.${row.key}.`, takeTheirs) : row]
  })
  // Rows of this form alone, and rows that they removed while this form changed them: those come back as new ones.
  const own = mine.flatMap((row) => {
    if (find(theirs, row.key)) return []
    const before = find(base, row.key)
    if (!before) return [row]
    return same(before, row) || takeTheirs.has(`${list}.${row.key}`) ? [] : [{ ...row, key: `again-${row.key}`, id: null }]
  })
  return [...kept, ...own]
}

function mergedCharge(base: ChargeValues, mine: ChargeValues, theirs: ChargeValues, prefix: string, takeTheirs: ReadonlySet<string>) {
  return mergedValues(base, mine, theirs, prefix, takeTheirs)
}

function mergedLine(base: LineValues, mine: LineValues, theirs: LineValues, prefix: string, takeTheirs: ReadonlySet<string>): LineValues {
  const groups = Object.fromEntries(
    valueGroups.map((group) => [group, mergedValues(base[group], mine[group], theirs[group], `${prefix}${group}.`, takeTheirs)]),
  )
  return { ...mergedValues(base, mine, theirs, prefix, takeTheirs), ...groups }
}

/** Value by value of one level: what `mine` changed wins unless `takeTheirs` names it. */
function mergedValues<T extends object>(base: T, mine: T, theirs: T, prefix: string, takeTheirs: ReadonlySet<string>): T {
  const before = new Map<string, unknown>(Object.entries(base))
  const own = Object.entries(mine).filter(([key, value]) => !same(before.get(key), value) && !takeTheirs.has(`${prefix}${key}`))
  return { ...theirs, ...Object.fromEntries(own) }
}

/** All that a person can see of a bill, as text by its path. What is computed counts with what it says. */
function flat(values: BillValues, entry: BillEntry): Flat {
  const { files, charges, lines, linked, settled: _settled, ...header } = values
  const plain = Object.entries({ ...header, amount_due: dueOfBill(values) }).map(([key, value]) => [key, textOf(value)] as const)
  return new Map<string, string>([
    ...plain,
    ['files', files.map((file) => file.filename).join(', ')],
    ['linked', linked.map((line) => line.service_bill_id).join(', ')],
    ...charges.flatMap((charge): [string, string][] => [
      [`charges.${charge.key}.name`, charge.name],
      [`charges.${charge.key}.amount`, charge.amount],
    ]),
    ...lines.flatMap((line) => flatLine(line, entry)),
  ])
}

function flatLine(line: LineValues, entry: BillEntry): [string, string][] {
  const { key, id: _id, service_bill_entry_fields, service_bill_usage_factors, service_bill_additional_entry_fields, ...plain } = line
  const service = entry.services.find((one) => one.id === line.service_id)
  const groups = { service_bill_entry_fields, service_bill_usage_factors, service_bill_additional_entry_fields }
  return [
    [`lines.${key}`, lineLabel(line, entry)],
    ...Object.entries({ ...plain, usage: usageOfLine(line, service) }).map(([name, value]): [string, string] => [
      `lines.${key}.${name}`,
      textOf(value),
    ]),
    ...valueGroups.flatMap((group) =>
      Object.entries(groups[group]).map(([name, value]): [string, string] => [`lines.${key}.${group}.${name}`, value]),
    ),
  ]
}

function textOf(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return value === null ? '' : String(value)
}

function pathLabel(path: string, sides: readonly BillValues[], entry: BillEntry): string {
  const [list, key = '', ...rest] = path.split('.')
  if (list === 'charges') {
    const charge = sides.flatMap((side) => side.charges).find((one) => one.key === key)
    return `Account charge ${charge?.name ?? ''}: ${fieldLabel(rest.join('.'))}`
  }
  if (list !== 'lines') return fieldLabel(path)
  const line = sides.flatMap((side) => side.lines).find((one) => one.key === key)
  const name = line ? lineLabel(line, entry) : 'Line'
  return rest.length === 0 ? name : `${name}: ${fieldLabel(rest.join('.'))}`
}
