/** The steps of the wizard in the order of the specification, with their parts of the form. */
import { surveyPartNames, surveyParts, type SurveyPart } from '#contract/site-surveys/survey-parts.ts'
import { liveChildren, type ChildValues } from '../kernel/forms/child-rows.tsx'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'

export interface SurveyStep {
  readonly label: string
  /** The kind of records that the step lists; null for General and Documents. */
  readonly part: SurveyPart | null
}

export const generalFieldNames = [
  'facility_id',
  'name',
  'property_type',
  'primary_business',
  'property_year',
  'number_of_buildings',
  'square_footage',
  'notes',
] as const

export const steps: readonly SurveyStep[] = [
  { label: 'General', part: null },
  ...surveyPartNames.map((part) => ({ label: surveyParts[part].step, part })),
  { label: 'Documents', part: null },
]
export const lastStep = steps.length - 1

/** Returns the wire name under which a step's records are sent. */
export function sentName(part: SurveyPart): `${SurveyPart}_attributes` {
  return `${part}_attributes`
}

/** Returns the number of records in the step; undefined if the step does not list records. */
export function countAt({ part }: SurveyStep, values: FormValues): number | undefined {
  return part === null ? undefined : liveChildren(values[sentName(part)]).filter((child) => !isBlank(part, child)).length
}

/** Returns the steps that have errors. */
export function stepsWithErrors(errors: FormErrors): number[] {
  const keys = Object.keys(errors)
  return steps.flatMap(({ part }, at) => {
    const isHere = part === null ? at === 0 && keys.some(isGeneral) : keys.some((key) => key.split('.')[0] === sentName(part))
    return isHere ? [at] : []
  })
}

function isGeneral(key: string): boolean {
  return generalFieldNames.some((name) => name === key)
}

/** Returns the changes that remove new records of the step without any entered value; none if there are no such records. */
export function withoutBlank({ part }: SurveyStep, values: FormValues): FormValues {
  if (part === null) return {}
  const value = values[sentName(part)]
  const rows = Array.isArray(value) ? value.filter(isChild) : []
  const kept = rows.filter((child) => typeof child['id'] === 'number' || !isBlank(part, child))
  return kept.length === rows.length ? {} : { [sentName(part)]: kept }
}

function isChild(value: unknown): value is ChildValues {
  return typeof value === 'object' && value !== null
}

/** Whether the record is new and has only its initial values. */
function isBlank(part: SurveyPart, child: ChildValues): boolean {
  if (child['id'] !== undefined) return false
  return Object.entries(surveyParts[part].fields).every(([key, field]) => {
    const value = child[key]
    return value === '' || value === null || value === undefined || ('initial' in field && value === field.initial)
  })
}
