/** The accuracy of each audit: the number of its findings and the share that was right, beside the thresholds that tune it. */
import { useState } from 'react'
import { auditName } from '#contract/bill-audits/rule-names.ts'
import type { RulePrecision } from '#contract/bill-audits/audit-settings.ts'
import type { AuditSettings } from '#contract/bill-audits/bill-audits.ts'
import { auditSettingGroups } from '#contract/bill-audits/setting-words.ts'
import { reasonLabel } from '#contract/bill-findings/bill-finding.ts'
import { naturalOrder } from '#contract/kernel/natural-order.ts'
import { valueText } from '../kernel/value-text.ts'
import { Missing } from '../ui/status.tsx'
import styles from './audit-settings.module.css'

export interface PrecisionTableProps {
  readonly rules: readonly RulePrecision[]
  readonly settings: AuditSettings
}

type SortKey = 'code' | 'raised' | 'open' | 'mistakes' | 'no_problem' | 'gone' | 'precision'

const columns: readonly { readonly key: SortKey; readonly label: string; readonly title?: string }[] = [
  { key: 'code', label: 'Audit' },
  { key: 'raised', label: 'Found' },
  { key: 'open', label: 'Open' },
  { key: 'mistakes', label: 'Mistakes', title: 'Data fixed, or gone when the bill was edited' },
  { key: 'no_problem', label: 'In order', title: 'Vendor confirmed, seasonal, known event, meter changed, other' },
  { key: 'gone', label: 'Cleared automatically', title: 'By a threshold or another audit: says nothing of the rule' },
  { key: 'precision', label: 'Right', title: 'Mistakes among what people judged' },
]

export function PrecisionTable({ rules, settings }: PrecisionTableProps) {
  const [sort, setSort] = useState<{ key: SortKey; down: boolean }>({ key: 'raised', down: true })
  const rows = rules.toSorted((a, b) => compare(a, b, sort.key) * (sort.down ? -1 : 1) || naturalOrder(a.code, b.code))
  return (
    <section className={styles.precision} aria-label="Audit accuracy">
      <h2 className={styles.heading}>Audit accuracy</h2>
      <p className={styles.note}>
        Right is the share of mistakes among the findings that people have judged. A rule that is seldom right needs a wider threshold.
      </p>
      <div className={styles.frame} role="region" aria-label="Precision of the audits">
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(({ key, label, title }) => (
                <th
                  key={key}
                  scope="col"
                  className={key === 'code' ? undefined : styles.right}
                  aria-sort={sort.key === key ? (sort.down ? 'descending' : 'ascending') : undefined}
                >
                  <button
                    type="button"
                    className={styles.sort}
                    title={title}
                    onClick={() => setSort({ key, down: sort.key === key ? !sort.down : key !== 'code' })}
                  >
                    {label}
                    {sort.key === key && <span aria-hidden="true">{sort.down ? ' ↓' : ' ↑'}</span>}
                  </button>
                </th>
              ))}
              <th scope="col">Reasons</th>
              <th scope="col">Thresholds</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((rule) => (
              <tr key={rule.code}>
                <th scope="row">
                  {auditName(rule.code)}
                  {settings.disabled_codes.includes(rule.code) && <span className={styles.tried}> off</span>}
                </th>
                {(['raised', 'open', 'mistakes', 'no_problem', 'gone'] as const).map((key) => (
                  <td key={key} className={`${styles.right} num`}>
                    {rule[key].toLocaleString('en-US')}
                  </td>
                ))}
                <td className={`${styles.right} num`}>
                  {rule.precision === null ? <Missing word="not judged yet" /> : `${rule.precision}%`}
                </td>
                <td className={`${styles.tried} ${styles.reasons}`}>{reasonsOf(rule)}</td>
                <td className={`${styles.tried} num`}>{thresholdsOf(rule.code, settings)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function compare(a: RulePrecision, b: RulePrecision, key: SortKey): number {
  if (key === 'code') return naturalOrder(auditName(a.code), auditName(b.code))
  // Rules without any judgement sort below all others.
  if (key === 'precision') return Number(a.precision ?? -1) - Number(b.precision ?? -1)
  return a[key] - b[key]
}

function reasonsOf({ reasons }: RulePrecision): string {
  return Object.entries(reasons)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${reasonLabel(reason) ?? reason} ${count}`)
    .join(', ')
}

/** Prefixes of each rule's settings. */
const settingStarts: Readonly<Record<string, readonly string[]>> = {
  cost_day_high: ['cost_day_high', 'outlier_spreads'],
  cost_day_low: ['cost_day_low', 'outlier_spreads'],
  reading_break: ['reading_tolerance'],
  reading_regress: ['rollover_'],
  multiplier_change: ['multiplier_tolerance'],
  duplicate_exact: ['duplicate_window'],
  duplicate_likely: ['duplicate_window'],
  due_date: ['due_max', 'lead_days_check'],
  date_sanity: ['read_after_bill', 'bill_old'],
  period_length: ['monthly_tolerance', 'period_'],
  unit_cost: ['unit_cost', 'outlier_spreads'],
  usage_high: ['usage_high', 'outlier_spreads'],
  usage_low: ['usage_low', 'outlier_spreads'],
  supply_match: ['supply_'],
}

function thresholdsOf(code: string, settings: AuditSettings): string {
  const starts = settingStarts[code] ?? [code]
  return auditSettingGroups
    .flatMap((group) => group.settings)
    .filter(({ key }) => starts.some((start) => key.startsWith(start)))
    .map(({ key, label, unit }) => `${label} ${valueText(settings[key]) || 'none'}${unit === '' || unit === '%' ? unit : ` ${unit}`}`)
    .join(' · ')
}
