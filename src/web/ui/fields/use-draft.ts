import { useState } from 'react'

export type Draft = { text: string; onInput: (text: string) => void; onLeave: () => void }

/**
 * Lets a person type freely while the value stays clean: each keystroke hands on what the text means, or the text itself where it means
 * nothing yet, so that the caller's validation refuses it. On leaving, the value is shown in its own format.
 */
export function useDraft(
  value: string,
  parse: (text: string) => string | null,
  format: (value: string) => string,
  onChange: (value: string) => void,
): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  return {
    text: draft ?? format(value),
    onInput: (text) => {
      setDraft(text)
      onChange(text.trim() === '' ? '' : (parse(text) ?? text))
    },
    onLeave: () => setDraft(null),
  }
}
