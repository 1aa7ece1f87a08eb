/** One service line as a compact block: its reads in one row, its charges in the next, and its past values beside them. */
import { lazy, memo } from 'react'
import { X } from 'lucide-react'
import type { HistoryLine } from '#contract/bill-audits/history-input.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { figureText } from '../ui/status.tsx'
import { BillField } from './bill-fields.tsx'
import billEntry from './bill-entry.module.css'
import styles from './line-block.module.css'
import type { EntryService, LineValues } from './bill-values.ts'
import { lineLabel } from './bill-words.ts'
import { FindingList } from './finding-list.tsx'
import { Fold } from './fold.tsx'
import { changeLine, useFormPlace, type FormPlace } from './form-context.ts'
import { LastFiveBills } from './last-five-bills.tsx'
import { LineCharges } from './line-charges.tsx'
import { Reads } from './line-reads.tsx'

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

/** Returns the service's lines on the account's earlier bills, newest first. */
function pastLines({ entry, base, storedId }: FormPlace, serviceId: number | null): HistoryLine[] {
  const earlier = storedId === null ? entry.history : entry.history.filter((bill) => bill.date <= base.date)
  return earlier.flatMap((bill) => bill.lines.filter((line) => line.service_id === serviceId))
}
