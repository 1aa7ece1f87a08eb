import { lineStates, type BankStatementLine } from '#contract/bank-statements/bank-statement-line.ts'
import { StatusDot, type Tone } from '../ui/status.tsx'

const tones: Readonly<Record<BankStatementLine['state'], Tone>> = {
  matched: 'ok',
  proposed: 'warn',
  open: 'bad',
  explained: 'grey',
  ignored: 'grey',
}

/** The state of a line of a bank statement. */
export function LineState({ state }: Pick<BankStatementLine, 'state'>) {
  return <StatusDot tone={tones[state]}>{lineStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>
}
