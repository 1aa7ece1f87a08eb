/** Resolves the row of an entity, `Row<typeof vendor>`, from its list of fields. */
import type { ESTree } from 'vite'
import { moduleOf, type Module } from './module-types.ts'
import { arrayOf, objectOf, plain, unionOf, unresolved, type Member, type Shape } from './shape.ts'

const fields = new Map<string, Shape>([
  ...['text', 'numberText', 'longText', 'pattern', 'email', 'secret', 'date', 'month', 'instant', 'money', 'decimal'].map(
    (name) => [name, plain('string')] as const,
  ),
  ...['integer', 'ref'].map((name) => [name, plain('number')] as const),
  ['boolean', plain('boolean')],
  // Its values are all texts or all numbers.
  ['choice', plain('string', 'number')],
  ['refs', arrayOf(plain('number'))],
  ['texts', arrayOf(plain('string'))],
  ['list', plain('unknown')],
])
const wrappers = new Set(['derived', 'defaulted', 'helped', 'shownOnly', 'inUnit'])

/** Returns the row of the entity of that name. */
export function entityRow(name: string, module: Module): Shape {
  const imported = module.imports.get(name)
  if (imported) return entityRow(imported.name, moduleOf(imported.path))
  const value = module.constants.get(name)
  const list = value?.type === 'CallExpression' ? value.arguments.find((one) => one.type === 'ObjectExpression') : undefined
  if (list?.type !== 'ObjectExpression') return unresolved(`the entity ${name}`)
  const members = new Map<string, Member>(['id', 'lock_version'].map((key) => [key, { shape: plain('number'), optional: false }]))
  for (const one of list.properties) {
    if (one.type !== 'Property' || one.key.type !== 'Identifier') return unresolved(`a field of the entity ${name}`)
    const shape = fieldOf(one.value)
    if (shape) members.set(one.key.name, { shape, optional: false })
  }
  return objectOf(members)
}

/** Returns what a field allows, or undefined for one that is only written. */
export function fieldOf(node: ESTree.Expression | ESTree.Argument): Shape | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return unresolved('a field that is no call')
  const { name } = node.callee
  const [inner] = node.arguments
  if (name === 'writeOnly') return undefined
  if (inner && wrappers.has(name)) return fieldOf(inner)
  if (inner && name === 'optional') {
    const shape = fieldOf(inner)
    return shape && unionOf([shape, plain('null')])
  }
  return fields.get(name) ?? unresolved(`a field of the kind ${name}`)
}
