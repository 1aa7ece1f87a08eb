/** The audits that compare the bill of a supplier with that of the delivery. */
import { type CalendarDate, daysBetween } from '../kernel/date.ts'
import { approximately } from '../kernel/decimal.ts'
import type { LineAudit } from './line-context.ts'
import type { Verdict } from './input.ts'
import type { LinkedLine } from './estate-input.ts'
import { dayCount, rate } from './words.ts'

/**
 * 33. Delivery and supply are two bills for the same energy: the supplier's line is compared with the delivery of the same days. Only the
 * nightly re-audit reports a supply bill that has not come.
 */
export function supplyMatch(audit: LineAudit): Verdict[] {
  return audit.service?.is_supply ? deliveryDiffers(audit) : supplyMissing(audit)
}

function deliveryDiffers({ line, service, usage, settings, unit }: LineAudit): Verdict[] {
  const delivered = (service?.linked_lines ?? []).filter((linked) => isSameDays(linked, line)).map((linked) => linked.standard_usage)
  if (usage === null || delivered.length === 0 || delivered.includes(null)) return []
  const expected = delivered.reduce((sum, one) => sum + approximately(one ?? '0'), 0)
  if (Math.abs(usage - expected) <= (Math.abs(expected) * settings.supply_match_percent) / 100) return []
  return [
    {
      severity: 'W',
      field: 'usage',
      expected: rate(expected),
      actual: rate(usage),
      limit: `${settings.supply_match_percent}%`,
      message: `The supplied ${rate(usage)} ${unit} are not the ${rate(expected)} ${unit} delivered in the same days`,
    },
  ]
}

function supplyMissing({ line, service, bill, settings }: LineAudit): Verdict[] {
  const { input } = bill
  if (!input.context.is_nightly || !service?.expects_supply_bill || !bill.bill.date) return []
  const waited = daysBetween(bill.bill.date, input.today)
  if (waited <= settings.supply_wait_days || service.linked_lines.some((linked) => isMostly(linked, line))) return []
  return [
    {
      severity: 'W',
      field: 'linked_service_bill_ids',
      limit: dayCount(settings.supply_wait_days),
      message: `No supply bill came within ${dayCount(settings.supply_wait_days)} of the delivery bill: ${dayCount(waited)}`,
    },
  ]
}

type Period = Pick<LinkedLine, 'previous_read_date' | 'read_date'>

/** Some bills print the last day of a period, others the first of the next. */
const INCLUSIVE_DAYS = 1

function isSameDays(one: Period, other: Period): boolean {
  return isNear(one.previous_read_date, other.previous_read_date) && isNear(one.read_date, other.read_date)
}

function isNear(one: CalendarDate | null, other: CalendarDate | null): boolean {
  return one !== null && other !== null && Math.abs(daysBetween(one, other)) <= INCLUSIVE_DAYS
}

/** Whether the linked line covers more than half of the line's days. */
function isMostly(linked: Period, line: Period): boolean {
  if (!linked.previous_read_date || !linked.read_date || !line.previous_read_date || !line.read_date) return false
  const from = linked.previous_read_date > line.previous_read_date ? linked.previous_read_date : line.previous_read_date
  const to = linked.read_date < line.read_date ? linked.read_date : line.read_date
  return daysBetween(from, to) * 2 > daysBetween(line.previous_read_date, line.read_date)
}

/** 39. A supplier's meter that is not linked to its delivery meter counts twice: usage and tonnes. */
export function supplyUnlinked({ service, usage }: LineAudit): Verdict[] {
  if (!service?.lacks_delivery || usage === null || usage === 0) return []
  return [
    {
      severity: 'W',
      field: 'linked_service_bill_ids',
      message: `Supply meter ${service.meter_number} is linked to no delivery meter of its facility: its usage counts twice`,
    },
  ]
}
