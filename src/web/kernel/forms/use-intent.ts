import { useRef } from 'react'
import { randomId } from '../connection.ts'

/** Returns the idempotency key of a body: the same body gets the same key, so sending it again is a repeat; another body gets a new key. */
export function useIntent(): (body: object) => string {
  const last = useRef({ text: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: randomId() }
    return last.current.key
  }
}
