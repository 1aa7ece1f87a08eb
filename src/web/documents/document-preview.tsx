import type { KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { Document } from '#contract/documents/document.ts'
import { documentCalls } from '#contract/documents/document-calls.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { sizeText } from '../ui/fields/file-field.tsx'
import { UiLink } from '../ui/link.tsx'
import { FilePreview, isShowable } from '../ui/preview/file-preview.tsx'
import { EmptyState } from '../ui/states.tsx'
import { downloadHref, kindLabel } from './document-words.ts'
import styles from './documents.module.css'

/** The file's address is valid for five minutes, so it is requested again before that. */
const ADDRESS_FRESH_MS = 240_000
const WIDTH = 760
/** A file higher than the window is scrolled by keys, so it must be focusable although it contains no controls. */
const reached = { tabIndex: 0 }

export interface DocumentPreviewProps {
  /** The list that the arrow keys move through. */
  readonly rows: readonly Document[]
  readonly openId: number | null
  readonly onOpen: (id: number | null) => void
}

/** One document beside its list. The arrow keys move to its neighbours; if the file itself has the focus, up and down scroll it. */
export function DocumentPreview({ rows, openId, onOpen }: DocumentPreviewProps) {
  const at = rows.findIndex(({ id }) => id === openId)
  const row = rows[at]
  if (!row) return null
  const step = (by: number) => {
    const next = rows[at + by]
    if (next) onOpen(next.id)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDialogElement>) => {
    const by = stepOf(event)
    if (by === 0) return
    event.preventDefault()
    step(by)
  }
  return (
    <Modal
      open
      drawer
      title={row.title}
      width={WIDTH}
      onClose={() => onOpen(null)}
      onKeyDown={onKeyDown}
      footer={
        <div className={styles.foot}>
          <Button disabledReason={at === 0 ? 'This is the first one' : undefined} reasonHidden onClick={() => step(-1)}>
            <ArrowLeft size={14} aria-hidden="true" />
            Previous
          </Button>
          <Button disabledReason={at === rows.length - 1 ? 'This is the last one' : undefined} reasonHidden onClick={() => step(1)}>
            Next
            <ArrowRight size={14} aria-hidden="true" />
          </Button>
          <span className={styles.place} role="status">
            {at + 1} of {rows.length}
          </span>
          <UiLink href={downloadHref(row)} className={styles.download}>
            Download
          </UiLink>
        </div>
      }
    >
      <p className={styles.facts}>{factsOf(row)}</p>
      <section {...reached} aria-label="File" data-scrolls="">
        {isShowable(row.content_type) ? (
          <Shown key={row.id} row={row} />
        ) : (
          <EmptyState title="There is no preview of this kind of file">It can be downloaded.</EmptyState>
        )}
      </section>
    </Modal>
  )
}

function Shown({ row }: { row: Document }) {
  const asked = useQuery({
    ...apiQuery(documentCalls.download, { params: { id: row.id }, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
  return <RecordGate asked={asked}>{({ url }) => <FilePreview url={url} name={row.filename} contentType={row.content_type} />}</RecordGate>
}

function factsOf(row: Document): string {
  const kept = `${formatDate(todayIn(NEW_YORK, row.created_at))}${row.created_by_name === null ? '' : ` by ${row.created_by_name}`}`
  return [row.filename, kindLabel(row), sizeText(row.byte_size), kept].join(' · ')
}

function stepOf({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent<HTMLDialogElement>): number {
  if (altKey || ctrlKey || metaKey || (target instanceof Element && target.matches('input, select'))) return 0
  if (key === 'ArrowRight') return 1
  if (key === 'ArrowLeft') return -1
  const scrolls = target instanceof Element && target.closest('[data-scrolls]') !== null
  if (scrolls || (key !== 'ArrowDown' && key !== 'ArrowUp')) return 0
  return key === 'ArrowDown' ? 1 : -1
}
