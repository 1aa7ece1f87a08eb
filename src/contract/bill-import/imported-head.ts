/** The head of a bill as a row of an imported file gives it, for comparison with a stored bill. */
import { printedHeads } from '../bills/bill-fields.ts'
import type { ComparableHead } from '../bills/bill-compare.ts'
import { billsImport, metersPerRow } from './import-bills.ts'
import { readCell } from '../kernel/import-cell.ts'

const headColumns = ['account_number', ...printedHeads] as const

/** Columns missing from the file, and unreadable cells, are left out. */
export function headOfCells(cells: Readonly<Record<string, string>>): ComparableHead {
  const read = (name: string): string | null | undefined => {
    const column = billsImport.columns.find((one) => one.name === name)
    if (!column || cells[name] === undefined) return undefined
    const reading = readCell(column, cells[name])
    if (reading.blank) return null
    return typeof reading.value === 'string' ? reading.value : undefined
  }
  const said = headColumns.flatMap((name) => {
    const value = read(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const meters = Array.from({ length: metersPerRow }, (_, at) => `m${at + 1}`)
  const [from] = meters.flatMap((meter) => read(`${meter}_previous_read_date`) ?? []).toSorted()
  const to = meters
    .flatMap((meter) => read(`${meter}_read_date`) ?? [])
    .toSorted()
    .at(-1)
  const first = from ?? read('previous_read_date')
  const last = to ?? read('read_date')
  return {
    ...Object.fromEntries(said),
    ...(first === undefined ? {} : { previous_read_date: first }),
    ...(last === undefined ? {} : { read_date: last }),
  }
}
