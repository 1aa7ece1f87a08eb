/** The table of why a cost changed: how it sorts, what it says of a change, and its file. Pure. */
import { basisLabels } from '#contract/dashboard/basis.ts'
import { childKindLabels } from '#contract/dashboard/dashboard-children.ts'
import {
  unsplitReasonLabels,
  unsplitReasons,
  type CostChange,
  type CostChangeRow,
  type CostSplit,
  type ServiceSplit,
} from '#contract/dashboard/dashboard-cost-change.ts'
import { absolute, formatDecimal, isZero } from '#contract/kernel/decimal.ts'
import { compareMoney, formatMoney } from '#contract/kernel/money.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { csvText } from '../kernel/csv-text.ts'

export const changeColumns = [
  { key: 'previous', label: 'Year before', signed: false },
  { key: 'current', label: 'Cost', signed: false },
  { key: 'change', label: 'Change', signed: true },
  { key: 'by_usage', label: 'By usage', signed: true },
  { key: 'by_price', label: 'By price', signed: true },
  { key: 'unsplit', label: 'Not split', signed: true },
] as const
export const DEFAULT_CHANGE_ORDER = '-change'

export function sortedChanges(rows: readonly CostChangeRow[], order: string): readonly CostChangeRow[] {
  const sign = order.startsWith('-') ? -1 : 1
  const key = changeColumns.find((column) => column.key === order.replace('-', ''))?.key
  if (key === undefined) return rows.toSorted((a, b) => sign * naturalOrder(a.name, b.name))
  return rows.toSorted((a, b) => sign * compareMoney(a[key], b[key]) || naturalOrder(a.name, b.name))
}

/** '+$12.00', '−$12.00'; nothing before zero. */
export function signedMoney(amount: string): string {
  if (isZero(amount)) return formatMoney(amount)
  return `${amount.startsWith('-') ? '−' : '+'}${formatMoney(absolute(amount))}`
}

/** 'Cost rose by $444.00: +$240.00 by usage, +$144.00 by price, +$60.00 that cannot be split.' */
export function changeSentence({ change, by_usage, by_price, unsplit }: CostSplit): string {
  const parts = [`${signedMoney(by_usage)} by usage`, `${signedMoney(by_price)} by price`]
  if (!isZero(unsplit)) parts.push(`${signedMoney(unsplit)} that cannot be split`)
  const whole = isZero(change)
    ? 'Cost did not change'
    : `Cost ${change.startsWith('-') ? 'fell' : 'rose'} by ${formatMoney(absolute(change))}`
  return `${whole}: ${parts.join(', ')}.`
}

/** '12,000 → 14,400 kWh, $0.1000 → $0.1100 per kWh'; empty where nothing of the service is split. */
export function unitsSentence({ usage, unit_cost, unit_symbol }: ServiceSplit): string {
  if (usage.current === null || usage.previous === null) return ''
  const unit = unit_symbol ?? ''
  const used = `${formatDecimal(usage.previous, 0)} → ${formatDecimal(usage.current, 0)} ${unit}`
  if (unit_cost.current === null || unit_cost.previous === null) return used
  return `${used}, $${formatDecimal(unit_cost.previous, 4)} → $${formatDecimal(unit_cost.current, 4)} per ${unit}`
}

/** A line for each row and service, with all digits and the amount of each reason. */
export function costChangeCsv({ children, basis, windows }: CostChange, rows: readonly CostChangeRow[]): string {
  const head = [
    childKindLabels[children],
    'Place',
    'Service',
    'From',
    'To',
    'Previous From',
    'Previous To',
    'Previous Cost',
    'Cost',
    'Change',
    'By Usage',
    'By Price',
    'Not Split',
    ...unsplitReasons.map((reason) => unsplitReasonLabels[reason]),
    'Usage Unit',
    'Previous Usage',
    'Usage',
    'Previous Unit Cost',
    'Unit Cost',
    'Basis',
  ]
  const { current, previous } = windows
  const lines = rows.flatMap((row) =>
    row.services.map((service) => [
      row.name,
      row.place ?? '',
      service.name,
      current.from,
      current.to,
      previous.from,
      previous.to,
      ...changeColumns.map(({ key }) => service[key]),
      ...unsplitReasons.map((reason) => service.reasons.find((one) => one.reason === reason)?.amount ?? '0.00'),
      service.unit_symbol ?? '',
      service.usage.previous ?? '',
      service.usage.current ?? '',
      service.unit_cost.previous ?? '',
      service.unit_cost.current ?? '',
      basisLabels[basis],
    ]),
  )
  return csvText([head, ...lines])
}
