/** Addresses that an account has left go on hearing of what happens to it: whoever took it over must not silence its owner. */
import { sql } from 'kysely'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { letterBody, type Letter } from '../kernel/work/mail-letter.ts'

/** Days for which a former address hears of the account. */
export const formerEmailDays = 7
const DAY_MS = 86_400_000

export async function keepFormerEmail({ tx }: Pick<Context, 'tx'>, userId: number, email: string): Promise<void> {
  await sql`insert into former_emails (user_id, email, left_at) values (${userId}, ${email}, ${now()})`.execute(tx)
}

/** Mails what has happened to the addresses that the account left lately, and to those named. */
export async function tellMailboxes(
  { tx, machinery }: Pick<Context, 'tx' | 'machinery'>,
  userId: number,
  letter: Letter,
  also: readonly string[] = [],
): Promise<void> {
  const since = new Date(now().getTime() - formerEmailDays * DAY_MS)
  const { rows } = await sql<{ email: string }>`select former.email from former_emails former join users on users.id = former.user_id
    where former.user_id = ${userId} and former.left_at > ${since} and lower(former.email) <> lower(users.email)
    group by former.email order by former.email`.execute(tx)
  const addresses = new Set([...also, ...rows.map(({ email }) => email)])
  for (const to of addresses) await machinery.mail.send(tx, { to, ...letterBody(letter) })
}
