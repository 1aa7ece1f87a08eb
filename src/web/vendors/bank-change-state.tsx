import { bankChangeStates, type VendorBankChange } from '#contract/vendors/vendor-bank-change.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const looks: Readonly<Record<VendorBankChange['state'], { tone: Tone; shape: StatusShape }>> = {
  waiting: { tone: 'warn', shape: 'ring' },
  approved: { tone: 'ok', shape: 'dot' },
  refused: { tone: 'bad', shape: 'triangle' },
  withdrawn: { tone: 'grey', shape: 'ring' },
  replaced: { tone: 'grey', shape: 'dot' },
}

/** The state of a change as a mark and a word. */
export function BankChangeState({ state }: { state: VendorBankChange['state'] }) {
  return <StatusDot {...looks[state]}>{bankChangeStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>
}
