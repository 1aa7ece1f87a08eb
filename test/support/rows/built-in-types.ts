/** The types that TypeScript and Node bring along. */
import { arrayOf, objectOf, plain, unresolved, type Shape } from './shape.ts'

/** Returns undefined for a name that is none of them. */
export function builtIn(name: string, [one = plain('unknown'), other = plain('unknown')]: readonly Shape[]): Shape | undefined {
  switch (name) {
    case 'Buffer':
    case 'Uint8Array':
      return plain('bytes')
    case 'Date':
      return plain('date')
    case 'Array':
    case 'ReadonlyArray':
      return arrayOf(one)
    case 'Readonly':
      return one
    case 'Partial':
    case 'Required':
      return one.members
        ? objectOf(new Map([...one.members].map(([key, { shape }]) => [key, { shape, optional: name === 'Partial' }])))
        : one
    case 'Pick':
    case 'Omit':
      return picked(one, other, name === 'Pick')
    case 'Record':
      return recordOf(one, other)
    case 'Extract':
      return other
    case 'NonNullable':
      return { ...one, kinds: new Set([...one.kinds].filter((kind) => kind !== 'null' && kind !== 'undefined')) }
    default:
      return undefined
  }
}

function picked(object: Shape, { literals, reason }: Shape, keeps: boolean): Shape {
  if (!object.members || !literals || reason !== undefined) return unresolved(object.reason ?? reason ?? 'keys that are not texts')
  return objectOf(new Map([...object.members].filter(([name]) => literals.includes(name) === keeps)))
}

function recordOf({ literals, reason }: Shape, shape: Shape): Shape {
  if (literals && reason === undefined) return objectOf(new Map(literals.map((name) => [name, { shape, optional: false }])))
  return reason === undefined ? plain('object') : unresolved(reason)
}
