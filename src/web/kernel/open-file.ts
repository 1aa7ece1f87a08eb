import { z } from 'zod'
import { sessionHeaders } from './api.ts'
import { ApiProblem, problemOfAnswer } from './api-problem.ts'
import { hereAddress, leaveForSignIn } from './credentials.ts'
import { problemNotice } from './notices/notices.ts'

const answer = z.object({ url: z.string() })

/**
 * Opens a file that the API keeps behind rights: the address answers a short-lived url, which the browser then downloads.
 * Failures are said as a notice.
 */
export async function openFile(href: string): Promise<void> {
  try {
    const response = await fetch(href, { headers: sessionHeaders(), cache: 'no-store' })
    if (response.status === 401) leaveForSignIn(hereAddress())
    if (!response.ok) throw await problemOfAnswer(response)
    const found = answer.safeParse(await response.json().catch(() => null))
    if (!found.success) throw new ApiProblem('unreadable', response.status, response.statusText)
    download(found.data.url)
  } catch (error) {
    problemNotice(error)
  }
}

/** Follows an address as a click would. Files come as attachments, so the page stays; `name` is for what the page itself has made. */
export function download(url: string, name?: string): void {
  const link = document.createElement('a')
  link.href = url
  if (name !== undefined) link.download = name
  link.rel = 'noreferrer'
  link.click()
}
