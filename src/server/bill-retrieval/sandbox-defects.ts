/**
 * Defects of about one sandbox statement in fifteen. A defect changes the plan of a statement before it is written, or adds another
 * statement to it. Its label is never on the statement: it is kept separately, for scoring the audits.
 */
import { addDays } from '#contract/kernel/date.ts'
import { compareDecimals, minus, plus, roundTo, times } from '#contract/kernel/decimal.ts'
import { digitsOf } from '../kernel/seeded-random.ts'

export const sandboxDefects = [
  'duplicate_republication',
  'read_gap',
  'read_overlap',
  'estimated_run',
  'reading_regress',
  'usage_x10',
  'wrong_multiplier',
  'late_fee_balance_forward',
  'unknown_meter',
  'new_account',
  'adjustment_replace',
  'adjustment_add',
  'four_meter_summary',
  'credit_bill',
  'due_tomorrow',
] as const
export type SandboxDefect = (typeof sandboxDefects)[number]

/** Plan of a statement. Quantities are decimal text; charges are computed from usage and rate when it is written. */
export interface StatementPlan {
  readonly variant: 'bill' | 'copy' | 'adjustment' | 'stranger'
  readonly accountNumber: string
  readonly previousReadDate: string
  readonly readDate: string
  readonly billDate: string
  readonly dueDate: string
  readonly isAdjustment: boolean
  readonly meters: readonly MeterPlan[]
  /** Multiples of the current charges, as decimals: the unpaid balance, the late fee, and a credit. */
  readonly balanceForwardShare: string
  readonly lateFeeShare: string
  readonly creditShare: string
}

export interface MeterPlan {
  /** Index of the account's service with the meter; null for a meter that the account does not have. */
  readonly service: number | null
  readonly meterNumber: string
  readonly commodity: 'electric' | 'natural_gas' | 'water' | 'sewer' | 'sanitation'
  readonly unit: string | null
  readonly rate: string
  readonly previousReading: string | null
  readonly meterReading: string | null
  readonly multiplier: string | null
  readonly usage: string
  readonly estimated: boolean
}

/** Planted at random for each statement. An estimated run covers several statements and is decided per quarter, see isEstimatedQuarter. */
export const rolledDefects = sandboxDefects.filter((defect) => defect !== 'estimated_run')

const GAP_DAYS = 12
const OVERLAP_DAYS = 6
const METERS_OF_SUMMARY = 4
const ADJUSTED_AFTER_DAYS = 10
/** If a meter has no reading, a regress starts from this one. */
const READING_DEFAULT = '1000'

/** Returns the statements that are delivered instead of the clean one, each with its label, null if it is clean. */
export function withDefect(plan: StatementPlan, defect: SandboxDefect): readonly { plan: StatementPlan; label: SandboxDefect | null }[] {
  const beside = (other: StatementPlan) => [
    { plan, label: null },
    { plan: other, label: defect },
  ]
  const instead = (other: StatementPlan) => [{ plan: other, label: defect }]
  switch (defect) {
    case 'duplicate_republication':
      return beside({ ...plan, variant: 'copy' })
    case 'read_gap':
      return instead({ ...plan, previousReadDate: addDays(plan.previousReadDate, GAP_DAYS) })
    case 'read_overlap':
      return instead({ ...plan, previousReadDate: addDays(plan.previousReadDate, -OVERLAP_DAYS) })
    case 'estimated_run':
      return instead({ ...plan, meters: plan.meters.map((meter) => ({ ...meter, estimated: true })) })
    case 'reading_regress':
      return instead(withFirstMeter(plan, regressed))
    case 'usage_x10':
      return instead(withFirstMeter(plan, tenfold))
    case 'wrong_multiplier':
      return instead(
        withFirstMeter(plan, (meter) => ({ ...meter, multiplier: times(meter.multiplier ?? '1', '10'), usage: times(meter.usage, '10') })),
      )
    case 'late_fee_balance_forward':
      return instead({ ...plan, balanceForwardShare: '0.97', lateFeeShare: '0.015' })
    case 'unknown_meter':
      return instead(withFirstMeter(plan, strange))
    case 'new_account':
      return beside({
        ...plan,
        variant: 'stranger',
        accountNumber: digitsOf(`account ${plan.accountNumber}`, 10),
        meters: plan.meters.map(strange),
      })
    case 'adjustment_replace':
      return beside({ ...adjustmentOf(plan), meters: plan.meters.map((meter) => withUsage(meter, times(meter.usage, '0.94'))) })
    case 'adjustment_add':
      return beside({ ...adjustmentOf(plan), meters: plan.meters.map((meter) => withUsage(meter, times(meter.usage, '0.04'))) })
    case 'four_meter_summary':
      return instead({ ...plan, meters: [...plan.meters, ...submeters(plan)] })
    case 'credit_bill':
      return instead({ ...plan, creditShare: '1.6' })
    case 'due_tomorrow':
      return instead({ ...plan, dueDate: addDays(plan.billDate, 1) })
  }
}

function withFirstMeter(plan: StatementPlan, change: (meter: MeterPlan) => MeterPlan): StatementPlan {
  return { ...plan, meters: plan.meters.map((meter, place) => (place === 0 ? change(meter) : meter)) }
}

/** The meter reads less than last time, and the usual usage is billed nevertheless. */
function regressed(meter: MeterPlan): MeterPlan {
  const previousReading = meter.previousReading ?? READING_DEFAULT
  const back = roundTo(times(meter.usage, '0.1'), 0)
  const meterReading = compareDecimals(back, previousReading) < 0 ? minus(previousReading, back) : '0'
  return { ...meter, previousReading, meterReading }
}

/** One digit too many: the reading has advanced by the usage, so that the arithmetic of the line is right. */
function tenfold(meter: MeterPlan): MeterPlan {
  const usage = times(meter.usage, '10')
  if (meter.previousReading === null || meter.meterReading === null) return { ...meter, usage }
  const run = times(minus(meter.meterReading, meter.previousReading), '10')
  return { ...meter, usage, meterReading: plus(meter.previousReading, run) }
}

/** Another meter with its own history. */
function strange(meter: MeterPlan): MeterPlan {
  const run = meter.meterReading === null || meter.previousReading === null ? null : minus(meter.meterReading, meter.previousReading)
  return {
    ...meter,
    service: null,
    meterNumber: `N${digitsOf(`meter ${meter.meterNumber}`, 7)}`,
    previousReading: run === null ? null : '0',
    meterReading: run,
  }
}

/** A utility restates usage without readings. */
function withUsage(meter: MeterPlan, usage: string): MeterPlan {
  return { ...meter, service: null, usage: roundTo(usage, 3), previousReading: null, meterReading: null }
}

function adjustmentOf(plan: StatementPlan): StatementPlan {
  const billDate = addDays(plan.billDate, ADJUSTED_AFTER_DAYS)
  return { ...plan, variant: 'adjustment', isAdjustment: true, billDate, dueDate: addDays(plan.dueDate, ADJUSTED_AFTER_DAYS) }
}

function submeters(plan: StatementPlan): MeterPlan[] {
  const [first] = plan.meters
  if (first === undefined) return []
  const missing = Math.max(0, METERS_OF_SUMMARY - plan.meters.length)
  return Array.from({ length: missing }, (_, place) => ({
    ...withUsage(first, times(first.usage, '0.1')),
    meterNumber: `${first.meterNumber}-${place + 2}`,
  }))
}
