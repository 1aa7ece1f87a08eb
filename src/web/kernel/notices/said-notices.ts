/** Keeps this window's notices over a reload. They belong to the window and its sign-in, and end with either. */
import { z } from 'zod'
import { keepNoticeHistory, noticeHistory, subscribeNotices } from '../../ui/dialogs/notices.ts'
import { readCredentials } from '../credentials.ts'

const KEY = 'said_notices'
const said = z.object({
  client: z.string(),
  notices: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['success', 'error', 'info', 'warning']),
      title: z.string(),
      message: z.string().optional(),
      duration: z.number(),
      link: z.object({ href: z.string(), label: z.string() }).optional(),
      at: z.number(),
    }),
  ),
})

let remembering = false

/** Restores the notices from before the reload and stores new ones. Called once per window. */
export function rememberSaidNotices(): void {
  const client = readCredentials()?.client
  if (client === undefined || remembering) return
  remembering = true
  keepNoticeHistory(storedFor(client))
  let written = noticeHistory()
  write(client)
  subscribeNotices(() => {
    const history = noticeHistory()
    if (history === written) return
    written = history
    write(client)
  })
}

function storedFor(client: string) {
  const stored = said.safeParse(jsonOf(sessionStorage.getItem(KEY)))
  return stored.success && stored.data.client === client ? stored.data.notices : []
}

/** If the storage is full or forbidden, notices are not kept. A notice's action cannot be stored. */
function write(client: string): void {
  const notices = noticeHistory().map(({ action: _offer, ...notice }) => notice)
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ client, notices }))
  } catch {
    sessionStorage.removeItem(KEY)
  }
}

function jsonOf(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
