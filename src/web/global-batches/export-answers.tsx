/** The preview of an export and its outcome: its files, its request for a release, or the reason that prevents it. */
import { waitsText } from '#contract/global-batches/export-release.ts'
import type { globalPaymentCalls } from '#contract/global-batches/global-payment.ts'
import type { ReplyOf } from '#contract/kernel/call.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { ApiProblem } from '../kernel/api-problem.ts'
import { UiLink } from '../ui/link.tsx'
import { releaseHref } from './desk-head.tsx'
import styles from './global-batches.module.css'
import { ResultDialog } from './result-dialog.tsx'
import { counted, ownWords, words } from './words.ts'

type ExportPlan = ReplyOf<typeof globalPaymentCalls.preview>

/** The files that the export writes, what is unusual about them, and why the export waits for a second person. */
export function Consequence({
  plan: { files, waits_because: reasons, warnings },
}: {
  plan: Pick<ExportPlan, 'files' | 'waits_because' | 'warnings'>
}) {
  return (
    <>
      <ul className={styles.reasons}>
        {files.map((file, place) => (
          <li key={place}>{plannedWords(file)}</li>
        ))}
      </ul>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {reasons.length > 0 && <p>{waitsText(reasons)}</p>}
    </>
  )
}

type Plan = { bank_name: string | null; effective_date: string | null; payers: number; payments: number; bills: number; total: string }

/** Returns 'First Bank: 22 payments of 12 payers, $40,210.00, effective 11/24/2026'. */
function plannedWords({ bank_name, effective_date, payers, payments, total }: Plan): string {
  const effective = effective_date === null ? '' : `, effective ${formatDate(effective_date)}`
  return `${bank_name === null ? '' : `${bank_name}: `}${counted(payments, 'payment')} of ${counted(payers, 'payer')}, ${formatMoney(total)}${effective}`
}

type Fault = { readonly sentence: string; readonly link: string | null }

/** The errors that prevent an export, each with a link to the page where it can be fixed. */
export function Faults({ faults, close }: { faults: readonly Fault[]; close: () => void }) {
  return (
    <ResultDialog
      title="Nothing was exported"
      message={`${counted(faults.length, 'thing prevents', 'things prevent')} this export.`}
      details={
        <ul className={styles.reasons}>
          {faults.map(({ sentence, link }) => (
            <li key={sentence}>
              {sentence} {link !== null && <UiLink href={link}>Open</UiLink>}
            </li>
          ))}
        </ul>
      }
      answers={[{ label: words.continue, primary: true, run: close }]}
      onClose={close}
    />
  )
}

export function Refused({ error, close }: { error: unknown; close: () => void }) {
  const messages = error instanceof ApiProblem ? error.messages : [String(error)]
  return <Faults faults={messages.map((sentence) => ({ sentence, link: null }))} close={close} />
}

/** The request that the export has become. */
export function Waits({
  waits: { id, reasons },
  close,
}: {
  waits: { readonly id: number; readonly reasons: readonly string[] }
  close: () => void
}) {
  return (
    <ResultDialog
      title="The export waits for a release"
      message={waitsText(reasons)}
      details={
        <p>
          {ownWords.no_file_yet} <UiLink href={releaseHref(id)}>Open the request</UiLink>
        </p>
      }
      answers={[{ label: words.continue, primary: true, run: close }]}
      onClose={close}
    />
  )
}

interface FilesProps {
  readonly title: string
  readonly message: string
  readonly files: readonly { readonly id: number; readonly file_name: string; readonly batch_file_url: string }[]
  readonly close: () => void
}

/** The files of an export. They stay in the file history. */
export function Files({ title, message, files, close }: FilesProps) {
  return (
    <ResultDialog
      title={title}
      message={message}
      details={
        <ul className={styles.reasons}>
          {files.map((file) => (
            <li key={file.id}>
              <UiLink href={file.batch_file_url}>{file.file_name}</UiLink>
            </li>
          ))}
        </ul>
      }
      answers={[{ label: words.continue, primary: true, run: close }]}
      onClose={close}
    />
  )
}
