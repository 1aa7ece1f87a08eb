/** Lists that types are taken from, as in `(typeof keys)[number]`. */
import type { ESTree } from 'vite'
import { moduleOf, type Module } from './module-types.ts'
import { arrayOf, literalsOf, objectOf, plain, unionOf, unresolved, type Member, type Shape } from './shape.ts'

/** Returns the texts of a constant list, as in `(typeof keys)[number]`. */
export function constantOf(name: string, module: Module): Shape {
  const imported = module.imports.get(name)
  if (imported) return constantOf(imported.name, moduleOf(imported.path))
  const value = module.constants.get(name)
  const list = value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression' ? value.expression : value
  if (list?.type !== 'ArrayExpression') return unresolved(`typeof ${name}`)
  const items = list.elements.map((one) => itemOf(one))
  return items.every((one) => one !== undefined) ? arrayOf(unionOf(items)) : unresolved(`typeof ${name}`)
}

/** An item of a constant list: a text, or an object with a text each. */
function itemOf(item: ESTree.ArrayExpressionElement): Shape | undefined {
  if (item?.type === 'Literal') return typeof item.value === 'string' ? literalsOf([item.value]) : plain('number')
  if (item?.type !== 'ObjectExpression') return undefined
  const members = new Map<string, Member>()
  for (const one of item.properties) {
    if (one.type !== 'Property' || one.key.type !== 'Identifier') return undefined
    members.set(one.key.name, { shape: itemOf(one.value) ?? unresolved(one.key.name), optional: false })
  }
  return objectOf(members)
}
