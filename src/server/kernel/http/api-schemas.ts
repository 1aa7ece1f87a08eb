/**
 * JSON schemas of the API's documentation, derived from the schemas that validate the calls. None is empty, because an empty schema
 * misleads.
 */
import type { Call } from '#contract/kernel/call.ts'
import type { Entity, Field } from '#contract/kernel/entity.ts'
import { predicates } from '#contract/kernel/query.ts'
import { z } from 'zod'

type Json = Record<string, unknown>
type Direction = 'input' | 'output'

/** Schema of a value of which the contract only knows that it is JSON. */
const anyJson = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] }

/** Returns the JSON schema of data that is sent (`input`) or answered (`output`). */
export function schemaOf(schema: z.core.$ZodType, io: Direction): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }) => {
      if (Object.keys(jsonSchema).length === 0) Object.assign(jsonSchema, saidElsewhere(zodSchema, io))
      // An answer may gain keys; a client ignores the keys that it does not know.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return json
}

/** A transformation says nothing about its input or output; the schema on its other side does. */
function saidElsewhere(schema: z.core.$ZodType, io: Direction): Json {
  if (!(schema instanceof z.core.$ZodPipe)) return anyJson
  const { in: before, out: after } = schema._zod.def
  const sides = io === 'input' ? [before, after] : [after, before]
  const telling = sides.find((side) => !isSilent(side))
  return telling === undefined ? anyJson : schemaOf(telling, io)
}

function isSilent(schema: z.core.$ZodType): boolean {
  return schema instanceof z.core.$ZodTransform || schema instanceof z.core.$ZodUnknown || schema instanceof z.core.$ZodAny
}

type Listed = Pick<Entity, 'fields' | 'list'>

/**
 * Entities by the schema of their rows and by their plural names. The schema identifies a list whatever its rows are called in its answer.
 */
export type EntitiesByRow = ReadonlyMap<unknown, Listed>

/** Returns the filters and sorts of a list, from the entity whose rows it answers. */
export function filtersOf(call: Call, entities: EntitiesByRow): Json | undefined {
  const listed = listedBy(call, entities)
  if (!listed) return undefined
  const keys = listed.list.filter.filter((key) => key === 'id' || key in listed.fields)
  return {
    type: 'object',
    description: `A key alone asks for what contains a text or equals another value; with ${predicates.map((one) => `_${one}`).join(', ')} it asks otherwise.`,
    properties: {
      s: { type: 'string', enum: listed.list.sort.flatMap((key) => [`${key} asc`, `${key} desc`]), description: 'The sort' },
      ...Object.fromEntries(keys.map((key) => [key, filterOf(listed.fields[key])])),
    },
    patternProperties: { [`^(${keys.join('|')})_(${predicates.join('|')})$`]: { type: ['string', 'number', 'boolean', 'array'] } },
    additionalProperties: false,
  }
}

/** An export belongs to the list that its name begins with. */
function listedBy({ name, method, schemas: { query, reply } }: Call, entities: EntitiesByRow): Listed | undefined {
  if (method !== 'GET' || !hasKey(query, 'q')) return undefined
  return rowsOf(reply, entities) ?? entities.get(name.split('.')[0])
}

function rowsOf(reply: z.core.$ZodType, entities: EntitiesByRow): Listed | undefined {
  if (!(reply instanceof z.core.$ZodObject)) return undefined
  const rows = Object.values(reply._zod.def.shape).flatMap((one) => (one instanceof z.core.$ZodArray ? [one._zod.def.element] : []))
  return rows.flatMap((row) => entities.get(row instanceof z.core.$ZodPipe ? row._zod.def.out : row) ?? [])[0]
}

function hasKey(schema: z.core.$ZodType, key: string): boolean {
  if (schema instanceof z.core.$ZodIntersection) return hasKey(schema._zod.def.left, key) || hasKey(schema._zod.def.right, key)
  return schema instanceof z.core.$ZodObject && key in schema._zod.def.shape
}

function filterOf(field: Field<unknown> | undefined): Json {
  const title = field?.label ?? 'Id'
  switch (field?.kind) {
    case 'choice':
      return { title, enum: (field.choices ?? []).map(({ value }) => value) }
    case 'boolean':
      return { title, type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] }
    case 'date':
    case 'instant':
      return { title, type: 'string', format: 'date' }
    case 'integer':
    case 'ref':
    case 'refs':
    case undefined:
      return { title, type: ['integer', 'string'] }
    default:
      return { title, type: ['string', 'number'] }
  }
}
