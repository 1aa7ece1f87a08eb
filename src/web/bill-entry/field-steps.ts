/**
 * Enter goes on to the next field as Tab does, and Shift with Enter back; buttons and what lies beside the path are passed over. In a text of
 * several lines Shift with Enter starts a new one.
 */
import type { KeyboardEvent } from 'react'

/** Marks what Tab reaches and Enter passes over, such as the reasons beside findings. */
export const besideThePath = { 'data-beside': '' }

const FIELDS = 'input:not([type="hidden"], [type="file"]), select, textarea'

/** Moves the focus and answers true where the key was Enter in a field of the form. */
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

/** What stands in the field is selected, as by Tab: typing replaces it. */
function enter(field: HTMLElement): void {
  field.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** The nearest one on or back that can be typed into; the hundreds beyond it are not asked. */
function nextField(form: HTMLElement, here: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)]
  let at = fields.indexOf(here) + step
  while (fields[at] && !isOnPath(fields[at])) at += step
  return fields[at]
}

function isOnPath(field: HTMLElement | undefined): boolean {
  return field !== undefined && !field.matches(':disabled') && !field.closest('[data-beside]') && field.checkVisibility()
}
