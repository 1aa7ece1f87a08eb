/** The look of findings wherever they are shown. */
import type { Severity } from '#contract/bill-audits/input.ts'
import { findingSeverities } from '#contract/bill-findings/bill-finding.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const looks: Readonly<Record<Severity, { tone: Tone; shape: StatusShape }>> = {
  'E!': { tone: 'bad', shape: 'lock' },
  E: { tone: 'warn', shape: 'triangle' },
  W: { tone: 'warn', shape: 'ring' },
  I: { tone: 'grey', shape: 'ring' },
}

/** The severity of a finding: a mark and its word. */
export function SeverityMark({ severity }: { severity: Severity }) {
  return <StatusDot {...looks[severity]}>{findingSeverities.find(({ value }) => value === severity)?.label ?? severity}</StatusDot>
}
