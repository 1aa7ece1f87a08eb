/** A recent password: what would outlive a stolen sign-in, and what pays, is done within minutes of giving it, by a person. */
import type { Call } from '#contract/kernel/call.ts'
import { sql } from 'kysely'
import { personsOnly } from '#contract/access/token-access.ts'
import { provenMinutes } from '#contract/access/auth.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type answered, type Asking, type Handler } from '../kernel/handler.ts'
import { Failure, forbidden } from '../kernel/problem.ts'

/**
 * Throws not-proven where the password was last given too long ago. A console then asks for it and sends the same once more. Throws forbidden
 * for an API token, which nobody can ask.
 */
export async function mustBeProven({ tx, principal }: Pick<Context, 'tx' | 'principal'>): Promise<void> {
  if (principal.api_token_id !== undefined) throw forbidden(personsOnly)
  const since = new Date(now().getTime() - provenMinutes * 60_000)
  const { rows } = await sql`select from sessions where id = ${principal.session_id} and proven_at > ${since}`.execute(tx)
  if (rows.length === 0) throw new Failure('not_proven', 'Please enter your password to go on.')
}

/** Binds a call whose every request needs a recent password. test/recent-password.test.ts names all calls that ask for one. */
export function handleProven<P, Q, B, R>(
  call: Call<P, Q, B, R>,
  run: (context: Context, asking: Asking<P, Q, B>) => Promise<R | typeof answered>,
): Handler {
  return handle(call, async (context, asking) => {
    await mustBeProven(context)
    return run(context, asking)
  })
}
