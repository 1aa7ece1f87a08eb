import { ArrowLeft } from 'lucide-react'
import { UiLink } from '../ui/link.tsx'
import { listAddress } from './lists/way-back.ts'
import styles from './forms/form.module.css'

/** The link that leaves a form or an import, above its heading. A list returns with the filters, the sort and the page that it had. */
export function BackLink({ href, label = 'Go Back' }: { href: string; label?: string | undefined }) {
  return (
    <UiLink href={listAddress(href)} className={styles.back}>
      <ArrowLeft size={14} aria-hidden="true" />
      {label}
    </UiLink>
  )
}
