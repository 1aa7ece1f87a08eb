/** The copies of the paper bill, at most two. Dropped or chosen files are uploaded directly to the store. */
import { useRef, useState, type DragEvent } from 'react'
import { Paperclip, X } from 'lucide-react'
import { billFilesMax, tooManyFiles } from '#contract/bills/bill.ts'
import { acceptOf } from '#contract/uploads/upload-kinds.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { accepts } from '../ui/fields/accepts.ts'
import billEntry from './bill-entry.module.css'
import styles from './file-copies.module.css'
import type { FileValues } from './bill-values.ts'
import { useFormPlace, useFormValues } from './form-context.ts'

const accept = acceptOf(['pdf', 'png', 'jpeg', 'webp', 'gif', 'tiff'])
const tooMany = tooManyFiles

export interface FileCopiesProps {
  /** The copy that the document beside the form shows. */
  readonly shown: string | null
  readonly onShow: (file: FileValues) => void
  /** Called with a chosen file before and after it is stored, so that it can be shown without a download. */
  readonly onChosen: (file: FileValues, content: Blob) => void
}

export function FileCopies({ shown, onShow, onChosen }: FileCopiesProps) {
  const { set, locks, errors } = useFormPlace()
  const { files: copies } = useFormValues()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [busy, setBusy] = useState(0)
  const [problem, setProblem] = useState<string>()
  const locked = locks('files') !== null
  const take = async (list: Iterable<File>) => {
    const files = [...list]
    const unfit = files.find((file) => !accepts(accept, file))
    if (unfit) return setProblem(`${unfit.name} is neither a PDF nor a picture`)
    if (copies.length + busy + files.length > billFilesMax) return setProblem(tooMany)
    setProblem(undefined)
    setBusy((count) => count + files.length)
    await Promise.all(files.map(store))
    return undefined
  }
  const store = async (file: File) => {
    try {
      // Most bills are entered without a file chosen here: what uploads it comes when it is wanted.
      const { directUpload } = await import('../kernel/forms/direct-upload.ts')
      const kept = { signed_id: await directUpload(file), filename: file.name, content_type: file.type }
      set((before) => ({ ...before, files: [...before.files, kept] }))
      onChosen(kept, file)
    } catch (error) {
      setProblem(`${file.name} could not be stored: ${error instanceof Error ? error.message : 'unknown error'}`)
    } finally {
      setBusy((count) => count - 1)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!locked) void take(event.dataTransfer.files)
  }
  const remove = (gone: FileValues) =>
    set((before) => ({ ...before, files: before.files.filter((file) => file.signed_id !== gone.signed_id) }))
  const message = problem ?? errors['signed_file_ids'] ?? errors['files']
  return (
    <section
      aria-label="File copies"
      className={cx(styles.copies, over && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Paperclip size={14} aria-hidden="true" />
      {copies.map((file) => (
        <span key={file.signed_id} className={styles.copy}>
          <Button
            small
            kind="quiet"
            aria-pressed={shown === file.signed_id}
            onClick={() => onShow(file)}
            title={file.filename}
            className={styles.copyName}
          >
            {file.filename}
          </Button>
          {!locked && (
            <IconButton small label={`Remove ${file.filename}`} icon={<X size={12} aria-hidden="true" />} onClick={() => remove(file)} />
          )}
        </span>
      ))}
      {!locked && (
        <Button small kind="quiet" busy={busy > 0} onClick={() => input.current?.click()}>
          {copies.length === 0 ? 'Drop the bill PDF here or browse' : 'Add a copy'}
        </Button>
      )}
      <input
        ref={input}
        className="sr-only"
        type="file"
        tabIndex={-1}
        multiple
        accept={accept}
        aria-label="Choose copies of the bill"
        disabled={locked}
        onChange={(event) => {
          void take(event.currentTarget.files ?? [])
          event.currentTarget.value = ''
        }}
      />
      {message && (
        <span role="alert" className={billEntry.problem}>
          {message}
        </span>
      )}
    </section>
  )
}
