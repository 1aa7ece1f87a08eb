/**
 * What asks for a recent password, by one rule (`mustBeProven`). Each call that sends money, takes it back or changes where it goes is named
 * here: it asks, it asks in a case that a test shows, or it does not, and why. Every call that writes is made with an old sign-in, so that a
 * call that begins or ceases to ask is noticed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/kernel/call.ts'
import { partsOf, permissionsOf } from '#contract/kernel/permission.ts'
import { setProviders } from '../src/server/bill-retrieval/bill-retrieval.ts'
import { makePeople, makeStrangers } from './every-call/principals.ts'
import { readTable } from './every-call/rows.ts'
import { workIsOver } from './every-call/trace.ts'
import { askOnce, type Walk } from './every-call/walker.ts'
import { makeWorld, quietProvider } from './every-call/world.ts'
import { makePerson, startTestApp } from './support/app.ts'

const started = await startTestApp()
const { db } = started.database
let walk: Walk

/** Calls that ask whatever they are sent. */
const always: readonly string[] = [
  // Money out, and money taken back, which could be paid again.
  'global_batches.export_files',
  'global_batches.pay',
  'global_batches.finalize',
  'global_batches.accounting_export',
  'global_batches.reverse',
  'vendor_payments.reverse',
  'bank_returns.read',
  'bank_returns.apply',
  'positive_pay.export_file',
  // From where, and how much.
  'global_batch_bank_value.update',
  'global_batch_bank_value.lock',
  'originating_profiles.create',
  'originating_profiles.update',
  'originating_profiles.destroy',
  'profile_layouts.save',
  'payment_settings.update',
  // To whom.
  'vendor_bank_changes.approve',
  'vendor_bank_changes.bank_details',
  'vendors.bank_details',
  'vendors.import',
  // What would outlive a stolen sign-in.
  'api_tokens.create',
  'users.create',
  'users.remove_second_factor_of',
  'users.remove_passkey',
  'user_roles.create',
  'user_roles.update',
  'webhooks.create',
  'webhooks.renew_secret',
]

const approvals = 'src/server/payment-batches/approve-batch.test.ts'
const secondFactor = 'src/server/access/second-factor.test.ts: is set up by a first code and a recent password'
const vendors = 'src/server/vendors/vendors.test.ts'
const imports = 'src/server/imports/imports.test.ts'

/** Calls that ask in one case: the case, and the test that shows it. */
const sometimes: Readonly<Record<string, readonly [when: string, shownBy: string]>> = {
  'payment_batches.create': ['it closes the batch, which pays it', `${approvals}: a close, which pays, wants the password`],
  'payment_batches.update': ['it closes the batch, which pays it', `${approvals}: a close, which pays, wants the password`],
  'payment_batches.approve': ['it approves', `${approvals}: an approval wants the password`],
  'export_releases.decide': ['it releases', 'src/server/global-batches/export-releases.test.ts: wants the password of the last minutes'],
  'global_batch_files.download': [
    'the file has account numbers',
    'src/server/global-batches/second-person.test.ts: needs a recent password, as its numbers',
  ],
  'vendors.create': ['it has bank details', `${vendors}: is paid elsewhere or by other means`],
  'vendors.update': ['payee, payment methods, bank details or a prenote change', `${vendors}: is paid elsewhere or by other means`],
  'imports.commit': ['vendors are imported', `${imports}: of vendors is sent, stored and undone with a recent password`],
  'imports.undo': ['vendors were imported', `${imports}: of vendors is sent, stored and undone with a recent password`],
  'users.begin_second_factor': ['always; here each is asked with a new sign-in', secondFactor],
  'users.confirm_second_factor': ['always; here each is asked with a new sign-in', secondFactor],
  'users.update': ['address or password change', 'src/server/users/peers.test.ts: wants the password of the last minutes'],
  'users.update_profile': ['address or password change', 'src/server/access/proof.test.ts: needs the password of the last minutes'],
  'webhooks.update': ['it leads elsewhere or is switched on', 'src/server/access/proof.test.ts: needs it for people, roles and webhooks'],
}

/** Calls about money that do not ask, and why. */
const beforeExport = 'nothing leaves before the export, which asks'
const beforeClose = 'nothing is paid before the close of the batch, which asks'
const told = 'tells what the bank did, and moves nothing'
const paper = 'a paper of payments that were made'
const never: Readonly<Record<string, string>> = {
  'global_batches.create': beforeExport,
  'global_batches.update': beforeExport,
  'global_batches.unbatch': beforeExport,
  'global_batches.temp_pay_method': beforeExport,
  'global_batch_files.make_test': 'its payees are invented',
  'payment_batches.request_approval': 'the approval asks',
  'payment_batches.destroy': 'a batch that is paid cannot be deleted',
  'payment_batches.sync': beforeClose,
  'vendor_payments.create': beforeClose,
  'vendor_payments.update': beforeClose,
  'vendor_payments.destroy': beforeClose,
  'payment_batches.bills_export': paper,
  'payment_batches.voucher_csv': paper,
  'payment_batches.voucher_pdf': paper,
  'vendor_payments.generate_payments_pdf': paper,
  'bank_statements.read': told,
  'bank_statements.match': told,
  'bank_statements.destroy': told,
  'bank_statement_lines.clear': told,
  'bank_statement_lines.explain': told,
  'bank_statement_lines.undo': told,
  'issued_checks.read': 'the bank honours checks by the positive pay file, which asks',
  'issued_checks.record': 'the bank honours checks by the positive pay file, which asks',
  'remittance_advices.send_again': 'a letter about a payment that was made',
  'remittance_advices.mark_bounced': 'a letter about a payment that was made',
  'vendor_bank_changes.refuse': 'the bank details stay as they are',
  'vendor_bank_changes.withdraw': 'the bank details stay as they are',
  'vendors.destroy': 'a vendor of an account cannot be deleted',
  'client_vendor_numbers.create': 'a number by which a vendor knows the client',
  'client_vendor_numbers.update': 'a number by which a vendor knows the client',
  'client_vendor_numbers.destroy': 'a number by which a vendor knows the client',
  'client_vendor_numbers.import': 'a number by which a vendor knows the client',
  'payment_methods.create': 'a name; how a vendor is paid is its own field, which asks',
  'payment_methods.update': 'a name; how a vendor is paid is its own field, which asks',
  'payment_methods.destroy': 'a name; how a vendor is paid is its own field, which asks',
}

/** Records that say what is paid, to whom and from where. */
const moneyModels: readonly string[] = ['global_batch', 'payment_batch', 'payment_reversal', 'vendor', 'vendor_bank_detail']
const moneyPath = /bank|pay|vendor|check|originating|export_releases/

function isAboutMoney({ effect, path, may }: Call): boolean {
  // A CSV file of a list holds masked numbers, and sends nothing.
  if (effect !== 'write' || path.endsWith('export_csv')) return false
  return moneyPath.test(path) || permissionsOf(may).some((permission) => moneyModels.includes(partsOf(permission).model))
}

const byName = new Map(calls.map((call) => [call.name, call]))
const written = readTable().flatMap((row) => {
  const call = byName.get(row.callName)
  return call?.effect === 'write' && row.name === row.callName ? [{ row, call }] : []
})

beforeAll(async () => {
  setProviders(started.app.machinery, [quietProvider])
  const world = await makeWorld(db)
  const old = await makePerson(db, 'super_admin')
  await sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${old.id}`.execute(db)
  const people = { ...(await makePeople(world)), super: old }
  walk = { app: started.app, world, people, strangers: await makeStrangers(db, started.app), address: await started.listen() }
})

describe('a recent password', () => {
  test('each call that sends money or changes where it goes asks for it, asks in a case that a test shows, or says why not', () => {
    const named = [...always, ...Object.keys(sometimes), ...Object.keys(never)]
    expect(new Set(named).size).toBe(named.length)
    expect(named.filter((name) => !byName.has(name))).toEqual([])
    const open = calls.filter((call) => isAboutMoney(call) && !named.includes(call.name))
    expect(open.map(({ name }) => name)).toEqual([])
  })

  test('an old sign-in is asked for it by exactly the calls that are named here', async () => {
    const asking: string[] = []
    const odd: string[] = []
    for (const { row, call } of written) {
      const answer = await askOnce(walk, row, call)
      if (answer === undefined) continue
      if (answer.status === 403 && answer.text.includes('"not_proven"')) asking.push(call.name)
      else if (answer.status >= 400 && !(call.name in sometimes)) odd.push(`${call.name}: ${answer.status} ${answer.text.slice(0, 200)}`)
      await workIsOver(db, sql`true`)
    }
    expect(asking.filter((name) => !(name in sometimes)).toSorted()).toEqual([...always].toSorted())
    expect(odd).toEqual([])
  })

  test('each case that is named here is shown by a test', () => {
    const shown = Object.values(sometimes).map(([, by]) => by.split(': '))
    const missing = shown.filter(([file = '', title = '']) => !readFileSync(join(import.meta.dirname, '..', file), 'utf8').includes(title))
    expect(missing).toEqual([])
  })
})
