import { mail, type Mail } from '#contract/mails/mail.ts'
import { valueText } from '../kernel/value-text.ts'
import { StatusDot, type StatusShape, type Tone } from '../ui/status.tsx'

const looks: Readonly<Record<Mail['state'], { tone: Tone; shape: StatusShape }>> = {
  waiting: { tone: 'warn', shape: 'ring' },
  sent: { tone: 'ok', shape: 'dot' },
  dead: { tone: 'bad', shape: 'triangle' },
}

/** The state of a mail as a mark and a word. */
export function MailState({ state }: { state: Mail['state'] }) {
  const { tone, shape } = looks[state]
  const word = mail.fields.state.choices?.find((choice) => choice.value === state)?.label ?? valueText(state)
  return (
    <StatusDot tone={tone} shape={shape}>
      {word}
    </StatusDot>
  )
}
