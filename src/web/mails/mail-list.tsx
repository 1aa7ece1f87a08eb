import { mail, mailCalls, type Mail } from '#contract/mails/mail.ts'
import { ListPage } from '../kernel/lists/list-page.tsx'
import type { Cells, ColumnWish } from '../kernel/lists/list-columns.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { SettingsTabs } from '../settings/settings.ts'
import { MenuItem } from '../ui/menu.tsx'
import { Missing } from '../ui/status.tsx'
import { MailState } from './mail-state.tsx'
import { sendAgain } from './send-again.ts'

// The widths fit beside a client's sidebar at 1366 px: a truncated time would show the wrong hour.
const columns: readonly ColumnWish<Mail>[] = [
  { key: 'subject', width: 168 },
  { key: 'to_address', width: 132 },
  { key: 'state', width: 95, grow: false },
  { key: 'attempts', width: 85, grow: false },
  { key: 'last_error', width: 126 },
  { key: 'created_at', width: 160, grow: false },
  { key: 'next_attempt_at', width: 160, grow: false },
  { key: 'sent_at', width: 160, grow: false },
]

const cells: Cells<Mail> = {
  state: (row) => <MailState state={row.state} />,
  last_error: (row) => (row.last_error === null ? <Missing word="none" /> : <span title={row.last_error}>{row.last_error}</span>),
  created_at: (row) => <NewYorkTime at={row.created_at} />,
  next_attempt_at: (row) => (row.next_attempt_at === null ? <Missing word="none" /> : <NewYorkTime at={row.next_attempt_at} />),
  sent_at: (row) => (row.sent_at === null ? <Missing word="not sent" /> : <NewYorkTime at={row.sent_at} />),
}

const href = (row: Mail): string => `/settings/mails/${row.id}`

function whyNot({ can_send_again: may, expires_at: end }: Mail): string | undefined {
  if (may) return undefined
  return end === null ? 'A remittance advice is sent again at its payment.' : 'Its link is over; its receiver must ask for a new one.'
}

/** /settings/mails: mails that were sent, wait, or could not be sent. */
export function MailList() {
  return (
    <>
      <SettingsTabs />
      <ListPage
        entity={mail}
        calls={mailCalls}
        columns={columns}
        cells={cells}
        rowHref={href}
        empty="Mails that Meterbook sends, such as links to set a password, are listed here."
        actions={(row) => (
          <>
            <MenuItem href={href(row)}>Show</MenuItem>
            {row.state === 'dead' && (
              <MenuItem onSelect={() => void sendAgain(row.id)} disabledReason={whyNot(row)}>
                Send again
              </MenuItem>
            )}
          </>
        )}
      />
    </>
  )
}
