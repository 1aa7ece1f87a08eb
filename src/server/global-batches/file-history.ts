/** The history of files, and their original bytes. Each download is recorded in the audit log. */
import { createHash } from 'node:crypto'
import { globalBatchFile, globalBatchFileCalls } from '#contract/global-batches/global-batch-file.ts'
import { sinceChangeWords } from '#contract/global-batches/first-payment.ts'
import { NEW_YORK } from '#contract/kernel/zone.ts'
import { formatsWithNumbers } from '#contract/payment-files/layout.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { disposition } from '../kernel/files/files.ts'
import { answered, handle, type Handler } from '../kernel/handler.ts'
import { defineWhere, reachSchema } from '../kernel/lists/export.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { askedBy, exportHandler, listAnswer, resource } from '../kernel/lists/resource.ts'
import { storedRow } from '../kernel/lists/save.ts'
import { openBytes } from '../kernel/secret.ts'
import { mustBeProven } from '../access/access.ts'
import { mayIn } from '../kernel/principal.ts'
import { forbidden } from '../kernel/problem.ts'
import { personName } from '../vendors/vendors.ts'
import { namedChanger } from './found-first.ts'
import { nameOfUser } from '../kernel/lists/name-of-user.ts'

const downloads = sql`from audit_records download where download.client_id = 0 and download.item_type = 'global_batch_file'
  and download.item_id = global_batch_files.id and download.event = 'access'`

const firstPaymentSentence = sql`vendor.name || ${sql.lit(`: first ${sinceChangeWords} `)}
  || to_char(entry.bank_changed_at at time zone ${sql.lit(NEW_YORK)}, 'MM/DD/YYYY') || ' by ' || ${namedChanger(sql`entry.bank_changed_by`)}`

const globalBatchFiles = resource({
  entity: globalBatchFile,
  table: 'global_batch_files',
  scope: 'shared',
  columns: {
    lock_version: { sql: sql`0` },
    is_test: { sql: sql<boolean>`(global_batch_files.purpose = 'test')` },
    batch_file_url: { sql: sql`'/api/v5/global_batch_files/' || global_batch_files.id || '/download'` },
    layout_version: {
      sql: sql`(select profile.name || ', version ' || own.version from originating_profile_layouts own
        join originating_profiles profile on profile.client_id = own.client_id and profile.id = own.originating_profile_id
        where own.client_id = global_batch_files.layout_client_id and own.id = global_batch_files.layout_version_id)`,
    },
    sha256: { sql: sql`encode(global_batch_files.sha256, 'hex')` },
    // Parenthesized: an export appends text with an operator of the same precedence.
    bank_name: { sql: sql`(global_batch_files.control ->> 'bank_name') collate natural_order` },
    effective_date: { sql: sql`(global_batch_files.control ->> 'effective_date')::date` },
    created_by_name: {
      sql: sql`(select ${nameOfUser('users')} from users where users.id = global_batch_files.created_by) collate natural_order`,
    },
    released_by_name: {
      sql: sql`(select ${personName(sql`released.decided_by`)} from export_releases released where released.id = global_batch_files.export_release_id) collate natural_order`,
    },
    first_payments: {
      sql: sql`(select string_agg(distinct ${firstPaymentSentence}, '; ') from global_batch_file_payments entry
        join vendor_payments payment on payment.client_id = entry.client_id and payment.id = entry.vendor_payment_id
        join vendors vendor on vendor.id = payment.vendor_id where entry.global_batch_file_id = global_batch_files.id and entry.is_first_payment) collate natural_order`,
    },
    downloads: { sql: sql`(select count(*)::int ${downloads})` },
    last_downloaded_at: { sql: sql`(select max(download.created_at) ${downloads})` },
  },
})

const reaches = (client: string, reach: z.infer<typeof reachSchema>) =>
  scopeCondition({ scope: { client: sql.ref(client), levels: {} } }, { reach })

/** A file holds payments of several clients: it is visible to users who reach all of them, and a test file to users who reach its bank profile. */
const allReached = defineWhere(
  'files_of_reached_clients',
  z.object({ reach: reachSchema }),
  ({
    reach,
  }) => sql<boolean>`not exists (select 1 from global_batch_file_batches of_file where of_file.global_batch_file_id = global_batch_files.id
    and not ${reaches('of_file.client_id', reach)})
    and (global_batch_files.test_client_id is null or ${reaches('global_batch_files.test_client_id', reach)})`,
)
const asked = (context: Context) => ({ ...askedBy(context, {}), ...allReached({ reach: context.reach }) })

export const fileHandlers: readonly Handler[] = [
  handle(globalBatchFileCalls.list, (context, { query }) => listAnswer(context, globalBatchFiles, query, asked(context))),
  exportHandler(globalBatchFileCalls.exportCsv, globalBatchFiles, asked),
  handle(globalBatchFileCalls.download, async (context, { params, http }) => {
    await mustSeeNumbers(context, await storedRow(context, globalBatchFiles, params.id, asked(context)))
    const file = await openFile(context, params.id)
    await context.audit.noted('access', 'global_batch_file', params.id, 0)
    http.reply
      .headers({
        'content-disposition': disposition(file.file_name, false),
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .type(file.content_type)
    context.afterCommit(() => void http.reply.send(file.bytes))
    return answered
  }),
]

/** A file with account numbers of vendors shows as much as their bank details do, so it needs the same right and a recent password. */
async function mustSeeNumbers(
  context: Context,
  { format, is_test }: { readonly format: string; readonly is_test: boolean },
): Promise<void> {
  // The payees of a test file are invented.
  if (is_test || !formatsWithNumbers.some((one) => one === format)) return
  if (!mayIn(context.principal, 'vendor_bank_detail.read'))
    throw forbidden('This file holds the account numbers of vendors. You may not see them.')
  await mustBeProven(context)
}

interface OpenFile {
  readonly file_name: string
  readonly content_type: string
  readonly bytes: Buffer
}

/** Throws if the bytes differ from those that were written. */
async function openFile({ tx, machinery }: Context, id: number): Promise<OpenFile> {
  const { rows } = await sql<{ file_name: string; content_type: string; sealed: Buffer; sha256: Buffer }>`select file_name, content_type,
      content_encrypted as sealed, sha256 from global_batch_files where id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a file that was read is not there')
  const bytes = openBytes(machinery.settings.secretKey, { table: 'global_batch_files', column: 'content', id }, row.sealed)
  if (!createHash('sha256').update(bytes).digest().equals(row.sha256)) throw new Error(`the bytes of file ${id} do not have its hash`)
  return { file_name: row.file_name, content_type: row.content_type, bytes }
}
