/** Computes the changes between two versions of a bill from its history; intermediate changes that cancel each other are left out. */
import type { ChangedField, HistoryVersion } from '#contract/audit-log/audit-log.ts'

/** `versions` are newest first, as in the history; `from` and `to` are indexes, `from` of the older one. */
export function changesBetweenVersions(versions: readonly HistoryVersion[], from: number, to: number): ChangedField[] {
  const fields = new Map<string, ChangedField>()
  for (const version of versions.slice(to, from).toReversed()) {
    for (const change of version.changes) {
      const first = fields.get(change.key)
      fields.set(change.key, first ? { ...change, from: first.from } : change)
    }
  }
  return [...fields.values()].filter((change) => change.from !== change.to)
}
