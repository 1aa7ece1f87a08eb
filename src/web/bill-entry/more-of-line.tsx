/** Fields that few lines fill. */
import type { LineList } from '#contract/bills/bill-fields.ts'
import { addDays, isCalendarDate } from '#contract/kernel/date.ts'
import { useCan } from '../kernel/permissions.tsx'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { BillDate, BillField, BillText } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import styles from './bill-fields.module.css'
import type { EntryService, LineValues } from './bill-values.ts'
import { besideThePath } from './field-steps.ts'
import { changeLine, useFormPlace } from './form-context.ts'
import { BillMonth, BillNotes } from './further-inputs.tsx'

/** The longest time from one read to the next; a date typed without a year means the next such day within it. */
const NEXT_READ_WITHIN_DAYS = 300

export function MoreOfLine({ line, service }: { line: LineValues; service: EntryService }) {
  const { set, entry, linked } = useFormPlace()
  const readsNotes = useCan('bill_notes.read')
  const at = `lines.${line.key}.`
  const put = (changes: Partial<LineValues>) => changeLine(set, line.key, (before) => ({ ...before, ...changes }))
  const supplyBills = [...new Set([...linked.map((one) => one.supply_bill_id), line.supply_bill_id])].filter((id) => id !== null)
  const lacking = entry.entry_fields.map((field) => field.name).filter((name) => !(name in line.service_bill_entry_fields))
  const factors = service.usage_factors.map((factor) => factor.name).filter((name) => !(name in line.service_bill_usage_factors))
  return (
    <div className={cx(billEntry.grid, styles.moreGrid)}>
      <BillDate
        path={`${at}next_read_date`}
        value={line.next_read_date}
        onChange={(next_read_date) => put({ next_read_date })}
        from={line.read_date}
        until={isCalendarDate(line.read_date) ? addDays(line.read_date, NEXT_READ_WITHIN_DAYS) : undefined}
      />
      <BillMonth path={`${at}fiscal_month`} value={line.fiscal_month} onChange={(fiscal_month) => put({ fiscal_month })} />
      <BillText
        path={`${at}rate_schedule`}
        value={line.rate_schedule}
        onChange={(rate_schedule) => put({ rate_schedule })}
        maxLength={500}
      />
      {supplyBills.length > 0 && (
        <BillField path={`${at}supply_bill_id`}>
          {(props) => (
            <SelectField
              {...props}
              value={line.supply_bill_id === null ? '' : String(line.supply_bill_id)}
              emptyLabel="None"
              options={supplyBills.map((id) => ({ value: String(id), label: `Bill ${id}` }))}
              onChange={(id) => put({ supply_bill_id: id === '' ? null : Number(id) })}
            />
          )}
        </BillField>
      )}
      <FieldAdder line={line} group="service_bill_entry_fields" label="Add a charge" names={lacking} />
      <FieldAdder line={line} group="service_bill_usage_factors" label="Add a usage factor" names={factors} />
      {readsNotes && <BillNotes path={`${at}notes`} value={line.notes} onChange={(notes) => put({ notes })} wide />}
    </div>
  )
}

interface FieldAdderProps {
  readonly line: LineValues
  readonly group: LineList
  readonly label: string
  readonly names: readonly string[]
}

/** Adds a field to the line, which may have any field, not only those of its service. */
function FieldAdder({ line, group, label, names }: FieldAdderProps) {
  const { set, locks } = useFormPlace()
  if (names.length === 0 || locks(`lines.${line.key}.${group}`) !== null) return null
  return (
    <div {...besideThePath}>
      <SelectField
        label={label}
        value=""
        emptyLabel="Choose"
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(name) => changeLine(set, line.key, (before) => ({ ...before, [group]: { ...before[group], [name]: '' } }))}
      />
    </div>
  )
}
