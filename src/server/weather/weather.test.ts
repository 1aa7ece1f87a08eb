/** Weather stations and degree days: kept, imported with bad rows, exported, named by facilities. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePerson, startTestApp } from '../../../test/support/app.ts'
import { makeClient, makeDivision, makeFacility } from '../../../test/support/estate.ts'
import { exportedText } from '../../../test/support/exports.ts'
import { importsOf } from '../../../test/support/import-files.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
const staff = await makePerson(db, 'super_admin')

async function station(code: string): Promise<number> {
  const answer = await ask(staff, 'POST', '/weather_stations', { weather_station: { code, name: `Station ${code}` } })
  expect(answer.status, answer.text).toBe(200)
  return Number(answer.body['id'])
}

test('a station has a code of its own and 65 °F; its base stays as it is once it has degree days, and a station in use is not deleted', async () => {
  const id = await station('KONE')
  expect((await ask(staff, 'GET', `/weather_stations/${id}`)).body['weather_station']).toMatchObject({ code: 'KONE', base_temperature: 65 })
  const taken = await ask(staff, 'POST', '/weather_stations', { weather_station: { code: 'KONE', name: 'Again' } })
  expect(taken.body['errors']).toMatchObject({ fields: { code: [expect.stringContaining('already')] } })
  const base = (base_temperature: number) => ask(staff, 'PATCH', `/weather_stations/${id}`, { weather_station: { base_temperature } })
  expect((await base(60)).status).toBe(200)
  await ask(staff, 'POST', '/degree_days', { degree_day: { weather_station_id: id, period: '2025-01', heating: '900', cooling: '0' } })
  expect((await base(65)).body['errors']).toMatchObject({ fields: { base_temperature: [expect.stringContaining('stays as it is')] } })
  expect((await base(60)).status).toBe(200)
  expect((await ask(staff, 'DELETE', `/weather_stations/${id}`)).status).toBe(409)
})

test('degree days are of a day or a month that there is, not below zero, and of each period once', async () => {
  const id = await station('KTWO')
  const post = (degree_day: object) => ask(staff, 'POST', '/degree_days', { degree_day: { weather_station_id: id, ...degree_day } })
  expect((await post({ period: '2025-01-31', heating: '30.5', cooling: '0' })).status).toBe(200)
  expect((await post({ period: '2025-01-31', heating: '1', cooling: '0' })).body['errors']).toMatchObject({
    fields: { period: ['This station has degree days of this day or month already'] },
  })
  expect((await post({ period: '2025-02-30', heating: '-1', cooling: '1.005' })).body['errors']).toMatchObject({
    fields: {
      period: ['Day or Month must be a day, YYYY-MM-DD, or a month, YYYY-MM'],
      heating: [expect.stringContaining('Heating Degree Days')],
      cooling: ['Cooling Degree Days must have at most 2 decimals'],
    },
  })
  expect((await ask(staff, 'GET', '/degree_days?q[station_code_eq]=KTWO')).body).toMatchObject({
    total: 1,
    degree_days: [{ period: '2025-01-31', heating: '30.50' }],
  })
  expect((await ask(staff, 'GET', '/degree_days?q[temperature_eq]=1')).status).toBe(422)
})

test('a file makes and changes degree days, names row and field of what is wrong, and goes back in as it came out', async () => {
  await station('KTRE')
  const file = [
    'station,period,heating,cooling',
    'KTRE,2026-01-01,31.5,0',
    'KTRE,2026-02,800,1',
    'NONE,2026-01-02,1,0',
    'KTRE,2026-13,1,0',
    'KTRE,2026-01-03,,0',
    'KTRE,2026-01-01,7,7',
    '',
  ].join('\n')
  const done = await send(staff, '/degree_days/import', file)
  expect(done.counts).toEqual({ rows: 6, create: 2, update: 0, unchanged: 0, refused: 4 })
  const refused = (await rows(staff, done.id)).filter(({ action }) => action === 'refused')
  expect(refused.map(({ line, errors }) => [line, errors.map(({ column }) => column)])).toEqual([
    [4, ['station']],
    [5, ['period']],
    [6, ['heating']],
    [7, ['station']],
  ])
  const changed = await send(staff, '/degree_days/import', 'station,period,heating,cooling\nKTRE,2026-02,810,1\n')
  expect(changed.counts).toMatchObject({ create: 0, update: 1 })
  const started = await ask(staff, 'GET', '/degree_days/export_csv?q[station_code_eq]=KTRE&connection_id=window')
  const again = await send(staff, '/degree_days/import', await exportedText({ ask }, staff, started.body['task_id']), { mode: 'dry_run' })
  expect(again.counts).toEqual({ rows: 2, create: 0, update: 0, unchanged: 2, refused: 0 })
})

test('only who reaches all clients writes them; everybody who is signed in may pick a station for a facility', async () => {
  const id = await station('KFOR')
  const client = await makeClient(db)
  const facility = await makeFacility(db, client, await makeDivision(db, client))
  const bound = await makePerson(db, 'super_admin', { clients: [client] })
  const manager = await makePerson(db, 'client_manager', { clients: [client] })
  for (const person of [bound, manager]) {
    expect(
      (await ask(person, 'POST', '/degree_days', { degree_day: { weather_station_id: id, period: '2025-01', heating: '1', cooling: '0' } }))
        .status,
    ).toBe(403)
    expect((await ask(person, 'POST', '/weather_stations', { weather_station: { code: 'KX', name: 'X' } })).status).toBe(403)
    expect((await ask(person, 'GET', '/weather_stations/select_options?search_term=KFOR')).body).toMatchObject({
      weather_stations: [{ id, code: 'KFOR' }],
    })
  }
  const at = `/clients/${client}/facilities/${facility}`
  expect((await ask(manager, 'PATCH', at, { facility: { weather_station_id: id } })).body).toMatchObject({
    facility: { weather_station_id: id },
  })
  expect((await ask(manager, 'PATCH', at, { facility: { weather_station_id: 999_999_999 } })).status).toBe(422)
  const { rows: trail } = await sql<{
    event: string
  }>`select event from audit_records where item_type = 'facility' and item_id = ${facility}`.execute(db)
  expect(trail).toEqual([{ event: 'update' }])
  expect((await ask(staff, 'DELETE', `/weather_stations/${id}`)).status).toBe(409)
})
