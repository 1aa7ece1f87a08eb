/** One page of a document, rendered near the window and dropped when it is far away. */
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { boxStyle, turnBox, type Box } from './boxes.ts'
import type { OpenDocument } from './use-document.ts'
import styles from './viewer.module.css'

/** A marked place on a page, such as a value that was read there. */
export interface DocumentMark extends Box {
  readonly id: string
  /** Counted from 1. */
  readonly page: number
  /** Its label: 'Amount Due: 120.40'. */
  readonly label: string
  /** The reading is uncertain; drawn with a broken line. */
  readonly doubtful?: boolean | undefined
}

export interface DocumentSheetProps {
  readonly document: Extract<OpenDocument, { readonly pages: unknown }>
  readonly page: number
  /** Number of shown pages. */
  readonly of: number
  readonly place: number
  readonly width: number
  readonly height: number
  readonly quarters: number
  readonly name: string
  readonly children?: ReactNode
}

export function DocumentSheet({ document, page, place, of, width, height, quarters, name, children }: DocumentSheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const near = useNear(sheet)
  return (
    <div ref={sheet} className={styles.sheet} style={{ width, height }} data-page={page} role="group" aria-label={`Page ${place} of ${of}`}>
      {document.kind === 'picture' ? (
        <img className={styles.picture} style={pictureStyle(width, height, quarters)} src={document.url} alt={name} draggable={false} />
      ) : (
        near && <PdfCanvas document={document} page={page} width={width} quarters={quarters} />
      )}
      {children}
    </div>
  )
}

/** A rotated picture keeps its own sides, which are the sheet's with width and height exchanged. */
function pictureStyle(width: number, height: number, quarters: number) {
  const [across, down] = quarters % 2 === 0 ? [width, height] : [height, width]
  return { width: across, height: down, transform: `translate(-50%, -50%) rotate(${quarters * 90}deg)` }
}

function PdfCanvas({
  document,
  page,
  width,
  quarters,
}: Pick<DocumentSheetProps, 'page' | 'width' | 'quarters'> & { document: { kind: 'pdf' } & DocumentSheetProps['document'] }) {
  const holder = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  const { pdf } = document
  useEffect(() => {
    const stop = new AbortController()
    // The old picture stays, stretched, until the new one is drawn.
    pdf
      .draw(page, width, quarters, stop.signal)
      .then((canvas) => {
        canvas.setAttribute('aria-hidden', 'true')
        if (!stop.signal.aborted) holder.current?.replaceChildren(canvas)
      })
      .catch(() => void (stop.signal.aborted || setFailed(true)))
    return () => stop.abort()
  }, [pdf, page, width, quarters])
  if (failed) return <p role="alert">This page could not be drawn; the file can be downloaded.</p>
  return <div ref={holder} className={styles.canvas} />
}

/** Whether an element is within one window height of the visible area. */
function useNear(element: { readonly current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const watched = element.current
    if (!watched) return undefined
    const watch = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), { rootMargin: '100% 0px' })
    watch.observe(watched)
    return () => watch.disconnect()
  }, [element])
  return near
}

/** Marks of values and of search results over the page. */
export function SheetMarks({
  marks,
  active,
  quarters,
  onPick,
}: {
  marks: readonly DocumentMark[]
  active: string | null
  quarters: number
  onPick?: ((id: string) => void) | undefined
}) {
  return marks.map((mark) => {
    const style = boxStyle(turnBox(mark, quarters))
    const className = cx(styles.mark, mark.doubtful && styles.doubtful, mark.id === active && styles.markActive)
    if (!onPick) return <div key={mark.id} className={className} style={style} title={mark.label} data-mark={mark.id} />
    // The fields of the form lead here by keyboard; as Tab stops the marks would be in the way.
    return (
      <button
        key={mark.id}
        type="button"
        tabIndex={-1}
        className={className}
        style={style}
        title={mark.label}
        aria-label={mark.label}
        data-mark={mark.id}
        onClick={() => onPick(mark.id)}
      />
    )
  })
}
