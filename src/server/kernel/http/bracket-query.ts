/** Parses `q[name_cont]=x&division_id[]=1&division_id[]=2` into objects and lists, one level deep and without a prototype. */

/** Maximum number of pairs and characters of a query. A longer query is rejected as unreadable. */
const pairsMax = 500
const lengthMax = 65_536

export type QueryValue = string | string[] | Record<string, string | string[]>

export function readBracketQuery(text: string): Record<string, QueryValue> {
  const result: Record<string, QueryValue> = Object.create(null)
  if (text.length > lengthMax) return { q: { too_long: 'true' } }
  let pairs = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > pairsMax) return { q: { too_many: 'true' } }
    const match = /^([^[\]]+)(?:\[([^[\]]*)\](\[\])?)?$/.exec(name)
    const [, key, inner, many] = match ?? [undefined, name, undefined, undefined]
    if (key === undefined) continue
    if (inner === undefined) result[key] = value
    else if (inner === '') result[key] = appended(result[key], value)
    else result[key] = withInner(result[key], inner, value, many !== undefined)
  }
  return result
}

function appended(present: QueryValue | undefined, value: string): string[] {
  return Array.isArray(present) ? [...present, value] : [value]
}

function withInner(present: QueryValue | undefined, inner: string, value: string, many: boolean): Record<string, string | string[]> {
  const group: Record<string, string | string[]> = typeof present === 'object' && !Array.isArray(present) ? present : Object.create(null)
  const before = group[inner]
  if (many) group[inner] = Array.isArray(before) ? [...before, value] : [value]
  else group[inner] = value
  return group
}
