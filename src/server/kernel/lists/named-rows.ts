/**
 * Named conditions and rows with parameters. The query of a nested or computed list is stored as text, so that an export's job, which runs
 * later, builds its SQL again for what the person may see at that time.
 */
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Asked, Condition } from './list.ts'
import type { Principal } from '../principal.ts'

type WherePart = Required<Pick<Asked, 'where' | 'whereKey'>>
const wheres = new Map<string, (params: unknown, principal: Principal) => Condition>()

/**
 * Gives a condition of a nested list a name and parameters, so that the export's job can build it again: the bills of one account, for
 * example. The result of the returned function is spread into `asked`: `{ ...askedBy(context, params), ...ofAccount({ id }) }`. Throws when
 * the name is taken.
 */
export function defineWhere<P>(name: string, params: z.ZodType<P>, condition: (params: P) => Condition): (params: P) => WherePart {
  nameWhere(name, (given) => condition(params.parse(given)))
  return (given) => ({ where: [condition(given)], whereKey: `${name} ${JSON.stringify(given)}` })
}

/**
 * The same for a condition that depends on the caller: the export's job builds it from that person's rights at that time. `params` must
 * distinguish what people see, so that totals are not cached across them.
 */
export function defineWhereOf<P>(
  name: string,
  params: z.ZodType<P>,
  condition: (principal: Principal, params: P) => Condition,
): (principal: Principal, params: P) => WherePart {
  nameWhere(name, (given, principal) => condition(principal, params.parse(given)))
  return (principal, given) => ({ where: [condition(principal, given)], whereKey: `${name} ${JSON.stringify(given)}` })
}

type Inside = Pick<Asked, 'reach' | 'clientId'>
type MadePart = Required<Pick<Asked, 'made' | 'madeKey'>>
type Makes<P> = (principal: Principal, asked: Inside, params: P) => RawBuilder<unknown>
const makers = new Map<string, Makes<unknown>>()

/**
 * Gives rows that no table holds a name and parameters, so that the export's job can build them again for the person's reach at that time.
 * `params` must distinguish what people see beyond the reach of the request. Throws when the name is taken.
 */
export function defineRows<P>(
  name: string,
  params: z.ZodType<P>,
  make: Makes<P>,
): (principal: Principal, asked: Inside, params: P) => MadePart {
  if (makers.has(name) || !/^[a-z_]+$/.test(name)) throw new Error(`two lists are made as ${name}, or it is no name`)
  makers.set(name, (principal, asked, given) => make(principal, asked, params.parse(given)))
  return (principal, asked, given) => ({ made: make(principal, asked, given), madeKey: `${name} ${JSON.stringify(given)}` })
}

function nameWhere(name: string, build: (params: unknown, principal: Principal) => Condition): void {
  if (wheres.has(name) || !/^[a-z_]+$/.test(name)) throw new Error(`two conditions are called ${name}, or it is no name`)
  wheres.set(name, build)
}

/** Returns true if a text of `whereKey` can be built again. */
export function isNamed(text: string): boolean {
  return wheres.has(text.split(' ')[0] ?? '')
}

/** Returns the condition that a text of `whereKey` names. */
export function conditionOf(text: string, principal: Principal): Condition {
  const { name, params } = partsOf(text)
  const build = wheres.get(name)
  if (!build) throw new Error(`no condition is called ${name}`)
  return build(params, principal)
}

/** Returns the rows that a `madeKey` names. */
export function madeOf(text: string, principal: Principal, asked: Inside): RawBuilder<unknown> {
  const { name, params } = partsOf(text)
  const make = makers.get(name)
  if (!make) throw new Error(`no rows are made as ${name}`)
  return make(principal, asked, params)
}

function partsOf(text: string): { readonly name: string; readonly params: unknown } {
  const at = text.indexOf(' ')
  return { name: text.slice(0, at), params: JSON.parse(text.slice(at + 1)) }
}
