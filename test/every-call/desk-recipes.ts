/** Recipes for the calls of the provider's desk. */
import { createHash } from 'node:crypto'
import { addDays } from '#contract/kernel/date.ts'
import { sql } from 'kysely'
import { fingerprintOf, sealBytes, secretColumns } from '../../src/server/kernel/secret.ts'
import type { Asking, Recipes } from './recipe.ts'
import { returnFile } from '../support/bank-files.ts'
import { firstId, insert, makeBill, unique, type Db, type Place } from './world.ts'

/**
 * Stores today's bank value as these bodies refer to it.
 * @returns its id.
 */
export async function setBankValue(db: Db, { value = '1000000.00', locked = true } = {}): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into global_batch_bank_values (day, value, locked)
    values ((now() at time zone 'America/New_York')::date, ${value}, ${locked})
    on conflict (day) do update set value = ${value}, locked = ${locked}, attempts = 3 returning id`.execute(db)
  return rows[0]?.id ?? 0
}

/** A bill that the desk can pay by check. */
export async function makePayableBill(db: Db, place: Place): Promise<number> {
  const vendor = await checkVendor(db)
  const id = await makeBill(db, place, { billable_account_id: place.accountId })
  await sql`update bills set vendor_id = ${vendor} where client_id = ${place.clientId} and id = ${id}`.execute(db)
  return id
}

/** Made once, also for two concurrent requests. */
async function checkVendor(db: Db): Promise<number> {
  await sql`with made as (insert into vendors (name, short_code, street_address_1, city, state, zip)
      values ('Desk Vendor', 'DESK', '1 Main St', 'Denver', 'CO', '80202') on conflict do nothing returning id)
    insert into vendor_payment_methods (vendor_id, payment_method_id) select made.id, payment_methods.id from made, payment_methods
    where payment_methods.name = 'Check'`.execute(db)
  return firstId(db, 'vendors', { short_code: 'DESK' })
}

/** An open batch of the desk with one bill of 1.00. */
export async function makeGlobalBatch(db: Db, place: Place, type = 'Check'): Promise<number> {
  const { clientId: client_id } = place
  const bill_id = await makePayableBill(db, place)
  const head = {
    client_id,
    is_global: true,
    payment_method: type,
    batch_date: '2026-01-05',
    bills_due_date: '2026-01-19',
    notes: unique('Desk'),
  }
  const payment_batch_id = await insert(db, 'payment_batches', head)
  const vendor_payment_id = await insert(db, 'vendor_payments', { client_id, payment_batch_id, vendor_id: await checkVendor(db) })
  await insert(db, 'payment_batch_bills', { client_id, bill_id, payment_batch_id, vendor_payment_id, amount_paid: '1.00' })
  await sql`update bills set vendor_payment_id = ${vendor_payment_id} where client_id = ${client_id} and id = ${bill_id}`.execute(db)
  return payment_batch_id
}

const batchIds = async ({ world: { db, places } }: Asking) => ({ id: await makeGlobalBatch(db, places.own) })
const dates = { batch_date: '2026-02-02', bills_due_date: '2026-02-16' }

/** A file with stored bytes. */
const fileIds = async ({ app, world: { db } }: Asking) => {
  const bytes = Buffer.from('a file')
  const id = await insert(db, 'global_batch_files', {
    file_name: 'file.csv',
    export_type: 'OP',
    export_key: unique('key'),
    content_encrypted: Buffer.alloc(0),
    byte_size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
    creation_date: '2026-01-05',
    creation_time: '10:00',
  })
  const sealed = sealBytes(app.machinery.settings.secretKey, { table: 'global_batch_files', column: 'content', id }, bytes)
  await sql`update global_batch_files set content_encrypted = ${sealed} where id = ${id}`.execute(db)
  return { id }
}
let traces = 0
/** A paid payment of 1.00 under a trace number of its own. @returns a bank's file that returns it. */
async function returnedPayment(
  asking: Asking,
): Promise<{ content: string; clientId: number; entry: number; batch: number; payment: number }> {
  const { db, places } = asking.world
  const { clientId: client_id } = places.own
  const batch = await makeGlobalBatch(db, places.own)
  const { id: global_batch_file_id } = await fileIds(asking)
  const trace_number = `0810${String(Date.now() % 1e7).padStart(7, '0')}${String(++traces).padStart(4, '0')}`
  const vendor_payment_id = await firstId(db, 'vendor_payments', { payment_batch_id: batch })
  await sql`update payment_batches set is_paid = true, paid_at = now(), closed = true, has_been_closed = true where id = ${batch}`.execute(
    db,
  )
  await sql`update bills set paid = true where client_id = ${client_id} and vendor_payment_id = ${vendor_payment_id}`.execute(db)
  const entry = await insert(db, 'global_batch_file_payments', {
    client_id,
    global_batch_file_id,
    vendor_payment_id,
    trace_number,
    amount: '1.00',
  })
  const content = returnFile([{ code: 'R02', original: trace_number, cents: 100 }])
  return { content, clientId: client_id, entry, batch, payment: vendor_payment_id }
}
/** An entry that was left out when its file was read. */
const leftReturn = async (asking: Asking) => {
  const { db } = asking.world
  const { content, clientId: payer_id, entry: global_batch_file_payment_id } = await returnedPayment(asking)
  const bytes = Buffer.from(content, 'utf8')
  const file = await insert(db, 'bank_return_files', {
    file_name: 'returns.ach',
    bank_name: 'FIRST BANK',
    file_day: '2026-11-25',
    sha256: createHash('sha256').update(bytes).digest(),
    content_encrypted: Buffer.alloc(0),
    byte_size: bytes.length,
  })
  const sealed = sealBytes(asking.app.machinery.settings.secretKey, { table: 'bank_return_files', column: 'content', id: file }, bytes)
  await sql`update bank_return_files set content_encrypted = ${sealed} where id = ${file}`.execute(db)
  const of = { bank_return_file_id: file, line: 4, payer_id, global_batch_file_payment_id }
  const said = { code: 'R02', original_trace: '081000000000001', trace: '091000010000001', amount: '1.00', receiver: '', remark: '' }
  return { id: await insert(db, 'bank_returns', { ...of, ...said, kind: 'return', state: 'left', outcome: 'Reopens 1 bill.' }) }
}
/** The advice of a paid payment, to a vendor who wants it. */
const advice = (state: string) => async (asking: Asking) => {
  const { db } = asking.world
  const { clientId: client_id, payment: vendor_payment_id } = await returnedPayment(asking)
  await sql`update vendors set remittance_email = 'ap@vendor.test', remittance_by_mail = true, remittance_bounced_at = null where short_code = 'DESK'`.execute(
    db,
  )
  return {
    id: await insert(db, 'remittance_advices', { client_id, vendor_payment_id, state, to_address: 'old@vendor.test', amount: '1.00' }),
  }
}
const returnedFile = async (asking: Asking) => ({ file_name: 'returns.ach', content: (await returnedPayment(asking)).content })
let checks = 0
const unusedNumber = (): number => (Date.now() % 1e7) * 100 + (++checks % 100)
const dayNow = (): string => new Date().toISOString().slice(0, 10)
/** A bank profile of the own client with an account number: its default, made once, or another one. */
async function profileWithAccount({ app, world: { db, places } }: Asking, account: string, is_default: boolean): Promise<number> {
  const { clientId: client_id } = places.own
  await sql`insert into originating_profiles (client_id, name, is_default, routing_number, bank_name)
    values (${client_id}, ${is_default ? 'Default' : account}, ${is_default}, '021000021', 'First Bank') on conflict do nothing`.execute(db)
  const id = await firstId(db, 'originating_profiles', is_default ? { client_id, is_default: 'true' } : { client_id, name: account })
  const place = { table: 'originating_profiles', column: 'account_number', id }
  const secret = secretColumns(app.machinery.settings.secretKey, place, account)
  await sql`update originating_profiles set account_number_encrypted = ${secret['account_number_encrypted']}, account_number_last4 = ${secret['account_number_last4']}
    where id = ${id} and account_number_encrypted is null`.execute(db)
  return id
}
const completeProfile = async (asking: Asking) => {
  const { db } = asking.world
  const originating_profile_id = await profileWithAccount(asking, String(unusedNumber()), false)
  await sql`update originating_profiles set immediate_destination = '021000021', immediate_origin = '1234567890', company_name = 'PAYER',
    company_id = '1234567890' where id = ${originating_profile_id}`.execute(db)
  return { test_file: { originating_profile_id, format: 'ach_bank' } }
}
/** A payment of 1.00 in a check request, whose check has no number yet. */
async function requestedCheck(asking: Asking): Promise<{ id: number; payment: number }> {
  const { entry: id, payment } = await returnedPayment(asking)
  await sql`update global_batch_files set format = 'check_request' where id = (select global_batch_file_id from global_batch_file_payments where id = ${id})`.execute(
    asking.world.db,
  )
  await profileWithAccount(asking, '12345678', true)
  return { id, payment }
}
const checkFile = async (asking: Asking) => {
  const { payment } = await requestedCheck(asking)
  return { content: `Reference,Check Number,Date\nVP-${payment},${unusedNumber()},${dayNow()}\n` }
}
/** A check of an account of its own that was not reported to the bank. @returns its bank profile. */
const unreportedCheck = async (asking: Asking) => {
  const { db, places } = asking.world
  const { id, payment } = await requestedCheck(asking)
  const account = String(unusedNumber())
  const originating_profile_id = await profileWithAccount(asking, account, false)
  await insert(db, 'issued_checks', {
    payer_id: places.own.clientId,
    global_batch_file_payment_id: id,
    vendor_payment_id: payment,
    account_fingerprint: fingerprintOf(asking.app.machinery.settings.secretKey, 'check_account', `021000021 ${account}`),
    account_last4: account.slice(-4),
    check_number: 1,
    check_date: dayNow(),
    amount: '1.00',
    payee: 'Desk Vendor',
  })
  return { originating_profile_id }
}
let statementDays = 0
/** A statement file of a day of its own, and a bank profile. It closes as it opens, so it fits between the statements of any account. */
const statementFile = async (asking: Asking) => {
  const originating_profile_id = await profileWithAccount(asking, String(unusedNumber()), false)
  const day = addDays('2020-01-01', statementDays++)
  return {
    originating_profile_id,
    file_name: 'day.csv',
    content: `Date,Amount,Balance\n${day},-1.00,9.00\n${day},1.00,10.00\n`,
    opening: '10.00',
  }
}
const keysOfLines = new WeakMap<Asking, string>()
/** A statement of an account of its own, with one line of a check of 1.00 that is outstanding. @returns the ids of both. */
async function storedStatement(asking: Asking, state: 'open' | 'explained'): Promise<{ statement: number; line: number }> {
  const { db, places } = asking.world
  const { id: global_batch_file_payment_id, payment: vendor_payment_id } = await requestedCheck(asking)
  const account = String(unusedNumber())
  const account_fingerprint = fingerprintOf(asking.app.machinery.settings.secretKey, 'check_account', `021000021 ${account}`)
  const [payer_id, account_last4] = [places.own.clientId, account.slice(-4)]
  const check = { vendor_payment_id, check_number: 1, check_date: dayNow(), amount: '1.00', payee: 'Desk Vendor' }
  await insert(db, 'issued_checks', { payer_id, global_batch_file_payment_id, account_fingerprint, account_last4, ...check })
  keysOfLines.set(asking, `check:${global_batch_file_payment_id}`)
  const bank_account_id = await insert(db, 'bank_accounts', { payer_id, account_fingerprint, account_last4, bank_name: 'First Bank' })
  const bytes = Buffer.from('a statement')
  const bank_statement_file_id = await insert(db, 'bank_statement_files', {
    bank_account_id,
    file_name: 'day.bai',
    format: 'bai2',
    sha256: createHash('sha256').update(bytes).digest(),
    content_encrypted: Buffer.alloc(0),
    byte_size: bytes.length,
  })
  const place = { table: 'bank_statement_files', column: 'content', id: bank_statement_file_id }
  const sealed = sealBytes(asking.app.machinery.settings.secretKey, place, bytes)
  await sql`update bank_statement_files set content_encrypted = ${sealed} where id = ${bank_statement_file_id}`.execute(db)
  const days = { from_day: dayNow(), to_day: dayNow(), opening: '10.00', closing: '9.00' }
  const statement = await insert(db, 'bank_statements', { payer_id, bank_account_id, bank_statement_file_id, ...days })
  const said = {
    line: 4,
    day: dayNow(),
    amount: '-1.00',
    code: '475',
    check_number: '1',
    description: 'Check paid',
    reference: '',
    reason: 'Nothing has this amount.',
  }
  const settled_at = state === 'explained' ? '2026-11-25T15:00:00Z' : null
  return {
    statement,
    line: await insert(db, 'bank_statement_lines', { payer_id, bank_statement_id: statement, state, settled_at, ...said }),
  }
}
const statementIds = async (asking: Asking) => ({ id: (await storedStatement(asking, 'open')).statement })
const lineIds = (state: 'open' | 'explained') => async (asking: Asking) => ({ id: (await storedStatement(asking, state)).line })
/** An export of a batch of its own that somebody else has asked for. */
const waitingRelease = async ({ world: { db, places } }: Asking) => {
  const { clientId: client_id } = places.own
  const payment_batch_id = await makeGlobalBatch(db, places.own)
  const id = await insert(db, 'export_releases', {
    pay_method: 'Check',
    format: 'check_request',
    reasons: 'the bank profile asks for it',
    fingerprints: JSON.stringify({ payments: '', vendors: {}, profiles: '', rules: '' }),
    payer_names: 'Payer',
    batch_count: 1,
    payment_count: 1,
    total: '1.00',
    requested_by: 999_999,
  })
  await sql`insert into export_release_batches (client_id, export_release_id, payment_batch_id)
    values (${client_id}, ${id}, ${payment_batch_id})`.execute(db)
  return { id }
}
const batchOfType =
  (type: string) =>
  async ({ world: { db, places } }: Asking) => ({ ids: [await makeGlobalBatch(db, places.own, type)] })
/** A paid batch on its own day, so that one test does not finalize another one's batch. */
const paidDays = new WeakMap<Asking, string>()
let paidCount = 0
const paidBatch = async (asking: Asking) => {
  const { db, places } = asking.world
  const day = addDays('2020-01-01', paidCount++)
  paidDays.set(asking, day)
  const id = await makeGlobalBatch(db, places.own)
  await sql`update payment_batches set is_paid = true, paid_at = now(), created_at = ${`${day}T15:00:00Z`} where id = ${id}`.execute(db)
  return {}
}

export const deskRecipes: Recipes = {
  'global_batches.export_files': {
    body: async ({ world: { db, places } }) => {
      const batch = await makeGlobalBatch(db, places.own)
      const { rows } = await sql<{ bill_id: number }>`select bill_id from payment_batch_bills where payment_batch_id = ${batch}`.execute(db)
      return { bill_ids: rows.map(({ bill_id }) => bill_id), pay_method: 'Check' }
    },
  },
  'global_batches.export_preview': { body: async (asking) => ({ ...(await batchOfType('Check')(asking)), pay_method: 'Check' }) },
  'global_batches.pay': { body: batchOfType('OP') },
  'global_batches.finalize': { body: batchOfType('NP') },
  'global_batches.reverse': {
    ids: async (asking) => {
      const { batch, payment } = await returnedPayment(asking)
      return { id: batch, vendor_payment_id: payment }
    },
    body: () => ({ payment_reversal: { kind: 'void_check', reversed_date: '2026-02-02', reason: 'Lost in the mail' } }),
  },
  'global_batches.accounting_export': { fresh: paidBatch, query: (asking) => `day=${paidDays.get(asking) ?? '2019-01-01'}` },
  'global_batch_files.download': { ids: fileIds },
  'bank_returns.preview': { body: returnedFile },
  'bank_returns.read': { body: async (asking) => ({ ...(await returnedFile(asking)), lines: [4] }) },
  'bank_returns.apply': { ids: leftReturn },
  'bank_statements.get': { ids: statementIds },
  'bank_statements.match': { ids: statementIds },
  'bank_statements.destroy': { ids: statementIds },
  'bank_statements.preview': { body: statementFile },
  'bank_statements.read': { body: statementFile },
  'bank_statement_lines.candidates': { ids: lineIds('open') },
  'bank_statement_lines.clear': {
    ids: lineIds('open'),
    body: (asking) => ({ clearable_key: keysOfLines.get(asking) ?? 'check:0', lock_version: 0 }),
  },
  'bank_statement_lines.explain': { ids: lineIds('open'), body: () => ({ reason: 'Monthly fee', lock_version: 0 }) },
  'bank_statement_lines.undo': { ids: lineIds('explained'), body: () => ({ reason: 'Mistake', lock_version: 0 }) },
  'export_releases.get': { ids: waitingRelease },
  'export_releases.decide': { ids: waitingRelease, body: () => ({ decision: { act: 'refuse', note: 'Not yet' } }) },
  'remittance_advices.send_again': { ids: advice('failed') },
  'remittance_advices.mark_bounced': { ids: advice('sent') },
  'issued_checks.record': {
    ids: async (asking) => ({ id: (await requestedCheck(asking)).id }),
    body: () => ({ issued_check: { check_number: String(unusedNumber()), check_date: dayNow(), seen_check_number: null } }),
  },
  'issued_checks.preview': { body: checkFile },
  'issued_checks.read': { body: checkFile },
  'positive_pay.export_file': { body: unreportedCheck },
  'global_batch_files.make_test': { body: completeProfile },
  'global_batch_bank_value.update': {
    body: async ({ world: { db } }) => {
      await setBankValue(db, { value: '5.00', locked: false })
      return { current_value: '5.00', new_value: '5.00', locked: true, handle_lock: true }
    },
  },
  'global_batch_bank_value.lock': {
    body: async ({ world: { db } }) => {
      await setBankValue(db, { value: '5.00', locked: false })
      return { current_value: '5.00', new_value: '5.00', locked: true }
    },
  },
  'global_batches.get': { ids: batchIds },
  'global_batches.create': {
    body: async ({ world: { db, places } }) => {
      await setBankValue(db)
      return { global_batch: { ...dates, bill_ids: [await makePayableBill(db, places.own)] } }
    },
  },
  'global_batches.update': {
    ids: batchIds,
    body: async ({ world: { db } }) => {
      await setBankValue(db)
      return { global_batch: { notes: unique('Notes') } }
    },
  },
  'global_batches.unbatch': { body: async ({ world: { db, places } }) => ({ ids: [await makeGlobalBatch(db, places.own)] }) },
  'global_batches.temp_pay_method': {
    body: async ({ world: { db, places } }) => ({ ids: [await makeGlobalBatch(db, places.own)], temp_method: 'OP' }),
  },
}
