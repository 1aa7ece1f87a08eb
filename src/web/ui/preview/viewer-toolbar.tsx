/** The toolbar above a document: page, zoom, rotation, search. */
import { useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { ChevronDown, ChevronUp, Minus, Plus, RotateCw } from 'lucide-react'
import { IconButton } from '../button.tsx'
import type { TextSearch } from './use-text-search.ts'
import styles from './viewer.module.css'
import { stepZoom, zoomSteps, type Zoom } from './zoom.ts'

export interface ViewerToolbarProps {
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
  readonly zoom: Zoom
  readonly percent: number
  readonly onZoom: (zoom: Zoom) => void
  readonly onTurn: () => void
  /** Undefined if there is no text to search, as in a picture. */
  readonly search: TextSearch | undefined
  readonly searchField: RefObject<HTMLInputElement | null>
  readonly tools?: ReactNode
}

export function ViewerToolbar({ page, pages, onPage, zoom, percent, onZoom, onTurn, search, searchField, tools }: ViewerToolbarProps) {
  return (
    <div className={styles.bar} role="toolbar" aria-label="Document">
      <PageField key={page} page={page} pages={pages} onPage={onPage} />
      <span className={styles.group}>
        <IconButton
          small
          label="Zoom out"
          title="Zoom out (-)"
          icon={<Minus size={14} aria-hidden="true" />}
          onClick={() => onZoom(stepZoom(percent, -1))}
        />
        <select
          className={styles.zoom}
          aria-label="Zoom"
          value={String(zoom)}
          onChange={({ currentTarget: { value } }) => onZoom(value === 'width' ? 'width' : Number(value))}
        >
          <option value="width">Fit width</option>
          {zoomChoices(zoom).map((step) => (
            <option key={step} value={step}>{`${step}%`}</option>
          ))}
        </select>
        <IconButton
          small
          label="Zoom in"
          title="Zoom in (+)"
          icon={<Plus size={14} aria-hidden="true" />}
          onClick={() => onZoom(stepZoom(percent, 1))}
        />
      </span>
      <IconButton small label="Rotate" title="Rotate (R)" icon={<RotateCw size={14} aria-hidden="true" />} onClick={onTurn} />
      {search && <SearchField search={search} field={searchField} />}
      {tools && <span className={styles.tools}>{tools}</span>}
    </div>
  )
}

function zoomChoices(zoom: Zoom): readonly number[] {
  const isOwn = zoom !== 'width' && !zoomSteps.some((step) => step === zoom)
  return isOwn ? [...zoomSteps, zoom].toSorted((one, other) => one - other) : zoomSteps
}

/** Shows the visible page and goes to a typed one. */
function PageField({ page, pages, onPage }: Pick<ViewerToolbarProps, 'page' | 'pages' | 'onPage'>) {
  const [typed, setTyped] = useState(String(page))
  const go = () => {
    const wanted = Number(typed)
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted)
    else setTyped(String(page))
  }
  return (
    <span className={styles.pages}>
      <input
        className={styles.page}
        aria-label="Page"
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') stay(event, go)
        }}
      />
      <span>of {pages}</span>
    </span>
  )
}

function SearchField({ search, field }: { search: TextSearch; field: RefObject<HTMLInputElement | null> }) {
  const { words, setWords, hits, at, step, hasText } = search
  return (
    <search className={styles.search}>
      <input
        ref={field}
        className={styles.words}
        type="search"
        aria-label="Search in the document"
        placeholder="Search"
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') stay(event, () => step(event.shiftKey ? -1 : 1))
          if (event.key === 'Escape' && words !== '') stay(event, () => setWords(''))
        }}
      />
      {words.trim() !== '' && (
        <>
          <span className={styles.count} role="status">
            {countText(hits.length, at, hasText)}
          </span>
          <IconButton
            small
            label="Previous hit"
            icon={<ChevronUp size={14} aria-hidden="true" />}
            disabled={hits.length === 0}
            onClick={() => step(-1)}
          />
          <IconButton
            small
            label="Next hit"
            icon={<ChevronDown size={14} aria-hidden="true" />}
            disabled={hits.length === 0}
            onClick={() => step(1)}
          />
        </>
      )}
    </search>
  )
}

function countText(hits: number, at: number, hasText: boolean | undefined): string {
  if (hasText === undefined) return '…'
  if (!hasText) return 'A scan, no text'
  return hits === 0 ? 'Not found' : `${at + 1} of ${hits}`
}

/** In the bill form Enter moves to the next field; here the key has its own action. */
function stay(event: KeyboardEvent, act: () => void): void {
  event.preventDefault()
  event.stopPropagation()
  act()
}
