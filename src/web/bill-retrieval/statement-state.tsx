import { stateLabels } from '#contract/bill-retrieval/retrieved-statement.ts'
import type { StatementState } from '#contract/bill-retrieval/statement.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const looks: Readonly<Record<StatementState, { readonly tone: Tone; readonly shape?: StatusShape }>> = {
  new: { tone: 'info', shape: 'ring' },
  matched: { tone: 'info' },
  needs_account: { tone: 'warn', shape: 'triangle' },
  needs_meter: { tone: 'warn', shape: 'triangle' },
  duplicate: { tone: 'grey' },
  created: { tone: 'ok' },
  ignored: { tone: 'grey', shape: 'ring' },
}

/** The state of a statement: a dot and its word. */
export function StatementStateWord({ state }: { state: StatementState }) {
  return <StatusDot {...looks[state]}>{stateLabels[state]}</StatusDot>
}
