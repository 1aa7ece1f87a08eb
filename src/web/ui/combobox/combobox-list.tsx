import { useCallback, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Plus } from 'lucide-react'
import { Button } from '../button.tsx'
import { cx } from '../class-names.ts'
import { KeyHint } from '../key-hint.tsx'
import styles from './combobox.module.css'
import { edgesOf, LINE_PX, linesInSight, linesOf, scrollTo } from './list-lines.ts'
import { listNote } from './list-note.ts'
import type { OptionId } from './option-types.ts'
import type { ListItem } from './list-items.ts'
import type { Combobox } from './use-combobox.ts'

export type ComboboxListProps<Id extends OptionId> = {
  id: string
  label: string
  box: Combobox<Id>
  /** Given where no field receives the keys; the list then handles them itself. */
  onKeyDown?: ((event: KeyboardEvent<HTMLElement>) => void) | undefined
  /** Replaces "Show more". */
  footer?: ReactNode
}

/** The options, of which only the visible ones are rendered, and the list's note. */
export function ComboboxList<Id extends OptionId>({ id, label, box, onKeyDown, footer }: ComboboxListProps<Id>) {
  const { items, here, lookup } = box
  const lines = useMemo(() => linesOf(items), [items])
  const linePx = linePxOf(items)
  const edges = useMemo(() => edgesOf(lines, linePx), [lines, linePx])
  const activeLine = lines.findIndex((line) => 'place' in line && line.place === here)
  const chosenLine = lines.findIndex((line) => 'item' in line && box.isChosen(line.item))
  const { scroller, from, to } = useSight(edges, activeLine, chosenLine)
  const drawn = lines.slice(from, to).map((line, step) => ({ line, at: from + step }))
  const active = lines[activeLine]
  // The element that aria-activedescendant names must exist even if it is not visible.
  if (active && (activeLine < from || activeLine >= to)) drawn.push({ line: active, at: activeLine })
  return (
    <>
      <div
        ref={scroller}
        id={id}
        role="listbox"
        aria-label={label}
        aria-busy={lookup.status === 'loading' || undefined}
        tabIndex={onKeyDown ? 0 : undefined}
        aria-activedescendant={onKeyDown && here >= 0 ? `${id}-${here}` : undefined}
        onKeyDown={onKeyDown}
        className={cx(styles.options, lookup.isStale && styles.stale)}
      >
        <div role="presentation" className={styles.sizer} style={{ height: edges.at(-1) }}>
          {drawn.map(({ line, at }) =>
            'head' in line ? (
              <div key={`head ${line.head}`} role="presentation" className={styles.head} style={{ top: edges[at] }}>
                {line.head}
              </div>
            ) : (
              <OptionLine
                key={line.item.id}
                id={`${id}-${line.place}`}
                place={line.place}
                top={edges[at]}
                height={linePx}
                item={line.item}
                box={box}
              />
            ),
          )}
        </div>
      </div>
      {footer ?? <ShowMore box={box} />}
      <Note box={box} />
    </>
  )
}

type OptionLineProps<Id extends OptionId> = {
  id: string
  place: number
  top: number | undefined
  height: number
  item: ListItem<Id>
  box: Combobox<Id>
}

function OptionLine<Id extends OptionId>({ id, place, top, height, item, box }: OptionLineProps<Id>) {
  const isAct = 'run' in item
  const second = isAct ? undefined : (item.disabledReason ?? item.hint)
  const isChosen = box.isChosen(item)
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-setsize={box.items.length}
      aria-posinset={place + 1}
      aria-disabled={!isAct && item.disabledReason !== undefined ? true : undefined}
      className={cx(styles.option, isAct && styles.act, place === box.here && styles.here, isChosen && styles.chosen)}
      style={{ top, height }}
      onPointerMove={(event) => box.point(place, event)}
      onClick={() => box.take(item)}
    >
      {isAct && !item.isFallback && <Plus size={14} aria-hidden="true" />}
      <span className={styles.texts}>
        <span className={styles.name} title={item.label}>
          {item.label}
        </span>
        {second && (
          <span className={styles.second} title={second}>
            {second}
          </span>
        )}
      </span>
      {!isAct && item.keys && <KeyHint keys={item.keys} />}
      {isChosen && <span aria-hidden="true">✓</span>}
    </div>
  )
}

function ShowMore<Id extends OptionId>({ box: { lookup, items } }: { box: Combobox<Id> }) {
  if (!lookup.hasMore || lookup.status === 'failed') return null
  const count = items.filter((item) => !('run' in item)).length
  return (
    <button type="button" tabIndex={-1} className={styles.more} onClick={() => lookup.setPage(lookup.page + 1)}>
      Show more ({count} of {lookup.total})
    </button>
  )
}

function Note<Id extends OptionId>({ box: { lookup, items, term, minChars, within } }: { box: Combobox<Id> }) {
  const count = items.filter((item) => !('run' in item)).length
  const note = listNote({ status: lookup.status, count, term, minChars, within })
  return (
    <div className={note === '' ? undefined : styles.note}>
      <span role="status">{note}</span>
      {lookup.status === 'failed' && (
        <Button small tabIndex={-1} onClick={lookup.retry}>
          Retry
        </Button>
      )}
    </div>
  )
}

/** Returns the height of the list's lines. All have the same height, so that the visible range is known without rendering the rest. */
function linePxOf<Id extends OptionId>(items: readonly ListItem<Id>[]): number {
  const hasSecond = items.some((item) => !('run' in item) && (item.hint || item.disabledReason))
  const isTouch = globalThis.matchMedia('(pointer: coarse)').matches
  if (isTouch) return hasSecond ? LINE_PX.touchTwo : LINE_PX.touch
  return hasSecond ? LINE_PX.two : LINE_PX.one
}

/** Returns the visible lines. Scrolls to the active line when it changes, and to the chosen one when the list opens. */
function useSight(edges: readonly number[], activeLine: number, chosenLine: number) {
  const box = useRef<HTMLDivElement>(null)
  const [window, setWindow] = useState({ top: 0, height: 400 })
  const scroller = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    if (!element) return undefined
    const look = () => setWindow({ top: element.scrollTop, height: element.clientHeight })
    const size = new ResizeObserver(look)
    size.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      size.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    const wanted = activeLine < 0 && element?.scrollTop === 0 ? chosenLine : activeLine
    if (!element || wanted < 0) return
    // Includes the heading above the first option.
    const line = wanted === 1 && edges[1] === LINE_PX.head ? 0 : wanted
    element.scrollTop = scrollTo(edges, line, element.scrollTop, element.clientHeight)
  }, [edges, activeLine, chosenLine])
  return { scroller, ...linesInSight(edges, window.top, window.height) }
}
