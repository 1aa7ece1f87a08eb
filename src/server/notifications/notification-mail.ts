/** Sends a notification as a mail, for users who have chosen mail for its kind. */
import type { Tx } from '../kernel/postgres/database.ts'
import type { LiveMessage, Mailer } from '../kernel/machinery.ts'

/** Maximum length of a mail's subject, which is one line. */
const subjectLengthMax = 150

export interface MailParts {
  readonly mail: Mailer
  /** Address of the console, known only once it listens. */
  readonly publicUrl: () => string
}

/** Queues the mail in the notifier's transaction: a notification that is rolled back is never sent. */
export function notificationMail({ mail, publicUrl }: MailParts): (tx: Tx, email: string, message: LiveMessage) => Promise<void> {
  return async (tx, email, message) => {
    const lines = [message.message, ...(message.description ?? [])]
    const text = [...lines, '', whereTo(publicUrl(), message.link), '', `Which of these mails you get: ${publicUrl()}/users/profile`]
    await mail.send(tx, { to: email, subject: subjectOf(message.message), text: text.join('\n') })
  }
}

function subjectOf(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim()
  return line.length > subjectLengthMax ? `${line.slice(0, subjectLengthMax - 1)}…` : line
}

/** Files are only served inside the console; a page has its own address. */
function whereTo(url: string, link: string | null | undefined): string {
  const isPage = link?.startsWith('/') === true && !link.startsWith('/api/')
  return isPage ? `Open it: ${url}${link}` : `Open Meterbook: ${url}`
}
