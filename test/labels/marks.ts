/**
 * Marks: every text that a client stores names its row, so that the owner of each text in an answer is known. Technical words, which the
 * program itself compares, keep their values.
 */
import { sql, type RawBuilder } from 'kysely'
import { modelsNeverNarrowed } from '#contract/kernel/permission.ts'
import '../../src/server/handlers.ts'
import { scopeCondition } from '../../src/server/kernel/lists/list.ts'
import { registered } from '../../src/server/kernel/lists/sources.ts'
import type { Reach } from '../../src/server/kernel/principal.ts'
import type { Db } from '../every-call/world.ts'

/** Tables of the program's own work: their texts are no labels of the client's records. */
const working =
  /^(audit_records|bulk_changes|imports|report_deliveries|retrieval_cursors|retrieval_vendor_map|tasks|webhook_deliveries|webhooks|global_batch_.*)$/
/** Columns whose words the program compares. */
const words =
  /^(state|mailing_state|kind|provider|statement_id|file_id|payment_method|paid_as|return_code|dates|formats|zone|missing_fields|code|field|batch_code_pattern|retrieval_provider|error|paused_reason)$/
/** Columns named `code` that are a client's own. */
const ownCodes = ['divisions.code']

/** Parents of rows: who reads the parent reads them. */
const parents: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  account_aliases: [
    ['billable_accounts', 'billable_account_id'],
    ['supply_accounts', 'supply_account_id'],
  ],
  accounting_batch_files: [['accounting_batches', 'accounting_batch_id']],
  additional_entry_fields: [['services', 'service_id']],
  bill_charges: [['bills', 'bill_id']],
  bill_files: [['bills', 'bill_id']],
  bill_finding_events: [['bill_findings', 'finding_id']],
  service_bills: [['bills', 'bill_id']],
  service_supplier_factors: [['services', 'service_id']],
  contacts: [['site_surveys', 'site_survey_id']],
  compressors: [['site_surveys', 'site_survey_id']],
  gear_boxes: [['site_surveys', 'site_survey_id']],
  hvacs: [['site_surveys', 'site_survey_id']],
  lightings: [['site_surveys', 'site_survey_id']],
  motors: [['site_surveys', 'site_survey_id']],
  gl_lines: [['accounting_batches', 'accounting_batch_id']],
  ledger_account_fields: [['ledger_accounts', 'ledger_account_id']],
  payment_batch_bills: [['payment_batches', 'payment_batch_id']],
  payment_batch_approvals: [['payment_batches', 'payment_batch_id']],
  vendor_payments: [['payment_batches', 'payment_batch_id']],
  payment_reversals: [['vendor_payments', 'vendor_payment_id']],
}
/** One row per client, which represents the whole client. */
const ofWholeClient = ['client_ledger_settings']

/** A file of a bill has no id of its own. */
const idOf = sql`coalesce((to_jsonb(item) ->> 'id')::bigint, (to_jsonb(item) ->> 'bill_id')::bigint, 0)`

export interface MarkedColumn {
  readonly table: string
  readonly column: string
}

/** Writes the marks into all rows of the client. @returns the marked columns, by whose place marks name them. */
export async function markTexts(db: Db, clientId: number): Promise<readonly MarkedColumn[]> {
  const { rows: columns } = await sql<
    MarkedColumn & { several: boolean }
  >`select relname as table, attname as column, atttypid = 'text[]'::regtype as several
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped and atttypid in ('text'::regtype, 'text[]'::regtype)
      and (relname = 'clients' or exists (select from pg_attribute tenant where tenant.attrelid = pg_class.oid and tenant.attname = 'client_id'))
      and not exists (select from pg_constraint held where held.conrelid = pg_class.oid and held.contype = 'c' and attnum = any(held.conkey))
    order by 1, 2`.execute(db)
  const own = columns.filter(
    ({ table, column }) => !working.test(table) && (!words.test(column) || ownCodes.includes(`${table}.${column}`)),
  )
  for (const [at, { table, column, several }] of own.entries()) {
    const key = table === 'clients' ? sql.ref('id') : sql.ref('client_id')
    const mark = sql`'zz' || ${at}::int || 'x' || ${idOf} || 'zz'`
    await sql`update ${sql.table(table)} item set ${sql.ref(column)} = ${several ? sql`array[${mark}]` : mark} where item.${key} = ${clientId}`.execute(
      db,
    )
  }
  return own
}

export interface Mark {
  readonly text: string
  /** `table.column`. */
  readonly label: string
  readonly table: string
  readonly id: number
}

/** Returns each mark of a text once. */
export function marksIn(text: string, columns: readonly MarkedColumn[]): Mark[] {
  const found = new Map([...text.matchAll(/zz(\d+)x(\d+)zz/g)].map((match) => [match[0], match]))
  return [...found.values()].flatMap(([mark, at = '', id = '']) => {
    const of = columns[Number(at)]
    return of ? [{ text: mark, label: `${of.table}.${of.column}`, table: of.table, id: Number(id) }] : []
  })
}

/** Returns the ids of each marked table's rows that a reach covers, by the scope of the table's list or else that of the row's parent. */
export async function rowsWithin(
  db: Db,
  columns: readonly MarkedColumn[],
  reach: Reach,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const found = new Map<string, Set<number>>()
  for (const table of new Set(columns.map((one) => one.table))) found.set(table, new Set(await idsWithin(db, table, reach)))
  return found
}

async function idsWithin(db: Db, table: string, reach: Reach): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select ${idOf} as id from ${sql.table(table)} item
    where ${ofWholeClient.includes(table) ? sql`false` : inReach(table, reach)}`.execute(db)
  return rows.map(({ id }) => id)
}

function inReach(table: string, reach: Reach): RawBuilder<unknown> {
  const source = [...registered.values()].find((one) => one.table === table && one.scope !== 'shared')
  const above = parents[table]
  if (source && modelsNeverNarrowed.some((model) => model === source.entity.name)) return sql`false`
  if (source && !above) return sql`exists (select from ${sql.table(table)} where id = item.id and ${scopeCondition(source, { reach })})`
  if (!above) throw new Error(`whose texts are those of ${table}? Name the parent of its rows.`)
  return sql`(${sql.join(
    above.map(
      ([parent, column]) => sql`item.${sql.ref(column)} in (select id from ${sql.table(parent)} item where ${inReach(parent, reach)})`,
    ),
    sql` or `,
  )})`
}
