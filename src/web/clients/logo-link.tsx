import { Missing } from '../ui/status.tsx'

/** A link that downloads a row's logo. */
export function LogoLink({ row }: { row: { readonly file_url: string | null; readonly filename: string | null } }) {
  if (row.file_url === null) return <Missing word="no logo" />
  return (
    <a href={row.file_url} download={row.filename ?? 'logo'} target="_blank" rel="noreferrer">
      {row.filename}
    </a>
  )
}
