import type { ImportState, ImportSummary } from '#contract/imports/import.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const words: Readonly<Record<ImportState, { word: string; tone: Tone; shape?: StatusShape }>> = {
  waiting: { word: 'Waiting', tone: 'info' },
  checking: { word: 'Being checked', tone: 'info' },
  checked: { word: 'Checked, not stored', tone: 'warn' },
  committing: { word: 'Being stored', tone: 'info' },
  committed: { word: 'Stored', tone: 'ok' },
  undoing: { word: 'Being undone', tone: 'info' },
  undone: { word: 'Undone', tone: 'grey', shape: 'ring' },
  failed: { word: 'Failed', tone: 'bad', shape: 'triangle' },
}

/** The state of an import, with the user who started it and the time. */
export function ImportStateWord({ summary }: { summary: ImportSummary }) {
  const { word, tone, shape } = words[summary.state]
  return (
    <>
      <StatusDot tone={tone} shape={shape}>
        {word}
      </StatusDot>
      <span className="num">
        {formatDate(todayIn(NEW_YORK, summary.created_at))}, {summary.user_name}
      </span>
    </>
  )
}
