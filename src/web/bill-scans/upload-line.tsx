/** Brings documents into the inbox: dropped or chosen, many at once. Each becomes its own document; one that is refused keeps no other away. */
import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Upload, X } from 'lucide-react'
import { billScanCalls, scanKinds } from '#contract/bill-scan.ts'
import { acceptOf, uploadBytesMax } from '#contract/upload.ts'
import { callApi } from '../kernel/api.ts'
import { directUpload } from '../kernel/direct-upload.ts'
import { problemWords } from '../kernel/notices.ts'
import { refresh } from '../kernel/query.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { accepts } from '../ui/fields/accepts.ts'
import { kindsText } from '../ui/fields/file-field.tsx'
import styles from './bill-scans.module.css'

/** Uploads at once: more would only share the line. */
const AT_ONCE = 3
const accept = acceptOf(scanKinds)

interface Refused {
  readonly name: string
  readonly reason: string
}

/** Around the list, so that files may be dropped anywhere on it. */
export function UploadPlace({ clientId, children }: { clientId: number; children: (button: ReactNode) => ReactNode }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [sending, setSending] = useState({ done: 0, of: 0 })
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const take = async (list: FileList | null) => {
    const files = [...(list ?? [])]
    if (files.length === 0) return
    setSending((now) => ({ ...now, of: now.of + files.length }))
    const faults = await sendAll(clientId, files, () => setSending((now) => ({ ...now, done: now.done + 1 })))
    setRefused((before) => [...before, ...faults])
    setSending((now) => (now.done >= now.of ? { done: 0, of: 0 } : now))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files)
  }
  const button = (
    <Button kind="primary" busy={sending.of > 0} onClick={() => input.current?.click()}>
      <Upload size={14} aria-hidden="true" />
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
        accept={accept}
        aria-label="Documents to upload"
        onChange={(event) => {
          void take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
      <p className="sr-only" role="status">
        {sending.of > 0 ? `Uploading ${sending.of - sending.done} documents` : ''}
      </p>
      {sending.of > 0 && <p className={styles.line}>{`Uploading: ${sending.done} of ${sending.of} sent`}</p>}
      <RefusedFiles refused={refused} onClear={() => setRefused([])} />
      {children(button)}
    </div>
  )
}

function RefusedFiles({ refused, onClear }: { refused: readonly Refused[]; onClear: () => void }) {
  if (refused.length === 0) return null
  return (
    <div role="alert" className={styles.refused}>
      <ul>
        {refused.map(({ name, reason }, at) => (
          <li key={`${name} ${at}`}>
            <strong>{name}</strong> was not taken: {reason}
          </li>
        ))}
      </ul>
      <IconButton small label="Hide" icon={<X size={14} aria-hidden="true" />} onClick={onClear} />
    </div>
  )
}

async function sendAll(clientId: number, files: readonly File[], onSent: () => void): Promise<Refused[]> {
  const refused: Refused[] = []
  const waiting = [...files]
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const fault = await send(clientId, file)
      if (fault !== null) refused.push({ name: file.name, reason: fault })
      onSent()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return refused
}

/** @returns why the file was refused, or null. */
async function send(clientId: number, file: File): Promise<string | null> {
  if (!accepts(accept, file)) return `only ${kindsText(accept)} can be read.`
  if (file.size > uploadBytesMax) return `it has more than ${uploadBytesMax / 1_048_576} MB.`
  try {
    await callApi(billScanCalls.create, { params: { client_id: clientId }, body: { signed_ids: [await directUpload(file)] } })
    refresh('bill_scans')
    return null
  } catch (error) {
    const { title, message } = problemWords(error)
    return message ?? title
  }
}
