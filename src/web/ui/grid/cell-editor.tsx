import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Choice } from '../fields/choice-fields.tsx'
import styles from './data-grid.module.css'

/** The direction in which the focus moves after an edit. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'right' | 'left'
/** `text` is null if the edit was cancelled. */
export type FinishEdit = (text: string | null, after: AfterEdit) => void

interface EditorProps {
  readonly label: string
  readonly text: string
  readonly finish: FinishEdit
}

/** The contents of a cell while it is edited: a select for a column with choices, else an input. */
export function CellEditor({ options, ...props }: EditorProps & { readonly options?: readonly Choice[] | undefined }) {
  return options === undefined ? <TextEditor {...props} /> : <ChoiceEditor {...props} options={options} />
}

/** Keeps its own text, so that typing rerenders nothing else. */
function TextEditor({ label, text, finish }: EditorProps) {
  const input = useRef<HTMLInputElement>(null)
  const finished = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const end = (value: string | null, after: AfterEdit) => {
    if (finished.current) return
    finished.current = true
    finish(value, after)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    const after = afterKey(event)
    if (event.key !== 'Escape' && !after) return
    event.preventDefault()
    end(event.key === 'Escape' ? null : event.currentTarget.value, after ?? 'stay')
  }
  return (
    <input
      ref={input}
      className={styles.editor}
      aria-label={label}
      defaultValue={text}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onPaste={(event) => event.stopPropagation()}
      onBlur={(event) => end(event.currentTarget.value, 'stay')}
    />
  )
}

function ChoiceEditor({ label, text, finish, options }: EditorProps & { readonly options: readonly Choice[] }) {
  const input = useRef<HTMLSelectElement>(null)
  const finished = useRef(false)
  useEffect(() => input.current?.focus(), [])
  const end = (value: string | null, after: AfterEdit) => {
    if (finished.current) return
    finished.current = true
    finish(value, after)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLSelectElement>) => {
    event.stopPropagation()
    const after = afterKey(event)
    if (event.key !== 'Escape' && !after) return
    event.preventDefault()
    end(event.key === 'Escape' ? null : event.currentTarget.value, after ?? 'stay')
  }
  return (
    <select
      ref={input}
      className={styles.editor}
      aria-label={label}
      defaultValue={text}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.currentTarget.value, 'stay')}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

function afterKey(event: KeyboardEvent): AfterEdit | undefined {
  if (event.key === 'Enter') return event.shiftKey ? 'up' : 'down'
  if (event.key === 'Tab') return event.shiftKey ? 'left' : 'right'
  return undefined
}
