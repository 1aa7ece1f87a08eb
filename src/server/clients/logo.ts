/** The logo of a client: a file of its own, sent as a signed upload id and read back as an address that works for minutes. */
import type { Client } from '#contract/client.ts'
import { imageKinds } from '#contract/upload.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { attachUpload } from '../uploads/uploads.ts'

const logoBytesMax = 2 * 1024 * 1024

export const logoJoin = sql`left join files logo on logo.id = clients.logo_file_id`

/** The address of a file is made by withLogoUrls: what the database stores is its key, which is nobody's business. */
export const logoColumns = {
  file_url: { sql: sql`null::text` },
  filename: { sql: sql.ref('logo.filename'), joins: ['logo'] },
  logo_key: { sql: sql.ref('logo.key'), joins: ['logo'] },
  logo_content_type: { sql: sql.ref('logo.content_type'), joins: ['logo'] },
}

/** The column that a draft's logo sets: a signed id attaches the upload, null takes the logo away. */
export async function savedLogo(context: Context, signedId: string | null | undefined): Promise<Record<string, number | null>> {
  if (signedId === undefined) return {}
  return { logo_file_id: signedId === null ? null : await attachUpload(context, signedId, { kinds: imageKinds, maxBytes: logoBytesMax }) }
}

type StoredClient = Client & { readonly logo_key?: string | null; readonly logo_content_type?: string | null }

/** Signing asks nobody, so the logos of a page cost no further statement. */
export async function withLogoUrls({ services }: Context, rows: readonly StoredClient[]): Promise<Client[]> {
  return Promise.all(
    rows.map(async ({ logo_key: key, logo_content_type: contentType, ...row }) => {
      if (!key || !contentType || row.filename === null) return row
      return { ...row, file_url: await services.files.downloadUrl({ key, filename: row.filename, contentType, inline: true }) }
    }),
  )
}
