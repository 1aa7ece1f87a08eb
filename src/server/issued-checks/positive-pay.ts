/**
 * Positive pay: the file that reports to a bank which checks were issued and which are void, so that it pays no other ones. File and checks
 * are one transaction: each check is reported once as issued and once as void.
 */
import { formatMoney, sumCents, wireOf } from '#contract/kernel/money.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { exportFaults } from '#contract/payment-files/payment-files.ts'
import type { ExportInput, PaymentForFile, ProfileForFile } from '#contract/payment-files/payment-file.ts'
import { sql } from 'kysely'
import { holdProfile, storeFiles } from '../global-batches/global-batches.ts'
import type { AuditEntry } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, refused } from '../kernel/problem.ts'
import { accountOf } from './check-accounts.ts'
import { readUnreported, type UnreportedCheck } from './unreported-checks.ts'

/** Faults that a refusal names. */
const NAMED_MAX = 20

/** Two exports at once: the second waits for the checks of the first, and finds them reported. */
export async function exportPositivePay(context: Context, profileId: number, key: string) {
  const profile = await holdProfile(context, profileId)
  const account = accountOf(context, profile)
  if (account === null) throw invalid({ originating_profile_id: [`${profile.name} has no account number.`] })
  const checks = await readUnreported(context, account.fingerprint)
  if (checks.some(({ reached }) => !reached))
    throw invalid({
      originating_profile_id: ['This account pays for clients that you do not reach. Somebody who reaches them must export it.'],
    })
  if (checks.length === 0) throw refused(`The bank knows all checks of account …${account.last4} already.`, profileId)
  const input = inputOf(profile, checks)
  const faults = exportFaults(input).map(({ sentence }) => sentence)
  if (faults.length > 0) throw invalid({ originating_profile_id: faults.slice(0, NAMED_MAX) })
  const total = sumCents(checks.map(({ amount }) => amount))
  const stored = await storeFiles(context, { input, export_type: 'Check', purpose: 'companion', exportKey: key, total })
  const [file] = stored.files
  if (!file || stored.files.length > 1) throw new Error('a positive pay file of one account is not one file')
  await markReported(context, checks, file)
  const issued = sumOf(checks.filter((check) => !check.is_void))
  const ended = sumOf(checks.filter((check) => check.is_void))
  return {
    success: true,
    message: `Positive pay file written: ${issued.words} issued, ${ended.words} void`,
    id: file.id,
    file_name: file.file_name,
    batch_file_url: file.batch_file_url,
    issued: issued.count,
    issued_total: issued.total,
    void: ended.count,
    void_total: ended.total,
  }
}

function inputOf(profile: ProfileForFile, checks: readonly UnreportedCheck[]): ExportInput {
  const { date, time } = wallTimeIn(NEW_YORK, now())
  return {
    type: 'Check',
    format: 'positive_pay',
    moment: { date, time: time.slice(0, 5) },
    profiles: [profile],
    payments: checks.map((check) => paymentOf(check, profile.id)),
    vendor_name: null,
    is_test: false,
  }
}

function paymentOf(check: UnreportedCheck, profile_id: number): PaymentForFile {
  const nothing = { street_address_1: null, street_address_2: null, city: null, state: null, zip: null }
  return {
    id: check.vendor_payment_id,
    payer: { client_id: check.payer_id, name: check.payer_name, short_code: check.payer_short_code },
    profile_id,
    batch_id: check.payment_batch_id,
    batch_date: check.check_date,
    vendor: {
      id: check.vendor_id,
      name: check.vendor_name,
      short_code: check.vendor_short_code,
      client_vendor_number: null,
      is_exclusive: false,
      routing_number: null,
      account_number: null,
      account_type: 'checking',
      account_holder: null,
      remittance: 'none',
      prenote_state: 'none',
      prenote_date: null,
      phone: null,
      remit_name: check.payee,
      remit_address: nothing,
    },
    payment_type: 'Check',
    effective_type: 'Check',
    payment_date: check.check_date,
    check_number: check.check_number,
    is_void: check.is_void,
    amount: check.amount,
    bills: check.bills,
  }
}

async function markReported(
  context: Context,
  checks: readonly UnreportedCheck[],
  file: { readonly id: number; readonly file_name: string },
): Promise<void> {
  const told = checks.map(({ id, is_void }) => ({ id, is_void }))
  const { rows } = await sql`update issued_checks set issue_file_id = case when told.is_void then issue_file_id else ${file.id}::bigint end,
      void_file_id = case when told.is_void then ${file.id}::bigint end, updated_at = ${now()}
    from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as told(id bigint, is_void boolean)
    where issued_checks.id = told.id and void_file_id is null and (told.is_void or issue_file_id is null) returning issued_checks.id`.execute(
    context.tx,
  )
  if (rows.length !== checks.length) throw new Error('a check was reported while its account was held')
  await context.audit.many(
    checks.map((check): AuditEntry => ({
      event: 'update',
      item_type: 'issued_check',
      item_id: check.entry_id,
      client_id: check.payer_id,
      changes: { [check.is_void ? 'void_file' : 'issue_file']: { from: null, to: file.file_name } },
    })),
  )
}

function sumOf(checks: readonly UnreportedCheck[]) {
  const total = wireOf(sumCents(checks.map(({ amount }) => amount)))
  const count = checks.length
  return { count, total, words: `${count === 1 ? '1 check' : `${count.toLocaleString('en-US')} checks`} (${formatMoney(total)})` }
}
