/** Merges two people's changes to the same bill value by value, including lines and charges. */
import { lineListNames } from '#contract/bills/bill-fields.ts'
import { type BillValues, type ChargeValues, type LineValues } from './bill-values.ts'
import { same } from './same.ts'

/** Fields that determine the amount due and the usage, which are computed unless typed. */
const partsOfDue = ['amount_due', 'balance_forward', 'current_charges', 'late_fee'] as const
const partsOfUsage = ['usage', 'previous_reading', 'meter_reading', 'multiplier'] as const

/** Returns their bill with this form's changes applied. Where both changed a value, theirs wins for the paths in `takeTheirs`. */
export function merged(base: BillValues, mine: BillValues, theirs: BillValues, takeTheirs: ReadonlySet<string>): BillValues {
  const isOwnDue = makesOwnDue(base, mine) && !takeTheirs.has('amount_due')
  return {
    ...mergedValues(base, mine, theirs, '', takeTheirs),
    amount_due: isOwnDue ? mine.amount_due : theirs.amount_due,
    files: same(base.files, mine.files) || takeTheirs.has('files') ? theirs.files : mine.files,
    linked: same(base.linked, mine.linked) || takeTheirs.has('linked') ? theirs.linked : mine.linked,
    settled: mine.settled,
    charges: mergedRows(base.charges, mine.charges, theirs.charges, 'charges', takeTheirs, mergedCharge),
    lines: mergedRows(base.lines, mine.lines, theirs.lines, 'lines', takeTheirs, mergedLine),
  }
}

/** Whether this form changed the amount due, either typed or through one of its parts. */
export function makesOwnDue(base: BillValues, mine: BillValues): boolean {
  return partsOfDue.some((key) => base[key] !== mine[key])
}

export function makesOwnUsage(base: LineValues, mine: LineValues): boolean {
  return partsOfUsage.some((key) => base[key] !== mine[key])
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
  // Rows that only this form has, and rows that they removed while this form changed them; the latter come back as new rows.
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
    lineListNames.map((group) => [group, mergedValues(base[group], mine[group], theirs[group], `${prefix}${group}.`, takeTheirs)]),
  )
  const isOwnUsage = makesOwnUsage(base, mine) && !takeTheirs.has(`${prefix}usage`)
  return { ...mergedValues(base, mine, theirs, prefix, takeTheirs), usage: isOwnUsage ? mine.usage : theirs.usage, ...groups }
}

/** Merges one level value by value: the changes of `mine` win unless `takeTheirs` names them. */
function mergedValues<T extends object>(base: T, mine: T, theirs: T, prefix: string, takeTheirs: ReadonlySet<string>): T {
  const before = new Map<string, unknown>(Object.entries(base))
  const own = Object.entries(mine).filter(([key, value]) => !same(before.get(key), value) && !takeTheirs.has(`${prefix}${key}`))
  return { ...theirs, ...Object.fromEntries(own) }
}
