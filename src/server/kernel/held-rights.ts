/**
 * The rights that the writer of a file held, kept with it. A file holds what they reached then: whoever has lost a part of it is given the file
 * no longer, also where it is their own.
 */
import { z } from 'zod'
import type { Grant, Principal } from './principal.ts'
import { forbidden } from './problem.ts'

const held = z.object({
  grants: z.array(
    z.object({
      role: z.string(),
      clients: z.union([z.literal('all'), z.array(z.int())]),
      narrowed: z.record(z.string(), z.array(z.int())),
    }),
  ),
  /** The rights that the subscription of a client takes away. */
  masked: z.array(z.tuple([z.int(), z.array(z.string())])),
})
type Held = z.output<typeof held>

/** The rights as JSON text, for a column. */
export function heldRights(principal: Principal): string {
  return JSON.stringify(rightsOf(principal))
}

function rightsOf({ grants, masked }: Principal): Held {
  return {
    grants: grants.map(({ role, clients, narrowed }) => ({
      role,
      clients: clients === 'all' ? clients : [...clients],
      narrowed: Object.fromEntries(Object.entries(narrowed).map(([level, ids]) => [level, [...ids]])),
    })),
    masked: grants.every(({ clients }) => clients === 'all') ? [] : [...masked].map(([id, models]) => [id, [...models]]),
  }
}

/** Throws forbidden where the reader has lost a right that the file was written with, or nobody knows with which it was. */
export function refuseLostRights(reader: Principal, stored: unknown): void {
  const then = held.safeParse(stored)
  if (!then.success || !stillHolds(reader, then.data))
    throw forbidden('What you may see has changed since this file was written. Have it written again.')
}

function stillHolds(reader: Principal, then: Held): boolean {
  const isTaken = (id: number, model: string): boolean => then.masked.some(([client, models]) => client === id && models.includes(model))
  // A subscription takes nothing from a role that reaches all clients.
  const wasReached = (id: number): boolean => then.grants.some(({ clients }) => clients !== 'all' && clients.includes(id))
  const nothingTaken = rightsOf(reader).masked.every(([id, models]) => !wasReached(id) || models.every((model) => isTaken(id, model)))
  return nothingTaken && then.grants.every((grant) => reader.grants.some((now) => contains(now, grant)))
}

function contains(now: Grant, then: Held['grants'][number]): boolean {
  const { clients } = now
  const allClients = clients === 'all' || (then.clients !== 'all' && then.clients.every((id) => clients.includes(id)))
  return now.role === then.role && allClients && containsParts(now.narrowed, then.narrowed)
}

/** A role that is narrowed reaches what lies at one of its levels; one that is not reaches all. */
function containsParts(now: Grant['narrowed'], then: Grant['narrowed']): boolean {
  if (Object.keys(now).length === 0) return true
  const levels = Object.entries(then)
  return levels.length > 0 && levels.every(([level, ids]) => ids.every((id) => now[level]?.includes(id)))
}
