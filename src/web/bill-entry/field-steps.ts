/**
 * Enter moves to the next field, and Shift+Enter to the previous one; buttons and elements marked `besideThePath` are skipped. Enter also
 * passes fields that nobody has to type (`data-passed`), which Tab and Shift+Enter reach. In a text of several lines Shift+Enter starts a new
 * line.
 */
import type { KeyboardEvent } from 'react'

/** Marks elements that Tab reaches and Enter skips, such as the reasons beside findings. */
export const besideThePath = { 'data-beside': '' }

const FIELDS = 'input:not([type="hidden"], [type="file"]), select, textarea'

/** Moves the focus and returns true if the key was Enter in a field of the form. */
export function stepByEnter(event: KeyboardEvent<HTMLFormElement>): boolean {
  const { target, currentTarget: form } = event
  if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (!(target instanceof HTMLElement) || !target.matches(FIELDS) || (target instanceof HTMLTextAreaElement && event.shiftKey)) return false
  event.preventDefault()
  const next = nextField(form, target, event.shiftKey ? -1 : 1)
  if (next) enter(next)
  else if (!event.shiftKey) form.querySelector<HTMLElement>('[type="submit"]')?.focus()
  return true
}

/** Selects the field's content, as Tab does, so that typing replaces it. */
function enter(field: HTMLElement): void {
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** Returns the nearest next or previous field that can be typed into, without testing the hundreds beyond it. */
function nextField(form: HTMLElement, here: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)]
  const isStop = step === 1 ? (field: HTMLElement) => isOnPath(field) && !field.closest('[data-passed]') : isOnPath
  const start = fields.indexOf(here)
  const ahead = step === 1 ? fields.slice(start + 1) : fields.slice(0, start).toReversed()
  return ahead.find(isStop)
}

function isOnPath(field: HTMLElement): boolean {
  return !field.matches(':disabled') && !field.closest('[data-beside]') && field.checkVisibility()
}
