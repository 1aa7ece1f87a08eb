/** Mails with a link: to confirm an account, and to set a password. */
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { letterBody, type Letter } from '../kernel/work/mail-letter.ts'
import { tooMuch } from '../kernel/problem.ts'
import { confirmationLetter, passwordLetter } from './letters.ts'
import { linkEnd, makeLink, type LinkKind } from './links.ts'
import { takeFromWindow, type WindowRule } from './windows.ts'

interface Receiver {
  readonly id: number
  readonly email: string
}

/** Knowing an email address must not be enough to flood its mailbox. */
const mailsAnHour: WindowRule = { max: 10, seconds: 3_600 }

/** Mails a link that confirms the account and leads to the page that asks for a password. Throws too-many beyond ten an hour. */
export async function sendConfirmation(context: Context, user: Receiver): Promise<void> {
  await refuseFlood(context.tx, user)
  await mailLink(context, user, 'confirm', confirmationLetter)
}

/** Mails a link that sets a new password. Invalidates older links of the user. Throws too-many beyond ten an hour. */
export async function sendPasswordLink(context: Context, user: Receiver): Promise<void> {
  await refuseFlood(context.tx, user)
  await mailLink(context, user, 'reset', passwordLetter)
}

/**
 * Answers a visitor's request for a new password: an unconfirmed user gets the confirmation, a confirmed one the link, an address without
 * an active account nothing, and no address more than ten an hour. The visitor does not learn which.
 */
export async function mailWhatWasAskedFor(context: Context, email: string): Promise<void> {
  const { rows } = await sql<Receiver & { account_confirmed: boolean }>`select id, email, account_confirmed from users
    where lower(email) = lower(${email}) and status = 'active'`.execute(context.tx)
  const user = rows[0]
  if (!user || (await secondsUntilNext(context.tx, user)) > 0) return
  if (user.account_confirmed) await mailLink(context, user, 'reset', passwordLetter)
  else await mailLink(context, user, 'confirm', confirmationLetter)
}

async function refuseFlood(tx: Tx, user: Receiver): Promise<void> {
  const wait = await secondsUntilNext(tx, user)
  if (wait > 0) throw tooMuch('too_many', 'Too many mails were sent to this address. Please try again later.', wait)
}

function secondsUntilNext(tx: Tx, user: Receiver): Promise<number> {
  return takeFromWindow(tx, `mails:${user.id}`, mailsAnHour)
}

async function mailLink(context: Context, user: Receiver, kind: LinkKind, letter: (email: string, link: string) => Letter): Promise<void> {
  const { settings, mail } = context.machinery
  const link = await makeLink(context.tx, user, kind, settings.publicUrl)
  await mail.send(context.tx, { to: user.email, ...letterBody(letter(user.email, link)), expiresAt: linkEnd(kind) })
}
