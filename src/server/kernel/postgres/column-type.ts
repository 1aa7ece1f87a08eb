/** Database types of field values. */
import type { Field } from '#contract/kernel/entity.ts'
import { sql, type RawBuilder } from 'kysely'

/** Returns the type to which a field's text is cast before it is stored. */
export function castName(field: Field<unknown>): string {
  switch (field.kind) {
    case 'boolean':
      return 'boolean'
    case 'integer':
      return 'int'
    case 'ref':
      return 'bigint'
    case 'decimal':
    case 'money':
      return 'numeric'
    case 'date':
      return 'date'
    case 'choice':
      return field.choices?.every(({ value }) => typeof value === 'number') ? 'int' : 'text'
    default:
      return 'text'
  }
}

/** Converts JSON of a field's value to the type of its column. A value that is not a single one stays JSON. */
export function typedJson(json: RawBuilder<unknown>, field: Field<unknown> | undefined): RawBuilder<unknown> {
  if (field === undefined || severalKinds.has(field.kind)) return json
  return sql`(${json} #>> '{}')::${sql.raw(castName(field))}`
}

const severalKinds: ReadonlySet<string> = new Set(['refs', 'texts', 'list'])
