/** Derives bad requests from a good one: each differs from it in one place, or in a few. The same seed gives the same requests. */
import type { Call } from '#contract/kernel/call.ts'
import { strangeBodies, strangeHeaders, strangeIds, strangeQueries, strangeTexts, strangeTypes, strangeValues } from './bad-values.ts'
import { withValue, type Ready } from './questions.ts'
import type { Dice } from '../support/dice.ts'
import { shapeOf, type InputShape } from './shape-of.ts'

/** The request. `text` of a field may be stored: then it must be read back as it was sent. */
export interface Spoilt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
  readonly text?: { readonly path: readonly string[]; readonly value: string }
}

/** Returns this many different bad requests of the call. */
export function spoiltRequests(call: Call, ready: Ready, count: number, dice: Dice): Spoilt[] {
  const found = new Map<string, Spoilt>()
  const ways = waysOf(call, ready, dice)
  for (let tries = 0; found.size < count; tries++) {
    if (tries > count * 50) throw new Error(`${call.name}: only ${found.size} different bad requests`)
    const spoilt = pick(ways, dice)()
    found.set(JSON.stringify(spoilt), spoilt)
  }
  return [...found.values()]
}

type Way = () => Spoilt

/** Ways that reach deeper are chosen more often. Headers and unreadable bodies meet the same code in all calls, and share one place. */
function waysOf(call: Call, ready: Ready, dice: Dice): Way[] {
  const query = wayOfQuery(call, ready, dice)
  const header: Way = () => ({ ...good(call, ready), headers: { ...jsonHeaders(call, ready), ...pick(strangeHeaders, dice) } })
  const both: Way = () => ({ ...query(), headers: { ...jsonHeaders(call, ready), ...pick(strangeHeaders, dice) } })
  const common: Way = () => pick([header, both, wayOfBody(ready, dice)], dice)()
  const path: readonly Way[] = call.path.includes(':') ? [wayOfPath(call, ready, dice)] : []
  const own: readonly Way[] = call.bodyKind === 'json' ? [...repeated(wayOfField(call, ready, dice), 5), query] : repeated(query, 6)
  return [...own, ...path, common]
}

function good(call: Call, ready: Ready): Spoilt {
  const payload = call.bodyKind === 'json' ? { payload: JSON.stringify(ready.body) } : {}
  return { url: ready.url, headers: jsonHeaders(call, ready), ...payload }
}

function jsonHeaders(call: Call, { headers }: Ready): Readonly<Record<string, string>> {
  return call.bodyKind === 'json' ? { 'content-type': 'application/json', ...headers } : headers
}

/** Filters by the fields of the response, with each predicate and any value, in addition to the collected queries. */
function wayOfQuery(call: Call, ready: Ready, dice: Dice): Way {
  const keys = [...answeredKeys(shapeOf(call.schemas.reply)), 'nonsense', 'id']
  const own = Object.keys(keysOf(shapeOf(call.schemas.query)))
  const parts: readonly (() => string)[] = [
    () => pick(strangeQueries, dice),
    () => `q[${pick(keys, dice)}${pick(predicates, dice)}]=${encoded(pick(strangeTexts, dice))}`,
    () => `q[s]=${pick(keys, dice)}${pick(['%20asc', '%20desc', '%20sideways', ''], dice)}`,
    () => `${own.length === 0 ? 'x' : pick(own, dice)}=${encoded(pick(strangeTexts, dice))}`,
    () => `${own.length === 0 ? 'x' : pick(own, dice)}[${pick(keys, dice)}]=${encoded(pick(strangeTexts, dice))}`,
  ]
  return () => {
    const text = Array.from({ length: 1 + dice(2) }, () => pick(parts, dice)()).join('&')
    return { ...good(call, ready), url: `${ready.url}${ready.url.includes('?') ? '&' : '?'}${text}` }
  }
}

const predicates = ['', '_cont', '_eq', '_not_eq', '_gteq', '_lteq', '_in', '_null', '_nonsense'] as const

function wayOfPath(call: Call, ready: Ready, dice: Dice): Way {
  const [path = '', query] = ready.url.split('?')
  const names = path.split('/')
  const at = call.path.split('/').flatMap((name, place) => (name.startsWith(':') ? [place + basePartsBefore] : []))
  return () => {
    const id = pick(strangeIds, dice)
    const place = pick(at, dice)
    const changed = names.map((name, here) => (here === place ? id : name)).join('/')
    return { ...good(call, ready), url: query === undefined ? changed : `${changed}?${query}` }
  }
}

/** Path parts of `/api/v5` before a call's path. */
const basePartsBefore = 2

/** Another value in one field, or in two; an extra field; a list instead of one value. */
function wayOfField(call: Call, ready: Ready, dice: Dice): Way {
  const paths = pathsOf(shapeOf(call.schemas.body))
  const places: readonly (readonly string[])[] = paths.length === 0 ? [['unknown']] : paths
  return () => {
    const path = dice(12) === 0 ? [...pick(places, dice).slice(0, -1), 'unknown'] : pick(places, dice)
    const value = pick(strangeValues, dice)
    const once = withValue(ready.body, path, value)
    const isOne = dice(4) > 0
    const body = isOne ? once : withValue(once, pick(places, dice), pick(strangeValues, dice))
    return {
      ...good(call, ready),
      payload: JSON.stringify(body),
      ...(isOne && typeof value === 'string' && strangeTexts.includes(value) ? { text: { path, value } } : {}),
    }
  }
}

function wayOfBody(ready: Ready, dice: Dice): Way {
  return () => {
    const type = dice(3) > 0 ? 'application/json' : pick(strangeTypes, dice)
    return { url: ready.url, headers: { ...ready.headers, 'content-type': type }, payload: pick(strangeBodies, dice) }
  }
}

/** Returns the paths of everything that a body may contain, including envelopes and lists. */
function pathsOf(shape: InputShape, path: readonly string[] = []): (readonly string[])[] {
  const here = path.length === 0 ? [] : [path]
  switch (shape.kind) {
    case 'object':
      return [...here, ...Object.entries(shape.keys).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
    case 'list':
      return path.length === 0 ? [] : [...here, ...pathsOf(shape.item, [...path, '[]'])]
    case 'any_of':
      return [
        ...here,
        ...shape.shapes.filter(({ kind }) => kind === 'object' || kind === 'list').flatMap((inner) => pathsOf(inner, path).slice(1)),
      ]
    default:
      return here
  }
}

/** Returns the fields of a list's rows, by which it is filtered and sorted. */
function answeredKeys(shape: InputShape): string[] {
  return Object.values(keysOf(shape)).flatMap((inner) =>
    inner.kind === 'list' ? Object.keys(keysOf(inner.item)) : Object.keys(keysOf(inner)),
  )
}

function keysOf(shape: InputShape): Readonly<Record<string, InputShape>> {
  return shape.kind === 'object' ? shape.keys : {}
}

/** A lone surrogate cannot be encoded; the collected queries contain its bytes. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}

function pick<T>(list: readonly T[], dice: Dice): T {
  const value = list[dice(list.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}
