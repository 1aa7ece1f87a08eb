import { ArrowLeft } from 'lucide-react'
import { UiLink } from '../ui/link.tsx'
import styles from './forms/form.module.css'

/** The link that leaves a form or an import, above its heading. */
export function BackLink({ href, label = 'Go Back' }: { href: string; label?: string | undefined }) {
  return (
    <UiLink href={href} className={styles.back}>
      <ArrowLeft size={14} aria-hidden="true" />
      {label}
    </UiLink>
  )
}
