/** Compares the rows that statements declare with what PostgreSQL answered to them during a test file. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDeclaredRows, type DeclaredRow } from './declared-rows.ts'
import { takeReceived, type Received } from './received-rows.ts'
import { rowFaults, type NullableColumns } from './row-faults.ts'

/** The folder in which each process of a whole run writes down the names of the rows that it has compared. */
const { COMPARED_ROWS_FOLDER } = process.env

let declared: Map<string, DeclaredRow[]> | undefined
const compared = new Set<string>()
const known = new Set<string>()

/**
 * Returns the faults of the rows declared by the statements that were sent since the last call. Statements of the same text may declare
 * different rows; one of them must fit.
 */
export function faultsOfRows(nullable: NullableColumns): string[] {
  const taken = takeReceived().filter(isNew)
  if (taken.length === 0) return []
  declared ??= Map.groupBy(readDeclaredRows(), ({ key }) => key)
  const faults = new Set<string>()
  for (const one of taken) {
    const candidates = (declared.get(one.key) ?? []).filter(
      ({ place }) => !one.senders || one.senders.some((file) => place.startsWith(`${file}:`)),
    )
    const judged = candidates.map((row) => ({ row, faults: rowFaults(row, one, nullable) }))
    for (const { row } of judged.filter((row) => row.faults.length === 0)) note(row)
    if (judged.every((row) => row.faults.length > 0)) for (const fault of judged.flatMap((row) => row.faults)) faults.add(fault)
  }
  return [...faults]
}

/** The same columns from the same statement are compared once in a process. */
function isNew({ key, columns }: Received): boolean {
  const signature = `${key}\n${JSON.stringify(columns)}`
  if (known.has(signature)) return false
  known.add(signature)
  return true
}

function note({ name }: DeclaredRow): void {
  if (compared.has(name)) return
  compared.add(name)
  if (COMPARED_ROWS_FOLDER !== undefined) appendFileSync(join(COMPARED_ROWS_FOLDER, String(process.pid)), `${name}\n`)
}
