/** The keys of the bill form: their effects, and their entries in the sheet of shortcuts. */
import type { KeyboardEvent } from 'react'
import { stepByEnter } from './field-steps.ts'
import type { BillFormState } from './use-bill-form.ts'

export const formKeys = [
  { keys: 'enter', label: 'Next field, as Tab; with Shift the one before, in notes a new line', group: 'Bill form' },
  { keys: 'mod+enter', label: 'Save', group: 'Bill form' },
  { keys: 'mod+shift+enter', label: 'Save and next: a fresh form at its account', group: 'Bill form' },
  { keys: 'alt+=', label: 'Take the computed amount due or usage back', group: 'Bill form' },
  { keys: 'alt+j', label: 'Next finding; a reason is chosen by its first letter', group: 'Bill form' },
  { keys: 'alt+arrowdown', label: 'Open the calendar of a date', group: 'Bill form' },
] as const

/** Handles a key in a field of the form. */
export function onFormKey(event: KeyboardEvent<HTMLFormElement>, form: BillFormState): void {
  if (stepByEnter(event)) return
  const { target } = event
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    leaveAndReturn(target)
    form.save(event.shiftKey && form.stored === null)
  } else if (event.altKey && event.key === '=') {
    event.preventDefault()
    takeComputed(target)
  } else if (event.altKey && event.key.toLowerCase() === 'j') {
    event.preventDefault()
    nextFinding(event.currentTarget, target)
  }
}

/** Blurs the field and focuses it again, so that the typed value is formatted before the form is checked. */
function leaveAndReturn(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement)) return
  target.blur()
  target.focus({ preventScroll: true })
}

function takeComputed(target: EventTarget): void {
  if (!(target instanceof HTMLInputElement)) return
  const button = target.closest('[data-path]')?.querySelector<HTMLElement>('[data-take-back]')
  if (!button) return
  target.blur()
  button.click()
  target.focus()
}

/** Moves the focus to the next finding, and from the last to the first. */
function nextFinding(form: HTMLElement, target: EventTarget): void {
  const all = [...form.querySelectorAll<HTMLElement>('[data-settle]')]
  const here = all.findIndex((one) => one === target)
  all[(here + 1) % all.length]?.focus()
}
