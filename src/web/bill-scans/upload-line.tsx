/** Uploads documents to the inbox, dropped or chosen, many at once. Each becomes its own document; a rejected one does not affect the others. */
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Upload as UploadIcon, X } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import styles from './bill-scans.module.css'
import { accepted, addUploads, clearUploads, retryUploads, useUploads, type Upload } from './upload-queue.ts'

/** Wraps the list, so that files can be dropped anywhere on it. */
export function UploadPlace({ clientId, children }: { clientId: number; children: (button: ReactNode) => ReactNode }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const uploads = useUploads(clientId)
  const take = (list: FileList | null) => addUploads(clientId, [...(list ?? [])])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }
  // More files can be chosen while others are uploading.
  const button = (
    <Button kind="primary" onClick={() => input.current?.click()}>
      <UploadIcon size={14} aria-hidden="true" />
      Upload documents
    </Button>
  )
  return (
    <div
      data-fills=""
      className={cx(styles.drop, over && styles.dropOver)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (event.currentTarget === event.target) setOver(false)
      }}
      onDrop={drop}
    >
      <input
        ref={input}
        className="sr-only"
        type="file"
        multiple
        tabIndex={-1}
        accept={accepted}
        aria-label="Documents to upload"
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      {uploads.length > 0 && <UploadResult clientId={clientId} uploads={uploads} />}
      {children(button)}
    </div>
  )
}

function UploadResult({ clientId, uploads }: { clientId: number; uploads: readonly Upload[] }) {
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'sending')
  const taken = uploads.filter(({ state }) => state === 'taken').length
  const refused = uploads.filter(({ state }) => state === 'refused')
  const repeats = uploads.flatMap(({ key, file, received }) =>
    received && (received.same_bill_id !== null || received.same_scan_id !== null) ? [{ key, file, received }] : [],
  )
  return (
    <section className={cx(styles.result, refused.length > 0 && styles.resultBad)} aria-label="Upload">
      <div className={styles.resultHead}>
        <p role="status">{open.length > 0 ? progressText(open, taken, uploads.length) : countText(taken, refused.length)}</p>
        {refused.some(({ passing }) => passing) && (
          <Button small onClick={() => retryUploads(clientId)}>
            Try again
          </Button>
        )}
        {open.length === 0 && (
          <IconButton small label="Hide" icon={<X size={14} aria-hidden="true" />} onClick={() => clearUploads(clientId)} />
        )}
      </div>
      {open.length > 0 && (
        <progress className={styles.progress} value={uploads.length - open.length} max={uploads.length} aria-label="Sent" />
      )}
      {repeats.length > 0 && (
        <ul aria-label="Here already">
          {repeats.map(({ key, file, received }) => (
            <li key={key}>
              <strong>{file.name}</strong> {received.same_bill_id === null ? 'is here already: ' : 'was entered already: '}
              {received.same_bill_id === null ? (
                <UiLink href={`/clients/${clientId}/bills/new?scan_id=${received.same_scan_id}`}>the earlier document</UiLink>
              ) : (
                <UiLink href={`/clients/${clientId}/bills/${received.same_bill_id}`}>bill {received.same_bill_id}</UiLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <ul role="alert">
          {refused.map(({ key, file, reason }) => (
            <li key={key}>
              <strong>{file.name}</strong> was not taken: {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function progressText(open: readonly Upload[], taken: number, of: number): string {
  const held = open.find((one) => one.held !== null)?.held
  const now = `Uploading: ${taken} of ${of} taken`
  if (!held) return now
  return held.reason === 'busy'
    ? `${now}. The server asks for a pause; the rest follows by itself.`
    : `${now}. The server cannot be reached; the rest follows once it can.`
}

function countText(taken: number, refused: number): string {
  const all = taken === 1 ? '1 document taken' : `${taken} documents taken`
  return refused === 0 ? all : `${all}, ${refused} not taken`
}
