/**
 * Writes a site survey as PDF, and the empty sheet for filling in by hand. A task writes each under the user's rights at that time, and its file
 * appears in the user's task list.
 */
import { siteSurvey, type SiteSurvey } from '#contract/site-surveys/site-survey.ts'
import { surveyPartNames, surveyParts, type SurveyPart, type SurveyPartKind } from '#contract/site-surveys/survey-parts.ts'
import type { Started } from '#contract/kernel/call.ts'
import type { Fields } from '#contract/kernel/entity.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { readOne, type Source } from '../kernel/lists/list.ts'
import { reachOf } from '../kernel/principal.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { keepTaskFile, taskFileKey } from '../kernel/work/task-file.ts'
import { defineTask, startTaskOnce, type TaskOutcome, type TaskRun } from '../kernel/work/task.ts'
import { emptyCells, filledCells } from './survey-cells.ts'
import { drawSurvey, type PaperSection } from './survey-pdf.ts'

const surveyKind = 'site_survey_pdf'
const sheetKind = 'site_survey_field_sheet'
const input = z.object({ site_survey_id: z.int(), name: z.string() })

/** Number of empty records of each kind on the field sheet. */
const roomFor: Readonly<Record<SurveyPart, number>> = { contacts: 3, compressors: 2, motors: 2, gear_boxes: 2, lightings: 2, hvacs: 3 }

const sheetTitle = 'Site survey field sheet'
const generalFields: Fields = Object.fromEntries(
  ['property_type', 'primary_business', 'property_year', 'number_of_buildings', 'square_footage', 'notes'].flatMap((key) => {
    const field = Object.entries(siteSurvey.fields).find(([name]) => name === key)?.[1]
    return field ? [[key, field]] : []
  }),
)
const sheetFields: Fields = { facility: siteSurvey.fields.facility, name: siteSurvey.fields.name, ...generalFields }

/** Registers both kinds of task; surveys are read from `source`. */
export function defineSurveyPapers(source: Source): void {
  defineTask({
    kind: surveyKind,
    moves: null,
    title: (given) => `PDF of ${input.parse(given).name}`,
    run: (run) => writeSurvey(run, source),
  })
  defineTask({ kind: sheetKind, moves: null, title: () => sheetTitle, run: writeSheet })
}

/** Starts writing a survey. If this user already waits for the same one, returns that task. */
export async function startSurveyPdf(context: Context, { id, client_id, name }: SiteSurvey): Promise<Started> {
  const task = await startTaskOnce(context, { kind: surveyKind, clientId: client_id, input: { site_survey_id: id, name } })
  context.touch(client_id)
  return { success: true, message: 'Site Survey PDF generation started', task_id: task.id }
}

export async function startFieldSheet(context: Context, clientId: number): Promise<Started> {
  const task = await startTaskOnce(context, { kind: sheetKind, clientId, input: {} })
  context.touch(clientId)
  return { success: true, message: 'Site Survey field sheet started', task_id: task.id }
}

async function writeSurvey(run: TaskRun, source: Source): Promise<TaskOutcome | null> {
  const asked = input.parse(run.input)
  const reach = reachOf(run.principal, 'site_survey.read')
  if (reach.length === 0) throw noMoreSurveys()
  await run.step(async ({ tx }) => {
    const survey = await readOne<SiteSurvey>(tx, source, asked.site_survey_id, { reach, clientId: run.clientId })
    if (!survey) throw refused('The site survey was deleted meanwhile.')
    const about = [survey.facility, survey.facility_type_name, await clientName(tx, run.clientId)].filter(Boolean).join(' · ')
    await finishPaper(run, tx, {
      title: survey.name,
      about,
      sections: sectionsOf(survey),
      filename: `site_survey_${survey.id}.pdf`,
      message: `PDF of ${survey.name} is ready`,
    })
  }, reach)
  return null
}

async function writeSheet(run: TaskRun): Promise<TaskOutcome | null> {
  const reach = reachOf(run.principal, 'site_survey.read')
  if (reach.length === 0) throw noMoreSurveys()
  await run.step(async ({ tx }) => {
    await finishPaper(run, tx, {
      title: sheetTitle,
      about: await clientName(tx, run.clientId),
      sections: emptySections(),
      filename: 'site_survey_field_sheet.pdf',
      message: `${sheetTitle} is ready`,
    })
  }, reach)
  return null
}

interface FinishedPaper {
  readonly title: string
  readonly about: string
  readonly sections: readonly PaperSection[]
  readonly filename: string
  readonly message: string
}

async function finishPaper(run: TaskRun, tx: Tx, { title, about, sections, filename, message }: FinishedPaper): Promise<void> {
  const key = taskFileKey('site_surveys', run.id, 'pdf')
  const content = await drawSurvey({ title, about, sections, signal: run.signal })
  const stored = await run.machinery.files.put(key, content, 'application/pdf')
  const fileId = await keepTaskFile(tx, run, { key, filename, contentType: 'application/pdf', ...stored })
  await run.finish(tx, {
    fileId,
    result: { filename },
    message: {
      type: surveyKind,
      notification_type: 'success',
      message,
      description: [filename],
      link: `/api/v5/tasks/${run.id}/file`,
      payload: { filename },
    },
  })
}

async function clientName(tx: Tx, clientId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from clients where id = ${clientId}`.execute(tx)
  return rows[0]?.name ?? ''
}

function sectionsOf(survey: SiteSurvey): PaperSection[] {
  const general: PaperSection = { title: 'General', blocks: [{ title: '', cells: filledCells(generalFields, survey) }] }
  const parts = surveyPartNames.map((name): PaperSection => {
    const { step, one, fields }: SurveyPartKind = surveyParts[name]
    const rows: readonly object[] = survey[name]
    const blocks = rows.map((row, place) => ({ title: calledAt(row, `${one} ${place + 1}`), cells: filledCells(fields, row) }))
    return { title: rows.length === 0 ? step : `${step} (${rows.length})`, blocks }
  })
  return [general, ...parts]
}

function emptySections(): PaperSection[] {
  const parts = surveyPartNames.map((name): PaperSection => {
    const { step, one, fields }: SurveyPartKind = surveyParts[name]
    const blocks = Array.from({ length: roomFor[name] }, (_, place) => ({ title: `${one} ${place + 1}`, cells: emptyCells(fields) }))
    return { title: step, blocks }
  })
  return [{ title: 'General', blocks: [{ title: '', cells: emptyCells(sheetFields) }] }, ...parts]
}

/** Returns the record's title, e.g. 'Motor 2, Pump house'. */
function calledAt(row: object, place: string): string {
  const name = ['name', 'location', 'area', 'manufacturer'].map((key) => Reflect.get(row, key)).find((value) => typeof value === 'string')
  return name === undefined ? place : `${place}, ${name}`
}

const noMoreSurveys = () => forbidden('You may not read site surveys any more.')
