/** A file as it looks, without leaving the page: PDF, pictures, tables in text. Of other kinds it says that they can be downloaded. */
import { useState } from 'react'
import { EmptyState, ErrorState } from '../states.tsx'
import { CsvTable } from './csv-table.tsx'
import { PdfPages } from './pdf-pages.tsx'
import styles from './preview.module.css'

export interface FilePreviewProps {
  /** An address that needs no credentials, good for some minutes. */
  readonly url: string
  readonly name: string
  readonly contentType: string
}

/** Whether a file of this type can be looked at. Browsers show no TIFF. */
export function isShowable(contentType: string): boolean {
  return contentType === 'application/pdf' || isPicture(contentType) || contentType.startsWith('text/')
}

export function FilePreview({ url, name, contentType }: FilePreviewProps) {
  if (contentType === 'application/pdf') return <PdfPages key={url} url={url} label={name} />
  if (contentType.startsWith('text/')) return <CsvTable key={url} url={url} label={name} />
  if (isPicture(contentType)) return <Picture key={url} url={url} name={name} />
  return <EmptyState title="There is no preview of this kind of file">It can be downloaded.</EmptyState>
}

function isPicture(contentType: string): boolean {
  return contentType.startsWith('image/') && contentType !== 'image/tiff'
}

function Picture({ url, name }: { url: string; name: string }) {
  const [failed, setFailed] = useState(false)
  if (failed) return <ErrorState title="This picture could not be shown" message="It can be downloaded." />
  return (
    <div className={styles.plate}>
      <img className={styles.picture} src={url} alt={name} onError={() => setFailed(true)} />
    </div>
  )
}
