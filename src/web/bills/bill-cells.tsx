/** Cells for a bill's status, flags and files, in lists and on its page. Text, spans and links only, so that they can be used in a grid. */
import { openFlags } from '#contract/bills/bill-badges.ts'
import type { BillRow } from '#contract/bills/bill.ts'
import type { FullStatus } from '#contract/bills/bill-status.ts'
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

/** The badges of a bill, the most urgent first. `except` leaves out those that another column shows. */
export function BillBadges({ badges, except = [] }: { badges: readonly string[]; except?: readonly string[] }) {
  const shown = badges.filter((badge) => !except.some((start) => badge.startsWith(start))).map((badge) => ({ badge, tone: toneOf(badge) }))
  return shown
    .toSorted((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'))
    .map(({ badge, tone }) => (
      <Badge key={badge} tone={tone}>
        {badge}
      </Badge>
    ))
}

function toneOf(badge: string): Tone {
  return badgeTones.find(([start]) => badge.startsWith(start))?.[1] ?? 'grey'
}

/** The account's full number, and as much of its name as fits, because the names of one client begin alike. */
export function AccountCell({ row }: { row: Pick<BillRow, 'account_number' | 'account_name'> }) {
  return (
    <span className={styles.account}>
      <span>{row.account_number}</span> <span className={styles.accountName}>{row.account_name}</span>
    </span>
  )
}

/** The number of open findings, with a word for screen readers; the messages are the cell's tooltip. */
export function FlagCell({
  row,
}: {
  row: Pick<BillRow, 'flagged' | 'open_errors' | 'open_warnings' | 'open_blocking' | 'any_child_flags'>
}) {
  const count = openFlags(row)
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

/** Returns the messages of a bill's flags, one per line. */
export function flagTexts(row: Pick<BillRow, 'flags' | 'open_blocking'>): string | undefined {
  const messages = Object.values(row.flags)
  if (messages.length === 0) return undefined
  return [...(row.open_blocking > 0 ? ['Holds payment:'] : []), ...messages].join('\n')
}

/** Links to up to two copies. */
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
