/** The facts about a TypeScript type that the reader of the sources finds. */

/** The kinds of values that a type allows. `unresolved` means that the reader does not understand a part of the type. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'bytes' | 'date' | 'object' | 'array' | 'unknown' | 'unresolved'

export interface Member {
  shape: Shape
  optional: boolean
}

export interface Shape {
  kinds: ReadonlySet<Kind>
  /** The members of an object. */
  members?: ReadonlyMap<string, Member>
  /** The items of an array. */
  item?: Shape
  /** Texts, if the type is a union of them. */
  literals?: readonly string[]
  /** The part that is not understood. */
  reason?: string
}

export function plain(...kinds: Kind[]): Shape {
  return { kinds: new Set(kinds) }
}

export function objectOf(members: ReadonlyMap<string, Member>): Shape {
  return { kinds: new Set(['object']), members }
}

export function literalsOf(literals: readonly string[]): Shape {
  return { kinds: new Set(['string']), literals }
}

export function arrayOf(item: Shape): Shape {
  return { kinds: new Set(['array']), item }
}

export function unresolved(reason: string): Shape {
  return { kinds: new Set(['unresolved']), reason }
}

/** Returns the union. Of two objects it keeps the members of both; one that only one of them has is optional. */
export function unionOf(shapes: readonly Shape[]): Shape {
  const objects = shapes.flatMap(({ members }) => (members ? [members] : []))
  const items = shapes.flatMap(({ item }) => (item ? [item] : []))
  const texts = shapes.filter(({ kinds }) => kinds.has('string'))
  const reason = shapes.find((one) => one.reason !== undefined)?.reason
  return {
    kinds: new Set(shapes.flatMap(({ kinds }) => [...kinds])),
    ...(objects.length > 0 ? { members: mergeMembers(objects) } : {}),
    ...(items.length > 0 ? { item: unionOf(items) } : {}),
    ...(texts.every(({ literals }) => literals) ? { literals: texts.flatMap(({ literals = [] }) => literals) } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

function mergeMembers(objects: readonly ReadonlyMap<string, Member>[]): ReadonlyMap<string, Member> {
  const names = new Set(objects.flatMap((members) => [...members.keys()]))
  return new Map(
    [...names].map((name) => {
      const own = objects.flatMap((members) => members.get(name) ?? [])
      return [
        name,
        { shape: unionOf(own.map(({ shape }) => shape)), optional: own.length < objects.length || own.some(({ optional }) => optional) },
      ]
    }),
  )
}

/** Returns the intersection of objects; the members of a later one are kept. */
export function intersectionOf(shapes: readonly Shape[]): Shape {
  const odd = shapes.find(({ members }) => !members)
  if (odd) return unresolved(odd.reason ?? 'an intersection of what is no object')
  return objectOf(new Map(shapes.flatMap(({ members }) => [...(members ?? [])])))
}

/** Returns the parts that are not understood, of the type and of its members. What is inside of JSON or of an item is not compared. */
export function reasonsOf({ kinds, members, reason = '' }: Shape): string[] {
  const own = kinds.has('unresolved') ? [reason] : []
  return [
    ...own,
    ...[...(members ?? [])]
      .filter(([, { shape }]) => shape.kinds.has('unresolved'))
      .map(([name, { shape }]) => `${name}: ${shape.reason ?? ''}`),
  ]
}

/** Returns the words of a type for a message. */
export function wordsOf({ kinds, item, reason }: Shape): string {
  return [...kinds]
    .map((kind) =>
      kind === 'array' ? `array of ${item ? wordsOf(item) : 'anything'}` : kind === 'unresolved' ? `(${reason ?? ''})` : kind,
    )
    .join(' or ')
}
