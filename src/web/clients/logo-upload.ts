/** A logo on its way to the store: what was chosen, how far it is, and that nothing is saved before it is there. */
import { useEffect, useEffectEvent, useState } from 'react'
import { directUpload } from '../kernel/forms/direct-upload.ts'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'

/** Stands for the signed id until the store has the file. */
const underway = 'underway'

/** A form's rule: a record that was saved during the upload would lose the logo without a word. */
export function logoIsThere(field: string): (values: FormValues) => FormErrors {
  return (values) => (values[field] === underway ? { [field]: 'The logo is still being uploaded. Please save again in a moment.' } : {})
}

/** The file that was chosen, its picture, and how its upload stands. */
export function useLogoUpload(value: unknown, onChange: (signedId: string) => void) {
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [failed, setFailed] = useState<string>()
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const show = (shown: File | null) => {
    setFile(shown)
    setPreview(shown && URL.createObjectURL(shown))
  }
  // A draft that was kept during an upload comes back without the file.
  const forget = useEffectEvent(() => value === underway && onChange(''))
  useEffect(() => void forget(), [])
  const choose = async (chosen: File | undefined) => {
    show(chosen ?? null)
    setFailed(undefined)
    onChange(chosen ? underway : '')
    if (!chosen) return
    try {
      onChange(await directUpload(chosen))
    } catch (failure) {
      show(null)
      onChange('')
      setFailed(failure instanceof Error ? failure.message : String(failure))
    }
  }
  // A draft that was restored after the upload holds the signed id, but no longer the file.
  const isWaiting = typeof value === 'string' && value !== '' && !file
  return { file, preview, busy: value === underway, isWaiting, failed, choose }
}
