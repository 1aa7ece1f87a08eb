/** Site surveys of a client's facilities, with the people, machines, lamps and rooms that they list. The front door of the slice. */
import { listedSurvey, siteSurvey, siteSurveyCalls, type ListedSurvey, type SiteSurveyDraft } from '#contract/site-surveys/site-survey.ts'
import { surveyPartNames, surveyParts, type SurveyPart, type SurveyPartKind } from '#contract/site-surveys/survey-parts.ts'
import { readableKeys } from '#contract/kernel/entity.ts'
import { sql, type RawBuilder } from 'kysely'
import { siteSurveyScope } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { saveChildren } from '../kernel/lists/children.ts'
import { readPage } from '../kernel/lists/list.ts'
import {
  answerWrite,
  askedBy,
  createRow,
  destroyRow,
  exportHandler,
  readRow,
  resource,
  updateRow,
  type Saving,
} from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { defineSurveyPapers, startFieldSheet, startSurveyPdf } from './survey-papers.ts'

export const siteSurveys = resource({
  entity: siteSurvey,
  table: 'site_surveys',
  scope: siteSurveyScope,
  joins: {
    facility: sql`join facilities facility on facility.client_id = site_surveys.client_id and facility.id = site_surveys.facility_id`,
    facility_type: sql`left join facility_types facility_type on facility_type.id = facility.facility_type_id`,
  },
  columns: {
    facility: { sql: sql.ref('facility.name'), joins: ['facility'] },
    facility_type_name: { sql: sql.ref('facility_type.name'), joins: ['facility', 'facility_type'] },
    contacts: { sql: listedParts('contacts') },
    compressors: { sql: listedParts('compressors') },
    motors: { sql: listedParts('motors') },
    gear_boxes: { sql: listedParts('gear_boxes') },
    lightings: { sql: listedParts('lightings') },
    hvacs: { sql: listedParts('hvacs') },
  },
  search: ['name', 'facility'],
})

defineSurveyPapers(siteSurveys)

const saving: Saving<typeof siteSurvey.fields> = { children: saveParts }

/** A list does not read contacts and machines: a page of surveys could hold ten thousand of them. */
const listedKeys = ['id', 'lock_version', ...readableKeys(listedSurvey.fields)]

export const siteSurveyHandlers: readonly Handler[] = [
  handle(siteSurveyCalls.list, async (context, { params, query }) => {
    const asked = checkedQuery(siteSurveys, query)
    const { rows, total } = await readPage<ListedSurvey>(context.tx, siteSurveys, asked, askedBy(context, params), listedKeys)
    return total === undefined ? { site_surveys: rows } : { site_surveys: rows, total }
  }),
  exportHandler(siteSurveyCalls.exportCsv, siteSurveys),
  handle(siteSurveyCalls.get, async (context, { params }) => ({
    site_survey: await readRow(context, siteSurveys, params.id, askedBy(context, params)),
  })),
  handle(siteSurveyCalls.create, async (context, { params, body }) =>
    answerWrite(siteSurvey, 'created', await createRow(context, siteSurveys, body.site_survey, params.client_id, saving)),
  ),
  handle(siteSurveyCalls.update, async (context, { params, body }) =>
    answerWrite(
      siteSurvey,
      'updated',
      await updateRow(context, siteSurveys, params.id, body.site_survey, askedBy(context, params), saving),
    ),
  ),
  handle(siteSurveyCalls.destroy, async (context, { params }) => {
    await destroyRow(context, siteSurveys, params.id, askedBy(context, params))
    return { success: true, message: 'Site Survey deleted' }
  }),
  handle(siteSurveyCalls.generatePdf, async (context, { params }) =>
    startSurveyPdf(context, await readRow(context, siteSurveys, params.id, askedBy(context, params))),
  ),
  handle(siteSurveyCalls.fieldSheet, (context, { params }) => startFieldSheet(context, params.client_id)),
]

/** Returns all parts of one kind in the order they were added. Decimals are text, since JSON would lose their zeros. */
function listedParts(part: SurveyPart): RawBuilder<unknown> {
  const { fields }: SurveyPartKind = surveyParts[part]
  const columns = Object.entries(fields).map(([key, { kind }]) =>
    kind === 'decimal' ? sql`${sql.ref(`listed.${key}`)}::text as ${sql.ref(key)}` : sql.ref(`listed.${key}`),
  )
  return sql`(select coalesce(json_agg(row_to_json(one) order by one.id), '[]') from (select listed.id, ${sql.join(columns)}
    from ${sql.table(part)} listed where listed.client_id = site_surveys.client_id and listed.site_survey_id = site_surveys.id) one)`
}

/** Saves the parts in a fixed number of statements, however many there are: the six kinds are in six tables. */
async function saveParts(
  { tx }: Context,
  draft: Partial<SiteSurveyDraft>,
  { id, client_id }: { readonly id: number; readonly client_id: number },
): Promise<void> {
  for (const table of surveyPartNames) {
    const { fields }: SurveyPartKind = surveyParts[table]
    const field = `${table}_attributes` as const
    const begun = Object.entries(fields).filter(([, { initial }]) => initial !== undefined)
    const initial = Object.fromEntries(begun.map(([key, { initial: value }]) => [key, value]))
    await saveChildren(tx, { table, parent: { client_id, site_survey_id: id }, columns: Object.keys(fields), field, initial }, draft[field])
  }
}
