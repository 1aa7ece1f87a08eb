/** Compares a declared row with the columns that PostgreSQL answers. */
import type { DeclaredRow } from './declared-rows.ts'
import type { Column, Received } from './received-rows.ts'
import { wordsOf, type Kind, type Member } from './shape.ts'

/** The columns of tables that may be null, by the `source` of an answered column. */
export type NullableColumns = Readonly<Record<string, string>>

const kinds: readonly (readonly [Kind, readonly number[]])[] = [
  ['boolean', [16]],
  ['bytes', [17]],
  // pg reads an oid and the integers as numbers, and the program a bigint (kernel/postgres/database-types.ts).
  ['number', [20, 21, 23, 26, 700, 701]],
  // All that stays text: numeric, dates and instants beside what is text.
  ['string', [18, 19, 25, 28, 869, 1042, 1043, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950, 5069]],
  ['unknown', [114, 3802]],
]
const items: readonly (readonly [Kind, readonly number[]])[] = [
  ['boolean', [1000]],
  ['bytes', [1001]],
  ['number', [1005, 1007, 1016, 1021, 1022, 1028]],
  ['string', [1002, 1003, 1009, 1014, 1015, 1115, 1182, 1185, 1187, 1231, 2951]],
  ['unknown', [199, 3807]],
]
const kindOf = new Map(kinds.flatMap(([kind, types]) => types.map((type) => [type, kind])))
const itemOf = new Map(items.flatMap(([kind, types]) => types.map((type) => [type, kind])))

/** Returns what is wrong with the declaration, one sentence for each member. */
export function rowFaults(declared: DeclaredRow, received: Received, nullable: NullableColumns): string[] {
  const { members } = declared.shape
  if (!members) return []
  const answered = new Set(received.columns.map(({ name }) => name))
  const fault = (name: string, text: string): string => `${declared.place}: ${declared.type}: ${name} ${text}`
  return [
    ...[...members].flatMap(([name, { optional }]) =>
      optional || answered.has(name) ? [] : [fault(name, 'is declared, and PostgreSQL does not answer it')],
    ),
    ...received.columns.flatMap((column) => {
      const member = members.get(column.name)
      if (!member) return [fault(column.name, 'is answered by PostgreSQL, and not declared')]
      return [typeFault(member, column), nullFault(member, column, received.text, nullable)].flatMap((text) =>
        text === undefined ? [] : [fault(column.name, text)],
      )
    }),
  ]
}

function typeFault({ shape }: Member, { type }: Column): string | undefined {
  if (shape.kinds.has('unknown') || shape.kinds.has('unresolved')) return undefined
  const item = itemOf.get(type)
  const kind = item === undefined ? kindOf.get(type) : 'array'
  if (kind === undefined) return `is declared as ${wordsOf(shape)}, and its type with the oid ${type} is unknown to this test`
  if (kind === 'unknown') return undefined
  const fits = shape.kinds.has(kind) && (!shape.item || item === undefined || itemFits(shape.item.kinds, item))
  return fits ? undefined : `is declared as ${wordsOf(shape)}, and PostgreSQL answers ${item === undefined ? kind : `array of ${item}`}`
}

function itemFits(declared: ReadonlySet<Kind>, item: Kind): boolean {
  return declared.has(item) || declared.has('unknown') || declared.has('unresolved') || item === 'unknown'
}

function nullFault({ shape, optional }: Member, column: Column, text: string, nullable: NullableColumns): string | undefined {
  if (optional || shape.kinds.has('null') || shape.kinds.has('unknown') || shape.kinds.has('unresolved')) return undefined
  if (column.wasNull) return `is declared as ${wordsOf(shape)}, and PostgreSQL answered null`
  const source = nullable[column.source]
  if (source === undefined || isNarrowed(text, source.replace(/^.*\./, ''))) return undefined
  if (tied.some(([name, condition]) => name === source && condition.test(text))) return undefined
  return `is declared as ${wordsOf(shape)}, and ${source} may be null`
}

/** Columns whose nulls another condition leaves out, by a check of their table. */
const tied: readonly (readonly [string, RegExp])[] = [['payment_batch_bills.vendor_payment_id', /released_at is null/]]

/** Whether the statement compares the column anywhere, which leaves out its nulls. A comparison elsewhere in the statement passes too. */
function isNarrowed(text: string, column: string): boolean {
  const name = `"?\\b${column}\\b"?`
  return [
    `${name} is not null`,
    `${name}[)]*(::\\w+)?\\s*(=|<|>|in\\b|between|like|ilike|~)`,
    `[=<>]\\s*(any\\s*)?\\(?(["\\w]+\\.)?${name}`,
    `using \\([^)]*${name}`,
    `\\([^()]*${name}[^()]*\\)\\s*(=|in\\b)`,
    `(=|in)\\s*\\([^()]*${name}`,
  ].some((pattern) => new RegExp(pattern, 'i').test(text))
}
