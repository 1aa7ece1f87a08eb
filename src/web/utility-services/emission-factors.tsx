import { formatMonth } from '#contract/kernel/date.ts'
import { enteredEdition, type EmissionFactor } from '#contract/reference/utility-service.ts'
import { ChildRows, textOf, type ChildValues } from '../kernel/forms/child-rows.tsx'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { MonthField } from '../ui/fields/month-field.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import styles from './utility-services.module.css'

const blank: ChildValues = { effective_from: '', value: '', source: '', year: '' }

/** The factors of a utility service by month: published ones are read-only, entered ones can be changed. */
export function EmissionFactors({ slot, factors }: { slot: SlotProps; factors: readonly EmissionFactor[] }) {
  const published = factors.filter(({ edition }) => edition !== enteredEdition)
  return (
    <div className={styles.factors} data-wide>
      {published.length > 0 && <Published factors={published} />}
      <ChildRows
        {...slot}
        name="emission_factors_attributes"
        title="Emission Factors"
        addLabel="Add Emission Factor"
        note="Kilograms of CO2e per standard unit. A factor holds from its month on; the emissions of earlier months stay what they were."
        blank={blank}
      >
        {({ child, set, error }) => (
          <>
            <MonthField
              label="Effective From"
              required
              value={textOf(child, 'effective_from')}
              error={error('effective_from')}
              onChange={(effective_from) => set({ effective_from })}
            />
            <NumberField
              label="Emissions Factor"
              required
              scale={4}
              value={textOf(child, 'value')}
              error={error('value')}
              onChange={(value) => set({ value })}
            />
            <TextField
              label="Source"
              required
              value={textOf(child, 'source')}
              error={error('source')}
              onChange={(source) => set({ source })}
            />
            <NumberField
              label="Year"
              required
              format={plainYear}
              value={textOf(child, 'year')}
              error={error('year')}
              onChange={(year) => set({ year: /^\d{1,4}$/.test(year) ? Number(year) : year })}
            />
          </>
        )}
      </ChildRows>
    </div>
  )
}

function Published({ factors }: { factors: readonly EmissionFactor[] }) {
  return (
    <table className={styles.published}>
      <caption className="sr-only">Published emission factors</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Factor</th>
          <th scope="col">Published by</th>
          <th scope="col">Year</th>
        </tr>
      </thead>
      <tbody>
        {factors.map(({ id, effective_from: from, value, symbol, source, edition, year, note }) => (
          <tr key={id}>
            <td className="num">{formatMonth(from)}</td>
            <td className="num">{`${value} kg CO2e/${symbol}`}</td>
            <td>
              {source}, {edition}
              {note !== null && <span className={styles.note}>{note}</span>}
            </td>
            <td className="num">{year}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A year is shown without a thousands separator: 2026, not 2,026. */
function plainYear(year: string): string {
  return year
}
