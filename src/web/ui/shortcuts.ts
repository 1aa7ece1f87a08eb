import { useEffect, useEffectEvent } from 'react'

export type Shortcut = {
  /** One stroke (`mod+k`, `/`, `?`) or two in sequence (`g b`); `mod` is Ctrl, or Command on a Mac. */
  keys: string
  label: string
  /** Heading on the shortcut sheet. */
  group: string
  run: () => void
  /** Also active while typing in a field. */
  whileTyping?: boolean | undefined
}

/** Maximum time (ms) between the two strokes of a sequence. */
const PAIR_MS = 900

/** Listens for the shortcuts while the component is mounted; inactive behind a dialog, and while typing unless `whileTyping` is set. */
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
      if (isLetter(stroke) && !areLettersOn()) return
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

const LETTERS_OFF = 'letters_off'

/** Whether letters and signs act without Ctrl or Alt: a choice of this browser, for people who speak to it or slip on its keys (WCAG 2.1.4). */
export function areLettersOn(): boolean {
  return localStorage.getItem(LETTERS_OFF) === null
}

export function setLettersOn(on: boolean): void {
  if (on) localStorage.removeItem(LETTERS_OFF)
  else localStorage.setItem(LETTERS_OFF, 'yes')
}

function isLetter(stroke: string): boolean {
  return /^(shift\+)?.$/u.test(stroke)
}

let listed: readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[] = []

/** Lists keys that a page handles itself on the shortcut sheet while the page is mounted. */
export function useListedShortcuts(shortcuts: readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[]): void {
  useEffect(() => {
    listed = shortcuts
    return () => {
      listed = []
    }
  }, [shortcuts])
}

/** Returns the listed keys of the current page. */
export function listedShortcuts(): readonly Pick<Shortcut, 'keys' | 'label' | 'group'>[] {
  return listed
}

/** Returns the stroke of a key event in shortcut notation: `mod+shift+enter`, `g`, `?`. */
export function strokeOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase()
  // A sign such as ? needs Shift on most keyboards, so Shift counts only for letters and named keys.
  const isSign = key.length === 1 && !/[a-z]/.test(key)
  return [event.ctrlKey || event.metaKey ? 'mod' : '', event.altKey ? 'alt' : '', event.shiftKey && !isSign ? 'shift' : '', key]
    .filter(Boolean)
    .join('+')
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=button])')
}
