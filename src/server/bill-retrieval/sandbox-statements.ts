/**
 * Statements that continue the history of accounts: each period starts at the last read, readings continue from the last one, usage is the
 * account's typical one ± 8%, charges are usage times rate. The same number (`spec`), account and start produce the same statement.
 */
import { addDays } from '#contract/kernel/date.ts'
import { dividedBy, isZero, plus, roundTo, times } from '#contract/kernel/decimal.ts'
import type { Statement } from '#contract/bill-retrieval/statement.ts'
import { seededRandom } from '../kernel/seeded-random.ts'
import { rolledDefects, withDefect, type MeterPlan, type SandboxDefect, type StatementPlan } from './sandbox-defects.ts'
import { type SandboxAccount, written, type SandboxService } from './sandbox-written.ts'

export interface SandboxStatement {
  readonly statement: Statement
  readonly label: SandboxDefect | null
}

/** One statement in this many has a planted defect. */
const DEFECT_EVERY = 15
/** One quarter of an account in this many is estimated throughout. */
const ESTIMATED_QUARTER_EVERY = 75
const PERIOD_DAYS = { least: 28, spread: 6 }
/** Days from the read to the bill. */
const BILLED_AFTER = { least: 2, spread: 4 }
/** A forgotten account does not fill the list. */
const PERIODS_MAX = 60

const commodityOfService: Readonly<Record<string, MeterPlan['commodity']>> = {
  Electric: 'electric',
  'Natural Gas': 'natural_gas',
  Water: 'water',
  Sewer: 'sewer',
  Waste: 'sanitation',
}

/** Returns all statements of the account from its last read until `today`, in order of their periods. */
export function sandboxStatements(spec: number, clientCode: string, account: SandboxAccount, today: string): SandboxStatement[] {
  const services = account.services.filter((service) => commodityOfService[service.utility_service] !== undefined)
  let start = services
    .map((service) => service.last_read_date)
    .toSorted()
    .at(-1)
  const readings = services.map((service) => service.last_reading)
  const made: SandboxStatement[] = []
  for (let period = 0; start !== undefined && period < PERIODS_MAX; period += 1) {
    const random = seededRandom(`${spec}|${clientCode}|${account.account_number}|${start}`)
    const plan = cleanPlan(account, services, readings, start, random)
    if (plan.billDate > today) break
    const defect = rolledDefect(plan, `${spec}|${clientCode}`, random)
    const planned = defect === null ? [{ plan, label: null }] : withDefect(plan, defect)
    for (const one of planned) {
      if (one.plan.billDate > today) continue
      made.push({
        statement: written(one.plan, account, statementId(clientCode, account.account_number, start, one.plan.variant)),
        label: one.label,
      })
      if (one.plan.variant === 'bill')
        for (const meter of one.plan.meters) if (meter.service !== null) readings[meter.service] = meter.meterReading
    }
    start = plan.readDate
  }
  return made
}

function cleanPlan(
  account: SandboxAccount,
  services: readonly SandboxService[],
  readings: readonly (string | null)[],
  start: string,
  random: () => number,
): StatementPlan {
  const days = PERIOD_DAYS.least + Math.floor(random() * PERIOD_DAYS.spread)
  const readDate = addDays(start, days)
  const billDate = addDays(readDate, BILLED_AFTER.least + Math.floor(random() * BILLED_AFTER.spread))
  return {
    variant: 'bill',
    accountNumber: account.account_number,
    previousReadDate: start,
    readDate,
    billDate,
    dueDate: addDays(billDate, account.payment_terms_days),
    isAdjustment: false,
    meters: services.map((service, place) => cleanMeter(service, place, readings[place] ?? null, days, random)),
    balanceForwardShare: '0',
    lateFeeShare: '0',
    creditShare: '0',
  }
}

function cleanMeter(service: SandboxService, place: number, reading: string | null, days: number, random: () => number): MeterPlan {
  const noise = (0.92 + 0.16 * random()).toFixed(4)
  const typical = times(times(service.usage_per_day, String(days)), noise)
  const multiplier = service.multiplier !== null && !isZero(service.multiplier) ? service.multiplier : null
  // Dials are read to two decimals; the usage is computed from the reading, so that the arithmetic is right.
  const run = dividedBy(typical, multiplier ?? '1', 2) ?? '0'
  return {
    service: place,
    meterNumber: service.meter_number,
    commodity: commodityOfService[service.utility_service] ?? 'electric',
    unit: service.unit,
    rate: service.rate,
    previousReading: reading,
    meterReading: reading === null ? null : plus(reading, run),
    multiplier,
    usage: roundTo(times(run, multiplier ?? '1'), 3),
    estimated: false,
  }
}

/** An estimated quarter takes precedence, because it covers the neighbouring statements; otherwise chance decides. */
function rolledDefect(plan: StatementPlan, seed: string, random: () => number): SandboxDefect | null {
  if (isEstimatedQuarter(plan, seed)) return 'estimated_run'
  if (random() >= 1 / DEFECT_EVERY) return null
  return rolledDefects[Math.floor(random() * rolledDefects.length)] ?? null
}

/** Decided by calendar quarter and not by earlier statements, so that it stays the same while the first of its statements are imported. */
function isEstimatedQuarter(plan: StatementPlan, seed: string): boolean {
  const quarter = `${plan.readDate.slice(0, 4)}Q${Math.ceil(Number(plan.readDate.slice(5, 7)) / 3)}`
  return seededRandom(`${seed}|${plan.accountNumber}|${quarter}`)() < 1 / ESTIMATED_QUARTER_EVERY
}

/** Opaque to clients; contains the client and the account. */
export function statementId(clientCode: string, accountNumber: string, start: string, variant: StatementPlan['variant']): string {
  return [clientCode, accountNumber]
    .map((text) => Buffer.from(text).toString('base64url'))
    .concat(start.replaceAll('-', ''), variant)
    .join('.')
}

/** Returns client code and account number of an id; null if it is not one of ours. */
export function partsOfId(id: string): { clientCode: string; accountNumber: string } | null {
  const match = /^([\w-]+)\.([\w-]+)\.\d{8}\.(bill|copy|adjustment|stranger)$/.exec(id)
  const [, client = '', account = ''] = match ?? []
  return match === null
    ? null
    : { clientCode: Buffer.from(client, 'base64url').toString(), accountNumber: Buffer.from(account, 'base64url').toString() }
}
