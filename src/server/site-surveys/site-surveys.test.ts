/** Tests site surveys over HTTP: their fields, refusals, reach, and their papers read back by another program. */
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, Fields } from '#contract/kernel/entity.ts'
import { surveyPartNames, surveyParts, type SurveyPart } from '#contract/site-surveys/survey-parts.ts'
import { lamps } from '#contract/site-surveys/lamp-fields.ts'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import { makeClient, makeDivision, makeFacility } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { taskOf } from '../../../test/support/retrieval.ts'

const { app, ask, database } = await startTestApp()
const { db } = database
let admin: Person
let client: number
let division: number
let facility: number

beforeAll(async () => {
  client = await makeClient(db, { name: 'Harbor Foods' })
  division = await makeDivision(db, client, { name: 'East' })
  facility = await makeFacility(db, client, division, { name: 'Cold store' })
  await sql`update facilities set facility_type_id = (select min(id) from facility_types) where id = ${facility}`.execute(db)
  admin = await makePerson(db, 'client_admin', { clients: [client] })
})

const at = () => `/clients/${client}/site_surveys`

interface Stored {
  readonly [key: string]: unknown
  readonly id: number
  readonly lock_version: number
}
type StoredPart = Readonly<Record<string, unknown>> & { readonly id: number }

async function make(values: object = {}, who = admin): Promise<number> {
  const made = await ask(who, 'POST', at(), { site_survey: { facility_id: facility, name: 'Walk-through', ...values } })
  expect(made.status, made.text).toBe(200)
  return Number(made.body['id'])
}

async function read(id: number, who = admin): Promise<Stored> {
  const answer = await ask(who, 'GET', `${at()}/${id}`)
  expect(answer.status, answer.text).toBe(200)
  const { site_survey }: { site_survey: Stored } = JSON.parse(answer.text)
  return site_survey
}

async function partsOf(id: number, part: SurveyPart): Promise<StoredPart[]> {
  const survey: Readonly<Record<SurveyPart, StoredPart[]>> = JSON.parse((await ask(admin, 'GET', `${at()}/${id}`)).text).site_survey
  return survey[part]
}

const change = (id: number, site_survey: object, who = admin) => ask(who, 'PATCH', `${at()}/${id}`, { site_survey })

/** Returns a value for each field, different for each record. */
function everyValue(fields: Fields, seed: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, field], place) => [key, valueFor(field, key, seed + place)]))
}

function valueFor({ kind, choices }: Field<unknown>, key: string, seed: number): unknown {
  if (kind === 'boolean') return true
  if (choices) return choices[seed % choices.length]?.value
  if (kind === 'decimal') return `${(seed % 20) + 1}.5000`
  if (kind === 'integer') return 2000 + seed
  if (kind === 'date') return `2026-03-${String((seed % 27) + 1).padStart(2, '0')}`
  return kind === 'email' ? `person${seed}@example.com` : `${key} ${seed}`
}

describe('a site survey', () => {
  it('carries what the form asks for, and says its facility and the type of it [SURV-FIELD-001] [SURV-FIELD-002] [SURV-API-001] [SURV-API-002]', async () => {
    const general = {
      name: 'Autumn survey',
      property_type: 1,
      primary_business: 'Frozen food',
      property_year: 1987,
      number_of_buildings: 3,
      square_footage: '48250.5',
      notes: 'Gate code at the desk.',
    }
    const id = await make(general)
    const { rows } = await sql<{ name: string }>`select name from facility_types order by id limit 1`.execute(db)
    const shown = {
      ...general,
      square_footage: '48250.5000',
      facility: 'Cold store',
      facility_type_name: rows[0]?.name,
      facility_id: facility,
    }
    expect(await read(id)).toMatchObject(shown)
    const listed = await ask(admin, 'GET', `${at()}?q[name_eq]=Autumn%20survey`)
    expect(listed.body['total']).toBe(1)
    expect(listed.body['site_surveys']).toEqual([expect.objectContaining({ id, ...shown })])
    const changed = await change(id, { property_type: 0, notes: null })
    expect(changed.body).toMatchObject({
      success: true,
      message: 'Site Survey updated',
      site_survey: { property_type: 0, notes: null, name: 'Autumn survey' },
    })
  })

  it.each([
    ['contacts', 'name, office_phone, mobile_phone, job_title, email'],
    [
      'compressors',
      'active, manufacturer, compressor_type, model, vfd, annual_operating_days, voltage, max_load_psig, cfm, hours_per_day, year, discharge_psig, dryer_manufacturer, dryer_type, notes',
    ],
    [
      'motors',
      'name, active, make, model, horse_power, ac_dc, full_load_current, synchronous_speed, nameplate_speed, vfd, enclosure, power_factor, insulation_class, percent_efficiency, application_notes, pump, manufacturer, model_number, serial_number, drive_type, service_application, motor_type, control_method, design_pressure, stages, flow_pressure_var, pressure_lost_over_time, annual_operating_hours, system, impeller_cut, flow, fluid, loop_type, maintenance_level_required, number_of_end_users, remaining_life, maintenance_issues, flow_meter, schematic, cavitation, meter, duty_change, vibration_noise, test_ports, parallel_pumps',
    ],
    ['gear_boxes', 'name, ratio, size, manufacturer, year, notes'],
    [
      'lightings',
      'location, updated, mh_1000w, mh_1000w_no, ps_320w, ps_320w_no, mh_400w, mh_400w_no, ps_750w, ps_750w_no, cfl, cfl_no, incandescent, incandescent_no, induction, induction_no, led, led_no, skylights, skylights_no, t12, t12_no, t5, t5_no, t8, t8_no',
    ],
    [
      'hvacs',
      'area, cooling_type, cooling_efficiency, cooling_installation_date, heating_type, heating_efficiency, heating_installation_date, water_type, water_efficiency, water_installation_date',
    ],
  ] as const)(
    'keeps every value of its %s, each as it was sent [SURV-FIELD-003] [SURV-FIELD-004] [SURV-FIELD-005] [SURV-FIELD-006] [SURV-FIELD-007] [SURV-FIELD-008] [SURV-FIELD-009] [SURV-FIELD-010] [SURV-FIELD-011] [SURV-FIELD-012] [SURV-FIELD-013]',
    async (part, names) => {
      expect(Object.keys(surveyParts[part].fields).toSorted()).toEqual(names.split(', ').toSorted())
      const sent = [everyValue(surveyParts[part].fields, 3), everyValue(surveyParts[part].fields, 8)]
      const id = await make({ [`${part}_attributes`]: sent })
      const stored = await partsOf(id, part)
      expect(stored).toEqual(sent.map((values) => ({ id: expect.any(Number), ...values })))
      // Checked again in another way: by the content of the tables.
      const { rows } = await sql<{ one: Record<string, unknown> }>`select to_jsonb(${sql.ref(part)}) as one from ${sql.table(part)}
        where client_id = ${client} and site_survey_id = ${id} order by id`.execute(db)
      for (const [place, { one }] of rows.entries())
        for (const [key, value] of Object.entries(sent[place] ?? {}))
          expect(one[key], key).toEqual(typeof one[key] === 'number' ? Number(value) : value)
      expect(rows).toHaveLength(2)
      const other = surveyPartNames.filter((name) => name !== part)
      for (const name of other) expect(await partsOf(id, name)).toEqual([])
    },
  )

  it('has the twelve lamp types of the specification, a property that is owned or leased, and three levels of maintenance [SURV-FIELD-001] [SURV-FIELD-007] [SURV-FIELD-012]', async () => {
    expect(lamps.map(({ label }) => label).join(', ')).toBe(
      '1000w MH, 320w PS, 400w MH, 750w PS, CFL, Incandescent, Induction, LED, Skylights, T12, T5, T8',
    )
    for (const [body, message] of [
      [{ property_type: 2 }, { property_type: ['Property Type must be one of Owned, Leased'] }],
      [
        { motors_attributes: [{ maintenance_level_required: 3 }] },
        { 'motors_attributes.0.maintenance_level_required': ['Maintenance Level Required must be one of Low, Medium, High'] },
      ],
      [{ lightings_attributes: [{ led_no: -1 }] }, { 'lightings_attributes.0.led_no': ['LED Count must be at least 0'] }],
    ] as const)
      expect((await change(await make(), body)).body['errors']).toMatchObject({ fields: message })
  })

  it('leaves what is not said empty: a new machine is active, and every other mark is off', async () => {
    const id = await make({ motors_attributes: [{ name: 'Fan' }], compressors_attributes: [{}], lightings_attributes: [{ led_no: 4 }] })
    expect(await partsOf(id, 'motors')).toEqual([expect.objectContaining({ name: 'Fan', active: true, pump: false, horse_power: null })])
    expect(await partsOf(id, 'compressors')).toEqual([expect.objectContaining({ active: true, vfd: false, manufacturer: null })])
    expect(await partsOf(id, 'lightings')).toEqual([expect.objectContaining({ led: false, led_no: 4, t8: false, t8_no: null })])
  })

  it('needs its facility and its name [SURV-RULE-001]', async () => {
    const refused = await ask(admin, 'POST', at(), { site_survey: { name: '  ' } })
    expect([refused.status, refused.body['errors']]).toMatchObject([
      422,
      { fields: { facility_id: ['Facility is required'], name: ['Name is required'] } },
    ])
    const id = await make()
    expect((await change(id, { name: null, facility_id: null })).body['errors']).toMatchObject({
      fields: { facility_id: ['Facility is required'], name: ['Name is required'] },
    })
  })

  it('takes only numbers where it counts or measures, in every step [SURV-RULE-002]', async () => {
    const id = await make()
    const numeric = (fields: Fields) => Object.entries(fields).filter(([, { kind }]) => kind === 'decimal' || kind === 'integer')
    for (const part of surveyPartNames) {
      const fields = numeric(surveyParts[part].fields)
      const refused = await change(id, { [`${part}_attributes`]: [Object.fromEntries(fields.map(([key]) => [key, 'many']))] })
      const expected = fields.map(([key, { kind, label }]) => [
        `${part}_attributes.0.${key}`,
        [`${label} must be a ${kind === 'integer' ? 'whole number' : 'number'}`],
      ])
      if (fields.length > 0) expect([refused.status, refused.body['errors']]).toMatchObject([422, { fields: Object.fromEntries(expected) }])
    }
    const general = await change(id, { property_year: 'old', number_of_buildings: 1.5, square_footage: 'large' })
    expect(general.body['errors']).toMatchObject({
      fields: {
        property_year: ['Property Year must be a whole number'],
        number_of_buildings: ['Number Of Buildings must be a whole number'],
        square_footage: ['Square Footage must be a number'],
      },
    })
    const impossible = { hours_per_day: '24.5', annual_operating_days: '367' }
    expect((await change(id, { compressors_attributes: [impossible] })).body['errors']).toMatchObject({
      fields: {
        'compressors_attributes.0.hours_per_day': ['Hours Per Day must be at most 24'],
        'compressors_attributes.0.annual_operating_days': ['Annual Operating Days must be at most 366'],
      },
    })
  })

  it('takes no email of a contact that is none, and names the row [SURV-RULE-003]', async () => {
    const refused = await ask(admin, 'POST', at(), {
      site_survey: { facility_id: facility, name: 'A', contacts_attributes: [{ email: 'ann@example.com' }, { email: 'ann at example' }] },
    })
    expect([refused.status, refused.body['errors']]).toMatchObject([
      422,
      { fields: { 'contacts_attributes.1.email': ['Email must be an email address'] } },
    ])
    expect(await partsOf(await make({ contacts_attributes: [{ name: 'Ann', email: '' }] }), 'contacts')).toMatchObject([{ email: null }])
  })

  it('changes, adds and removes what it lists in one save, and the trail says what went [SURV-API-002] [SURV-TRANS-001]', async () => {
    const id = await make({ motors_attributes: [{ name: 'Fan', horse_power: '5' }, { name: 'Pump' }, { name: 'Saw' }] })
    const [fan, pump, saw] = await partsOf(id, 'motors')
    const saved = await change(id, {
      motors_attributes: [{ id: pump?.id, _destroy: true }, { id: fan?.id, horse_power: '7.5' }, { name: 'Belt' }],
    })
    expect(saved.status, saved.text).toBe(200)
    expect(await partsOf(id, 'motors')).toMatchObject([
      { id: fan?.id, name: 'Fan', horse_power: '7.5000', active: true },
      { id: saw?.id, name: 'Saw' },
      { name: 'Belt' },
    ])
    interface Trail {
      readonly changes: { readonly motors: Readonly<Record<'from' | 'to', readonly { name: string }[]>> }
    }
    const { rows } = await sql<Trail>`select object_changes as changes from audit_records
      where item_type = 'site_survey' and item_id = ${id} and event = 'update'`.execute(db)
    const names = (motors: readonly { name: string }[] = []) => motors.map(({ name }) => name)
    expect(rows.map(({ changes: { motors } }) => [names(motors.from), names(motors.to)])).toEqual([
      [
        ['Fan', 'Pump', 'Saw'],
        ['Fan', 'Saw', 'Belt'],
      ],
    ])
  })

  it('knows only rows of its own: one of another survey is refused, and nothing is changed', async () => {
    const [mine, other] = [
      await make({ gear_boxes_attributes: [{ name: 'Mine' }] }),
      await make({ gear_boxes_attributes: [{ name: 'Other' }] }),
    ]
    const [foreign] = await partsOf(other, 'gear_boxes')
    for (const row of [
      { id: foreign?.id, name: 'Taken' },
      { id: foreign?.id, _destroy: true },
    ])
      expect((await change(mine, { gear_boxes_attributes: [row] })).body['errors']).toMatchObject({
        fields: { 'gear_boxes_attributes.0.id': ['This row is gone. Please reload.'] },
      })
    expect(await partsOf(other, 'gear_boxes')).toEqual([foreign])
  })

  it('that somebody else has saved meanwhile is not written over', async () => {
    const id = await make()
    const { lock_version } = await read(id)
    await change(id, { contacts_attributes: [{ name: 'Ann' }], lock_version })
    const late = await change(id, { name: 'Mine', lock_version })
    expect([late.status, late.body['code']]).toEqual([409, 'stale'])
    expect(await read(id)).toMatchObject({ name: 'Walk-through', contacts: [{ name: 'Ann' }] })
  })

  it('holds at most 200 of a kind, and says so', async () => {
    const refused = await ask(admin, 'POST', at(), {
      site_survey: {
        facility_id: facility,
        name: 'Many',
        contacts_attributes: Array.from({ length: 201 }, (_, place) => ({ name: `C${place}` })),
      },
    })
    expect([refused.status, refused.body['errors']]).toMatchObject([
      422,
      { fields: { contacts_attributes: ['Contacts must have at most 200 entries'] } },
    ])
  })

  it('goes by DELETE with all that it lists; its facility cannot go before [SURV-PERM-001]', async () => {
    const own = await makeFacility(db, client, division, { name: 'Old mill' })
    const id = await make({ facility_id: own, hvacs_attributes: [{ area: 'Roof' }] })
    const manager = await makePerson(db, 'client_manager', { clients: [client] })
    expect((await ask(manager, 'DELETE', `${at()}/${id}`)).status).toBe(403)
    const kept = await ask(admin, 'DELETE', `/clients/${client}/facilities/${own}`)
    expect([kept.status, kept.body['message']]).toEqual([409, 'This facility is still used by 1 site survey.'])
    expect((await ask(admin, 'DELETE', `${at()}/${id}`)).body).toMatchObject({ success: true, message: 'Site Survey deleted' })
    const { rows } = await sql`select 1 from hvacs where client_id = ${client} and site_survey_id = ${id}`.execute(db)
    expect(rows).toEqual([])
    expect((await ask(admin, 'GET', `${at()}/${id}`)).status).toBe(404)
  })

  it('is made, changed and deleted by whoever may do just that, and only where they see the facility [PERM-PERM-040]', async () => {
    const [reader, user, manager] = [
      await makePerson(db, 'read_only_user', { clients: [client] }),
      await makePerson(db, 'client_user', { clients: [client] }),
      await makePerson(db, 'client_manager', { clients: [client] }),
    ]
    const id = await make()
    const statuses = async (who: Person) => [
      (await ask(who, 'GET', `${at()}/${id}`)).status,
      (await ask(who, 'POST', at(), { site_survey: { facility_id: facility, name: 'By hand' } })).status,
      (await change(id, { name: 'Changed' }, who)).status,
      (await ask(who, 'DELETE', `${at()}/${id}`)).status,
    ]
    expect(await statuses(reader)).toEqual([200, 403, 403, 403])
    expect(await statuses(user)).toEqual([200, 200, 200, 403])
    expect(await statuses(manager)).toEqual([200, 200, 200, 403])
    expect(await statuses(admin)).toEqual([200, 200, 200, 200])

    const north = await makeDivision(db, client, { name: 'North' })
    const hidden = await make({ facility_id: await makeFacility(db, client, north, { name: 'Mill' }) })
    const narrowed = await makePerson(db, 'client_manager', { clients: [client], division: [[client, division]] })
    expect((await ask(narrowed, 'GET', `${at()}/${hidden}`)).status).toBe(404)
    const shown: { site_surveys: { facility: string }[] } = JSON.parse((await ask(narrowed, 'GET', at())).text)
    expect(new Set(shown.site_surveys.map((row) => row.facility))).toEqual(new Set(['Cold store']))
    const mill = (await read(hidden))['facility_id']
    expect((await ask(narrowed, 'POST', at(), { site_survey: { facility_id: mill, name: 'In' } })).body['errors']).toMatchObject({
      fields: { facility_id: ['This record cannot be found'] },
    })
    const elsewhere = await makeClient(db)
    const foreign = await makeFacility(db, elsewhere, await makeDivision(db, elsewhere))
    expect((await ask(admin, 'POST', at(), { site_survey: { facility_id: foreign, name: 'In' } })).status).toBe(422)
  })

  it('is listed without what it lists, by natural order, and exported with the columns of the list', async () => {
    const own = await makeFacility(db, client, division, { name: 'Listing' })
    for (const name of ['Survey 10', 'Survey 9']) await make({ facility_id: own, name, contacts_attributes: [{ name: 'Ann' }] })
    const q = `q[facility_id_eq]=${own}`
    const { site_surveys }: { site_surveys: Stored[] } = JSON.parse((await ask(admin, 'GET', `${at()}?${q}`)).text)
    expect(site_surveys.map(({ name }) => name)).toEqual(['Survey 9', 'Survey 10'])
    expect(site_surveys.flatMap((row) => Object.keys(row)).filter((key) => key === 'contacts' || key === 'motors')).toEqual([])
    const started = await ask(admin, 'GET', `${at()}/export_csv?${q}`)
    const rows: Record<string, string>[] = parse(await exportedText({ ask }, admin, started.body['task_id']), { columns: true })
    expect(rows).toMatchObject([
      { Name: 'Survey 9', Facility: 'Listing' },
      { Name: 'Survey 10', Facility: 'Listing' },
    ])
    expect(Object.keys(rows[0] ?? {}).filter((key) => key === 'Contacts' || key === 'Motors')).toEqual([])
  })
})

/** Returns the words on each page of the task's PDF. */
async function pagesOf(who: Person, taskId: unknown): Promise<string[]> {
  expect(await taskOf((method, path) => ask(who, method, path), taskId)).toMatchObject({ state: 'done' })
  const { rows } = await sql<{
    key: string
  }>`select files.key from tasks join files on files.id = tasks.file_id where tasks.id = ${taskId}`.execute(db)
  const chunks: Uint8Array[] = []
  for await (const chunk of await app.machinery.files.read(rows[0]?.key ?? '')) chunks.push(new Uint8Array(chunk))
  const document = await getDocumentProxy(new Uint8Array(Buffer.concat(chunks)))
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, place) => {
      const { items } = await (await document.getPage(place + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    }),
  )
}

describe('the papers of a survey', () => {
  it('the PDF has every value with its unit, in the order of the wizard, and is started with a connection_id [SURV-JOB-001]', async () => {
    const id = await make({
      name: 'Annual survey',
      property_type: 1,
      square_footage: '48250.5',
      property_year: 1987,
      contacts_attributes: [{ name: 'Ann Miller', email: 'ann@example.com' }],
      motors_attributes: [
        { name: 'Supply fan', horse_power: '7.5', maintenance_level_required: 2, pump: true, cavitation: true },
        ...Array.from({ length: 30 }, (_, place) => ({
          name: `Motor of line ${place}`,
          serial_number: `SN-${place}`,
          application_notes: 'Runs all day.',
        })),
      ],
      lightings_attributes: [{ location: 'Hall', led: true, led_no: 120, t8: true }],
      hvacs_attributes: [{ area: 'Roof', cooling_installation_date: '2019-05-04' }],
    })
    const started = await ask(admin, 'GET', `${at()}/${id}/generate_pdf?connection_id=window-1`)
    expect(started.body).toMatchObject({ success: true, message: 'Site Survey PDF generation started', task_id: expect.any(Number) })
    const { rows } = await sql<{ connection_id: string }>`select connection_id from tasks where id = ${started.body['task_id']}`.execute(db)
    expect(rows).toEqual([{ connection_id: 'window-1' }])
    const pages = await pagesOf(admin, started.body['task_id'])
    const text = pages.join('\n')
    for (const words of [
      'Annual survey',
      'Cold store',
      'Harbor Foods',
      'Leased',
      '48,250.5 sq ft',
      '1987',
      'ann@example.com',
      'Motors (31)',
      'Motor 1, Supply fan',
      '7.5 hp',
      'High',
      'Active, Pump, Cavitation',
      'SN-29',
      '120',
      '05/04/2019',
    ])
      expect(text).toContain(words)
    const order = ['General', 'Contacts', 'Compressors', 'Motors', 'Gear Boxes', 'Lighting', 'HVAC'].map((step) => text.indexOf(step))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(order).not.toContain(-1)
    for (const [place, page] of pages.entries()) expect(page).toContain(`Page ${place + 1} of ${pages.length}`)
    expect(pages.length).toBeGreaterThan(2)
  })

  it('a second click writes no second file, and nobody writes what they do not see', async () => {
    const id = await make()
    const [one, other] = await Promise.all([
      ask(admin, 'GET', `${at()}/${id}/generate_pdf`),
      ask(admin, 'GET', `${at()}/${id}/generate_pdf`),
    ])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from tasks where kind = 'site_survey_pdf'
      and input ->> 'site_survey_id' = ${String(id)}`.execute(db)
    const ids = new Set([one.body['task_id'], other.body['task_id']])
    expect(ids.size).toBe(rows[0]?.count)
    for (const task of ids) await pagesOf(admin, task)
    const stranger = await makePerson(db, 'client_admin', { clients: [await makeClient(db)] })
    expect((await ask(stranger, 'GET', `${at()}/${id}/generate_pdf`)).status).toBe(404)
  })

  it('the field sheet has the label of every field and no value', async () => {
    const started = await ask(admin, 'GET', `${at()}/field_sheet_pdf?connection_id=window-1`)
    expect(started.body).toMatchObject({ message: 'Site Survey field sheet started' })
    const text = (await pagesOf(admin, started.body['task_id'])).join('\n')
    for (const part of surveyPartNames)
      for (const [key, { label }] of Object.entries<Field<unknown>>(surveyParts[part].fields))
        if (!key.endsWith('_no')) expect(text, `${part} ${key}`).toContain(label)
    for (const label of ['Facility', 'Property Type', 'Owned', 'Leased', 'Low', 'Medium', 'High']) expect(text).toContain(label)
  })
})
