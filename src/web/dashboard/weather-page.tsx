/** A facility's usage against a baseline year in the same weather: the answer, the months, the meters and how well each fits. */
import { isFixedReason, type WeatherAnswer } from '#contract/dashboard/dashboard-weather.ts'
import { formatDecimal } from '#contract/kernel/decimal.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { FacilityHeader } from '../facilities/facilities.ts'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { saveText } from '../kernel/open-file.ts'
import { usePageTitle } from '../kernel/page-title.ts'
import { Can } from '../kernel/permissions.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Missing } from '../ui/status.tsx'
import { fileNameOf } from './graph-csv.ts'
import { useWeather, useWeatherChoices, weatherHref, type WeatherChoices } from './use-weather.ts'
import { WeatherControls } from './weather-controls.tsx'
import { WeatherMeters } from './weather-meters.tsx'
import { WeatherMonthsChart, WeatherMonthsTable } from './weather-months.tsx'
import { avoidedSentence, metersCsv, monthsCsv, reasonSentences, spanText, usageText } from './weather-words.ts'
import styles from './dashboard.module.css'

export function WeatherPage() {
  const clientId = usePathId('client_id')
  const facilityId = usePathId('facility_id')
  const choices = useWeatherChoices()
  const go = useGo()
  const asked = useWeather(clientId, facilityId, choices)
  const title = asked.data ? `In the Same Weather: ${asked.data.facility.name}` : 'In the Same Weather'
  usePageTitle(title)
  const choose = (changed: Partial<WeatherChoices>) =>
    go(weatherHref(clientId, facilityId, { ...choices, ...changed }), { replace: true, resetScroll: false })
  return (
    <>
      <FacilityHeader clientId={clientId} facilityId={facilityId} />
      <div className={styles.page} aria-busy={asked.isPlaceholderData}>
        <PageHeader title={title} />
        <RecordGate asked={asked}>
          {(answer) => (
            <>
              <WeatherControls answer={answer} choices={choices} choose={choose} />
              {answer.total.reason !== null && isFixedReason(answer.total.reason) ? (
                <NothingYet answer={answer} clientId={clientId} />
              ) : (
                <Answer answer={answer} />
              )}
            </>
          )}
        </RecordGate>
      </div>
    </>
  )
}

function Answer({ answer }: { answer: WeatherAnswer }) {
  const { total, facility, service, station, normal_years: years } = answer
  const file = fileNameOf([facility.name, 'same-weather', service?.name ?? '', answer.report.from.slice(0, 7)])
  return (
    <section aria-label="In the same weather" className={styles.ranked}>
      <Tiles answer={answer} />
      <p className="num">{avoidedSentence(answer) ?? 'Nothing can be compared.'}</p>
      {total.reason !== null && <p className={styles.note}>{reasonSentences[total.reason]}</p>}
      <p className={styles.note}>
        {[
          `Baseline ${spanText(answer.baseline)}, report ${spanText(answer.report)}, degree days of ${station?.code ?? ''} ${station?.name ?? ''} at ${station?.base_temperature ?? ''} °F.`,
          'Avoided = what the baseline would have used in the weather of each billed day − the compared usage.',
          answer.unit_cost === null
            ? ''
            : `Avoided cost is at the report’s unit cost, $${formatDecimal(answer.unit_cost, 4)} per ${service?.unit_symbol ?? ''}.`,
          years.length === 0 ? '' : `Normalized = the compared usage in the mean weather of ${years.join(', ')}.`,
        ].join(' ')}
      </p>
      <WeatherMonthsChart answer={answer} file={file} />
      <div className={styles.rankedBar}>
        <h2>Months</h2>
        <span className={styles.rankedActs}>
          <Button small onClick={() => saveText(`${file}.csv`, monthsCsv(answer))}>
            Export Months
          </Button>
          <Button small onClick={() => saveText(`${file}-meters.csv`, metersCsv(answer))}>
            Export Meters
          </Button>
        </span>
      </div>
      <WeatherMonthsTable answer={answer} />
      <WeatherMeters answer={answer} file={file} />
    </section>
  )
}

function Tiles({ answer: { total, service } }: { answer: WeatherAnswer }) {
  const unit = service?.unit_symbol ?? ''
  return (
    <dl className={styles.tiles} aria-label="The comparison">
      <Tile label="Usage that is compared" text={usageText(total.compared_usage, unit)} />
      <Tile label="Baseline in the same weather" text={usageText(total.adjusted_usage, unit)} />
      <Tile
        label="Avoided"
        text={usageText(total.avoided_usage, unit)}
        more={total.avoided_cost === null ? null : formatMoney(total.avoided_cost)}
      />
      <Tile label="Normalized usage" text={usageText(total.normalized_usage, unit)} />
    </dl>
  )
}

function Tile({ label, text, more = null }: { label: string; text: string | null; more?: string | null }) {
  return (
    <div className={styles.tile}>
      <dt className={styles.tileLabel}>{label}</dt>
      <dd className={`${styles.tileFigures} num`}>
        {text ?? <Missing word="none" />}
        {more !== null && <span className={styles.quiet}>{more}</span>}
      </dd>
    </div>
  )
}

/** What would bring the first figures. */
function NothingYet({ answer, clientId }: { answer: WeatherAnswer; clientId: number }) {
  const { total, facility, station } = answer
  const reason = total.reason ?? 'no_usage'
  return (
    <EmptyState
      title={reasonSentences[reason]}
      actions={
        reason === 'no_station' ? (
          <Can do="facility.update">
            <ButtonLink kind="primary" href={`/clients/${clientId}/facilities/${facility.id}/edit`}>
              Name a Weather Station
            </ButtonLink>
          </Can>
        ) : reason === 'no_degree_days' ? (
          <Can do="setting.create">
            <ButtonLink kind="primary" href="/settings/degree_days/import">
              Import Degree Days
            </ButtonLink>
          </Can>
        ) : undefined
      }
    >
      {reason === 'no_degree_days'
        ? `Degree days of ${station?.code ?? ''} are imported from a file, by day or by month.`
        : 'Its usage stands here beside what a baseline year would have used in the same weather.'}
    </EmptyState>
  )
}
