/** The steps of a site survey. */
import { useMemo } from 'react'
import { facilityCalls } from '#contract/clients/facility.ts'
import { siteSurvey, type SiteSurvey } from '#contract/site-surveys/site-survey.ts'
import type { SurveyPart } from '#contract/site-surveys/survey-parts.ts'
import { FieldSet } from '../kernel/forms/entity-form.tsx'
import type { FormValues } from '../kernel/forms/form-values.ts'
import { LONG_LOOKUP, optionsOf } from '../kernel/forms/picker.tsx'
import type { EntityFormState } from '../kernel/forms/use-entity-form.ts'
import styles from './site-surveys.module.css'
import { SurveyRows } from './survey-rows.tsx'
import { countAt, generalFieldNames, sentName, steps } from './survey-steps.ts'

export function General({ clientId, form, row }: { clientId: number; form: EntityFormState; row: SiteSurvey | undefined }) {
  const pickers = useMemo(
    () => ({ facility_id: optionsOf('facilities', facilityCalls.selectOptions, { client_id: clientId }, { per: LONG_LOOKUP }) }),
    [clientId],
  )
  return <FieldSet section={generalSection} form={form} props={{ entity: siteSurvey, pickers, row }} />
}

const generalSection = { fields: generalFieldNames }

export function PartStep({ part, form }: { part: SurveyPart; form: EntityFormState }) {
  const key = sentName(part)
  const slots = { [key]: (slot: Parameters<typeof SurveyRows>[0]['slot']) => <SurveyRows part={part} slot={slot} /> }
  return <FieldSet section={{ fields: [key] }} form={form} props={{ entity: siteSurvey, slots }} />
}

type StepListProps = {
  at: number
  values: FormValues
  wrong: readonly number[]
  onStep: (at: number) => void
}

/** The steps with their numbers of records: 'Motors 4'. Each can be opened at any time. */
export function StepList({ at, values, wrong, onStep }: StepListProps) {
  return (
    <nav aria-label="Steps" className={styles.steps}>
      <ol>
        {steps.map((step, place) => (
          <li key={step.label}>
            <button type="button" aria-current={place === at ? 'step' : undefined} onClick={() => onStep(place)}>
              <span>{step.label}</span>
              {wrong.includes(place) && <span className={styles.wrong}>to correct</span>}
              <StepCount count={countAt(step, values)} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepCount({ count }: { count: number | undefined }) {
  return count !== undefined && count > 0 ? <span className={styles.count}>{count}</span> : null
}
