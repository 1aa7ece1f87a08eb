/** Enter goes on to the next field as Tab does, and Shift with Enter back; buttons and what lies beside the path are passed over. */
import type { KeyboardEvent } from 'react'

/** Marks what Tab reaches and Enter passes over, such as the reasons beside findings. */
export const besideThePath = { 'data-beside': '' }

const FIELDS = 'input:not([type="hidden"], [type="file"]), select, textarea'

/** Moves the focus and answers true where the key was Enter in a field of the form. */
export function stepByEnter(event: KeyboardEvent<HTMLFormElement>): boolean {
  const { target, currentTarget: form } = event
  if (event.key !== 'Enter' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (!(target instanceof HTMLElement) || !target.matches(FIELDS) || target instanceof HTMLTextAreaElement) return false
  event.preventDefault()
  const fields = fieldsOf(form, target)
  const next = fields[fields.indexOf(target) + (event.shiftKey ? -1 : 1)]
  if (next) next.focus()
  else if (!event.shiftKey) form.querySelector<HTMLElement>('[type="submit"]')?.focus()
  return true
}

function fieldsOf(form: HTMLElement, here: HTMLElement): HTMLElement[] {
  return [...form.querySelectorAll<HTMLElement>(FIELDS)].filter(
    (field) => field === here || (!field.matches(':disabled') && !field.closest('[data-beside]') && field.checkVisibility()),
  )
}
