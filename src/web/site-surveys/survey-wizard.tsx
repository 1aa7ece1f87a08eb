import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { siteSurvey, siteSurveyCalls, type SiteSurvey } from '#contract/site-surveys/site-survey.ts'
import { surveyPartNames, surveyParts, type SurveyPart, type SurveyPartKind } from '#contract/site-surveys/survey-parts.ts'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { BackLink } from '../kernel/back-link.tsx'
import { liveChildren } from '../kernel/forms/child-rows.tsx'
import { FormNotices, formStyles } from '../kernel/forms/entity-form.tsx'
import { childValues, startValues, type FormValues } from '../kernel/forms/form-values.ts'
import { formCalls, useEntityForm, type EntityFormState } from '../kernel/forms/use-entity-form.ts'
import { HistoryButton } from '../kernel/history/history-button.tsx'
import { useGo, usePathId } from '../kernel/navigation.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { confirm } from '../ui/dialogs/confirm-dialog.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { LastSurvey } from './last-survey.tsx'
import styles from './site-surveys.module.css'
import { SurveyDocuments } from './survey-documents.tsx'
import { startSurveyPdf } from './survey-papers.ts'
import { lastStep, sentName, steps, stepsWithErrors, withoutBlank } from './survey-steps.ts'
import { StepList, General, PartStep } from './survey-steps.tsx'

export function NewSiteSurvey() {
  return <SurveyWizard clientId={usePathId('client_id')} />
}

export function EditSiteSurvey() {
  const params = { client_id: usePathId('client_id'), id: usePathId('site_survey_id') }
  const asked = useQuery(apiQuery(siteSurveyCalls.get, { params }))
  return <RecordGate asked={asked}>{(found) => <SurveyWizard clientId={params.client_id} row={found.site_survey} />}</RecordGate>
}

/** The eight steps of a new or a stored survey. Steps can be changed freely; errors are shown when saving, at their steps. */
function SurveyWizard({ clientId, row }: { clientId: number; row?: SiteSurvey }) {
  const go = useGo()
  const ref = useRef<HTMLFormElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  const list = `/clients/${clientId}/site_surveys`
  const [at, setAt] = useState(0)
  const form = useEntityForm(
    {
      entity: siteSurvey,
      row,
      ...formCalls(siteSurveyCalls, 'site_survey', { client_id: clientId }),
      start: noParts,
      startOf: partsOfRow,
      lasting: true,
      onRefused: (errors) => setAt((now) => stepsWithErrors(errors)[0] ?? now),
      onSaved: () => go(list),
    },
    ref,
  )
  const wrong = stepsWithErrors(form.errors)
  useStepWithError(wrong, form.failure, setAt)
  const here = steps[at] ?? steps[0]
  const leave = (next: number) => {
    if (here) form.setValues(withoutBlank(here, form.values))
    setAt(next)
  }
  const save = () => {
    if (here) flushSync(() => form.setValues(withoutBlank(here, form.values)))
    ref.current?.requestSubmit()
  }
  const facilityId = typeof form.values['facility_id'] === 'number' ? form.values['facility_id'] : null
  return (
    <div className={styles.page}>
      <BackLink href={list} />
      <PageHeader
        title={row?.name ?? 'New Site Survey'}
        count={row ? siteSurvey.label : undefined}
        actions={row && <SurveyTools row={row} />}
      />
      <FormNotices entity={siteSurvey} form={form} />
      <div className={styles.wizard}>
        <StepList at={at} values={form.values} wrong={wrong} onStep={leave} />
        <form
          ref={ref}
          noValidate
          aria-label="Site Survey form"
          className={formStyles.form}
          onSubmit={form.onSubmit}
          onBlur={(event) => {
            // A check on blur would move Next away under the pointer that is about to press it.
            if (!foot.current?.contains(event.relatedTarget)) form.onBlur(event)
          }}
          onKeyDown={(event) => onKeyDown(event, save)}
        >
          {form.errors['base'] && (
            <p role="alert" className={formStyles.base}>
              {form.errors['base']}
            </p>
          )}
          <h2 className={styles.stepTitle}>{here?.label}</h2>
          {at === 0 && !row && <LastSurvey clientId={clientId} facilityId={facilityId} onCopy={(survey) => void copyFrom(survey, form)} />}
          {at === 0 && <General clientId={clientId} form={form} row={row} />}
          {here?.part && <PartStep key={here.part} part={here.part} form={form} />}
          {at === lastStep && <SurveyDocuments clientId={clientId} facilityId={facilityId} />}
          <div ref={foot} className={formStyles.foot}>
            <Button disabledReason={at === 0 ? 'This is the first step' : undefined} reasonHidden onClick={() => leave(at - 1)}>
              Previous
            </Button>
            {at < lastStep ? (
              <>
                <Button kind="primary" onClick={() => leave(at + 1)}>
                  Next
                </Button>
                <Button busy={form.busy} title="Ctrl+Enter" onClick={save}>
                  Save
                </Button>
              </>
            ) : (
              <Button kind="primary" type="submit" busy={form.busy} title="Ctrl+Enter">
                Done
              </Button>
            )}
            <FailedAttempt attempt={form} again={form.again} />
            {form.dirty && !form.failure && <span className={formStyles.unsaved}>Kept on this device, not saved yet</span>}
          </div>
        </form>
      </div>
    </div>
  )
}

const noParts: FormValues = Object.fromEntries(surveyPartNames.map((part) => [sentName(part), []]))

function partsOfRow(survey: SiteSurvey): FormValues {
  return Object.fromEntries(surveyPartNames.map((part) => [sentName(part), rowsOf(part, survey)]))
}

function rowsOf(part: SurveyPart, survey: SiteSurvey): Record<string, unknown>[] {
  const { fields }: SurveyPartKind = surveyParts[part]
  return childValues(fields, survey[part])
}

/** Opens the first step with an error after the server has rejected a save. */
function useStepWithError(wrong: readonly number[], failure: EntityFormState['failure'], open: (at: number) => void): void {
  const show = useEffectEvent(() => {
    const [first] = wrong
    if (first !== undefined) open(first)
  })
  useEffect(() => {
    if (failure) show()
  }, [failure])
}

function SurveyTools({ row }: { row: SiteSurvey }) {
  return (
    <>
      <Button onClick={() => void startSurveyPdf(row)}>
        <FileText size={14} aria-hidden="true" />
        PDF
      </Button>
      <HistoryButton item={siteSurvey.name} id={row.id} clientId={row.client_id} />
    </>
  )
}

/** Copies the survey's findings as new records; the typed name is kept. */
async function copyFrom(survey: SiteSurvey, form: EntityFormState): Promise<void> {
  const listed = surveyPartNames.some((part) => liveChildren(form.values[sentName(part)]).length > 0)
  const question = {
    title: 'Copy the last survey',
    message: 'What is listed in this survey so far is replaced.',
    confirmLabel: 'Copy',
  }
  if (listed && !(await confirm(question))) return
  const { facility_id: _, name: _name, ...general } = startValues(siteSurvey, survey)
  const parts = surveyPartNames.map((part) => [sentName(part), valuesAlone(part, survey)])
  form.setValues({ ...general, ...Object.fromEntries(parts) })
}

function valuesAlone(part: SurveyPart, survey: SiteSurvey): object[] {
  return rowsOf(part, survey).map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'id')))
}

/** Ctrl+Enter saves in every step; on a checkbox, y and n check and uncheck it. Enter in a field does not save, because Next leads on. */
function onKeyDown(event: KeyboardEvent<HTMLFormElement>, save: () => void): void {
  const { target } = event
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    save()
    return
  }
  if (!(target instanceof HTMLInputElement)) return
  if (event.key === 'Enter' && target.type !== 'checkbox') event.preventDefault()
  if (target.type === 'checkbox' && ((event.key === 'y' && !target.checked) || (event.key === 'n' && target.checked))) target.click()
}
