import { useEffect, useRef, type KeyboardEvent } from 'react'
import styles from './data-grid.module.css'

/** Where the keyboard goes after an edit. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'right' | 'left'
/** `text` is null when the edit was given up. */
export type FinishEdit = (text: string | null, after: AfterEdit) => void

/** The input inside a cell while it is edited. It keeps its own text, so that typing draws nothing else again. */
export function CellEditor({ label, text, finish }: { label: string; text: string; finish: FinishEdit }) {
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

function afterKey(event: KeyboardEvent): AfterEdit | undefined {
  if (event.key === 'Enter') return event.shiftKey ? 'up' : 'down'
  if (event.key === 'Tab') return event.shiftKey ? 'left' : 'right'
  return undefined
}
