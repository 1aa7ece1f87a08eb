import { adviceStates, type RemittanceAdvice } from '#contract/payment-batches/remittance-advice.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const looks: Readonly<Record<RemittanceAdvice['state'], { tone: Tone; shape: StatusShape }>> = {
  queued: { tone: 'info', shape: 'ring' },
  sent: { tone: 'ok', shape: 'dot' },
  failed: { tone: 'bad', shape: 'triangle' },
  bounced: { tone: 'bad', shape: 'triangle' },
  held: { tone: 'warn', shape: 'ring' },
  withdrawn: { tone: 'grey', shape: 'dot' },
}

/** The state of a remittance advice as a mark and a word. */
export function AdviceState({ state }: Pick<RemittanceAdvice, 'state'>) {
  return <StatusDot {...looks[state]}>{adviceStates.find(({ value }) => value === state)?.label ?? state}</StatusDot>
}
