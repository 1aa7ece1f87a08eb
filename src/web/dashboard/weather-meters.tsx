import { useState } from 'react'
import type { WeatherAnswer, WeatherMeter, WeatherPoint } from '#contract/dashboard/dashboard-weather.ts'
import { formatDate, formatMonth, monthOf } from '#contract/kernel/date.ts'
import { approximately, formatDecimal } from '#contract/kernel/decimal.ts'
import { saveDrawing } from '../kernel/open-file.ts'
import { Button } from '../ui/button.tsx'
import { ScatterChart, type ScatterPoint } from '../ui/charts/scatter-chart.tsx'
import { cx } from '../ui/class-names.ts'
import styles from './dashboard.module.css'
import { ScrollFrame } from './scroll-frame.tsx'
import { FigureCells } from './weather-months.tsx'
import { equationText, leftOutText, meterName, qualityText, reasonSentences, spanText, weatherColumns } from './weather-words.ts'

/** Each meter with its equation, how well it fits, and its figures; below it the points of one of them. */
export function WeatherMeters({ answer, file }: { answer: WeatherAnswer; file: string }) {
  const { meters, service } = answer
  const [chosen, setChosen] = useState<number | null>(null)
  const usable = meters.filter((meter) => meter.avoided_usage !== null)
  const shown = meters.find(({ service_id }) => service_id === chosen) ?? usable[0] ?? meters[0]
  const unit = service?.unit_symbol ?? ''
  return (
    <>
      <h2>Meters</h2>
      <ScrollFrame label="Meters in the same weather">
        <table className={styles.ledger}>
          <caption className="sr-only">Meters in the same weather</caption>
          <thead>
            <tr>
              <th scope="col">Meter</th>
              {weatherColumns.map(({ key, label, isMoney }) => (
                <th key={key} scope="col" className={styles.right}>
                  {isMoney ? label : `${label} ${unit}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {meters.map((meter) => (
              <tr key={meter.service_id}>
                <th scope="row">
                  {meterName(meter)}
                  <FitNote meter={meter} unit={unit} />
                  {meters.length > 1 && (
                    <Button small kind="quiet" aria-pressed={meter === shown} onClick={() => setChosen(meter.service_id)}>
                      Show fit<span className="sr-only">{` of ${meterName(meter)}`}</span>
                    </Button>
                  )}
                </th>
                <FigureCells figures={meter} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {shown && <FitChart answer={answer} meter={shown} file={file} />}
    </>
  )
}

function FitNote({ meter: { fit, reason, periods_left_out: leftOut }, unit }: { meter: WeatherMeter; unit: string }) {
  return (
    <>
      {fit && <span className={cx(styles.note, 'num')}>{equationText(fit, unit)}</span>}
      <span className={cx(styles.note, 'num')}>{fit ? qualityText(fit, leftOut) : leftOutText(leftOut).join('')}</span>
      {reason !== null && <span className={styles.note}>{reasonSentences[reason]}</span>}
    </>
  )
}

/**
 * Usage per day over cooling less heating degree days per day, which is the mean temperature above the base. One chart shows every model: the
 * line falls towards the base temperature and rises from it.
 */
function FitChart({ answer, meter, file }: { answer: WeatherAnswer; meter: WeatherMeter; file: string }) {
  const { service, baseline, report, station } = answer
  const { fit, baseline_points: before, report_points: after } = meter
  const unit = service?.unit_symbol ?? ''
  const points = [...before.map((point) => pointOf(point, false, unit)), ...after.map((point) => pointOf(point, true, unit))]
  if (points.length === 0) return <p className={styles.quiet}>No bill period of this meter has degree days.</p>
  const base = `${station?.base_temperature ?? ''} °F`
  return (
    <ScatterChart
      title={`${meterName(meter)}: ${unit} a day and degree days a day`}
      points={points}
      line={fit && lineOf(fit)}
      bends={[0]}
      xText={(value) => String(Number(Math.abs(value).toFixed(2)))}
      yText={(value) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })}
      ends={[`Colder than ${base}: heating degree days a day`, `Warmer: cooling degree days a day`]}
      legend={{
        filled: `Baseline, ${spanText(baseline)}, a bill period each`,
        outlined: `Report, ${spanText(report)}, a month each`,
        line: 'Fitted line',
      }}
      table={[
        ['Period', 'Days', `${unit} a day`, 'HDD a day', 'CDD a day', 'Part'],
        ...before.map((point) => cellsOf(point, periodText(point), 'Baseline')),
        ...after.map((point) => cellsOf(point, formatMonth(monthOf(point.from)), 'Report')),
      ]}
      onPicture={(svg) => saveDrawing(`${file}-fit.svg`, svg)}
    />
  )
}

function lineOf({ base, heating, cooling }: NonNullable<WeatherMeter['fit']>): (x: number) => number {
  const [atBase, perHeating, perCooling] = [approximately(base), approximately(heating), approximately(cooling)]
  return (x) => atBase + (x < 0 ? -x * perHeating : x * perCooling)
}

function pointOf(point: WeatherPoint, outlined: boolean, unit: string): ScatterPoint {
  const name = outlined ? formatMonth(monthOf(point.from)) : periodText(point)
  return {
    x: approximately(point.cooling_per_day) - approximately(point.heating_per_day),
    y: approximately(point.usage_per_day),
    name: `${name}: ${formatDecimal(point.usage_per_day, 1)} ${unit} a day`,
    outlined,
  }
}

function cellsOf(point: WeatherPoint, name: string, part: string): string[] {
  const { days, usage_per_day, heating_per_day, cooling_per_day } = point
  return [name, String(days), formatDecimal(usage_per_day, 2), formatDecimal(heating_per_day, 2), formatDecimal(cooling_per_day, 2), part]
}

function periodText({ from, to }: WeatherPoint): string {
  return `${formatDate(from)} – ${formatDate(to)}`
}
