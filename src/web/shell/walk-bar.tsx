/** The line above a page while a list of work is walked through: which list, how far, the previous and the next item. */
import { useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useGo, usePath, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { endWalk, placeOf, stepTo, useWalk, type Walk } from '../kernel/walk.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { UiLink } from '../ui/link.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import styles from './shell.module.css'

export function WalkBar() {
  const walk = useWalk()
  const path = usePath()
  const shown = useRef<string | null>(null)
  // Back at the list the walk is over: the next one begins there. A walk that begins has not left the list yet.
  const isList = walk !== null && (walk.from === path || path === '/')
  useEffect(() => {
    if (shown.current !== path && isList) endWalk()
    shown.current = path
  }, [path, isList])
  return walk && !isList ? <Bar walk={walk} /> : null
}

function Bar({ walk: { title, from, items, at } }: { walk: Walk }) {
  const go = useGo()
  const here = placeOf(items, withSearch(usePath(), useSearchText()))
  useEffect(() => {
    if (here >= 0) stepTo(here)
  }, [here])
  const [before, after] = [items[at - 1], items[at + 1]]
  const open = (place: number) => {
    const item = items[place]
    if (!item) return
    stepTo(place)
    go(item.href)
  }
  useShortcuts([
    { ...walkKeys[0], run: () => open(at - 1) },
    { ...walkKeys[1], run: () => open(at + 1) },
  ])
  return (
    <nav aria-label="Work list" className={styles.walk}>
      <UiLink href={from}>{title}</UiLink>
      <span className={cx(styles.walkPlace, 'num')} aria-live="polite">
        {`${at + 1} of ${items.length}`}
        <span className={styles.walkItem}>{here < 0 ? ' · away from the list' : ` · ${items[at]?.label ?? ''}`}</span>
      </span>
      <IconButton
        small
        label={before ? `Previous: ${before.label}` : 'No previous item'}
        title={before ? `Previous: ${before.label} ([)` : undefined}
        icon={<ChevronLeft size={14} aria-hidden="true" />}
        disabled={!before}
        onClick={() => open(at - 1)}
      />
      <IconButton
        small
        label={after ? `Next: ${after.label}` : 'No next item'}
        title={after ? `Next: ${after.label} (])` : undefined}
        icon={<ChevronRight size={14} aria-hidden="true" />}
        disabled={!after}
        onClick={() => open(at + 1)}
      />
      <IconButton small label="End the walk" icon={<X size={14} aria-hidden="true" />} onClick={endWalk} />
    </nav>
  )
}

export const walkKeys = [
  { keys: '[', label: 'Previous item of the work list', group: 'Everywhere' },
  { keys: ']', label: 'Next item of the work list', group: 'Everywhere' },
] as const
