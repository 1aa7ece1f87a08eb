/** The panel below a finding for its actions: no dialog, fully usable by keyboard. */
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { findingCommentMax } from '#contract/bill-findings/bill-finding.ts'
import { billFindingCalls } from '#contract/bill-findings/bill-finding-calls.ts'
import { findingReasons, type FindingReason } from '#contract/bill-audits/finding-reasons.ts'
import { FailedAttempt } from '../kernel/attempt.tsx'
import { EntityPicker, optionsOf } from '../kernel/forms/picker.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import styles from './bill-findings.module.css'
import type { FindingActs } from './use-finding-acts.ts'

export type PanelMode = 'resolve' | 'assign' | 'comment' | 'reopen'

/** A failed action keeps the panel open with its reason. */
interface PanelProps {
  readonly mode: PanelMode
  readonly clientId: number
  readonly assignedTo: number | null
  readonly userId: number | undefined
  readonly acts: FindingActs
  readonly onClose: (done: boolean) => void
}

/** Takes the focus, so that a panel opened by key can be used by keys, and typing a comment triggers no shortcuts. */
export function FindingPanel(props: PanelProps) {
  return (
    <Focused key={props.mode}>
      <PanelOf {...props} />
    </Focused>
  )
}

function Focused({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const wanted = place.current?.querySelector('[data-autofocus]')
    if (wanted instanceof HTMLElement) wanted.focus()
  }, [])
  return <div ref={place}>{children}</div>
}

function PanelOf({ mode, ...rest }: PanelProps) {
  switch (mode) {
    case 'resolve':
      return <ReasonPanel {...rest} />
    case 'assign':
      return <AssignPanel {...rest} />
    default:
      return <WordsPanel key={mode} mode={mode} {...rest} />
  }
}

type Parts = Omit<PanelProps, 'mode'>

function ReasonPanel({ acts, onClose }: Parts) {
  const [comment, setComment] = useState('')
  const choose = async (reason: FindingReason) => (await acts.resolve(reason, comment)) && onClose(true)
  return (
    <div className={styles.panel} role="group" aria-label="Why it is settled">
      <div className={styles.reasons}>
        {findingReasons.map(({ value, label }, place) => (
          <Button key={value} small disabled={acts.attempt.busy} autoFocus={place === 0} onClick={() => void choose(value)}>
            <KeyHint keys={String(place + 1)} /> {label}
          </Button>
        ))}
      </div>
      <TextField label="Comment" aside="optional" value={comment} maxLength={findingCommentMax} onChange={setComment} />
      <div>
        <FailedAct acts={acts} onClose={onClose} />
        <Button small kind="quiet" onClick={() => onClose(false)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function AssignPanel({ clientId, assignedTo, userId, acts, onClose }: Parts) {
  const [source] = useState(() =>
    optionsOf(
      'users',
      billFindingCalls.assignees,
      { client_id: clientId },
      { label: ({ name }) => name, hint: ({ email, name }) => (email === name ? undefined : email) },
    ),
  )
  const give = async (id: number | null) => (await acts.assign(id, assignedTo)) && onClose(true)
  return (
    <div className={styles.panel} role="group" aria-label="Who looks at it">
      <EntityPicker
        label="Give it to"
        source={source}
        value={assignedTo}
        autoFocus
        onChange={(id) => id !== null && id !== assignedTo && void give(id)}
      />
      <div className={styles.reasons}>
        {userId !== undefined && userId !== assignedTo && (
          <Button small disabled={acts.attempt.busy} onClick={() => void give(userId)}>
            Assign to me
          </Button>
        )}
        {assignedTo !== null && (
          <Button small disabled={acts.attempt.busy} onClick={() => void give(null)}>
            Unassign
          </Button>
        )}
        <FailedAct acts={acts} onClose={onClose} />
        <Button small kind="quiet" onClick={() => onClose(false)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}

function WordsPanel({ mode, acts, onClose }: Parts & { mode: 'comment' | 'reopen' }) {
  const [words, setWords] = useState('')
  const isEmpty = mode === 'comment' && words.trim() === ''
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isEmpty) return
    const done = await (mode === 'comment' ? acts.comment(words.trim()) : acts.reopen(words))
    if (done) onClose(true)
  }
  return (
    <form className={styles.panel} onSubmit={(event) => void send(event)}>
      <TextField
        label={mode === 'comment' ? 'Comment' : 'Why it is opened again'}
        value={words}
        maxLength={findingCommentMax}
        autoFocus
        onChange={setWords}
      />
      <div className={styles.reasons}>
        <Button
          small
          kind="primary"
          type="submit"
          busy={acts.attempt.busy}
          disabledReason={isEmpty ? 'Write a comment first' : undefined}
          reasonHidden
        >
          {mode === 'comment' ? 'Add comment' : 'Open again'}
        </Button>
        <FailedAct acts={acts} onClose={onClose} />
        <Button small kind="quiet" onClick={() => onClose(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function FailedAct({ acts, onClose }: Pick<PanelProps, 'acts' | 'onClose'>) {
  const again = async () => (await acts.again()) && onClose(true)
  return <FailedAttempt attempt={acts.attempt} again={() => void again()} />
}
