/**
 * An outgoing mail, sent or waiting, for the installation's administrator. Its text is never part of the list, and in production not available
 * at all.
 */
import { z } from 'zod'
import { call, exportOf, listReply } from '../kernel/call.ts'
import { boolean, choice, derived, entity, instant, integer, optional, text, type Row } from '../kernel/entity.ts'
import { listInput } from '../kernel/query.ts'

const states = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'sent', label: 'Sent' },
  { value: 'dead', label: 'Not sent' },
] as const

export const mail = entity(
  'mail',
  'mails',
  {
    created_at: derived(instant('Created')),
    to_address: derived(text('To')),
    subject: derived(text('Subject')),
    state: derived(choice('State', states)),
    attempts: derived(integer('Attempts')),
    last_error: derived(optional(text('Last Error', 600))),
    /** Time of the next attempt of a waiting mail. */
    next_attempt_at: derived(optional(instant('Next Attempt'))),
    sent_at: derived(optional(instant('Sent'))),
    /** Time at which its link expires; it is not sent after that. */
    expires_at: derived(optional(instant('Valid Until'))),
    can_send_again: derived(boolean('Can Be Sent Again')),
  },
  {
    filter: ['id', 'to_address', 'subject', 'state', 'attempts', 'last_error', 'created_at', 'next_attempt_at', 'sent_at'],
    sort: ['id', 'created_at', 'to_address', 'subject', 'state', 'attempts', 'sent_at'],
    defaultSort: 'id desc',
  },
)
export type Mail = Row<typeof mail>

/** The provider's own administrators, who may change settings. */
const may = 'setting.update'

const listMails = call({
  name: 'mails.list',
  method: 'GET',
  path: '/mails',
  may,
  summary: 'Lists mails that went out or are to go out',
  query: listInput,
  reply: listReply('mails', mail.row),
})

export const mailCalls = {
  list: listMails,
  exportCsv: exportOf(listMails, 'mails'),
  get: call({
    name: 'mails.get',
    method: 'GET',
    path: '/mails/:id',
    may,
    summary: 'One mail; its text outside production only, since it may hold a link that signs somebody in',
    reply: z.object({ mail: mail.row, text_body: z.string().nullable() }),
  }),
  sendAgain: call({
    name: 'mails.send_again',
    method: 'POST',
    path: '/mails/:id/send_again',
    may,
    summary: 'Tries a mail again that could not be sent for 24 hours',
  }),
}
