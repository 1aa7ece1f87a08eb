/** A recent password: what would outlive a stolen sign-in, and what pays, is done within minutes of giving it, by a person. */
import { sql } from 'kysely'
import { personsOnly } from '#contract/access/token-access.ts'
import { provenMinutes } from '#contract/access/auth.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { Failure, forbidden } from '../kernel/problem.ts'

/** Throws not-proven where the password was last given too long ago. A console then asks for it and sends the same once more. */
export async function mustBeProven({ tx, principal }: Pick<Context, 'tx' | 'principal'>): Promise<void> {
  const since = new Date(now().getTime() - provenMinutes * 60_000)
  const { rows } = await sql`select from sessions where id = ${principal.session_id} and proven_at > ${since}`.execute(tx)
  if (rows.length === 0) throw new Failure('not_proven', 'Please enter your password to go on.')
}

/** Throws forbidden for an API token. For calls that a token may make, but not with everything that their body may ask. */
export function mustBePerson({ principal }: Pick<Context, 'principal'>): void {
  if (principal.api_token_id !== undefined) throw forbidden(personsOnly)
}
