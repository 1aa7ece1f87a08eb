import { acceptOf, imageKinds } from '#contract/uploads/upload-kinds.ts'
import type { SlotProps } from '../kernel/forms/entity-form.tsx'
import { Button } from '../ui/button.tsx'
import { FileField } from '../ui/fields/file-field.tsx'
import styles from './clients.module.css'
import { useLogoUpload } from './logo-upload.ts'

const kinds = acceptOf(imageKinds)

/** The displayed parts of a stored logo. */
type StoredLogo = { readonly filename: string | null; readonly file_url: string | null }

/** The logo of a client or a partner: uploaded as soon as it is chosen, saved with the record. The form must use `logoIsThere` as its check. */
export function LogoField({ value, onChange, error, disabled, row }: SlotProps & { row: StoredLogo | undefined }) {
  const { file, preview, busy, isWaiting, failed, choose } = useLogoUpload(value, onChange)
  const stored = value !== null && row?.filename && row.file_url ? { name: row.filename, href: row.file_url } : undefined
  const picture = preview ? { src: preview, alt: 'New logo' } : stored && { src: stored.href, alt: stored.name }
  return (
    <div className={styles.logo}>
      <FileField
        label="Logo"
        accept={kinds}
        files={file ? [file] : []}
        current={stored}
        disabled={disabled || busy}
        error={failed ?? error}
        hint={busy ? 'Uploading…' : isWaiting ? 'A new logo is uploaded and waits to be saved.' : undefined}
        onChange={(files) => void choose(files[0])}
      />
      {picture && !isWaiting && <img className={styles.picture} src={picture.src} alt={picture.alt} />}
      {stored && !file && (
        <Button small kind="quiet" onClick={() => onChange(null)}>
          Remove logo
        </Button>
      )}
    </div>
  )
}
