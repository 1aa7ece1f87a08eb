/** A viewer for PDFs and pictures to work beside: zoom, rotation, search, pages, and marks where values were read. */
import { useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '../class-names.ts'
import { ErrorState, Skeleton } from '../states.tsx'
import { boxStyle, turnBox } from './boxes.ts'
import { DocumentSheet, SheetMarks, type DocumentMark } from './document-sheet.tsx'
import { useDocument } from './use-document.ts'
import { useDrag, useRoom, useWheelZoom } from './use-scroller.ts'
import { useTextSearch, type TextSearch } from './use-text-search.ts'
import styles from './viewer.module.css'
import { ViewerToolbar } from './viewer-toolbar.tsx'
import { percentAt, stepZoom, widthAt } from './zoom.ts'
import {
  type DocumentViewerProps,
  type Opened,
  useShownPages,
  sizeAt,
  useKeptPlace,
  useShownMark,
  useShownHit,
  pageInSight,
} from './viewer-place.ts'

export type { DocumentMark } from './document-sheet.tsx'

/** Needs a separate `key` for each document. */
export function DocumentViewer(props: DocumentViewerProps) {
  const { source, name, contentType, tools } = props
  const document = useDocument(source, contentType)
  if (document.kind === 'pdf' || document.kind === 'picture') return <OpenViewer {...props} document={document} />
  return (
    <section className={cx(styles.viewer, props.className)} aria-label={name}>
      {tools && <div className={styles.bar}>{tools}</div>}
      {document.kind === 'loading' ? (
        <Skeleton height={400} />
      ) : (
        <ErrorState title="This document could not be shown" message="It may be damaged or locked by a password. It can be downloaded." />
      )}
    </section>
  )
}

const none: readonly DocumentMark[] = []

function OpenViewer(props: DocumentViewerProps & { document: Opened }) {
  const { document, name, zoom, onZoom, marks = none, activeMark = null, onPickMark } = props
  const scroller = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const room = useRoom(scroller)
  const [quarters, setQuarters] = useState(0)
  const numbers = useShownPages(document, props.pages)
  const search = useTextSearch(document, numbers)
  const [here, setHere] = useState(numbers[0] ?? 1)
  const sizes = numbers.map((number) => sizeAt(document, number, quarters))
  const widths = sizes.map((size) => widthAt(zoom, size.width, room))
  const percent = percentAt(widths[0] ?? 1, sizes[0]?.width ?? 1)
  const goTo = (number: number) => sheetOf(scroller.current, number)?.scrollIntoView({ block: 'start' })
  useKeptPlace(scroller)
  useWheelZoom(scroller, percent, onZoom)
  useDrag(scroller)
  useShownMark(scroller, activeMark, marks)
  useShownHit(scroller, search)
  const onKeyDown = (event: KeyboardEvent) => {
    const doThis = keyAction(event)
    if (!doThis) return
    event.preventDefault()
    if (doThis === 'in') onZoom(stepZoom(percent, 1))
    else if (doThis === 'out') onZoom(stepZoom(percent, -1))
    else if (doThis === 'fit') onZoom('width')
    else if (doThis === 'turn') setQuarters((quarters + 1) % 4)
    else searchField.current?.focus()
  }
  return (
    <section className={cx(styles.viewer, props.className)} aria-label={name} onKeyDown={onKeyDown}>
      <ViewerToolbar
        page={numbers.indexOf(here) + 1}
        pages={numbers.length}
        onPage={(place) => goTo(numbers[place - 1] ?? here)}
        zoom={zoom}
        percent={percent}
        onZoom={onZoom}
        onTurn={() => setQuarters((quarters + 1) % 4)}
        search={document.kind === 'pdf' ? search : undefined}
        searchField={searchField}
        tools={props.tools}
      />
      {/* Scrolled by keys, so it must be focusable. */}
      <div
        ref={scroller}
        className={styles.scroller}
        {...reached}
        role="region"
        aria-label="Pages"
        onScroll={() => setHere(pageInSight(scroller.current, here))}
      >
        {numbers.map((number, at) => {
          const size = sizes[at] ?? { width: 1, height: 1 }
          const width = widths[at] ?? 1
          return (
            <DocumentSheet
              key={number}
              document={document}
              page={number}
              place={at + 1}
              of={numbers.length}
              width={width}
              height={Math.round((width * size.height) / size.width)}
              quarters={quarters}
              name={name}
            >
              <SheetHits search={search} page={number} quarters={quarters} />
              <SheetMarks marks={marks.filter(({ page }) => page === number)} active={activeMark} quarters={quarters} onPick={onPickMark} />
            </DocumentSheet>
          )
        })}
      </div>
    </section>
  )
}
const reached = { tabIndex: 0 }

function SheetHits({ search, page, quarters }: { search: TextSearch; page: number; quarters: number }) {
  return search.hits.flatMap((hit, at) =>
    hit.page === page
      ? hit.boxes.map((box, part) => (
          <div
            key={`${at} ${part}`}
            className={cx(styles.hit, at === search.at && styles.hitActive)}
            data-hit={part === 0 ? at : undefined}
            style={boxStyle(turnBox(box, quarters))}
          />
        ))
      : [],
  )
}

/** Returns the action of a key; in the search field keys are text. */
function keyAction({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): 'in' | 'out' | 'fit' | 'turn' | 'find' | undefined {
  if (altKey) return undefined
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'f') return 'find'
  if (ctrlKey || metaKey || (target instanceof HTMLElement && target.matches('input, select'))) return undefined
  return actions.get(key.toLowerCase())
}
const actions: ReadonlyMap<string, 'in' | 'out' | 'fit' | 'turn'> = new Map([
  ['+', 'in'],
  ['=', 'in'],
  ['-', 'out'],
  ['_', 'out'],
  ['0', 'fit'],
  ['r', 'turn'],
])

function sheetOf(scroller: HTMLElement | null, number: number): Element | null {
  return scroller?.querySelector(`[data-page="${number}"]`) ?? null
}
