/** The dialog that settles a line: as one of the outstanding payments of its amount, or by a person's explanation. A settled line is opened again with a reason. */
import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  bankStatementLineCalls,
  lineReasonMax,
  type BankStatementLine,
  type LineCandidate,
} from '#contract/bank-statements/bank-statement-line.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { callApi } from '../kernel/api.ts'
import { FailedAttempt, useAttempt } from '../kernel/attempt.tsx'
import { resultNotice } from '../kernel/notices/notices.ts'
import { apiQuery } from '../kernel/query.ts'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { SelectField } from '../ui/fields/choice-fields.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { refreshStatements } from './refresh-statements.ts'

interface LineDialogProps {
  readonly line: BankStatementLine
  readonly onClose: () => void
}

export function LineDialog({ line, onClose }: LineDialogProps) {
  const isOpen = line.state === 'open' || line.state === 'proposed'
  return isOpen ? <OpenLine line={line} onClose={onClose} /> : <SettledLine line={line} onClose={onClose} />
}

const titleOf = ({ line, amount }: BankStatementLine): string => `Line ${line}, ${formatMoney(amount)}`

function OpenLine({ line, onClose }: LineDialogProps) {
  const { data } = useQuery(apiQuery(bankStatementLineCalls.candidates, { params: { id: line.id } }))
  const [key, setKey] = useState('')
  const [reason, setReason] = useState('')
  const params = { id: line.id }
  const { lock_version } = line
  const send = () =>
    key === ''
      ? callApi(bankStatementLineCalls.explain, { params, body: { reason, lock_version } })
      : callApi(bankStatementLineCalls.clear, { params, body: { clearable_key: key, lock_version } })
  return (
    <LineModal
      line={line}
      onClose={onClose}
      send={send}
      isReady={key !== '' || reason.trim() !== ''}
      label={key === '' ? 'Explain' : 'Clear'}
    >
      <p>{[formatDate(line.day), line.description, line.reason].filter((part) => part !== '').join(' · ')}</p>
      <SelectField
        label="Payment"
        hint={data ? candidateWords(data.candidates) : 'Outstanding payments of this amount are looked for.'}
        emptyLabel="None"
        value={key}
        onChange={setKey}
        options={(data?.candidates ?? []).map((one) => ({ value: one.key, label: `${one.name}, ${formatDate(one.day)}` }))}
      />
      {key === '' && (
        <TextField
          label="Explanation"
          hint="For a line that is no payment, such as a fee."
          maxLength={lineReasonMax}
          value={reason}
          onChange={setReason}
        />
      )}
    </LineModal>
  )
}

function candidateWords(candidates: readonly LineCandidate[]): string {
  if (candidates.length === 0) return 'Nothing outstanding has this amount.'
  return candidates.length === 1 ? '1 outstanding payment has this amount.' : `${candidates.length} outstanding payments have this amount.`
}

function SettledLine({ line, onClose }: LineDialogProps) {
  const [reason, setReason] = useState('')
  const send = () => callApi(bankStatementLineCalls.undo, { params: { id: line.id }, body: { reason, lock_version: line.lock_version } })
  return (
    <LineModal line={line} onClose={onClose} send={send} isReady={reason.trim() !== ''} label="Open Again">
      <p>{[line.clearable_name, line.reason, line.settled_by_name].filter((part) => part !== null).join(' · ')}</p>
      <TextField label="Reason" required autoFocus maxLength={lineReasonMax} value={reason} onChange={setReason} />
    </LineModal>
  )
}

interface LineModalProps extends LineDialogProps {
  readonly send: () => Promise<{ success: boolean; message: string }>
  readonly isReady: boolean
  readonly label: string
  readonly children: ReactNode
}

function LineModal({ line, onClose, send, isReady, label, children }: LineModalProps) {
  const attempt = useAttempt()
  const run = () =>
    attempt.run(async () => {
      try {
        resultNotice(await send())
        onClose()
      } finally {
        refreshStatements()
      }
    })
  return (
    <Modal
      open
      onClose={onClose}
      title={titleOf(line)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || !isReady || attempt.busy) return
        event.preventDefault()
        void run()
      }}
      footer={
        <>
          <FailedAttempt attempt={attempt} again={() => void run()} what="Not saved" />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={attempt.busy}
            disabledReason={isReady ? undefined : 'Choose or say something first'}
            onClick={() => void run()}
          >
            {label}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  )
}
