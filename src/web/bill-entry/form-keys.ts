/** The keys of the bill form: their effects, and their entries in the sheet of shortcuts. */
import type { ClipboardEvent, KeyboardEvent } from 'react'
import { stepByEnter } from './field-steps.ts'
import type { BillFormState } from './use-bill-form.ts'

export const formKeys = [
  { keys: 'enter', label: 'Next field to type; with Shift the one before, in notes a new line', group: 'Bill form' },
  { keys: 'tab', label: 'Next field, also one whose value was carried', group: 'Bill form' },
  { keys: 'mod+enter', label: 'Save', group: 'Bill form' },
  { keys: 'mod+shift+enter', label: 'Save and next: a fresh form at its account', group: 'Bill form' },
  { keys: 'alt+=', label: 'Take the computed amount due or usage back', group: 'Bill form' },
  { keys: '=', label: 'In a charge of a line: what the others leave of the current charges', group: 'Bill form' },
  { keys: 't', label: 'In a date: today. +7 and -7 count days from the date before it; arrow up and down go by days', group: 'Bill form' },
  { keys: 'mod+v', label: 'Spread a row of a spreadsheet over the fields, or a column over the lines', group: 'Bill form' },
  { keys: 'alt+j', label: 'Next finding; a reason is chosen by its first letter', group: 'Bill form' },
  { keys: 'alt+g', label: 'Of a group account: the sheet with the bills of its subaccounts', group: 'Bill form' },
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
  } else if (event.altKey && event.key.toLowerCase() === 'g') {
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>('[data-group-sheet]')?.click()
  }
}

/** Spreads cells of a spreadsheet over the fields; text of one cell is pasted as usual. */
export function onFormPaste(event: ClipboardEvent<HTMLFormElement>): void {
  const { target, currentTarget: form } = event
  const text = event.clipboardData.getData('text/plain')
  if (!(target instanceof HTMLInputElement) || text.length > LONGEST_PASTE || !/\t|\n./.test(text)) return
  event.preventDefault()
  void import('./paste-table.ts').then(({ spreadTable }) => spreadTable(form, target, text))
}
/** Characters; more than any bill has in its fields. */
const LONGEST_PASTE = 20_000

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
