/** One service line as a compact block: its reads in one row, its charges in the next, and its past values beside them. */
import { lazy, memo } from 'react'
import { X } from 'lucide-react'
import type { HistoryLine } from '#contract/bill-audits/input.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { numberOfDays } from '#contract/bill-figures/bill-totals.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { figureText } from '../ui/status.tsx'
import { BillComputed, BillDate, BillField, BillFlag, BillNumber } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import styles from './line-block.module.css'
import { usageByReadings, usageOfLine, type EntryService, type LineValues } from './bill-values.ts'
import { lineLabel } from './bill-words.ts'
import { FindingList } from './finding-list.tsx'
import { Fold } from './fold.tsx'
import { changeLine, useFormPlace, type FormPlace } from './form-context.ts'
import { recent, Sparkline } from './sparkline.tsx'
import { LastFiveBills } from './last-five-bills.tsx'
import { LineCharges } from './line-charges.tsx'

const MoreOfLine = lazy(() => import('./more-of-line.tsx').then((module) => ({ default: module.MoreOfLine })))

const noPreviousUsage = 'No Record Of Usage From Previous Bill For This Service'

/** Rerenders only when the line itself, its messages or its findings change. */
export const LineBlock = memo(function LineBlock({ line }: { readonly line: LineValues }) {
  const place = useFormPlace()
  const { entry, locks, set } = place
  const service = entry.services.find((one) => one.id === line.service_id)
  const name = lineLabel(line, entry)
  const past = pastLines(place, line.service_id)
  const removable = locks(`lines.${line.key}._destroy`) === null
  const remove = () => set((before) => ({ ...before, lines: before.lines.filter((one) => one.key !== line.key) }))
  return (
    <section className={styles.line} aria-label={name} data-line={line.key}>
      <header className={styles.lineHead}>
        <h2 title={name}>{service ? <ServiceName service={service} /> : name}</h2>
        {service && <LineFacts line={line} past={past} />}
        {removable && (
          <IconButton small tabIndex={-1} label={`Remove line ${name}`} icon={<X size={14} aria-hidden="true" />} onClick={remove} />
        )}
      </header>
      {line.service_id !== null && !service && (
        <p role="alert" className={billEntry.banner}>
          <strong>ERROR</strong> The service of this line is missing: the account has it no longer. Remove the line, or choose another
          service.
        </p>
      )}
      {!service && <ServiceChoice line={line} />}
      {service && (
        <>
          <Reads line={line} service={service} past={past} />
          <LineCharges line={line} service={service} past={past} />
          <div className={styles.folds}>
            <Fold summary="More line fields" what="further charges and factors, next read, fiscal month, rate, notes">
              {() => <MoreOfLine line={line} service={service} />}
            </Fold>
            <LastFiveBills clientId={entry.client_id} serviceId={service.id} billId={place.storedId} name={name} />
          </div>
        </>
      )}
      <FindingList lineKey={line.key} />
    </section>
  )
})

function ServiceName({ service }: { service: EntryService }) {
  const names = [service.service_name_1, service.service_name_2].filter((name) => name !== null && name !== '').join(', ')
  return (
    <>
      {service.utility_service_name ?? 'Service'} <span className="num">{service.meter_number}</span>
      {names && <span className={billEntry.quiet}> {names}</span>}
      {!service.active && <span className={billEntry.quiet}> (inactive)</span>}
    </>
  )
}

/** The last bill's usage and cost, or a note that there are none. */
function LineFacts({ line, past }: { line: LineValues; past: readonly HistoryLine[] }) {
  const { entry } = useFormPlace()
  const service = entry.services.find((one) => one.id === line.service_id)
  const last = past[0]
  const unit = service?.unit_options.find((option) => option.id === last?.unit_id)?.symbol ?? ''
  if (!last?.usage) return <span className={styles.lineFacts}>{service?.metered ? noPreviousUsage : ''}</span>
  return (
    <span className={cx(styles.lineFacts, 'num')}>
      Last {figureText(last.usage)} {unit}
      {last.read_date ? `, read ${formatDate(last.read_date)}` : ''}, {figureText(last.cost, 2, true)}
    </span>
  )
}

/** Chooses the service of a line that has none. */
function ServiceChoice({ line }: { line: LineValues }) {
  const { entry, set, newLineOf } = useFormPlace()
  return (
    <div className={billEntry.grid}>
      <BillField path={`lines.${line.key}.service_id`} required wide>
        {(props) => (
          <SelectField
            {...props}
            value=""
            emptyLabel="Choose a service"
            options={entry.services.map((service) => ({ value: String(service.id), label: lineLabel({ service_id: service.id }, entry) }))}
            onChange={(id) => changeLine(set, line.key, (before) => ({ ...newLineOf(Number(id), before.key), id: before.id }))}
          />
        )}
      </BillField>
    </div>
  )
}

function Reads({ line, service, past }: { line: LineValues; service: EntryService; past: readonly HistoryLine[] }) {
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

/** Returns the service's lines on the account's earlier bills, newest first. */
function pastLines({ entry, base, storedId }: FormPlace, serviceId: number | null): HistoryLine[] {
  const earlier = storedId === null ? entry.history : entry.history.filter((bill) => bill.date <= base.date)
  return earlier.flatMap((bill) => bill.lines.filter((line) => line.service_id === serviceId))
}

function readable(value: string): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? value : ''
}
