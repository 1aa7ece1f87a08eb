import { useState } from 'react'

export type Draft = { text: string; onInput: (text: string) => void; onLeave: () => void }

/**
 * Lets a person type freely while the value stays clean. Each keystroke passes on the parsed text, or the text itself if it cannot be parsed
 * yet, so that the caller's validation rejects it. On blur the value is shown in its own format.
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
