/** How a bill's status, flags and files show, in lists and on its page. Text, spans and links only, so that they may stand in a grid. */
import type { BillRow } from '#contract/bill.ts'
import type { FullStatus } from '#contract/bill-status.ts'
import { UiLink } from '../ui/link.tsx'
import { Badge, Missing, StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'
import styles from './bills.module.css'

interface Look {
  readonly tone: Tone
  readonly shape?: StatusShape
  readonly struck?: boolean
}

const looks: Readonly<Record<FullStatus, Look>> = {
  Void: { tone: 'grey', struck: true },
  Finalized: { tone: 'violet' },
  Paid: { tone: 'ok' },
  'Global Batched': { tone: 'warn' },
  'Vendor Batched': { tone: 'warn' },
  Parked: { tone: 'grey', shape: 'ring' },
  QC: { tone: 'grey', shape: 'ring' },
  Flagged: { tone: 'warn', shape: 'triangle' },
  'Client Batch Closed': { tone: 'grey', shape: 'lock' },
  'Client Batched': { tone: 'warn' },
  Draft: { tone: 'info' },
  Unbatched: { tone: 'info' },
}

/** The status of a bill: a dot and its word. */
export function BillStatus({ status }: { status: string }) {
  const look = new Map<string, Look>(Object.entries(looks)).get(status) ?? { tone: 'grey' }
  return <StatusDot {...look}>{status}</StatusDot>
}

const badgeTones: readonly (readonly [start: string, tone: Tone])[] = [
  ['Past due', 'bad'],
  ['Flagged', 'warn'],
  ['Duplicate?', 'warn'],
]

/** What a bill wears beside its status. `except` leaves out what another column says. */
export function BillBadges({ badges, except = [] }: { badges: readonly string[]; except?: readonly string[] }) {
  const shown = badges.filter((badge) => !except.some((start) => badge.startsWith(start)))
  return shown.map((badge) => (
    <Badge key={badge} tone={badgeTones.find(([start]) => badge.startsWith(start))?.[1] ?? 'grey'}>
      {badge}
    </Badge>
  ))
}

/** How many things the audits found, with a word for those who cannot see the mark; the messages are the cell's tip. */
export function FlagCell({ row }: { row: Pick<BillRow, 'flags' | 'flagged' | 'open_blocking' | 'any_child_flags'> }) {
  const count = Object.keys(row.flags).length
  if (count === 0 && !row.any_child_flags) return <Missing word="no flags" />
  const words = count === 0 ? 'Linked' : count === 1 ? '1 flag' : `${count} flags`
  if (row.open_blocking > 0)
    return (
      <StatusDot tone="bad" shape="lock">
        {words}
        <span className="sr-only">, holds payment</span>
      </StatusDot>
    )
  return (
    <StatusDot tone={row.flagged ? 'warn' : 'grey'} shape={row.flagged ? 'triangle' : 'ring'}>
      {words}
    </StatusDot>
  )
}

/** The messages of a bill's flags, a line each. */
export function flagTexts(row: Pick<BillRow, 'flags' | 'open_blocking'>): string | undefined {
  const messages = Object.values(row.flags)
  if (messages.length === 0) return undefined
  return [...(row.open_blocking > 0 ? ['Holds payment:'] : []), ...messages].join('\n')
}

/** Up to two copies, each opened by its link. */
export function FileLinks({ row }: { row: Pick<BillRow, 'file_url' | 'filename' | 'account_number'> }) {
  if (row.file_url.length === 0) return <Missing word="no file" />
  return (
    <span className={styles.files}>
      {row.file_url.map((href, place) => (
        <UiLink
          key={href}
          href={href}
          aria-label={`File ${place + 1} of the bill of ${row.account_number}${place === 0 && row.filename ? `, ${row.filename}` : ''}`}
        >
          {row.file_url.length === 1 ? 'File' : `File ${place + 1}`}
        </UiLink>
      ))}
    </span>
  )
}
