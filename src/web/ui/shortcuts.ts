import { useEffect, useEffectEvent } from 'react'

export type Shortcut = {
  /** One stroke (`mod+k`, `/`, `?`) or two in a row (`g b`); `mod` is Ctrl, or Command on a Mac. */
  keys: string
  label: string
  /** Heading on the sheet. */
  group: string
  run: () => void
  /** Also while typing in a field. */
  whileTyping?: boolean | undefined
}

/** Milliseconds between the two strokes of a pair. */
const PAIR_MS = 900

/** Listens for the shortcuts while the component is there. Never while typing or behind a dialog, unless told. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const find = useEffectEvent((strokes: string, typing: boolean) =>
    shortcuts.find((one) => one.keys === strokes && (!typing || one.whileTyping)),
  )
  useEffect(() => {
    let first = { stroke: '', at: 0 }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return
      const typing = isTyping(event.target) || document.querySelector('dialog[open]') !== null
      const stroke = strokeOf(event)
      const pair = performance.now() - first.at < PAIR_MS ? `${first.stroke} ${stroke}` : ''
      const found = find(pair, typing) ?? find(stroke, typing)
      first = found ? { stroke: '', at: 0 } : { stroke, at: performance.now() }
      if (!found) return
      event.preventDefault()
      found.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

let listed: readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[] = []

/** Puts the keys that a page handles itself on the sheet while the page is there. */
export function useListedShortcuts(shortcuts: readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[]): void {
  useEffect(() => {
    listed = shortcuts
    return () => {
      listed = []
    }
  }, [shortcuts])
}

/** The keys of the page that is shown. */
export function listedShortcuts(): readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[] {
  return listed
}

/** The stroke of a key event as shortcuts write it: `mod+shift+enter`, `g`, `?`. */
export function strokeOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase()
  // A sign such as ? is typed with Shift on most keyboards, so Shift counts for letters and named keys only.
  const isSign = key.length === 1 && !/[a-z]/.test(key)
  return [event.ctrlKey || event.metaKey ? 'mod' : '', event.altKey ? 'alt' : '', event.shiftKey && !isSign ? 'shift' : '', key]
    .filter(Boolean)
    .join('+')
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=button])')
}
