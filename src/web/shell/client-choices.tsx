/** The list of the client picker, and its pager. */
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ownMessages } from '../kernel/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Skeleton } from '../ui/states.tsx'
import styles from './shell.module.css'
import type { ClientChoicesState } from './use-client-choices.ts'

/** What the pager counts by: half of what is loaded, as its total is half of what is reported (G-PAGER-HALF). */
const PAGER_SIZE = 10

type ClientChoicesProps = {
  id: string
  choices: ClientChoicesState
  scopeId: number | null
  /** Given where there is no search field to hold the keyboard: then the list does. */
  keys: { 'aria-activedescendant': string | undefined; onKeyDown: (event: KeyboardEvent) => void } | undefined
}

export function ClientChoices({ id, choices, scopeId, keys }: ClientChoicesProps) {
  const list = useRef<HTMLDivElement>(null)
  const { status, clients, here } = choices
  useEffect(() => {
    list.current?.querySelectorAll('[role="option"]')[here]?.scrollIntoView({ block: 'nearest' })
  }, [here])
  // The list came after its panel was opened: it takes the keyboard now.
  const holds = keys !== undefined && status === 'ready'
  useEffect(() => {
    if (holds) list.current?.focus({ preventScroll: true })
  }, [holds])
  if (status === 'failed') {
    return (
      <div className={styles.pickerNote} role="alert">
        The clients could not be loaded.{' '}
        <Button small onClick={choices.again}>
          Try again
        </Button>
      </div>
    )
  }
  if (status === 'loading') return <PickerSkeleton />
  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Clients"
        className={styles.pickerList}
        tabIndex={keys ? 0 : undefined}
        aria-activedescendant={keys?.['aria-activedescendant']}
        onKeyDown={keys?.onKeyDown}
      >
        {clients.map((client, index) => (
          <div
            key={client.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={client.id === scopeId}
            className={cx(styles.pickerLine, client.id === scopeId && styles.pickerHere, index === here && styles.pickerActive)}
            onClick={() => choices.choose(client.id)}
          >
            {client.name}
          </div>
        ))}
      </div>
      {clients.length === 0 && <p className={styles.pickerNote}>{ownMessages.no_clients}</p>}
      <PickerPager total={choices.total} page={choices.page} onPage={choices.setPage} />
    </>
  )
}

/** Counts half the reported total, ten to a page: the same pages as the whole total by twenty. */
function PickerPager({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const pages = pickerPages(total)
  if (pages <= 1) return null
  return (
    <div className={styles.pickerPager} data-pager-total={pickerTotal(total)}>
      <IconButton
        small
        label="Previous clients"
        icon={<ChevronLeft size={14} aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className="num">
        {page} of {pages}
      </span>
      <IconButton
        small
        label="Next clients"
        icon={<ChevronRight size={14} aria-hidden="true" />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}

/** The total that the pager shows: half of the reported one, rounded up so that the last client of an odd number is reached. */
export function pickerTotal(total: number): number {
  return Math.ceil(total / 2)
}

export function pickerPages(total: number): number {
  return Math.ceil(pickerTotal(total) / PAGER_SIZE)
}

function PickerSkeleton() {
  return (
    <div className={styles.pickerNote}>
      <Skeleton width={180} />
    </div>
  )
}
