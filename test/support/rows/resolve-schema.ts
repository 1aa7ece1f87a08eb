/** Resolves the types that are inferred from schemas of zod, as `z.infer<typeof bill>`. */
import type { ESTree } from 'vite'
import { moduleOf, type Module } from './module-types.ts'
import { entityRow, fieldOf } from './resolve-entity.ts'
import { arrayOf, intersectionOf, literalsOf, objectOf, plain, unionOf, unresolved, type Member, type Shape } from './shape.ts'

const singles = new Map<string, Shape>([
  ...['string', 'email', 'url', 'uuid', 'date', 'datetime', 'enum'].map((name) => [name, plain('string')] as const),
  ...['int', 'number'].map((name) => [name, plain('number')] as const),
  ['boolean', plain('boolean')],
  ['unknown', plain('unknown')],
  ['null', plain('null')],
  ['record', plain('object')],
  ['partialRecord', plain('object')],
])
/** Methods that change the type in a way that the reader does not follow. */
const unfollowed = new Set(['transform', 'pipe', 'catch', 'catchall', 'keyof', 'unwrap', 'and', 'or'])

/** Returns what the schema of that name allows. */
export function schemaNamed(name: string, module: Module): Shape {
  const imported = module.imports.get(name)
  if (imported) return schemaNamed(imported.name, moduleOf(imported.path))
  const value = module.constants.get(name)
  return value ? schema(value, module) : unresolved(`the schema ${name}`)
}

function schema(node: ESTree.Expression | ESTree.Argument, module: Module): Shape {
  if (node.type === 'Identifier') return schemaNamed(node.name, module)
  if (node.type === 'MemberExpression') return ofField(node, module)
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return notUnderstood(node, module)
  const { object, property } = node.callee
  if (property.type !== 'Identifier') return notUnderstood(node, module)
  const isOfZod = (object.type === 'Identifier' && object.name === 'z') || (object.type === 'MemberExpression' && isIso(object))
  return (
    (isOfZod ? made(property.name, node, module) : changed(property.name, schemaOf(object, module), node, module)) ??
    notUnderstood(node, module)
  )
}

/** `vendor.row`, the row of an entity, and `text('Name').schema`, the schema of a field. */
function ofField(node: ESTree.MemberExpression, module: Module): Shape {
  const { object, property } = node
  const name = property.type === 'Identifier' ? property.name : ''
  if (name === 'row' && object.type === 'Identifier') return entityRow(object.name, module)
  const field = name === 'schema' && object.type === 'CallExpression' ? fieldOf(object) : undefined
  return field ?? notUnderstood(node, module)
}

function schemaOf(node: ESTree.Expression | ESTree.Super, module: Module): Shape {
  return node.type === 'Super' ? notUnderstood(node, module) : schema(node, module)
}

function isIso({ object, property }: ESTree.MemberExpression): boolean {
  return object.type === 'Identifier' && object.name === 'z' && property.type === 'Identifier' && property.name === 'iso'
}

function notUnderstood({ start, end }: ESTree.Span, { text }: Module): Shape {
  return unresolved(`the schema ${text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 80)}`)
}

function made(name: string, { arguments: [first, second] }: ESTree.CallExpression, module: Module): Shape | undefined {
  const single = singles.get(name)
  if (single || !first) return single
  switch (name) {
    case 'object':
    case 'strictObject':
    case 'looseObject':
      return first.type === 'ObjectExpression'
        ? objectOfFields(first, module)
        : first.type === 'Identifier'
          ? fieldsNamed(first.name, module)
          : undefined
    case 'preprocess':
      return second && schema(second, module)
    case 'array':
      return arrayOf(schema(first, module))
    case 'nullable':
      return unionOf([schema(first, module), plain('null')])
    case 'optional':
      return unionOf([schema(first, module), plain('undefined')])
    case 'union':
      return first.type === 'ArrayExpression' ? unionOf(first.elements.flatMap((one) => (one ? schema(one, module) : []))) : undefined
    case 'intersection':
      return second && intersectionOf([schema(first, module), schema(second, module)])
    case 'literal':
      return first.type === 'Literal' ? literal(first.value) : undefined
    default:
      return undefined
  }
}

function literal(value: unknown): Shape {
  if (typeof value === 'string') return literalsOf([value])
  return value === null ? plain('null') : plain(typeof value === 'number' ? 'number' : 'boolean')
}

function changed(name: string, base: Shape, { arguments: [first] }: ESTree.CallExpression, module: Module): Shape | undefined {
  switch (name) {
    case 'nullable':
      return unionOf([base, plain('null')])
    case 'optional':
      return unionOf([base, plain('undefined')])
    case 'nullish':
      return unionOf([base, plain('null', 'undefined')])
    case 'extend':
      return first?.type === 'ObjectExpression' ? intersectionOf([base, objectOfFields(first, module)]) : undefined
    case 'omit':
    case 'pick':
      return first?.type === 'ObjectExpression' ? chosen(base, keysOf(first), name === 'pick') : undefined
    default:
      return unfollowed.has(name) ? undefined : base
  }
}

function chosen({ members, reason = 'what is no object' }: Shape, keys: readonly string[], keeps: boolean): Shape {
  return members ? objectOf(new Map([...members].filter(([name]) => keys.includes(name) === keeps))) : unresolved(reason)
}

function keysOf({ properties }: ESTree.ObjectExpression): string[] {
  return properties.flatMap((one) => (one.type === 'Property' && one.key.type === 'Identifier' ? [one.key.name] : []))
}

function objectOfFields({ properties }: ESTree.ObjectExpression, module: Module): Shape {
  const members = new Map<string, Member>()
  for (const one of properties) {
    if (one.type === 'SpreadElement') {
      const spread = spreadOf(one, module)
      if (!spread.members) return spread
      for (const [name, member] of spread.members) members.set(name, member)
    } else if (one.key.type === 'Identifier') {
      const shape = schema(one.value, module)
      members.set(one.key.name, { shape, optional: shape.kinds.has('undefined') })
    }
  }
  return objectOf(members)
}

/** `...one.shape`, or the fields of a constant object. */
function spreadOf({ argument }: ESTree.SpreadElement, module: Module): Shape {
  if (argument.type === 'MemberExpression' && argument.property.type === 'Identifier' && argument.property.name === 'shape')
    return schemaOf(argument.object, module)
  if (argument.type !== 'Identifier') return notUnderstood(argument, module)
  return fieldsNamed(argument.name, module)
}

function fieldsNamed(name: string, module: Module): Shape {
  const imported = module.imports.get(name)
  if (imported) return fieldsNamed(imported.name, moduleOf(imported.path))
  const value = module.constants.get(name)
  return value?.type === 'ObjectExpression' ? objectOfFields(value, module) : unresolved(`the fields of ${name}`)
}
