import { useEffect, type RefObject } from 'react'

const FIELDS = 'input:not([type="hidden"], [type="file"]), select, textarea'

/**
 * Puts the focus into the first field of a form that opens, so that it is typed without a click. A field that asks for it goes before the first
 * one. On a touch screen the keyboard would cover the form.
 */
export function useFirstField(form: RefObject<HTMLElement | null>, wanted = true): void {
  useEffect(() => {
    if (!wanted || matchMedia('(pointer: coarse)').matches) return
    const fields = [...(form.current?.querySelectorAll<HTMLElement>(FIELDS) ?? [])].filter((field) => !field.matches(':disabled'))
    const first = fields.find((field) => field.matches('[data-autofocus]')) ?? fields[0]
    first?.focus({ preventScroll: true })
  }, [form, wanted])
}
