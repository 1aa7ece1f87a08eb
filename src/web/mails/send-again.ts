import { mailCalls } from '#contract/mails/mail.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'

/** Requests another attempt to send a mail and shows the result of the request; the list shows whether it was sent. */
export async function sendAgain(id: number): Promise<void> {
  try {
    resultNotice(await callApi(mailCalls.sendAgain, { params: { id } }))
  } catch (error) {
    problemNotice(error)
  }
  refresh('mails')
}
