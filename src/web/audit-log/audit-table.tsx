import { Fragment, useId } from 'react'
import { ChevronRight } from 'lucide-react'
import { auditEvents, type AuditLogVersion } from '#contract/audit-log/audit-log.ts'
import { ChangedFields } from '../kernel/history/changed-fields.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { Missing, StatusDot, type Tone } from '../ui/status.tsx'
import styles from './audit-log.module.css'
import { recordHref } from './record-href.ts'

/** Number of changed fields that a row names before it is opened. */
const NAMED = 3
const columns = ['Time', 'Event', 'Item Type', 'Item', 'Client', 'User', 'IP Address', 'Changed Fields']
const tones: Readonly<Record<AuditLogVersion['event'], Tone>> = {
  create: 'ok',
  update: 'info',
  destroy: 'bad',
  login: 'grey',
  access: 'warn',
}

export interface AuditTableProps {
  readonly rows: readonly AuditLogVersion[]
  /** Whether other rows are loading. */
  readonly stale: boolean
  readonly open: ReadonlySet<number>
  readonly onOpen: (open: ReadonlySet<number>) => void
}

/** One line per version, below which its fields unfold. */
export function AuditTable({ rows, stale, open, onOpen }: AuditTableProps) {
  const toggle = (id: number) => onOpen(open.has(id) ? new Set([...open].filter((other) => other !== id)) : new Set([...open, id]))
  return (
    <div className={styles.scroll}>
      <table className={cx(styles.table, stale && styles.stale)} aria-label="Audit Log" aria-busy={stale || undefined}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Show changes</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <VersionRow key={row.id} row={row} open={open.has(row.id)} onToggle={() => toggle(row.id)} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function VersionRow({ row, open, onToggle }: { row: AuditLogVersion; open: boolean; onToggle: () => void }) {
  const id = useId()
  const hasChanges = row.changes.length > 0
  return (
    <Fragment>
      <tr className={cx(open && styles.opened)}>
        <td className={styles.toggle}>
          {hasChanges && (
            <IconButton
              small
              label={open ? 'Hide changes' : 'Show changes'}
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              icon={<ChevronRight size={14} aria-hidden="true" className={cx(open && styles.turned)} />}
              onClick={onToggle}
            />
          )}
        </td>
        <td className={styles.still}>
          <NewYorkTime at={row.created_at} />
        </td>
        <td className={styles.still}>
          <StatusDot tone={tones[row.event]}>{auditEvents.find(({ value }) => value === row.event)?.label ?? row.event}</StatusDot>
        </td>
        <td>{row.item_label}</td>
        <td>
          <Item row={row} />
        </td>
        <td>{row.client_name ?? <Missing word="no client" />}</td>
        <td>
          <Address text={row.user} />
        </td>
        <td className="num">{row.ip_address ?? <Missing />}</td>
        <td className={styles.fields}>{fieldsText(row)}</td>
      </tr>
      {open && hasChanges && (
        <tr id={id} className={styles.detail}>
          <td />
          <td colSpan={columns.length}>
            <ChangedFields version={row} />
          </td>
        </tr>
      )}
    </Fragment>
  )
}

/** The record's name, with a link unless the record was deleted. */
function Item({ row }: { row: AuditLogVersion }) {
  const name = row.item_name ?? (row.item_id === null ? null : `#${row.item_id}`)
  if (name === null) return <Missing />
  const href = row.event === 'destroy' ? undefined : recordHref(row)
  return href === undefined ? (
    <Address text={name} />
  ) : (
    <UiLink href={href}>
      <Address text={name} />
    </UiLink>
  )
}

/** An email address too long for its column breaks before the @, not inside a word. */
function Address({ text }: { text: string }) {
  const at = text.indexOf('@')
  if (at < 1) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

function fieldsText({ changes }: AuditLogVersion) {
  if (changes.length === 0) return <Missing word="no fields" />
  const named = changes.slice(0, NAMED).map(({ label }) => label)
  return changes.length > NAMED ? `${named.join(', ')} +${changes.length - NAMED}` : named.join(', ')
}
