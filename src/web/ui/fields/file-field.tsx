import { useRef, useState, type DragEvent } from 'react'
import { X } from 'lucide-react'
import { cx } from '../class-names.ts'
import { accepts } from './accepts.ts'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import styles from './fields.module.css'

export type FileFieldProps = Omit<FieldProps, 'autoFocus' | 'onBlur'> & {
  files: readonly File[]
  onChange: (files: readonly File[]) => void
  multiple?: boolean | undefined
  /** As in the `accept` attribute: '.csv,text/csv'. */
  accept?: string | undefined
  /** The stored file, shown while no new file is chosen. */
  current?: { name: string; href?: string | undefined } | undefined
}

/** Chooses files by dropping or browsing. With `multiple` new files are added, else the last one replaces the others. */
export function FileField(props: FileFieldProps) {
  const { files, onChange, multiple, accept, name, disabled, current } = props
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [unfit, setUnfit] = useState<string>()
  const take = (list: FileList | null) => {
    const offered = [...(list ?? [])]
    const fitting = offered.filter((file) => accepts(accept, file))
    const other = offered.find((file) => !fitting.includes(file))
    setUnfit(other && `${other.name} cannot be used here. Allowed: ${kindsText(accept ?? '')}`)
    if (fitting.length > 0) onChange(multiple ? [...files, ...fitting] : fitting.slice(-1))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) take(event.dataTransfer.files)
  }
  return (
    <FieldFrame {...props} error={unfit ?? props.error}>
      {(ids) => (
        <>
          <label
            className={cx(styles.drop, over && styles.dropOver)}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(true)
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <span className={styles.dropLead}>{multiple ? 'Drop files here, or choose them' : 'Drop a file here, or choose one'}</span>
            {accept && <span className={styles.hint}>{kindsText(accept)}</span>}
            <input
              {...ids}
              ref={input}
              className="sr-only"
              type="file"
              aria-label={props.label}
              name={name}
              accept={accept}
              multiple={multiple}
              disabled={disabled}
              onChange={(event) => {
                take(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
          </label>
          <ChosenFiles files={files} current={current} onRemove={(gone) => onChange(files.filter((file) => file !== gone))} />
        </>
      )}
    </FieldFrame>
  )
}

type ChosenFilesProps = { files: readonly File[]; current: FileFieldProps['current']; onRemove: (file: File) => void }

function ChosenFiles({ files, current, onRemove }: ChosenFilesProps) {
  if (files.length === 0 && !current) return null
  if (files.length === 0 && current) {
    return <div className={styles.fileName}>{current.href ? <a href={current.href}>{current.name}</a> : current.name}</div>
  }
  return (
    <ul className={styles.files}>
      {files.map((file, index) => (
        <li key={`${file.name}${index}`} className={styles.file}>
          <span className={styles.fileName}>{file.name}</span>
          <span className={cx(styles.fileSize, 'num')}>{sizeText(file.size)}</span>
          <button type="button" className={styles.inButton} aria-label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
            <X size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Formats a size: 1536 is '1.5 KB'. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** Alternative spellings of an extension that is listed anyway. */
const spellings = new Set(['.jpeg', '.jpe', '.tif'])

/** Formats an `accept` attribute for people: '.png,.jpg,.jpeg,image/png' is 'PNG, JPG'. */
export function kindsText(accept: string): string {
  const parts = accept.split(',').map((part) => part.trim())
  const endings = parts.filter((part) => part.startsWith('.'))
  if (endings.length === 0) return parts.join(', ')
  const usual = endings.filter((ending) => !spellings.has(ending))
  return (usual.length > 0 ? usual : endings).map((ending) => ending.slice(1).toUpperCase()).join(', ')
}
