/** An administrator removes the second factor of somebody who has lost it: of those below them, and never with the rest of a sign-in. */
import { roleNames } from '#contract/access/rights.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { coolDownDays, hasTied, mustBeProven, removeFactorOf, tieTo } from '../access/access.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden, refused } from '../kernel/problem.ts'
import { mustManage } from './save-user.ts'

export async function removeSecondFactor(context: Context, id: number, request: FastifyRequest): Promise<void> {
  const person = await mustManage(context, id, 'user.update')
  if (id === context.principal.user_id) throw refused('Switch your own second factor off in your profile.')
  await refusePeer(context, id)
  await mustBeProven(context)
  if (await hasTied(context, id, ['password', 'email']))
    throw refused(
      `You set the password or the address of this person in the last ${coolDownDays} days: somebody else removes the second factor.`,
    )
  if (!(await removeFactorOf(context, { id, email: person.email ?? '' }, request))) throw refused('This person has no second factor.')
  await tieTo(context, id, 'factor')
}

/** Peers guard each other: only who ranks above somebody removes theirs. Nobody ranks above a super_admin, so another one does. */
async function refusePeer({ tx, principal }: Context, id: number): Promise<void> {
  const own = roleNames.findIndex((name) => principal.grants.some((grant) => grant.role === name))
  if (own === 0) return
  const { rows } = await sql`select from user_roles held join roles on roles.id = held.role_id
    where held.user_id = ${id} and roles.name = any(${roleNames.slice(0, own + 1)}::text[]) limit 1`.execute(tx)
  if (rows.length > 0) throw forbidden('Somebody who ranks above this person removes their second factor.')
}
