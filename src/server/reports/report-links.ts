/** The links of mailed reports: signed for one reader, and over when the rights change with which the report was made. */
import { createHash } from 'node:crypto'
import { linkDays, reportDeliveryCalls, type ReportFormat } from '#contract/reports/report-schedule.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { loadPrincipal } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { sendFile } from '../kernel/files/files.ts'
import { noteEvent } from '../kernel/http/security-facts.ts'
import { openToken, signToken } from '../kernel/http/signed-token.ts'
import { linkHolderOf } from '../kernel/principal.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { forbidden } from '../kernel/problem.ts'

const daySeconds = 86_400
const over = 'This link is over, or what you may see has changed since. Sign in and open Generated Reports.'

const linked = z.object({
  client: z.int(),
  report: z.int(),
  user: z.int(),
  format: z.enum(['pdf', 'csv', 'xlsx']),
  rights: z.string(),
  /** A digest of the password of then: a recovery of the account ends its links. */
  password: z.string(),
})

export interface LinkedReport {
  readonly clientId: number
  readonly reportId: number
}

/** Returns a digest of the password in force. Who has none signs in at a provider, and has none to recover. */
export async function passwordDigest(tx: Tx, userId: number): Promise<string> {
  const { rows } = await sql<{ hash: string | null }>`select password_hash as hash from users where id = ${userId}`.execute(tx)
  return createHash('sha256')
    .update(rows[0]?.hash ?? '')
    .digest('base64url')
}

/** Returns the address of a file for its reader; `password` is the digest of theirs. */
export function reportLink({ machinery, principal }: Context, report: LinkedReport, format: ReportFormat, password: string): string {
  const { secretKey, publicUrl } = machinery.settings
  const { clientId: client, reportId } = report
  const payload = { client, report: reportId, user: principal.user_id, format, rights: linkHolderOf(principal).rights, password }
  return `${publicUrl}/api/v5/report_links/${signToken(secretKey, 'report_link', payload, linkDays * daySeconds)}`
}

export const reportLinkHandler: Handler = handle(reportDeliveryCalls.link, async (context, { params, http }) => {
  const { secretKey } = context.machinery.settings
  const link = openToken(secretKey, 'report_link', params.token, linked)
  const reader = link && (await loadPrincipal(context.tx, link.user))
  if (!reader || linkHolderOf(reader).rights !== link.rights) throw forbidden(over)
  if ((await passwordDigest(context.tx, link.user)) !== link.password) throw forbidden(over)
  const file = await fileOf(context, link)
  if (!file) throw forbidden(over)
  // Nobody is signed in here, so the route alone would not say whose download it is.
  noteEvent(http.request, 'file_downloaded', link.user)
  const { key, filename, content_type: contentType } = file
  return sendFile(context.machinery, http.reply, { key, filename, contentType })
})

type Link = z.infer<typeof linked>

interface LinkedFile {
  readonly key: string
  readonly filename: string
  readonly content_type: string
}

/** The CSV is the only file, or the one beside the PDF. */
async function fileOf({ tx }: Context, { client, report, user, format }: Link): Promise<LinkedFile | undefined> {
  const { rows } = await sql<LinkedFile>`select file.key, file.filename, file.content_type from generated_reports made
      join reports kind on kind.id = made.report_id
      join files file on file.id = case ${format}::text when 'xlsx' then made.workbook_file_id
        when 'csv' then case kind.export_type when 'csv' then made.file_id else made.extra_file_id end
        else case kind.export_type when 'csv' then null else made.file_id end end
    where made.client_id = ${client} and made.id = ${report} and made.assignable_user_id = ${user}`.execute(tx)
  return rows[0]
}
