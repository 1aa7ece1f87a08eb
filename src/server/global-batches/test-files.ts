/** A test file for a bank, made from a bank profile: it pays nothing, and counts toward no limit and no number of files. */
import { exportFaults } from '#contract/payment-files/payment-files.ts'
import { testFormats, testInput, type TestFormat } from '#contract/payment-files/test-input.ts'
import type { PayerForFile } from '#contract/payment-files/payment-file.ts'
import { NEW_YORK, wallTimeIn } from '#contract/kernel/zone.ts'
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/problem.ts'
import { holdProfile } from './held-profile.ts'
import { totalOf } from './pay-by-files.ts'
import { storeFiles } from './store-files.ts'

/** Throws 422 with everything that the profile lacks for a file of this format. */
export async function makeTestFile(
  context: Context,
  { originating_profile_id: id, format }: { readonly originating_profile_id: number; readonly format: TestFormat },
  key: string,
) {
  const profile = await holdProfile(context, id)
  const { date, time } = wallTimeIn(NEW_YORK, now())
  const input = testInput(format, profile, await payerOf(context, profile.client_id), { date, time: time.slice(0, 5) })
  const faults = exportFaults(input).map(({ sentence }) => sentence)
  if (faults.length > 0) throw invalid({ format: faults })
  const stored = await storeFiles(context, {
    input,
    export_type: testFormats.find(({ value }) => value === format)?.type ?? 'ACH',
    purpose: 'test',
    testClient: profile.client_id,
    exportKey: key,
    total: totalOf(input),
  })
  const [file] = stored.files
  if (!file || stored.files.length > 1) throw new Error('a test file of one bank profile is not one file')
  const { file_name, batch_file_url } = file
  return { success: true, message: 'Test file written. It pays nothing.', id: file.id, file_name, batch_file_url }
}

/** The provider's own profile pays in the name of a client, and a test has none. */
async function payerOf({ tx }: Context, clientId: number): Promise<PayerForFile> {
  const { rows } = await sql<PayerForFile>`select id as client_id, name, short_code from clients where id = ${clientId}`.execute(tx)
  return rows[0] ?? { client_id: 0, name: 'Test Payer', short_code: 'TEST' }
}
