/** A site survey: the findings of a walk through a facility. Its people, machines, lamps and rooms are sent inside it. */
import { z } from 'zod'
import { call, crudCalls, listReply, started } from '../kernel/call.ts'
import { childFields } from '../kernel/children.ts'
import {
  choice,
  decimal,
  derived,
  entity,
  inUnit,
  instant,
  integer,
  longText,
  optional,
  ref,
  text,
  type Draft,
  type Row,
} from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'
import { surveyParts } from './survey-parts.ts'

/** Maximum people, machines, lamps and rooms of one survey, for each kind. */
export const partsMax = 200

export const propertyTypes = [
  { value: 0, label: 'Owned' },
  { value: 1, label: 'Leased' },
] as const

const general = {
  facility_id: ref('Facility', 'facilities'),
  facility: derived(text('Facility')),
  facility_type_name: derived(optional(text('Facility Type Name'))),
  name: text('Name'),
  property_type: optional(choice('Property Type', propertyTypes)),
  primary_business: optional(text('Primary Business')),
  property_year: optional(integer('Property Year', { min: 1700, max: 2200 })),
  number_of_buildings: optional(integer('Number Of Buildings', { min: 0, max: 100_000 })),
  square_footage: optional(inUnit(decimal('Square Footage', 4, { min: 0 }), 'sq ft')),
  notes: optional(longText('Notes')),
}
const stamps = {
  created_at: derived(instant('Created')),
  updated_at: derived(instant('Updated')),
  client_id: derived(ref('Client', 'clients')),
}

const contacts = childFields('Contacts', surveyParts.contacts.fields, partsMax)
const compressors = childFields('Compressors', surveyParts.compressors.fields, partsMax)
const motors = childFields('Motors', surveyParts.motors.fields, partsMax)
const gearBoxes = childFields('Gear Boxes', surveyParts.gear_boxes.fields, partsMax)
const lightings = childFields('Lighting', surveyParts.lightings.fields, partsMax)
const hvacs = childFields('HVAC', surveyParts.hvacs.fields, partsMax)

const listed = {
  filter: [
    'id',
    'name',
    'facility_id',
    'facility',
    'facility_type_name',
    'property_type',
    'primary_business',
    'property_year',
    'number_of_buildings',
    'square_footage',
    'created_at',
    'updated_at',
  ],
  sort: ['name', 'facility', 'facility_type_name', 'property_type', 'square_footage', 'created_at', 'updated_at', 'id'],
  defaultSort: 'name asc',
}

export const siteSurvey = entity(
  'site_survey',
  'site_surveys',
  {
    ...general,
    contacts: contacts.answered,
    contacts_attributes: contacts.sent,
    compressors: compressors.answered,
    compressors_attributes: compressors.sent,
    motors: motors.answered,
    motors_attributes: motors.sent,
    gear_boxes: gearBoxes.answered,
    gear_boxes_attributes: gearBoxes.sent,
    lightings: lightings.answered,
    lightings_attributes: lightings.sent,
    hvacs: hvacs.answered,
    hvacs_attributes: hvacs.sent,
    ...stamps,
  },
  listed,
)
export type SiteSurvey = Row<typeof siteSurvey>
export type SiteSurveyDraft = Draft<typeof siteSurvey>

/** A survey in a list: without its parts, which may be a thousand records of fifty values. */
export const listedSurvey = entity('site_survey', 'site_surveys', { ...general, ...stamps }, listed)
export type ListedSurvey = Row<typeof listedSurvey>

const path = '/clients/:client_id/site_surveys'
const startInput = { connection_id: z.string().max(100).optional() }

export const siteSurveyCalls = {
  ...crudCalls(siteSurvey, path, {
    read: 'site_survey.read',
    create: 'site_survey.create',
    update: 'site_survey.update',
    destroy: 'site_survey.destroy',
  }),
  list: call({
    name: 'site_surveys.list',
    method: 'GET',
    path,
    may: 'site_survey.read',
    summary: 'Lists Site Surveys, without their contacts and machines',
    query: listInput,
    reply: listReply('site_surveys', listedSurvey.row),
  }),
  generatePdf: call({
    name: 'site_surveys.generate_pdf',
    method: 'GET',
    path: `${path}/:id/generate_pdf`,
    effect: 'write',
    may: 'site_survey.read',
    summary: 'Starts to write a Site Survey as PDF',
    query: z.strictObject(startInput),
    reply: started,
  }),
  fieldSheet: call({
    name: 'site_surveys.field_sheet_pdf',
    method: 'GET',
    path: `${path}/field_sheet_pdf`,
    effect: 'write',
    may: 'site_survey.read',
    summary: 'Starts to write an empty sheet as PDF, to fill in by hand on the way through a facility',
    query: z.strictObject(startInput),
    reply: started,
  }),
}
