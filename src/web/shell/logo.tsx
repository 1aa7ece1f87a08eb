import { useState } from 'react'
import { cx } from '../ui/class-names.ts'
import styles from './shell.module.css'

export type LogoProps = { clientUrl: string | null | undefined; clientName: string | undefined; partnerUrl: string | null | undefined }

/** The scoped client's logo, else that of the user's channel partner, else ours (G-LOGO). If one cannot be loaded, the next one is used. */
export function Logo({ clientUrl, clientName, partnerUrl }: LogoProps) {
  const [broken, setBroken] = useState<readonly string[]>([])
  const foreign = [
    { url: clientUrl, alt: clientName ?? 'Client' },
    { url: partnerUrl, alt: 'Channel partner' },
  ].find(({ url }) => url && !broken.includes(url))
  const url = foreign?.url
  if (!url) {
    return (
      <span className={styles.ownLogo}>
        <OwnMark />
        <span className={styles.wide}>Meterbook</span>
      </span>
    )
  }
  return <img key={url} src={url} alt={foreign.alt} className={cx(styles.foreignLogo)} onError={() => setBroken([...broken, url])} />
}

/** Inline SVG instead of a file, so that the first view needs no further request. */
function OwnMark() {
  return (
    <svg viewBox="0 0 32 32" width={20} height={20} aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path d="M8 23V9h2.6l5.4 8 5.4-8H24v14h-3v-9l-5 7.3L11 14v9z" fill="var(--on-accent)" />
    </svg>
  )
}
