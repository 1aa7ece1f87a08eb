/** What a bill's trail says changed between two of its versions: steps in between that cancel each other are left out. */
import type { ChangedField, HistoryVersion } from '#contract/audit-log/audit-log.ts'

/** `versions` newest first, as the history has them; `from` and `to` are places in it, `from` the older one. */
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
