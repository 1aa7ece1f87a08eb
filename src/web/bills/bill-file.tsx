/** The paper beside the bill. */
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { billDetailCalls, type BillDetail } from '#contract/bill-detail.ts'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { Button } from '../ui/button.tsx'
import { UiLink } from '../ui/link.tsx'
import { PdfPages } from '../ui/preview/pdf-pages.tsx'
import styles from './bills.module.css'

/** The address works for five minutes; it is asked for again before that. */
const ADDRESS_FRESH_MS = 240_000

export function BillFile({ bill }: { bill: BillDetail }) {
  const [position, setPosition] = useState(1)
  const file = bill.files.find((one) => one.position === position) ?? bill.files[0]
  const params = { client_id: bill.client_id, id: bill.id, position: file?.position ?? 1 }
  const asked = useQuery({
    ...apiQuery(billDetailCalls.file, { params, query: { inline: 'true' } }),
    staleTime: ADDRESS_FRESH_MS,
    gcTime: ADDRESS_FRESH_MS,
  })
  if (!file) return null
  return (
    <aside className={styles.paper} aria-label="File copy">
      <div className={styles.paperHead}>
        <span className={styles.paperName} title={file.filename}>
          {file.filename}
        </span>
        {bill.files.length > 1 &&
          bill.files.map((one) => (
            <Button key={one.position} small aria-pressed={one.position === file.position} onClick={() => setPosition(one.position)}>
              {`File ${one.position}`}
            </Button>
          ))}
        <UiLink href={file.href}>Download</UiLink>
      </div>
      <RecordGate asked={asked}>
        {({ url }) =>
          file.content_type === 'application/pdf' ? (
            <PdfPages key={url} url={url} label={`Copy of the bill: ${file.filename}`} className={styles.sheets} />
          ) : (
            <Picture url={url} name={file.filename} type={file.content_type} />
          )
        }
      </RecordGate>
    </aside>
  )
}

function Picture({ url, name, type }: { url: string; name: string; type: string }) {
  if (!type.startsWith('image/')) return <p className={styles.quiet}>A file of this kind cannot be shown here; it can be downloaded.</p>
  return <img className={styles.sheet} src={url} alt={`Copy of the bill: ${name}`} />
}
