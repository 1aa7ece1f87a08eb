import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '../class-names.ts'
import { KeyHint } from '../key-hint.tsx'
import { Modal } from './modal.tsx'
import styles from './palette.module.css'

export type PaletteItem = {
  id: string
  label: string
  hint?: string | undefined
  keys?: string | undefined
  /** Further words that find it. */
  words?: string | undefined
  run: () => void
}
export type PaletteGroup = { label: string; items: readonly PaletteItem[] }

export type PaletteProps = {
  open: boolean
  onClose: () => void
  /** Pages, actions, recent records: searched here. */
  groups: readonly PaletteGroup[]
  /** Records: searched on the server, from two characters on. */
  search?: ((term: string, signal: AbortSignal) => Promise<readonly PaletteGroup[]>) | undefined
  /** What can be done with the typed text itself; stands last, so that what was found comes first. */
  withTerm?: ((term: string) => PaletteGroup) | undefined
  placeholder?: string | undefined
}

const SEARCH_FROM = 2
const SEARCH_PAUSE_MS = 200

/** The Ctrl-K dialog: type, choose with the arrows, Enter goes there. */
export function Palette(props: PaletteProps) {
  return (
    <Modal open={props.open} onClose={props.onClose} title="Search and go" width={600} bare>
      <PaletteBody {...props} />
    </Modal>
  )
}

function PaletteBody({ onClose, groups, search, withTerm, placeholder = 'Search pages, records and actions' }: PaletteProps) {
  const id = useId()
  const [term, setTerm] = useState('')
  const [here, setHere] = useState(0)
  const found = useFound(term.trim(), search)
  const matches = [...filteredGroups(groups, term), ...found.groups].filter((group) => group.items.length > 0)
  const typed = term.trim() === '' ? undefined : withTerm?.(term.trim())
  const shown = typed && typed.items.length > 0 ? [...matches, typed] : matches
  const items = shown.flatMap((group) => group.items)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelectorAll('[role="option"]')[here]?.scrollIntoView({ block: 'nearest' })
  }, [here])
  const choose = (item: PaletteItem | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(items[here])
    else if (event.key === 'ArrowDown') setHere(items.length === 0 ? 0 : (here + 1) % items.length)
    else if (event.key === 'ArrowUp') setHere(items.length === 0 ? 0 : (here - 1 + items.length) % items.length)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.palette}>
      <input
        className={styles.input}
        data-autofocus=""
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={items[here] && `${id}-${items[here].id}`}
        aria-label={placeholder}
        placeholder={placeholder}
        value={term}
        onChange={(event) => {
          setTerm(event.currentTarget.value)
          setHere(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} ref={list} role="listbox" aria-label="Results" className={styles.list}>
        {shown.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <div className={styles.group} aria-hidden="true">
              {group.label}
            </div>
            {group.items.map((item) => (
              <PaletteLine
                key={item.id}
                id={`${id}-${item.id}`}
                item={item}
                selected={items[here] === item}
                onChoose={() => choose(item)}
              />
            ))}
          </div>
        ))}
      </div>
      <div role="status" className={styles.status}>
        {paletteNote(found.status, matches.length)}
      </div>
    </div>
  )
}

type LineProps = { id: string; item: PaletteItem; selected: boolean; onChoose: () => void }

function PaletteLine({ id, item, selected, onChoose }: LineProps) {
  return (
    <div id={id} role="option" aria-selected={selected} className={cx(styles.item, selected && styles.here)} onClick={onChoose}>
      <span className={styles.label}>{item.label}</span>
      {item.hint && <span className={styles.hint}>{item.hint}</span>}
      {item.keys && <KeyHint keys={item.keys} />}
    </div>
  )
}

type Found = { status: 'idle' | 'loading' | 'failed'; groups: readonly PaletteGroup[] }
const nothing: Found = { status: 'idle', groups: [] }

function useFound(term: string, search: PaletteProps['search']): Found {
  const [found, setFound] = useState<Found>(nothing)
  const ask = useEffectEvent(async (asked: string, signal: AbortSignal) => {
    setFound((before) => ({ ...before, status: 'loading' }))
    try {
      const groups = (await search?.(asked, signal)) ?? []
      if (!signal.aborted) setFound({ status: 'idle', groups })
    } catch {
      if (!signal.aborted) setFound({ status: 'failed', groups: [] })
    }
  })
  const searches = search !== undefined && term.length >= SEARCH_FROM
  useEffect(() => {
    if (!searches) return undefined
    const abort = new AbortController()
    const timer = setTimeout(() => void ask(term, abort.signal), SEARCH_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [term, searches])
  return searches ? found : nothing
}

/** The items whose label or words hold every typed word. */
export function filteredGroups(groups: readonly PaletteGroup[], term: string): readonly PaletteGroup[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (item: PaletteItem) => words.every((word) => `${item.label} ${item.words ?? ''}`.toLowerCase().includes(word))
  return groups.map((group) => ({ ...group, items: group.items.filter(fits) }))
}

function paletteNote(status: Found['status'], count: number): string {
  if (status === 'loading') return 'Searching…'
  if (status === 'failed') return 'The search failed. Type again to retry.'
  return count === 0 ? 'Nothing found' : ''
}
