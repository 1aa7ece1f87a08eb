/** The records of one step: each a row of its fields with copy and remove buttons; machines with many fields show the rest on demand. */
import { partsMax, siteSurvey } from '#contract/site-surveys/site-survey.ts'
import { surveyParts, type SurveyPart, type SurveyPartKind } from '#contract/site-surveys/survey-parts.ts'
import { lampCount, lamps } from '#contract/site-surveys/lamp-fields.ts'
import type { Fields } from '#contract/kernel/entity.ts'
import { ChildRows, textOf, type ChildRowProps } from '../kernel/forms/child-rows.tsx'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { FormField } from '../kernel/forms/form-field.tsx'
import { blankChild } from '../kernel/forms/form-values.ts'
import { CheckboxField } from '../ui/fields/choice-fields.tsx'
import { NumberField } from '../ui/fields/number-field.tsx'
import styles from './site-surveys.module.css'
import { sentName } from './survey-steps.ts'

export function SurveyRows({ part, slot }: { part: SurveyPart; slot: SlotProps }) {
  const { one, fields }: SurveyPartKind = surveyParts[part]
  return (
    <ChildRows
      {...slot}
      name={sentName(part)}
      title={one}
      addLabel={`Add ${one}`}
      blank={blankChild(fields)}
      copies
      max={siteSurvey.fields[sentName(part)].max ?? partsMax}
    >
      {(row) => (part === 'lightings' ? <LightingRow row={row} /> : <PartRow groups={groupsOf(part)} fields={fields} row={row} />)}
    </ChildRows>
  )
}

interface Group {
  readonly title: string
  readonly keys: readonly string[]
}

/** A motor has 45 fields: those of its plate come first, followed by the driven pump and the maintenance. */
function groupsOf(part: SurveyPart): readonly Group[] {
  const keys = Object.keys(surveyParts[part].fields)
  if (part !== 'motors') return [{ title: '', keys }]
  const [pump, upkeep] = [keys.indexOf('pump'), keys.indexOf('maintenance_level_required')]
  return [
    { title: '', keys: keys.slice(0, pump) },
    { title: 'Pump and system', keys: keys.slice(pump, upkeep) },
    { title: 'Maintenance', keys: keys.slice(upkeep) },
  ]
}

function PartRow({ groups, fields, row }: { groups: readonly Group[]; fields: Fields; row: ChildRowProps }) {
  return groups.map(({ title, keys }) =>
    title === '' ? (
      <PartFields key={title} keys={keys} fields={fields} row={row} />
    ) : (
      <details key={title} className={styles.more} open={keys.some((key) => row.error(key) !== undefined) || undefined}>
        <summary>{title}</summary>
        <div className={styles.moreFields}>
          <PartFields keys={keys} fields={fields} row={row} />
        </div>
      </details>
    ),
  )
}

function PartFields({ keys, fields, row: { child, set, error } }: { keys: readonly string[]; fields: Fields; row: ChildRowProps }) {
  return keys.map((key) => {
    const field = fields[key]
    if (!field) return null
    return (
      <div key={key} data-wide={field.kind === 'long_text' || undefined} className={styles.value}>
        <FormField name={key} field={field} value={child[key]} error={error(key)} onChange={(value) => set({ [key]: value })} />
      </div>
    )
  })
}

const lighting: Fields = surveyParts.lightings.fields

/** Twelve lamp types, each with a checkbox and a count. Typing a count checks the box. */
function LightingRow({ row }: { row: ChildRowProps }) {
  const { child, set, error } = row
  return (
    <>
      <PartFields keys={['location', 'updated']} fields={lighting} row={row} />
      <div className={styles.lamps} role="group" aria-label="Lamps">
        {lamps.map(({ key, label }) => (
          <div key={key} className={styles.lamp}>
            <CheckboxField label={label} name={key} checked={child[key] === true} onChange={(checked) => set({ [key]: checked })} />
            <NumberField
              label={`${label} Count`}
              name={lampCount(key)}
              value={textOf(child, lampCount(key))}
              error={error(lampCount(key))}
              onChange={(count) => set({ [lampCount(key)]: count, ...(Number(count) > 0 ? { [key]: true } : {}) })}
            />
          </div>
        ))}
      </div>
    </>
  )
}
