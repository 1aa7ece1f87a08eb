import { useRef } from 'react'
import { randomId } from '../connection.ts'

/** One key for one intent: sending the same again repeats it, other values are another intent. */
export function useIntent(): (body: object) => string {
  const last = useRef({ text: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: randomId() }
    return last.current.key
  }
}
