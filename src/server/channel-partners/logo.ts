/** The logo of a client or a channel partner: a file, sent as a signed upload id and returned as an address that works for minutes. */
import { imageKinds } from '#contract/uploads/upload-kinds.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { attachUpload } from '../uploads/uploads.ts'

const logoBytesMax = 2 * 1024 * 1024

/** Joins the file that `logo_file_id` of a table refers to. */
export function logoJoin(table: 'clients' | 'channel_partners'): RawBuilder<unknown> {
  return sql`left join files logo on logo.id = ${sql.ref(`${table}.logo_file_id`)}`
}

/** withLogoUrls builds the address: the database stores the file's key, which is not public. */
export const logoColumns = {
  file_url: { sql: sql`null::text` },
  filename: { sql: sql.ref('logo.filename'), joins: ['logo'] },
  logo_key: { sql: sql.ref('logo.key'), joins: ['logo'] },
  logo_content_type: { sql: sql.ref('logo.content_type'), joins: ['logo'] },
}

/** Returns the column to store for a draft's logo: a signed id attaches the upload, null removes the logo. `field` is where a refusal shows. */
export async function savedLogo(
  context: Context,
  signedId: string | null | undefined,
  field: string,
): Promise<Record<string, number | null>> {
  if (signedId === undefined) return {}
  const rule = { kinds: imageKinds, maxBytes: logoBytesMax }
  return { logo_file_id: signedId === null ? null : await attachUpload(context, signedId, rule, field) }
}

/** Records a changed logo in the trail, by the file names. The saved fields alone would not show it. */
export async function noteLogo(
  context: Context,
  item: 'client' | 'channel_partner',
  signedId: string | null | undefined,
  { id, client_id }: { readonly id: number; readonly client_id: number },
  before: { readonly filename: string | null } | null,
): Promise<void> {
  if (signedId === undefined) return
  const { rows } = await sql<{ filename: string }>`select filename from files
    where id = (select logo_file_id from ${sql.table(`${item}s`)} where id = ${id})`.execute(context.tx)
  const change = { from: before?.filename ?? null, to: rows[0]?.filename ?? null }
  if (change.from !== null || change.to !== null) await context.audit.updated(item, id, client_id, { logo: change })
}

interface StoredLogo {
  readonly filename: string | null
  readonly logo_key?: string | null
  readonly logo_content_type?: string | null
}

/** Signing is local, so the logos of a page cost no further statement. */
export function withLogoUrls<R extends StoredLogo>(context: Pick<Context, 'machinery'>, rows: readonly R[]): R[]
export function withLogoUrls(context: Pick<Context, 'machinery'>, rows: readonly StoredLogo[]): object[] {
  return rows.map(({ logo_key: key, logo_content_type: contentType, ...row }) => {
    if (!key || !contentType || row.filename === null) return row
    return { ...row, file_url: logoUrl(context, { key, filename: row.filename, contentType }) }
  })
}

/** Returns the address of a stored logo, for display in the page. A logo is no secret: whoever has the address may see it. */
export function logoUrl(
  { machinery }: Pick<Context, 'machinery'>,
  logo: { readonly key: string; readonly filename: string; readonly contentType: string },
): string {
  return machinery.files.downloadUrl({ ...logo, inline: true, reader: null })
}
