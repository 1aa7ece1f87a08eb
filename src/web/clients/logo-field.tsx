import { useState } from 'react'
import type { Client } from '#contract/client.ts'
import { directUpload } from '../kernel/direct-upload.ts'
import type { SlotProps } from '../kernel/entity-form.tsx'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/fields/file-field.tsx'

const kinds = '.png,.jpg,.jpeg,.webp,.gif'

/** The logo: uploaded as soon as it is chosen, saved with the client. */
export function LogoField({ value, onChange, error, disabled, row }: SlotProps & { row: Client | undefined }) {
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<{ busy: boolean; failed?: string }>({ busy: false })
  const choose = async (chosen: File | undefined) => {
    setFile(chosen ?? null)
    if (!chosen) return onChange('')
    setState({ busy: true })
    try {
      onChange(await directUpload(chosen))
      setState({ busy: false })
    } catch (failure) {
      setFile(null)
      setState({ busy: false, failed: failure instanceof Error ? failure.message : String(failure) })
    }
  }
  const stored = value !== null && row?.filename ? { name: row.filename, href: row.file_url ?? undefined } : undefined
  return (
    <>
      <FileField
        label="Logo"
        accept={kinds}
        files={file ? [file] : []}
        current={stored}
        disabled={disabled || state.busy}
        error={state.failed ?? error}
        hint={state.busy ? 'Uploading…' : undefined}
        onChange={(files) => void choose(files[0])}
      />
      {stored && !file && (
        <Button small kind="quiet" onClick={() => onChange(null)}>
          Remove logo
        </Button>
      )}
    </>
  )
}
