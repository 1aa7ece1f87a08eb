/** Turns findings into the flags of the specification. */
import type { Finding } from './input.ts'

/** The per-field flag of the specification that a rule raises; other rules appear in `flags` only. */
const FLAG_OF = {
  read_gap: 'previous_read_date_flag',
  read_overlap: 'previous_read_date_flag',
  period_length: 'number_of_days_flag',
  reading_break: 'previous_reading_flag',
  reading_regress: 'previous_reading_flag',
  multiplier_change: 'multiplier_flag',
  usage_math: 'usage_flag',
  usage_zero: 'usage_flag',
  usage_high: 'usage_flag',
  usage_low: 'usage_flag',
  usage_negative: 'usage_flag',
  usage_same: 'usage_flag',
  unit_mismatch: 'usage_flag',
  estimated_run: 'estimated_flag',
} as const satisfies Record<string, FieldFlag>

/** Rules about a meter or a linked bill that has no line here. */
export const childCodes = ['missing_service', 'unknown_meter', 'supply_match', 'supply_unlinked'] as const

type FieldFlag =
  | 'previous_read_date_flag'
  | 'number_of_days_flag'
  | 'previous_reading_flag'
  | 'multiplier_flag'
  | 'usage_flag'
  | 'estimated_flag'

export interface FieldFlags extends Record<FieldFlag, boolean> {
  /** Messages by code; several messages of one code are joined. */
  readonly flags: Record<string, string>
  /** True if a line, a meter without a line, or a linked bill is flagged. */
  readonly any_child_flags: boolean
}

/** Information explains and is no flag: a first estimated read, or a one-day gap of inclusive dates, needs no action. */
export function isFlag(finding: Pick<Finding, 'severity'>): boolean {
  return finding.severity !== 'I'
}

/** Returns the flags of a bill from its open findings. `anyLinkedFlags`: a linked supply bill has flags. */
export function fieldFlags(findings: readonly Finding[], anyLinkedFlags = false): FieldFlags {
  const open = findings.filter(isFlag)
  const raised = new Set(open.map((finding) => flagOf(finding.code)))
  return {
    previous_read_date_flag: raised.has('previous_read_date_flag'),
    number_of_days_flag: raised.has('number_of_days_flag'),
    previous_reading_flag: raised.has('previous_reading_flag'),
    multiplier_flag: raised.has('multiplier_flag'),
    usage_flag: raised.has('usage_flag'),
    estimated_flag: raised.has('estimated_flag'),
    flags: messagesByCode(open),
    any_child_flags:
      anyLinkedFlags ||
      open.some(({ line, service_id, code }) => line !== null || service_id !== null || childCodes.some((one) => one === code)),
  }
}

/** The flags of one service line. */
export function lineFlags(findings: readonly Finding[], line: number): FieldFlags {
  return fieldFlags(findings.filter((finding) => finding.line === line))
}

/** Returns the counts of a bill row: open_errors counts E and E!, open_blocking only E!. */
export function countOpen(findings: readonly Pick<Finding, 'severity'>[]): {
  open_errors: number
  open_blocking: number
  open_warnings: number
} {
  const blocking = findings.filter((finding) => finding.severity === 'E!').length
  return {
    open_errors: findings.filter((finding) => finding.severity === 'E').length + blocking,
    open_blocking: blocking,
    open_warnings: findings.filter((finding) => finding.severity === 'W').length,
  }
}

function flagOf(code: string): FieldFlag | undefined {
  const flags: Readonly<Record<string, FieldFlag>> = FLAG_OF
  return flags[code]
}

function messagesByCode(findings: readonly Finding[]): Record<string, string> {
  const messages: Record<string, string> = {}
  for (const { code, message } of findings) messages[code] = messages[code] === undefined ? message : `${messages[code]}; ${message}`
  return messages
}
