/** Stores the secrets of an imported file, encrypted. */
import { sql, type RawBuilder } from 'kysely'
import { openStaged } from './import-secrets.ts'
import type { PlanParts } from './import-plan.ts'
import { placeOf, type ImportTarget } from './import-target.ts'
import { secretColumns } from '../secret.ts'

export type Sql = RawBuilder<unknown>

/** Rows whose secrets are opened and sealed at once. */
const secretsAtOnce = 500

/** Secrets are bound to their record, so each is sealed again for its record. */
export async function storePlannedSecrets(target: ImportTarget, parts: PlanParts): Promise<void> {
  const keys = parts.columns.filter((column) => placeOf(column) === 'secret').map(({ key }) => key)
  if (keys.length === 0) return
  const { tx } = parts.context
  for (let after = 0; ;) {
    const { rows } = await sql<SecretRow>`select line, item_id, secrets, changes from ${sql.table(parts.plan)}
      where secrets is not null and action in ('create', 'update') and line > ${after} order by line limit ${secretsAtOnce}`.execute(tx)
    if (rows.length === 0) return
    if (target.secrets)
      await target.secrets.take(
        parts.context,
        parts.importId,
        rows.map((row) => opened(row, keys, parts)),
      )
    else for (const key of keys) await storeSecret(target, key, rows, parts)
    after = rows.at(-1)?.line ?? Number.POSITIVE_INFINITY
  }
}

interface SecretRow {
  readonly line: number
  readonly item_id: number
  readonly secrets: Readonly<Record<string, { sealed?: string; cleared?: boolean; masked?: string }>>
  readonly changes: Readonly<Record<string, unknown>> | null
}

/** Returns the secrets that a row sets or empties, in the clear. */
function opened({ line, item_id: id, secrets, changes }: SecretRow, keys: readonly string[], { context, importId }: PlanParts) {
  const { secretKey } = context.machinery.settings
  const values = keys.flatMap((key) => {
    const staged = secrets[key]
    if (!staged || staged.masked !== undefined || (changes !== null && !(key in changes))) return []
    return [[key, staged.sealed === undefined ? null : openStaged(secretKey, { importId, line, key }, staged.sealed)] as const]
  })
  return { id, values: Object.fromEntries(values) }
}

async function storeSecret({ source }: ImportTarget, key: string, rows: readonly SecretRow[], parts: PlanParts): Promise<void> {
  const { context } = parts
  const { secretKey } = context.machinery.settings
  const changed = rows.flatMap((row) => {
    const { id, values } = opened(row, [key], parts)
    const value = values[key]
    if (value === undefined) return []
    const columns = secretColumns(secretKey, { table: source.table, column: key, id }, value)
    const bytes = (name: string): string | null => {
      const found = columns[`${key}_${name}`]
      return Buffer.isBuffer(found) ? found.toString('base64') : null
    }
    const last4 = columns[`${key}_last4`]
    return [{ id, encrypted: bytes('encrypted'), last4: typeof last4 === 'string' ? last4 : null, fingerprint: bytes('fingerprint') }]
  })
  if (changed.length > 0) await writeSecrets(source.table, key, sql`jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)`, context)
}

/** Writes sealed bytes, given in base64, unchanged. */
async function writeSecrets(table: string, key: string, from: Sql, { tx }: Pick<PlanParts['context'], 'tx'>): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(`${key}_encrypted`)} = decode(given.encrypted, 'base64'), ${sql.ref(`${key}_last4`)} = given.last4,
      ${sql.ref(`${key}_fingerprint`)} = decode(given.fingerprint, 'base64')
    from ${from} as given(id bigint, encrypted text, last4 text, fingerprint text) where ${sql.ref(`${table}.id`)} = given.id`.execute(tx)
}
