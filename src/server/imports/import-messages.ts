/** Messages about an import: its result in words, and the notice that other windows receive. */
import { importFailedMessage, importKinds, importSuccess, type ImportCounts, type ImportNotice } from '#contract/imports/import.ts'
import type { TaskOutcome } from '../kernel/work/task.ts'
import type { ImportRecord } from './import-record.ts'
import type { PlanCounts } from './outcomes.ts'

/** The kind of the task, and of its notices. */
export const importTask = 'import'

/** Returns the outcome of an import that was checked or stored. */
export function outcomeOf(record: ImportRecord, counts: PlanCounts, state: 'checked' | 'committed', error: string | null): TaskOutcome {
  const said = [summaryText(counts, state), ...partText(record, counts, state)].join('; ')
  const message =
    error !== null
      ? ({ notification_type: 'error', error: true, message: importFailedMessage, description: [error] } as const)
      : state === 'committed'
        ? ({ notification_type: 'success', message: importSuccess.title, description: [importSuccess.text, said] } as const)
        : ({
            notification_type: counts.refused > 0 ? 'warning' : 'info',
            message: `${record.filename} is checked`,
            description: [said],
          } as const)
  return {
    rowsDone: counts.rows,
    result: { import_id: record.id, state, ...counts },
    message: { ...message, type: importTask, link: null, payload: notice(record, counts, state) },
  }
}

/** Returns the outcome of an import with an unusable file. */
export function faultOutcome(record: ImportRecord): TaskOutcome {
  return {
    result: { import_id: record.id, state: 'failed', faults: record.faults },
    message: {
      type: importTask,
      notification_type: 'error',
      error: true,
      message: importFailedMessage,
      description: record.faults,
      link: null,
      payload: notice(record, countsOf(record), 'failed'),
    },
  }
}

export function notice(record: ImportRecord, counts: ImportCounts, state: ImportNotice['state']): Readonly<Record<string, unknown>> {
  const told: ImportNotice = { import_id: record.id, kind: record.kind, state, counts }
  return { ...told }
}

function summaryText({ rows, create, update, unchanged, refused }: ImportCounts, state: 'checked' | 'committed'): string {
  const number = (count: number): string => count.toLocaleString('en-US')
  const words = state === 'committed' ? ['created', 'updated'] : ['new', 'to change']
  return `${number(rows)} rows read: ${number(create)} ${words[0]}, ${number(update)} ${words[1]}, ${number(unchanged)} unchanged, ${number(refused)} refused`
}

/** Dependent parts are counted separately: a row may contain both a record and a part. */
function partText({ kind }: ImportRecord, { partCreate, partUpdate }: PlanCounts, state: 'checked' | 'committed'): string[] {
  const { part } = importKinds[kind]
  if (!part || partCreate + partUpdate === 0) return []
  const words = state === 'committed' ? ['created', 'updated'] : ['new', 'to change']
  const labels = part.labels.toLowerCase()
  return [`${labels}: ${partCreate.toLocaleString('en-US')} ${words[0]}, ${partUpdate.toLocaleString('en-US')} ${words[1]}`]
}

export function countsOf(record: ImportRecord): ImportCounts {
  return {
    rows: record.row_count,
    create: record.create_count,
    update: record.update_count,
    unchanged: record.unchanged_count,
    refused: record.refused_count,
  }
}

export function refusedText({ rows, refused }: ImportCounts): string {
  return `${refused.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} rows are refused, so nothing was stored.`
}
