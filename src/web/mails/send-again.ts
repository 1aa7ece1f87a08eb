import { mailCalls } from '#contract/mails/mail.ts'
import { callApi } from '../kernel/api.ts'
import { problemNotice, resultNotice } from '../kernel/notices/notices.ts'
import { refresh } from '../kernel/query.ts'

/** Tries a mail once more, and says what came of the asking; whether it goes out shows in the list. */
export async function sendAgain(id: number): Promise<void> {
  try {
    resultNotice(await callApi(mailCalls.sendAgain, { params: { id } }))
  } catch (error) {
    problemNotice(error)
  }
  refresh('mails')
}
