import type { WeatherAnswer, WeatherFigures } from '#contract/dashboard/dashboard-weather.ts'
import { formatMonth } from '#contract/kernel/date.ts'
import { approximately, formatDecimal } from '#contract/kernel/decimal.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { saveDrawing, saveText } from '../kernel/open-file.ts'
import type { ChartColor } from '../ui/charts/chart-types.ts'
import { Chart } from '../ui/charts/chart.tsx'
import { cx } from '../ui/class-names.ts'
import { Missing } from '../ui/status.tsx'
import styles from './dashboard.module.css'
import { ScrollFrame } from './scroll-frame.tsx'
import { monthsCsv, percentOf, reasonSentences, spanText, usageText, weatherColumns } from './weather-words.ts'

const COLOR: ChartColor = 'electric'

/** The compared usage of each month as a bar, and the adjusted baseline as a line over the bars. */
export function WeatherMonthsChart({ answer, file }: { answer: WeatherAnswer; file: string }) {
  const { months, service, facility, baseline, report } = answer
  const unit = service?.unit_symbol ?? ''
  const valuesOf = (key: 'compared_usage' | 'adjusted_usage') =>
    months.map((row) => {
      const value = row[key]
      return value === null ? null : approximately(value)
    })
  return (
    <Chart
      title={`Usage and adjusted baseline${unit === '' ? '' : ` (${unit})`}`}
      kind="stacked"
      categories={months.map(({ month }) => formatMonth(month))}
      series={[
        { name: 'Compared usage', color: COLOR, values: valuesOf('compared_usage') },
        { name: 'Adjusted baseline', color: COLOR, values: valuesOf('adjusted_usage'), isLine: true },
      ]}
      valueText={(value) => usageText(value.toFixed(6), unit) ?? ''}
      saving={{
        lines: [facility.name, `Baseline ${spanText(baseline)}, report ${spanText(report)}`],
        onPicture: (svg) => saveDrawing(`${file}.svg`, svg),
        onValues: () => saveText(`${file}.csv`, monthsCsv(answer)),
      }}
    />
  )
}

export function WeatherMonthsTable({ answer }: { answer: WeatherAnswer }) {
  const { months, total, service } = answer
  return (
    <ScrollFrame label="Months in the same weather">
      <table className={styles.ledger}>
        <caption className="sr-only">Months in the same weather</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" className={styles.right}>
              HDD
            </th>
            <th scope="col" className={styles.right}>
              CDD
            </th>
            {weatherColumns.map(({ key, label, isMoney }) => (
              <th key={key} scope="col" className={styles.right}>
                {isMoney ? label : `${label} ${service?.unit_symbol ?? ''}`}
              </th>
            ))}
            <th scope="col" className={styles.right}>
              Billed
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map((row) => (
            <tr key={row.month}>
              <th scope="row">
                {formatMonth(row.month)}
                {row.reason !== null && row.reason !== total.reason && <span className={styles.note}>{reasonSentences[row.reason]}</span>}
              </th>
              <Degrees value={row.heating} normal={row.normal_heating} />
              <Degrees value={row.cooling} normal={row.normal_cooling} />
              <FigureCells figures={row} />
              <td className={cx(styles.right, 'num')}>
                {row.coverage === null ? <Missing word="none" /> : percentOf(approximately(row.coverage))}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className={styles.strong}>
            <th scope="row">Total</th>
            <td />
            <td />
            <FigureCells figures={total} />
            <td />
          </tr>
        </tfoot>
      </table>
    </ScrollFrame>
  )
}

function Degrees({ value, normal }: { value: string | null; normal: string | null }) {
  return (
    <td className={cx(styles.right, 'num')}>
      {value === null ? <Missing word="none" /> : formatDecimal(value, 0)}
      {normal !== null && <span className={styles.delta}>{`normal ${formatDecimal(normal, 0)}`}</span>}
    </td>
  )
}

export function FigureCells({ figures }: { figures: WeatherFigures }) {
  return weatherColumns.map(({ key, isMoney }) => {
    const value = figures[key]
    return (
      <td key={key} className={cx(styles.right, 'num')}>
        {value === null ? <Missing word="none" /> : isMoney ? formatMoney(value) : formatDecimal(value, 0)}
      </td>
    )
  })
}
