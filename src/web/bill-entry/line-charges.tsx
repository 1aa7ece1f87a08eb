/** The money of a line: the entry fields of its service, its usage factors, and the sum of the charges. */
import type { LineList } from '#contract/bills/bill-fields.ts'
import type { HistoryLine } from '#contract/bill-audits/history-input.ts'
import { lineCharge } from '#contract/bill-figures/bill-totals.ts'
import { parseDecimal } from '#contract/kernel/decimal.ts'
import { parseMoney, wireOf } from '#contract/kernel/money.ts'
import { figureText } from '../ui/status.tsx'
import { BillMoney, BillNumber } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import styles from './line-block.module.css'
import type { EntryService, LineValues } from './bill-values.ts'
import { alwaysTyped } from './carried.ts'
import { changeLine, openAt, useFormPlace } from './form-context.ts'
import { FindingMark } from './field-marks.tsx'
import { recent, Sparkline } from './sparkline.tsx'
import { withRest } from './typed-charges.ts'

const DECIMALS = 4

export function LineCharges({ line, service, past }: { line: LineValues; service: EntryService; past: readonly HistoryLine[] }) {
  const place = useFormPlace()
  const { set, entry } = place
  const found = openAt(place, `lines.${line.key}.service_bill_entry_fields`)
  const last = entry.last_bill?.service_bills.find((one) => one.service_id === service.id)
  const path = (group: LineList, name: string) => `lines.${line.key}.${group}.${name}`
  const put = (group: LineList, name: string) => (value: string) =>
    changeLine(set, line.key, (before) => ({ ...before, [group]: { ...before[group], [name]: value } }))
  const putCharge = (name: string) => (value: string) => {
    if (value !== '=') return put('service_bill_entry_fields', name)(value)
    return set((before) => withRest(before, line.key, name))
  }
  const lastOf = (group: LineList, name: string) => last?.[group].find((one) => one.name === name)?.value
  const charge = readableCharge(line)
  return (
    <div className={billEntry.grid}>
      {Object.entries(line.service_bill_entry_fields).map(([name, value]) => (
        <BillMoney
          key={name}
          path={path('service_bill_entry_fields', name)}
          value={value}
          onChange={putCharge(name)}
          last={lastOf('service_bill_entry_fields', name)}
          required={alwaysTyped.includes(name) && service.entry_fields.includes(name)}
        />
      ))}
      {Object.entries(line.service_bill_additional_entry_fields).map(([name, value]) => (
        <BillNumber
          key={name}
          path={path('service_bill_additional_entry_fields', name)}
          value={value}
          onChange={put('service_bill_additional_entry_fields', name)}
          scale={DECIMALS}
          bare
          last={lastOf('service_bill_additional_entry_fields', name)}
          required
        />
      ))}
      {Object.entries(line.service_bill_usage_factors).map(([name, value]) => (
        <BillNumber
          key={name}
          path={path('service_bill_usage_factors', name)}
          value={value}
          onChange={put('service_bill_usage_factors', name)}
          scale={DECIMALS}
          bare
          last={lastOf('service_bill_usage_factors', name)}
          required={service.metered}
        />
      ))}
      <div className={styles.sum}>
        <span className={styles.sumLabel}>
          Charges
          {found.length > 0 && <FindingMark findings={found} />}
          <Sparkline values={recent(past, (one) => one.cost)} now={charge === '0.00' ? '' : charge} label="Cost of the last bills" />
        </span>
        <output className="num" aria-label="Charges of the line">
          {figureText(charge, 2, true)}
        </output>
      </div>
    </div>
  )
}

/** Returns the line's charge by the contract's own sum, from the values that can be read so far. */
function readableCharge(line: LineValues): string {
  const values = (group: LineList, read: (typed: string) => string | null) =>
    Object.entries(line[group]).map(([name, value]) => ({ name, value: read(value) }))
  return wireOf(
    lineCharge({
      service_bill_entry_fields: values('service_bill_entry_fields', parseMoney),
      service_bill_additional_entry_fields: values('service_bill_additional_entry_fields', (typed) => parseDecimal(typed, DECIMALS)),
    }),
  )
}
