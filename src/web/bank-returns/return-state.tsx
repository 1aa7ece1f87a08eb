import { bankReturnStates, type BankReturn } from '#contract/bank-returns/bank-return.ts'
import { StatusDot, type Tone } from '../ui/status.tsx'

const tones: Readonly<Record<BankReturn['state'], Tone>> = {
  applied: 'ok',
  left: 'warn',
  unmatched: 'bad',
  repeated: 'grey',
  by_hand: 'bad',
}

/** The outcome of an entry of a return file. */
export function ReturnState({ state }: Pick<BankReturn, 'state'>) {
  return <StatusDot tone={tones[state]}>{bankReturnStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>
}
