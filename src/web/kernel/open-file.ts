import { z } from 'zod'
import { proven, sessionHeaders } from './api.ts'
import { ApiProblem, problemOfAnswer } from './api-problem.ts'
import { hereAddress, leaveForSignIn } from './credentials.ts'
import { problemNotice } from './notices/notices.ts'

/** Time (ms) for which the object URL stays valid after the click. */
const REVOKE_MS = 60_000
const answer = z.object({ url: z.string() })

/**
 * Opens a file that the API protects by rights. The address returns a short-lived url, which the browser then downloads, or the bytes themselves
 * as an attachment. Failures are shown as a notice.
 */
export async function openFile(href: string): Promise<void> {
  try {
    const response = await proven(() => answered(href))
    const attachment = attachmentName(response.headers)
    if (attachment !== null) return keepBytes(await response.blob(), attachment)
    const found = answer.safeParse(await response.json().catch(() => null))
    if (!found.success) throw new ApiProblem('unreadable', response.status, response.statusText)
    download(found.data.url)
  } catch (error) {
    problemNotice(error)
  }
}

async function answered(href: string): Promise<Response> {
  const response = await fetch(href, { headers: sessionHeaders(), cache: 'no-store' })
  if (response.status === 401) leaveForSignIn(hereAddress())
  if (!response.ok) throw await problemOfAnswer(response)
  return response
}

/** Returns the name of a file that is the response itself; null if the response is something else. */
function attachmentName(headers: Headers): string | null {
  const text = headers.get('content-disposition') ?? ''
  if (!text.startsWith('attachment')) return null
  return /filename="([^"]*)"/.exec(text)?.[1] ?? 'download'
}

function keepBytes(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  download(url, name)
  // The browser has taken over the bytes once the click is handled.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}

/** Follows an address as a click does. Files come as attachments, so the page stays; `name` is for files that the page itself created. */
export function download(url: string, name?: string): void {
  const link = document.createElement('a')
  link.href = url
  if (name !== undefined) link.download = name
  link.rel = 'noreferrer'
  link.click()
}

/** Excel reads a file as UTF-8 only where it begins with this mark; an import passes it over. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Saves a CSV text that the page itself has made. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' }))
}

/** Saves a drawing that the page itself has made. */
export function saveDrawing(name: string, svg: string): void {
  saveBlob(name, new Blob([svg], { type: 'image/svg+xml;charset=utf-8' }))
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  download(url, name)
  // The browser has taken the bytes by the time that the next task runs.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
