/** The upload of a logo: the chosen file, its progress, and a check that blocks saving before it is stored. */
import { useEffect, useEffectEvent, useState } from 'react'
import { directUpload } from '../kernel/forms/direct-upload.ts'
import type { FormErrors, FormValues } from '../kernel/forms/form-values.ts'

/** Placeholder for the signed id until the file is stored. */
const underway = 'underway'

/** A form's check: a record saved during the upload would silently lose the logo. */
export function logoIsThere(field: string): (values: FormValues) => FormErrors {
  return (values) => (values[field] === underway ? { [field]: 'The logo is still being uploaded. Please save again in a moment.' } : {})
}

/** Returns the chosen file, its preview, and the state of its upload. */
export function useLogoUpload(value: unknown, onChange: (signedId: string) => void) {
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [failed, setFailed] = useState<string>()
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const show = (shown: File | null) => {
    setFile(shown)
    setPreview(shown && URL.createObjectURL(shown))
  }
  // A draft kept during an upload comes back without the file.
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
  // A draft restored after the upload has the signed id, but no longer the file.
  const isWaiting = typeof value === 'string' && value !== '' && !file
  return { file, preview, busy: value === underway, isWaiting, failed, choose }
}
