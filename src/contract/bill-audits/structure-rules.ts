/** Rules 24 to 26, 31, 33, 36 and 39: whether the bill fits the account, its meters and the ledger. */
import { ratiosSumToOne } from '../kernel/decimal.ts'
import { type CalendarDate, formatDate } from '../kernel/date.ts'
import { type BillAudit, type LineAudit, servicePeriod } from './line-context.ts'
import type { Verdict } from './input.ts'
import type { AuditService } from './estate-input.ts'
import type { HistoryBill } from './history-input.ts'

interface Lifetime {
  readonly active: boolean
  readonly effective_from: CalendarDate | null
  readonly effective_to: CalendarDate | null
}

/** 24. An account or a meter that is closed, or was closed at the time. Being closed today does not matter for a bill from before. */
export function inactive({ bill, input, isCurrent }: BillAudit): Verdict[] {
  const { account, services } = input
  const verdicts: Verdict[] = []
  const period = servicePeriod(bill.service_bills)
  const ofAccount = account && outsideLifetime(account, period.from ?? bill.date, period.to ?? bill.date, isCurrent)
  if (ofAccount) verdicts.push({ severity: 'E!', field: 'account_id', message: `The account ${ofAccount}` })
  for (const line of bill.service_bills) {
    const service = services.find((one) => one.id === line.service_id)
    const ofService = service && outsideLifetime(service, line.previous_read_date ?? bill.date, line.read_date ?? bill.date, isCurrent)
    if (service && ofService)
      verdicts.push({ severity: 'E!', field: 'service_id', service_id: service.id, message: `Meter ${service.meter_number} ${ofService}` })
  }
  return verdicts
}

/** One of this many previous bills must have billed a missing meter: an exchanged or future meter is not missing. */
const MISSED_WITHIN_BILLS = 3

/**
 * 25. An active meter of the account without a line, although it was billed lately or the account is new. An account whose history is imported
 * at once has the meters of all its years from the start, so its first bills are not checked.
 */
export function missingService({ bill, input, earlier, others }: BillAudit): Verdict[] {
  if (input.account?.is_group_account || bill.rebill_adjustment) return []
  const period = servicePeriod(bill.service_bills)
  const billed = new Set(bill.service_bills.map((line) => line.service_id))
  const lately = earlier.slice(-MISSED_WITHIN_BILLS)
  const isBilledBy = (other: HistoryBill, id: number): boolean => other.lines.some((line) => line.service_id === id)
  const isNew = lately.length < MISSED_WITHIN_BILLS && input.context.history_import_on === null
  const isUsual = (id: number): boolean =>
    lately.some((other) => isBilledBy(other, id)) || (isNew && !others.some((other) => isBilledBy(other, id)))
  const expected = input.services.filter(
    (service) => service.active && !service.audits_off && !billed.has(service.id) && isUsual(service.id),
  )
  return expected
    .filter((service) => outsideLifetime(service, period.from ?? bill.date, period.to ?? bill.date, false) === null)
    .map((service) => ({
      severity: 'W',
      field: 'service_bills_attributes',
      service_id: service.id,
      expected: service.meter_number,
      message: `Meter ${service.meter_number} of the account has no line on the bill`,
    }))
}

/** 26. A meter on the statement that the account does not have. */
export function unknownMeter({ input }: BillAudit): Verdict[] {
  return input.context.unknown_meters.map((meter) => ({
    severity: 'E',
    field: 'service_bills_attributes',
    actual: meter,
    message: `The statement bills meter ${meter === '' ? 'without a number' : meter}, which the account does not have`,
  }))
}

/** 31. A different tariff than the one on file. */
export function rateChanged({ line, service }: LineAudit): Verdict[] {
  const [stated, known] = [line.rate_schedule?.trim() ?? '', service?.rate_schedule?.trim() ?? '']
  if (stated === '' || known === '' || stated.toLowerCase() === known.toLowerCase()) return []
  return [
    {
      severity: 'W',
      field: 'rate_schedule',
      expected: known,
      actual: stated,
      message: `The rate schedule is ${stated}; the service is on ${known}`,
    },
  ]
}

/** 36. Before a client batch closes, every line must have its ledger accounts. */
export function glIncomplete({ bill, service }: LineAudit): Verdict[] {
  if (!bill.input.context.for_accounting_batch || service === null) return []
  const problem = ledgerProblem(service)
  return problem === null ? [] : [{ severity: 'E', field: 'ledger_account_id', message: `Meter ${service.meter_number} ${problem}` }]
}

function ledgerProblem({ ledger_shares }: AuditService): string | null {
  if (ledger_shares.length === 0) return 'has no ledger account'
  if (ledger_shares.some((share) => !share.active)) return 'is booked on an inactive ledger account'
  return ratiosSumToOne(ledger_shares.map((share) => share.share_ratio)) ? null : 'has share ratios that do not add up to 1'
}

/** Returns why a bill's time is wrong, or null. The effective dates decide; without them, whether the record is active now. */
function outsideLifetime(
  { active, effective_from, effective_to }: Lifetime,
  from: CalendarDate | null,
  to: CalendarDate | null,
  isCurrent: boolean,
): string | null {
  if (effective_from && to && to <= effective_from) return `starts only on ${formatDate(effective_from)}`
  if (effective_to && from && from > effective_to) return `ended on ${formatDate(effective_to)}`
  return !active && isCurrent && effective_to === null ? 'is inactive' : null
}
