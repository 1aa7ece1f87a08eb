import { useState } from 'react'
import { cx } from '../ui/class-names.ts'
import ownLogo from '../ui/icon.svg'
import styles from './shell.module.css'

export type LogoProps = { clientUrl: string | null | undefined; clientName: string | undefined; partnerUrl: string | null | undefined }

/** The scoped client's logo, else that of the person's channel partner, else ours (G-LOGO). One that cannot be loaded gives way to the next. */
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
        <img src={ownLogo} alt="" width={20} height={20} />
        <span className={styles.wide}>Meterbook</span>
      </span>
    )
  }
  return <img key={url} src={url} alt={foreign.alt} className={cx(styles.foreignLogo)} onError={() => setBroken([...broken, url])} />
}
