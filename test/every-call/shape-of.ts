/**
 * Describes the input of a zod schema in the few words that a generator needs. Unlike the JSON schema it looks through preprocessing, which
 * hides the children of records.
 */
import { z } from 'zod'

export type InputShape =
  | { readonly kind: 'text' | 'number' | 'truth' | 'anything' }
  | { readonly kind: 'choice'; readonly values: readonly unknown[] }
  | { readonly kind: 'list'; readonly item: InputShape }
  | { readonly kind: 'object'; readonly keys: Readonly<Record<string, InputShape>> }
  | { readonly kind: 'map'; readonly value: InputShape }
  | { readonly kind: 'any_of'; readonly shapes: readonly InputShape[] }

export function shapeOf(schema: z.core.$ZodType): InputShape {
  if (schema instanceof z.core.$ZodObject) return { kind: 'object', keys: keysOf(schema) }
  if (schema instanceof z.core.$ZodArray) return { kind: 'list', item: shapeOf(schema._zod.def.element) }
  if (schema instanceof z.core.$ZodRecord) return { kind: 'map', value: shapeOf(schema._zod.def.valueType) }
  if (schema instanceof z.core.$ZodUnion) return { kind: 'any_of', shapes: schema._zod.def.options.map(shapeOf) }
  if (schema instanceof z.core.$ZodIntersection) return merged(shapeOf(schema._zod.def.left), shapeOf(schema._zod.def.right))
  if (schema instanceof z.core.$ZodPipe) return throughPipe(schema)
  if (schema instanceof z.core.$ZodEnum) return { kind: 'choice', values: Object.values(schema._zod.def.entries) }
  if (schema instanceof z.core.$ZodLiteral) return { kind: 'choice', values: schema._zod.def.values }
  if (schema instanceof z.core.$ZodString) return { kind: 'text' }
  if (schema instanceof z.core.$ZodNumber) return { kind: 'number' }
  if (schema instanceof z.core.$ZodBoolean) return { kind: 'truth' }
  const inner = innerOf(schema)
  return inner ? shapeOf(inner) : { kind: 'anything' }
}

function keysOf(schema: z.core.$ZodObject): Record<string, InputShape> {
  return Object.fromEntries(Object.entries(schema._zod.def.shape).map(([key, value]) => [key, shapeOf(value)]))
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable || schema instanceof z.core.$ZodDefault)
    return schema._zod.def.innerType
  return schema instanceof z.core.$ZodReadonly || schema instanceof z.core.$ZodCatch ? schema._zod.def.innerType : undefined
}

/** The side before a transformation says more than the one after it, unless it is the transformation itself. */
function throughPipe(schema: z.core.$ZodPipe): InputShape {
  const before = shapeOf(schema._zod.def.in)
  return before.kind === 'anything' ? shapeOf(schema._zod.def.out) : before
}

function merged(left: InputShape, right: InputShape): InputShape {
  return left.kind === 'object' && right.kind === 'object' ? { kind: 'object', keys: { ...left.keys, ...right.keys } } : left
}
