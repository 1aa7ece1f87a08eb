/** Resolves the types that rows are declared with: literals, interfaces, aliases, imports, and the utility types of TypeScript. */
import type { ESTree } from 'vite'
import { moduleOf, type Module, type TypeDeclaration } from './module-types.ts'
import { builtIn } from './built-in-types.ts'
import { constantOf } from './constant-lists.ts'
import { entityRow } from './resolve-entity.ts'
import { schemaNamed } from './resolve-schema.ts'
import { arrayOf, intersectionOf, literalsOf, objectOf, plain, unionOf, unresolved, type Member, type Shape } from './shape.ts'

/** Where a type is written, and what its type parameters are. */
interface Scope {
  module: Module
  given: ReadonlyMap<string, Shape>
}

/** Returns what a type allows. A part that the reader does not understand is `unresolved`. */
export function resolveType(node: ESTree.TSType, module: Module): Shape {
  return resolve(node, { module, given: new Map() })
}

function resolve(node: ESTree.TSType, scope: Scope): Shape {
  switch (node.type) {
    case 'TSStringKeyword':
    case 'TSTemplateLiteralType':
      return plain('string')
    case 'TSNumberKeyword':
      return plain('number')
    case 'TSBooleanKeyword':
      return plain('boolean')
    case 'TSNullKeyword':
      return plain('null')
    case 'TSUndefinedKeyword':
      return plain('undefined')
    case 'TSUnknownKeyword':
      return plain('unknown')
    case 'TSNeverKeyword':
      return plain()
    case 'TSLiteralType':
      return literalType(node)
    default:
      return compound(node, scope)
  }
}

function compound(node: ESTree.TSType, scope: Scope): Shape {
  switch (node.type) {
    case 'TSParenthesizedType':
      return resolve(node.typeAnnotation, scope)
    case 'TSArrayType':
      return arrayOf(resolve(node.elementType, scope))
    case 'TSTypeLiteral':
      return objectOf(membersOf(node.members, scope))
    case 'TSUnionType':
      return unionOf(node.types.map((one) => resolve(one, scope)))
    case 'TSIntersectionType':
      return intersectionOf(node.types.map((one) => resolve(one, scope)))
    case 'TSTypeOperator':
      return node.operator === 'keyof' ? keysOf(resolve(node.typeAnnotation, scope)) : resolve(node.typeAnnotation, scope)
    case 'TSIndexedAccessType':
      return indexed(resolve(node.objectType, scope), node.indexType, scope)
    case 'TSTypeQuery':
      return node.exprName.type === 'Identifier' ? constantOf(node.exprName.name, scope.module) : notUnderstood(node, scope)
    case 'TSTypeReference':
      return referred(node, scope)
    case 'TSMappedType':
      return mapped(node, scope)
    default:
      return notUnderstood(node, scope)
  }
}

function notUnderstood(node: ESTree.Span, { module }: Scope): Shape {
  return unresolved(module.text.slice(node.start, node.end).replaceAll(/\s+/g, ' '))
}

function literalType({ literal }: ESTree.TSLiteralType): Shape {
  if (literal.type !== 'Literal') return plain(literal.type === 'UnaryExpression' ? 'number' : 'string')
  if (typeof literal.value === 'string') return literalsOf([literal.value])
  return plain(typeof literal.value === 'boolean' ? 'boolean' : 'number')
}

function membersOf(signatures: readonly ESTree.TSSignature[], scope: Scope): Map<string, Member> {
  const members = new Map<string, Member>()
  for (const one of signatures) {
    if (one.type !== 'TSPropertySignature' || !one.typeAnnotation) continue
    const name = one.key.type === 'Identifier' ? one.key.name : one.key.type === 'Literal' ? String(one.key.value) : undefined
    if (name !== undefined) members.set(name, { shape: resolve(one.typeAnnotation.typeAnnotation, scope), optional: one.optional })
  }
  return members
}

/** `{ [K in keyof T]: T[K] }` is T. */
function mapped(node: ESTree.TSMappedType, scope: Scope): Shape {
  const { constraint, typeAnnotation: value } = node
  const of = constraint.type === 'TSTypeOperator' && constraint.operator === 'keyof' ? constraint.typeAnnotation : undefined
  const isSame = of && value?.type === 'TSIndexedAccessType' && textOf(value.objectType, scope) === textOf(of, scope)
  return isSame ? resolve(of, scope) : notUnderstood(node, scope)
}

function textOf({ start, end }: ESTree.Span, { module }: Scope): string {
  return module.text.slice(start, end)
}

function keysOf({ members, reason = 'the keys of what is no object' }: Shape): Shape {
  return members ? literalsOf([...members.keys()]) : unresolved(reason)
}

function indexed(object: Shape, index: ESTree.TSType, scope: Scope): Shape {
  if (index.type === 'TSNumberKeyword') return object.item ?? unresolved(object.reason ?? 'the items of what is no array')
  const found = (resolve(index, scope).literals ?? []).map((name) => object.members?.get(name)?.shape)
  const known = found.flatMap((one) => one ?? [])
  return known.length === 0 || known.length < found.length ? unresolved(object.reason ?? 'a member that is not there') : unionOf(known)
}

function referred(node: ESTree.TSTypeReference, scope: Scope): Shape {
  if (node.typeName.type !== 'Identifier') return inferred(node, scope)
  const { name } = node.typeName
  const known = scope.given.get(name)
  if (known) return known
  const [first] = node.typeArguments?.params ?? []
  if (first?.type === 'TSTypeQuery' && first.exprName.type === 'Identifier' && isEntityRow(name, scope.module))
    return entityRow(first.exprName.name, scope.module)
  const given = (node.typeArguments?.params ?? []).map((one) => resolve(one, scope))
  return builtIn(name, given) ?? named(name, given, scope.module) ?? notUnderstood(node, scope)
}

function isEntityRow(name: string, { imports }: Module): boolean {
  const imported = imports.get(name)
  return imported?.name === 'Row' && imported.path === 'src/contract/kernel/entity.ts'
}

/** `z.infer<typeof schema>` and `z.output<…>`, which is the same here. */
function inferred(node: ESTree.TSTypeReference, scope: Scope): Shape {
  const [of] = node.typeArguments?.params ?? []
  const isInferred = node.typeName.type === 'TSQualifiedName' && ['infer', 'output'].includes(node.typeName.right.name)
  if (!isInferred || of?.type !== 'TSTypeQuery' || of.exprName.type !== 'Identifier') return notUnderstood(node, scope)
  return schemaNamed(of.exprName.name, scope.module)
}

function named(name: string, given: readonly Shape[], module: Module): Shape | undefined {
  const imported = module.imports.get(name)
  if (imported) return named(imported.name, given, moduleOf(imported.path))
  const declaration = module.types.get(name)
  if (declaration) return declared(declaration, given, module)
  return module.passedOn.map((path) => named(name, given, moduleOf(path))).find((shape) => shape !== undefined)
}

function declared(declaration: TypeDeclaration, given: readonly Shape[], module: Module): Shape {
  const parameters = declaration.typeParameters?.params ?? []
  const scope = { module, given: new Map(parameters.flatMap(({ name }, place) => (given[place] ? [[name.name, given[place]]] : []))) }
  if (declaration.type === 'TSTypeAliasDeclaration') return resolve(declaration.typeAnnotation, scope)
  const own = objectOf(membersOf(declaration.body.body, scope))
  const above = declaration.extends.map((one) => inherited(one, scope))
  return above.length === 0 ? own : intersectionOf([...above, own])
}

function inherited({ expression, typeArguments }: ESTree.TSInterfaceHeritage, scope: Scope): Shape {
  const given = (typeArguments?.params ?? []).map((one) => resolve(one, scope))
  if (expression.type !== 'Identifier') return notUnderstood(expression, scope)
  return builtIn(expression.name, given) ?? named(expression.name, given, scope.module) ?? notUnderstood(expression, scope)
}
