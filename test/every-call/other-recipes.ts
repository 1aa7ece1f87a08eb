/** Recipes for the calls of reference data, personal records, sign-in and files. */
import { createHash, randomBytes } from 'node:crypto'
import { hashPassword, loadPrincipal, makeLink } from '../../src/server/access/access.ts'
import { beginFactor } from '../../src/server/access/second-factors.ts'
import { makeChallenge } from '../../src/server/access/second-factor-challenge.ts'
import { sql } from 'kysely'
import { today } from '../../src/server/kernel/clock.ts'
import { heldRights } from '../../src/server/kernel/held-rights.ts'
import { signToken } from '../../src/server/kernel/http/signed-token.ts'
import { linkHolderOf } from '../../src/server/kernel/principal.ts'
import { sealSecret } from '../../src/server/kernel/secret.ts'
import { passwordDigest } from '../../src/server/reports/report-links.ts'
import { makePerson, testSecretKey } from '../support/app.ts'
import { codeNow, guard } from '../support/second-factor.ts'
import { signedInAgain } from './principals.ts'
import type { Asking, Recipe, Recipes } from './recipe.ts'
import { firstId, insert, nextMonth, unique, type Db, type World } from './world.ts'

type SharedName = keyof World['shared']
const bytes = Buffer.from('a,b\n1,2\n')
const blob = {
  filename: 'rows.csv',
  content_type: 'text/csv',
  byte_size: bytes.length,
  checksum: createHash('md5').update(bytes).digest('base64'),
}
export const knownPassword = 'correct horse battery staple'

export const otherRecipes: Recipes = {
  ...shared('facility_types', 'facility_type', () => ({ name: unique('Type') })),
  ...shared('payment_methods', 'payment_method', () => ({ name: unique('Method'), description: 'By hand' })),
  ...shared('cost_parameters', 'cost_parameter', () => ({ name: unique('Cost') })),
  ...shared('weather_stations', 'weather_station', () => ({ code: unique('K'), name: 'Station' })),
  ...degreeDayRecipes(),
  ...shared('production_units', 'production_unit', () => ({ name: unique('Product') })),
  ...shared('units', 'unit', () => ({ symbol: unique('u'), description: 'Unit' })),
  ...shared('utility_services', 'utility_service', () => ({ name: unique('Service'), code: unique('code'), emissions_factor: '1.0000' })),
  ...shared('vendors', 'vendor', () => ({ name: unique('Vendor'), short_code: unique('V') })),
  // Who is paid is changed by people alone, so a token changes something else.
  'vendors.update': { ids: ({ world }) => ({ id: world.shared.vendor }), body: () => ({ vendor: { phone: '555-0100' } }) },
  'vendors.bank_details': { ids: ({ world }) => ({ id: world.shared.vendor }) },
  'vendor_bank_changes.approve': { ids: waitingChange },
  'vendor_bank_changes.bank_details': { ids: waitingChange },
  'vendor_bank_changes.get': { ids: waitingChange },
  'vendor_bank_changes.of_vendor': { ids: ({ world }) => ({ vendor_id: world.shared.vendor }) },
  'vendor_bank_changes.of_vendor_export': { ids: ({ world }) => ({ vendor_id: world.shared.vendor }) },
  'vendor_bank_changes.refuse': { ids: waitingChange, body: () => ({ reason: 'Unknown account' }) },
  'vendor_bank_changes.withdraw': { ids: ({ world, who }) => changeBy(world.db, who?.id ?? somebodyElse) },
  'utility_services.usage_factor_options': { ids: ({ world }) => ({ id: world.shared.utility_service }) },
  'utility_services.usage_unit_options': { ids: ({ world }) => ({ id: world.shared.utility_service }) },

  'api_tokens.create': { body: () => ({ api_token: { name: unique('Token'), access: 'read', expires_on: today() } }) },
  'api_tokens.destroy': { ids: tokenIds },
  'api_tokens.revoke': { ids: tokenIds },
  'mails.get': { ids: deadMail },
  'mails.send_again': { ids: deadMail },
  'auth.confirm': { query: () => 'access-token=a&client=b&uid=c' },
  'auth.request_password': { body: () => ({ email: 'nobody@example.test' }) },
  'auth.set_password': {
    body: () => ({ password: knownPassword, password_confirmation: knownPassword }),
    headers: async ({ world: { db } }) => {
      const link = new URL(await makeLink(db, await makeUser(db), 'reset', 'http://localhost'))
      return Object.fromEntries(link.searchParams)
    },
  },
  'auth.sign_in': {
    body: async ({ world: { db } }) => ({ email: (await makeUser(db, await knownHash())).email, password: knownPassword }),
  },
  'auth.second_factor': {
    body: async ({ world: { db } }) => {
      const user = await makeUser(db, await knownHash())
      const code = codeNow(await guard(db, user.id))
      return { challenge: makeChallenge(testSecretKey, 'second_factor', { id: user.id, password_hash: await knownHash() }).challenge, code }
    },
  },
  'auth.begin_second_factor': { body: async ({ world: { db } }) => ({ challenge: (await mustSetUp(db)).challenge }) },
  'auth.confirm_second_factor': {
    body: async ({ world: { db } }) => {
      const { id, challenge } = await mustSetUp(db)
      const secret = await beginFactor(db, testSecretKey, id)
      return { challenge, code: codeNow(secret ?? '') }
    },
  },
  'auth.sign_out': { endsSignIn: true },
  'users.end_sign_in': { ids: async ({ world: { db }, owner }) => ({ id: await otherSignIn(db, owner) }) },
  // A separate user, since the others must stay signed in.
  'users.end_other_sign_ins': { headers: async ({ world: { db }, who }) => (who ? (await makePerson(db, null)).headers : {}) },
  'users.preferences': { body: () => ({ preferences: { density: 'compact' } }) },
  'list_layouts.get': { ids: () => ({ list: 'bills' }) },
  'list_layouts.put': { ids: () => ({ list: 'bills' }), body: () => ({ layout: { columns: ['id'] } }) },
  'list_layouts.destroy': { ids: () => ({ list: 'bills' }) },
  'history.of_record#unit': { ids: ({ world }) => ({ item_type: 'unit', id: world.shared.unit }) },
  'history.of_record': { ids: ({ world }) => ({ item_type: 'vendor', id: world.shared.vendor }) },
  'live.stream': { query: () => 'connection_id=window', endless: true },
  'notifications.seen': { body: () => ({ up_to_id: 1 }) },
  'notifications.read': {
    ids: async ({ world: { db }, owner }) => ({
      id: await insert(db, 'notifications', { user_id: owner, type: 'word', message: 'A word' }),
    }),
  },
  'notifications.read_all': { body: () => ({ up_to_id: 1 }) },
  'notifications.save_preferences': { body: () => ({ preferences: { exports: { in_app: true, mail: true } } }) },
  'oidc.session': { body: () => ({ code: 'of-nobody' }) },
  'saved_views.list': { query: () => 'list=bills' },
  'saved_views.create': { body: () => ({ saved_view: { list: unique('list').replace(' ', '_'), name: 'Mine' } }) },
  'saved_views.get': { ids: viewIds(false) },
  'saved_views.get#shared': { ids: viewIds(true) },
  'saved_views.update': { ids: viewIds(false), body: () => ({ saved_view: { name: unique('View') } }) },
  'saved_views.update#shared': { ids: viewIds(true), body: () => ({ saved_view: { name: unique('View') } }) },
  'saved_views.destroy': { ids: viewIds(false) },
  'saved_views.destroy#shared': { ids: viewIds(true) },
  'imports.template': { ids: () => ({ file: 'vendor.csv' }) },
  'imports.example': { ids: () => ({ file: 'vendor.csv' }) },
  'imports.get': { ids: importIds('checked') },
  'imports.rows': { ids: importIds('checked') },
  'imports.refused': { ids: importIds('checked') },
  'imports.commit': { ids: importIds('checked'), body: () => ({ mode: 'valid' }) },
  'imports.undo': { ids: importIds('committed') },
  'vendors.import': { form: () => importForm('short_code,name\nVX,Vendor') },
  'clients.import': { form: () => importForm('short_code,name,identifier\nCX,Client,CX') },
  'bills.import': { form: () => importForm('account_number,date\n1,2026-01-05') },
  'divisions.import': { form: () => importForm('code,name,short_code\nDX,Division,DX') },
  'facilities.import': { form: () => importForm('number,name,division_code\nFX,Facility,D') },
  'billable_accounts.import': { form: () => importForm('account_number,vendor_short_code\n1,V') },
  'supply_accounts.import': { form: () => importForm('account_number,name\n1,N') },
  'ledger_fields.import': { form: () => importForm('name,description,order\nF,A field,1') },
  'ledger_accounts.import': { form: () => importForm('name\nA') },
  'degree_days.import': { form: () => importForm('station,period,heating,cooling\nK,2026-01,1,0') },
  'budgets.import': { form: () => importForm('account_number,month,amount\n1,2027-01,1') },
  'client_vendor_numbers.import': { form: () => importForm('vendor_short_code,vendor_number\nV,1') },
  'tasks.cancel': { ids: taskIds('waiting') },
  'tasks.retry': { ids: taskIds('failed') },
  'tasks.file': { ids: taskIds('done') },
  'webhooks.create': { body: () => ({ webhook: { name: unique('Hook'), url: hookUrl, all_events: true, active: false } }) },
  'webhooks.get': { ids: hookIds },
  'webhooks.update': { ids: hookIds, body: () => ({ webhook: { name: unique('Hook'), all_events: true, active: false } }) },
  'webhooks.destroy': { ids: hookIds },
  'webhooks.renew_secret': { ids: hookIds },
  'webhooks.test': { ids: hookIds },
  'webhook_deliveries.list': { ids: async (asking) => ({ webhook_id: (await hookIds(asking)).id }) },
  'webhook_deliveries.export': { ids: async (asking) => ({ webhook_id: (await hookIds(asking)).id }) },
  'webhook_deliveries.get': { ids: deliveryIds },
  'webhook_deliveries.send': { ids: deliveryIds },
  'files.download': { ids: downloadToken },
  'report_deliveries.link': { ids: reportToken },
  'uploads.announce': { ids: announceToken, body: () => ({ blob }) },
  'uploads.bytes': { ids: bytesToken, bytes: () => bytes },
}

/** The three calls of one shared record and the one that creates it. */
function shared(plural: string, name: SharedName, draft: () => object): Recipes {
  const ids = ({ world }: Asking) => ({ id: world.shared[name] })
  const fresh = async ({ world: { db } }: Asking) => ({ id: await insert(db, plural, { ...draft() }) })
  const body = () => ({ [name]: draft() })
  return {
    [`${plural}.get`]: { ids },
    [`${plural}.create`]: { body },
    [`${plural}.update`]: { ids, fresh, body },
    [`${plural}.destroy`]: { ids, fresh },
  }
}

/** Each has a month of its own, because a station has one row of a period. */
function degreeDayRecipes(): Recipes {
  const draft = ({ world }: Asking) => ({
    weather_station_id: world.shared.weather_station,
    period: nextMonth(),
    heating: '1',
    cooling: '0',
  })
  const ids = ({ world }: Asking) => ({ id: world.shared.degree_day })
  const fresh = async (asking: Asking) => ({ id: await insert(asking.world.db, 'degree_days', draft(asking)) })
  const body = (asking: Asking) => ({ degree_day: draft(asking) })
  return {
    'degree_days.get': { ids },
    'degree_days.create': { body },
    'degree_days.update': { ids, fresh, body },
    'degree_days.destroy': { ids, fresh },
  }
}

/** Users may not approve their own requests. */
const somebodyElse = 777_777_777

function waitingChange({ world: { db } }: Asking) {
  return changeBy(db, somebodyElse)
}

/** It waits at its own vendor, since each vendor has at most one waiting change. */
async function changeBy(db: Db, requested_by: number) {
  const vendor_id = await insert(db, 'vendors', { name: unique('Vendor'), short_code: unique('B') })
  return {
    id: await insert(db, 'vendor_bank_changes', { vendor_id, changed: ['account_holder'], account_holder: 'New Holder', requested_by }),
  }
}

let hash: Promise<string> | undefined
const knownHash = (): Promise<string> => (hash ??= hashPassword(knownPassword))

async function makeUser(db: Db, passwordHash: string | null = null): Promise<{ id: number; email: string }> {
  const email = `${unique('user').replace(' ', '')}@example.test`
  return { id: await insert(db, 'users', { email, username: email, password_hash: passwordHash, account_confirmed: true }), email }
}

async function mustSetUp(db: Db): Promise<{ id: number; challenge: string }> {
  const { id } = await makeUser(db, await knownHash())
  return { id, challenge: makeChallenge(testSecretKey, 'second_factor_setup', { id, password_hash: await knownHash() }).challenge }
}

async function tokenIds({ world: { db }, owner }: Asking) {
  const token = { user_id: owner, name: unique('Token'), token_hash: randomBytes(32), token_last4: 'abcd', expires_on: today() }
  return { id: await insert(db, 'api_tokens', token) }
}

/** A name that does not resolve: sending there fails at once. */
const hookUrl = 'https://receiver.invalid/hooks'

/** It has no events, so only a test message is ever sent to it. */
async function hookIds({ app, world: { db, places } }: Asking) {
  // Without a maker who may still make it, the program would switch it off in the middle of a question.
  const { rows } = await sql<{ id: number }>`select users.id from users join user_roles held on held.user_id = users.id
    join roles on roles.id = held.role_id where roles.name = 'super_admin' and users.status = 'active' order by users.id limit 1`.execute(
    db,
  )
  const hook = { name: unique('Hook'), url: hookUrl, all_events: true, client_id: places.own.clientId, created_by: rows[0]?.id ?? null }
  const id = await insert(db, 'webhooks', hook)
  const sealed = sealSecret(app.machinery.settings.secretKey, { table: 'webhooks', column: 'secret', id }, 'whsec_AAAA')
  await sql`update webhooks set secret_encrypted = ${sealed} where id = ${id}`.execute(db)
  return { id }
}

async function deliveryIds(asking: Asking) {
  const { id: webhook_id } = await hookIds(asking)
  const sent = { webhook_id, event_id: unique('evt'), event: 'bill.created', body: '{}', state: 'delivered' }
  return { webhook_id, id: await insert(asking.world.db, 'webhook_deliveries', sent) }
}

/** Makes another session of the owner. */
function otherSignIn(db: Db, owner: number): Promise<number> {
  const client = unique('s').replace(' ', '')
  return insert(db, 'sessions', { user_id: owner, client, token_hash: Buffer.from(client) })
}

function deadMail({ world: { db } }: Asking) {
  return insert(db, 'mails', { to_address: 'a@example.test', subject: 'Hello', text_body: 'Hello', state: 'dead' }).then((id) => ({ id }))
}

function viewIds(isShared: boolean): NonNullable<Recipe['ids']> {
  return async ({ world: { db, places }, owner }) => ({
    id: await insert(db, 'saved_views', {
      user_id: owner,
      list: 'bills',
      name: unique('View'),
      shared: isShared,
      ...(isShared ? { shared_client_id: places.own.clientId } : {}),
    }),
  })
}

/** An export without rows, for which no job was sent: a retry ends in a refusal, since nothing is in reach any more. */
export const workOfNobody = {
  list: 'units',
  labels: 'Units',
  query: {
    filters: [],
    sort: { key: 'symbol', direction: 'asc' },
    page: 1,
    per: 10,
    values: null,
    searchTerm: '',
    withTotal: true,
    withRows: true,
  },
  reach: [],
  client_id: null,
  where: [],
}

const HOUR_MS = 3_600_000

function taskIds(state: string): NonNullable<Recipe['ids']> {
  return async ({ world: { db }, owner }) => {
    const writer = await loadPrincipal(db, owner)
    const file = await insert(db, 'files', {
      rights: writer === null ? null : heldRights(writer),
      key: `exports/${unique('t').replace(' ', '')}`,
      filename: 'units.csv',
      content_type: 'text/csv',
      byte_size: 1,
      state: 'attached',
    })
    // In the future: a task that has waited for a minute without a job is sent again, and would write between two traces.
    const created_at = new Date(Date.now() + HOUR_MS)
    const task = { user_id: owner, kind: 'csv_export', state, input: JSON.stringify(workOfNobody), file_id: file, created_at }
    return { id: await insert(db, 'tasks', task) }
  }
}

/** Checked without being stored, so that only the responses are compared with the table. */
function importForm(csv: string) {
  return { file: { filename: 'rows.csv', type: 'text/csv', bytes: Buffer.from(csv) }, mode: 'dry_run' }
}

/** Makes an import of vendors, which belong to no client, with one new row and one refused row. */
function importIds(state: 'checked' | 'committed') {
  return async ({ world: { db }, owner }: Asking) => ({
    id: await insert(db, 'imports', {
      user_id: owner,
      kind: 'vendor',
      filename: 'rows.csv',
      byte_size: 1,
      mode: 'dry_run',
      state,
      row_count: 2,
      create_count: 1,
      refused_count: 1,
    }),
  })
}

/** Well formed, but without a valid signature. */
const broken = { token: `${Buffer.from('[99999999999,{}]').toString('base64url')}.${'A'.repeat(43)}` }

async function downloadToken({ app, relation }: Asking) {
  if (relation === 'broken') return broken
  const key = `exports/${unique('d').replace(' ', '')}`
  await app.machinery.files.put(key, bytes, 'text/csv')
  return tokenIn(app.machinery.files.downloadUrl({ key, filename: 'rows.csv', contentType: 'text/csv', reader: null }))
}

/** The link to a report that was made for somebody. */
async function reportToken({ app, world: { db, places }, relation }: Asking) {
  if (relation === 'broken') return broken
  const client = places.own.clientId
  const { id: user } = await makePerson(db, 'client_admin', { clients: [client] })
  const key = `reports/${unique('r').replace(' ', '')}`
  await app.machinery.files.put(key, bytes, 'text/csv')
  const file_id = await insert(db, 'files', {
    key,
    filename: 'rows.csv',
    content_type: 'text/csv',
    byte_size: 3,
    state: 'attached',
  })
  const report_id = await firstId(db, 'reports', { name: 'Global Data Export' })
  const report = await insert(db, 'generated_reports', { client_id: client, report_id, assignable_user_id: user, file_id })
  const reader = await loadPrincipal(db, user)
  const rights = reader === null ? '' : linkHolderOf(reader).rights
  const password = await passwordDigest(db, user)
  return {
    token: signToken(app.machinery.settings.secretKey, 'report_link', { client, report, user, format: 'csv', rights, password }, 600),
  }
}

async function announceToken({ app, world, relation }: Asking) {
  if (relation === 'broken') return broken
  const user = await makeUser(world.db)
  return { token: await announcedFor(app, world.db, user) }
}

async function bytesToken({ app, world, relation }: Asking) {
  if (relation === 'broken') return broken
  const key = `uploads/${unique('u').replace(' ', '')}`
  await insert(world.db, 'files', { key, ...blob, state: 'waiting' })
  const { url } = await app.machinery.files.uploadUrl({
    key,
    contentType: blob.content_type,
    byteSize: blob.byte_size,
    checksum: blob.checksum,
  })
  return tokenIn(url)
}

/** Returns the upload address that a signed-in user gets. */
async function announcedFor(app: Asking['app'], db: Db, user: { id: number; email: string }): Promise<string> {
  const { headers } = await signedInAgain(db, { ...user, headers: {} })
  const answer = await app.server.inject({ method: 'GET', url: '/api/v5/direct_upload_url', headers })
  return tokenIn(answer.json<{ direct_upload_url: string }>().direct_upload_url).token
}

function tokenIn(url: string): { token: string } {
  return { token: url.slice(url.lastIndexOf('/') + 1) }
}
