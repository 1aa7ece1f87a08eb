import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountingBatchCalls, previewLinesMax } from '#contract/accounting-batches/accounting-batch.ts'
import type { UploadLine } from '#contract/accounting-batches/upload-file.ts'
import { uploadLayout, type UploadLayout } from '#contract/accounting-batches/upload-layout.ts'
import { uploadWriter, widthFaultText } from '#contract/accounting-batches/upload-writer.ts'
import { apiQuery } from '../kernel/query.ts'
import styles from './accounting-batches.module.css'

/** Rows that are shown. */
const ROWS_SHOWN = 20
const FAULTS_SHOWN = 10
/** Characters of the ruler over a file of fixed width. */
const RULER = 10

/** The first rows of the file, by the same function that writes it; what does not fit is named under them. */
export function UploadPreview({ layout, clientId, batchId }: { layout: UploadLayout; clientId: number; batchId: number }) {
  const asked = useQuery(apiQuery(accountingBatchCalls.uploadLines, { params: { client_id: clientId, id: batchId } }))
  const shown = useMemo(() => (asked.data ? preview(layout, asked.data.lines, asked.data.ledger_fields) : null), [layout, asked.data])
  if (asked.error) return <p role="alert">{asked.error.message}</p>
  if (!asked.data || shown === null) return <p className={styles.reason}>Loading</p>
  if (!uploadLayout.safeParse(layout).success) return <p className={styles.reason}>The preview comes when the layout is complete.</p>
  const isPart = asked.data.lines.length >= previewLinesMax
  const text = layout.kind === 'fixed_width' ? `${rulerOf(shown.text)}\n${shown.text}` : shown.text
  return (
    <>
      {/* A field can be scrolled by the keyboard and copied from. */}
      <textarea
        className={styles.file}
        aria-label="First rows of the file"
        readOnly
        wrap="off"
        rows={text.split('\n').length}
        value={text}
      />
      <p className={styles.reason}>
        {`The first ${ROWS_SHOWN} rows at most${isPart ? `, of the first ${previewLinesMax} ledger lines` : ''}.`}
      </p>
      {shown.faults.length > 0 && (
        <ul className={styles.problems} role="status">
          {shown.faults.slice(0, FAULTS_SHOWN).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function preview(layout: UploadLayout, lines: readonly UploadLine[], ledgerFields: readonly string[]): { text: string; faults: string[] } {
  const writer = uploadWriter(layout, ledgerFields)
  const rows = [...writer.take(lines), ...writer.end()]
  const cells = [...writer.heading, ...rows.slice(0, ROWS_SHOWN).map((row) => row.cells)]
  return {
    text: cells
      .map((one) => writer.text(one))
      .join('')
      .replaceAll('\r\n', '\n'),
    faults: rows.flatMap((row) => row.faults.map(widthFaultText)),
  }
}

/** '....:....1....:....2' as long as the longest line. */
function rulerOf(text: string): string {
  const length = Math.max(...text.split('\n').map((line) => line.length))
  return Array.from({ length: Math.ceil(length / RULER) }, (_, place) => `....:....${(place + 1) % RULER}`).join('')
}
