/** Notifies the administrators of all clients of a webhook that receives all events, and of one without a responsible user. */
import type { Webhook } from '#contract/webhooks/webhook.ts'
import { permissionsOfRole, roleNames } from '#contract/access/rights.ts'
import { sql } from 'kysely'
import { isWholeRole } from '../estate/estate.ts'
import type { Context } from '../kernel/context.ts'
import type { Machinery } from '../kernel/machinery.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { letterBody } from '../kernel/work/mail-letter.ts'

/** Maximum number of people notified; if there are more, those who signed in last. */
const toldMax = 50

/** Roles that may make webhooks. */
export const webhookRoles = roleNames.filter((role) => permissionsOfRole(role).webhook?.includes('update'))

interface Administrator {
  readonly id: number
  readonly email: string
}

/** Returns the active people who may make webhooks of all clients, in the order of their ids. */
async function administratorsOfAll(tx: Tx): Promise<readonly Administrator[]> {
  const { rows } = await sql<Administrator>`select id, email from (
      select id, email, last_sign_in_at from users where status = 'active' and account_confirmed and exists (
        select from user_roles held join roles on roles.id = held.role_id where held.user_id = users.id and roles.name = any(${webhookRoles}::text[])
          and not exists (select from user_role_clients bound where bound.user_role_id = held.id) and ${isWholeRole('held')})
      order by last_sign_in_at desc nulls last, id limit ${toldMax}) told order by id`.execute(tx)
  return rows
}

/** Mails a new webhook of all clients to every administrator of all clients, its maker included: whoever used their sign-in is found out. */
export async function tellOfNewWebhook({ tx, machinery, principal }: Context, { id, name, url }: Webhook): Promise<void> {
  const letter = {
    subject: 'A webhook of all clients was made in Meterbook',
    paragraphs: [
      `${principal.email} made the webhook ${name}. What happens in every client is sent to ${new URL(url).origin} from now on.`,
    ],
    action: { label: 'Open the webhook', url: `${machinery.settings.publicUrl}/settings/webhooks/${id}/deliveries` },
    footnote: 'If this is not right, please switch it off at once.',
  }
  const administrators = await administratorsOfAll(tx)
  await machinery.mail.sendAll(
    tx,
    administrators.map(({ email }) => ({ to: email, ...letterBody(letter) })),
  )
}

/** Notifies of webhooks that were switched off because no user is responsible for them. */
export async function tellOfOrphan(tx: Tx, { live }: Pick<Machinery, 'live'>, id: number, name: string, reason: string): Promise<void> {
  // Each person's notifications have their own order, so people are notified one by one.
  for (const { id: userId } of await administratorsOfAll(tx))
    await live.tell(
      tx,
      { userId, connectionId: null },
      {
        type: 'webhook',
        notification_type: 'error',
        error: true,
        message: `The webhook ${name} was switched off`,
        description: [reason],
        link: `/settings/webhooks/${id}/deliveries`,
      },
    )
}
