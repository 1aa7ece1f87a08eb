/** The reads of a service line. */
import type { HistoryLine } from '#contract/bill-audits/history-input.ts'
import { numberOfDays } from '#contract/bill-figures/bill-totals.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { BillComputed, BillDate, BillField, BillFlag, BillNumber } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import { usageByReadings, usageOfLine, type EntryService, type LineValues } from './bill-values.ts'
import { changeLine, useFormPlace } from './form-context.ts'
import { recent, Sparkline } from './sparkline.tsx'

export function Reads({ line, service, past }: { line: LineValues; service: EntryService; past: readonly HistoryLine[] }) {
  const { set } = useFormPlace()
  const at = `lines.${line.key}.`
  const put = (changes: Partial<LineValues>) => changeLine(set, line.key, (before) => ({ ...before, ...changes }))
  const days = numberOfDays({ previous_read_date: line.previous_read_date || null, read_date: line.read_date || null })
  const usage = usageOfLine(line, service)
  const byReadings = usageByReadings(line, service) ?? ''
  const options = service.unit_options.map((unit) => ({ value: String(unit.id), label: unit.symbol }))
  const lacksReadings = service.metered && line.usage !== '' && line.meter_reading === ''
  return (
    <div className={billEntry.grid}>
      <BillDate
        path={`${at}previous_read_date`}
        value={line.previous_read_date}
        onChange={(previous_read_date) => put({ previous_read_date })}
        required={service.metered}
      />
      <BillDate
        path={`${at}read_date`}
        value={line.read_date}
        onChange={(read_date) => put({ read_date })}
        from={line.previous_read_date}
        required={service.metered}
        aside={
          <output className="num" aria-label="Days">
            {days === null ? '' : days === 1 ? '1 day' : `${days} days`}
          </output>
        }
      />
      {service.metered && (
        <>
          <BillNumber
            path={`${at}previous_reading`}
            value={line.previous_reading}
            onChange={(previous_reading) => put({ previous_reading })}
            scale={2}
          />
          <BillNumber
            path={`${at}meter_reading`}
            value={line.meter_reading}
            onChange={(meter_reading) => put({ meter_reading })}
            scale={2}
            last={past[0]?.meter_reading}
            warning={lacksReadings ? 'No meter data' : undefined}
          />
          <BillNumber
            path={`${at}multiplier`}
            value={line.multiplier}
            onChange={(multiplier) => put({ multiplier })}
            scale={3}
            bare
            last={service.meter_multiplier ?? '1'}
          />
        </>
      )}
      <BillComputed
        path={`${at}usage`}
        value={usage}
        typed={line.usage}
        computed={byReadings}
        onChange={(typed) => put({ usage: typed })}
        takeBack={() => put({ usage: '' })}
        scale={3}
        last={past[0]?.usage}
        required={service.metered}
        aside={<Sparkline values={recent(past, (one) => one.usage)} now={readable(usage)} label="Usage of the last bills" />}
      />
      {options.length > 0 && (
        <BillField path={`${at}unit_id`}>
          {(props) => (
            <SelectField
              {...props}
              value={line.unit_id === null ? '' : String(line.unit_id)}
              emptyLabel={line.raw_unit || 'Not said'}
              options={options}
              onChange={(id) => put({ unit_id: id === '' ? null : Number(id) })}
            />
          )}
        </BillField>
      )}
      {service.metered && <BillFlag path={`${at}estimated`} checked={line.estimated} onChange={(estimated) => put({ estimated })} />}
    </div>
  )
}

function readable(value: string): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? value : ''
}
