/** Previews a file within the page: PDFs, pictures, and text files as tables. Other kinds can only be downloaded. */
import { useState } from 'react'
import { EmptyState } from '../states.tsx'
import { CsvTable } from './csv-table.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import styles from './preview.module.css'
import type { Zoom } from './zoom.ts'

export interface FilePreviewProps {
  /** An address that needs no credentials and is valid for some minutes. */
  readonly url: string
  readonly name: string
  readonly contentType: string
}

/** Whether a file of this type can be previewed. Browsers do not show TIFF. */
export function isShowable(contentType: string): boolean {
  return contentType === 'application/pdf' || isPicture(contentType) || contentType.startsWith('text/')
}

export function FilePreview({ url, name, contentType }: FilePreviewProps) {
  if (contentType.startsWith('text/')) return <CsvTable key={url} url={url} label={name} />
  if (contentType === 'application/pdf' || isPicture(contentType))
    return <Pages key={url} url={url} name={name} contentType={contentType} />
  return <EmptyState title="There is no preview of this kind of file">It can be downloaded.</EmptyState>
}

function isPicture(contentType: string): boolean {
  return contentType.startsWith('image/') && contentType !== 'image/tiff'
}

function Pages({ url, name, contentType }: FilePreviewProps) {
  const [zoom, setZoom] = useState<Zoom>('width')
  return <DocumentViewer className={styles.pages} source={url} name={name} contentType={contentType} zoom={zoom} onZoom={setZoom} />
}
