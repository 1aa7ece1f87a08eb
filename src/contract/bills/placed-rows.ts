/** The order of the rows of a save: stored ones, changed ones and new ones. */
import { linesPerBillMax } from './bill-draft.ts'

/** The origin of a row of the draft: the stored row that it changes, and its position in the sent list. */
export interface PlacedRow {
  readonly id: number | null
  /** Null if the body does not contain it. */
  readonly place: number | null
}

export class Faults {
  readonly found: Record<string, string[]> = {}
  say(key: string, message: string): void {
    this.found[key] = [...(this.found[key] ?? []), message]
  }
}

interface Row {
  readonly id?: number | undefined
  readonly _destroy?: boolean | undefined
}

/** Stored rows keep their order and new ones follow, unless the body contains all remaining rows: then its order applies. */
export function placed(
  rows: readonly Row[],
  storedIds: readonly number[],
  list: string,
  faults: Faults,
): { rows: PlacedRow[]; removed: { id: number; place: number }[] } {
  const places = new Map<number, number>()
  for (const [place, { id }] of rows.entries()) {
    if (id === undefined) continue
    if (!storedIds.includes(id)) faults.say(`${list}.${place}.id`, 'The bill has no such line any more')
    else if (places.has(id)) faults.say(`${list}.${place}.id`, 'This line is given twice')
    else places.set(id, place)
  }
  const removed = [...places].filter(([, place]) => rows[place]?._destroy).map(([id, place]) => ({ id, place }))
  const kept = storedIds
    .filter((id) => !removed.some((one) => one.id === id))
    .map((id): PlacedRow => ({ id, place: places.get(id) ?? null }))
  const fresh = rows.flatMap((row, place): PlacedRow[] => (row.id === undefined && !row._destroy ? [{ id: null, place }] : []))
  const all = [...kept, ...fresh]
  if (all.length > linesPerBillMax && list === 'service_bills_attributes') faults.say(list, `A bill has at most ${linesPerBillMax} lines`)
  return { rows: all.some((row) => row.place === null) ? all : all.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)), removed }
}
